"""What models said beside their answers, for auditors: what was kept, or why there is nothing. Never reconstructed."""

from dataclasses import dataclass
from enum import StrEnum

from config.settings import Settings
from graph.stores import Stores
from graph.wiring import build_reasoning
from state.model.ids import RunId
from state.model.reasoning import Reasoning
from state.model.run import BudgetKind


class Unavailable(StrEnum):
    """Why no thinking can be shown."""

    NO_KEY = "NO_KEY"
    """``encryption_key`` is not set, so nothing is kept and nothing can be opened."""
    NOT_KEPT = "NOT_KEPT"
    """Nothing of the run is there: older than it may be kept, sealed with another key, or run before there was one."""
    NOT_GIVEN = "NOT_GIVEN"
    """The provider returned none."""


@dataclass(frozen=True)
class KeptReasoning:
    """What is known of one run."""

    why: Unavailable | None
    """None: some step has its thinking."""
    entries: tuple[Reasoning, ...]
    """One a model step, in the order they were asked; ``text`` None where the provider returned none."""


async def read_reasoning(settings: Settings, stores: Stores, run_id: RunId) -> KeptReasoning:
    """What was kept of the run's model steps.

    Raises:
        TruthUnavailable: ledger or rows cannot be read.
    """
    kept = build_reasoning(settings, stores)
    if not kept.is_kept:
        return KeptReasoning(Unavailable.NO_KEY, ())
    ledger = await stores.control.entries(run_id)
    steps = [entry.key for entry in ledger if entry.kind is BudgetKind.MODEL_CALL]
    entries = await kept.entries(run_id, steps)
    if not entries:
        return KeptReasoning(Unavailable.NOT_KEPT, ())
    given = any(entry.text for entry in entries)
    return KeptReasoning(None if given else Unavailable.NOT_GIVEN, entries)
