"""Raw results of a full recording, sealed with the operator's key, in the rows of a recording. Fails open on write.

A row that another key sealed, or that was moved to another call, is as good as none.
"""

import asyncio
import logging

from pydantic import SecretStr

from state.model.base import Value
from state.model.ids import RunId, ToolCallId, digest
from state.ports import Recording
from state.stores.sealing import Seal

PREFIX = "raw:"
"""Begins the step under which a row is kept; rows of a recording that are read for replay never begin so."""
_PURPOSE = b"rootproof raw result 1"
_log = logging.getLogger(__name__)


class _Sealed(Value):
    """What is encrypted: the place too, so that a row says only what was kept there."""

    run_id: RunId
    tool_call_id: ToolCallId
    raw_json: str


class SealedRawResults:
    """The port ``RawLog``; contracts of its methods are written there."""

    def __init__(self, rows: Recording, key: SecretStr) -> None:
        """``rows`` decide how long it is kept."""
        self._rows = rows
        self._seal = Seal(key, _PURPOSE)

    async def put(self, run_id: RunId, tool_call_id: ToolCallId, raw_json: str) -> None:
        """See the port."""
        plain = _Sealed(run_id=run_id, tool_call_id=tool_call_id, raw_json=raw_json)
        # Megabytes may be sealed: not on the loop that everybody waits for.
        token = await asyncio.to_thread(lambda: self._seal.close(plain.model_dump_json()))
        await self._rows.put(run_id, f"{PREFIX}{tool_call_id}", digest(token), token)

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """See the port."""
        row = await self._rows.get(run_id, f"{PREFIX}{tool_call_id}")
        plain = await asyncio.to_thread(self._seal.open, row[1]) if row else None
        if plain is None:
            if row:
                _log.warning("raw result %s of run %s cannot be opened with this key", tool_call_id, run_id)
            return None
        kept = _Sealed.model_validate_json(plain)
        return kept.raw_json if (kept.run_id, kept.tool_call_id) == (run_id, tool_call_id) else None
