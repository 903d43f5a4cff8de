"""The offline reasoner: a LangChain chat model that is rules over the messages, not a neural network.

Rooms: ``reading`` parses messages, ``planning`` picks the next call, ``gain`` judges a result, ``causes`` and
``ranking`` weigh what runbooks say against telemetry, ``drafting`` writes, ``review`` judges a draft.
It knows no scenario, file name, runbook or answer; every word list here is general vocabulary.
"""

from models.offline.model import OfflineReasoner, Role

__all__ = ["OfflineReasoner", "Role"]
