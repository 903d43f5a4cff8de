"""Reasoning of models, sealed with the operator's key, in the rows of a recording. Fails open on write.

Without a key nothing is kept. A row that another key sealed, or that was moved to another step, is as good as none.
"""

import logging
from collections.abc import Sequence

from pydantic import SecretStr

from state.model.base import Value
from state.model.ids import RunId, digest
from state.model.reasoning import Reasoning
from state.ports import Recording
from state.stores.sealing import Seal

PREFIX = "reasoning:"
"""Begins the step under which a row is kept; rows of a recording that are read for replay never begin so."""
_PURPOSE = b"rootproof reasoning 1"
_log = logging.getLogger(__name__)


class _Sealed(Value):
    """What is encrypted: the place too, so that a row says only what was kept there."""

    run_id: RunId
    reasoning: Reasoning


class SealedReasoning:
    """The port ``ReasoningLog``; contracts of its methods are written there."""

    def __init__(self, rows: Recording, key: SecretStr | None) -> None:
        """``rows`` decide how long it is kept; None as ``key``: nothing is."""
        self._rows = rows
        self._seal = Seal(key, _PURPOSE) if key is not None else None

    @property
    def is_kept(self) -> bool:
        """See the port."""
        return self._seal is not None

    async def put(self, run_id: RunId, reasoning: Reasoning) -> None:
        """See the port."""
        if self._seal is None:
            return
        plain = _Sealed(run_id=run_id, reasoning=reasoning).model_dump_json()
        token = self._seal.close(plain)
        await self._rows.put(run_id, f"{PREFIX}{reasoning.step}", digest(token), token)

    async def entries(self, run_id: RunId, steps: Sequence[str]) -> tuple[Reasoning, ...]:
        """See the port."""
        found = [await self._one(run_id, step) for step in steps] if self._seal else []
        return tuple(one for one in found if one is not None)

    async def _one(self, run_id: RunId, step: str) -> Reasoning | None:
        row = await self._rows.get(run_id, f"{PREFIX}{step}")
        if row is None or self._seal is None:
            return None
        plain = self._seal.open(row[1])
        if plain is None:
            _log.warning("reasoning of step %s of run %s cannot be opened with this key", step, run_id)
            return None
        opened = _Sealed.model_validate_json(plain)
        return opened.reasoning if (opened.run_id, opened.reasoning.step) == (run_id, step) else None
