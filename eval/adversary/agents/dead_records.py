"""Records of a run that are there and may not be cited: still PROJECTING, or READY and expired."""

import asyncio
from datetime import datetime, timedelta

from state.model.enums import InvocationStatus
from state.model.ids import ToolCallId
from state.model.run import Lease
from state.ports import CanonicalStore

LIFE = timedelta(seconds=0.25)
"""Of a record that is planted to expire."""
_PLANTED = ToolCallId("call_planted")


async def plant_record(
    store: CanonicalStore, lease: Lease, real: ToolCallId, expires_at: datetime | None
) -> ToolCallId | None:
    """The id of a copy of a real record; None if there is no such record.

    Without ``expires_at`` the copy stays PROJECTING; else it is READY, and this returns when it has expired.
    """
    found = await store.get(lease.run_id, real)
    if found is None or found.evidence_status is None or found.projection_json is None:
        return None
    bare = found.model_copy(
        update={
            "tool_call_id": _PLANTED,
            "status": InvocationStatus.PROJECTING,
            "evidence_status": None,
            "projection_json": None,
            "projection_sha256": None,
            "lease_epoch": lease.epoch,
            "expires_at": expires_at or found.expires_at,
        }
    )
    await store.begin(lease, bare)
    if expires_at is not None:
        text = found.projection_json.replace(f'"{real}"', f'"{_PLANTED}"', 1)
        await store.complete(
            lease, _PLANTED, evidence_status=found.evidence_status, projection_json=text, raw_json="{}"
        )
        await asyncio.sleep(LIFE.total_seconds())
    return _PLANTED
