"""What stands in for the world in a replay: time that stands still, and a tool boundary of recorded answers."""

from dataclasses import dataclass
from datetime import datetime

from nodes.taping import taped_result
from state.model.enums import InvocationStatus, ToolCode
from state.model.errors import RecordingMissing
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, Lease, RunFacts
from state.model.tool_call import Refused
from state.ports import CanonicalStore, ControlStore, Recording
from tools.boundary import CANONICAL_TTL, ToolRequest
from tools.contract import CallContext, ToolCard


class StandingClock:
    """Time as the run fixed it, so that no deadline falls differently."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """The instant of the run."""
        return self._now

    def monotonic(self) -> float:
        """Always zero."""
        return 0.0


@dataclass(frozen=True)
class RecordedDoor:
    """The tool boundary of a replay: recorded answers, canonical records and ledger entries written anew."""

    source: RunId
    specs: tuple[ToolCard, ...]
    recording: Recording
    canonical: CanonicalStore
    control: ControlStore
    begun_at: datetime
    """Real time of the replay, from which its own records expire."""
    opened_at: datetime
    """When the recorded run was opened: its calls keep their distance from it, and so their order."""

    async def call(
        self, lease: Lease, facts: RunFacts, context: CallContext, request: ToolRequest
    ) -> CanonicalRecord | Refused:
        """What the recorded run was answered.

        Raises:
            RecordingMissing: this request was not made in the recorded run.
        """
        taped = await taped_result(self.recording, self.source, request)
        if taped is None:
            raise RecordingMissing(self.source, f"tool:{request.call.tool_call_id}")
        if taped.record is None:
            return taped.refused or Refused(code=ToolCode.STORE_ERROR)
        await self._charge(lease, taped.record)
        return await self.keep(lease, taped.record)

    async def _charge(self, lease: Lease, record: CanonicalRecord) -> None:
        spent = record.request_bytes + record.raw_bytes + record.projection_bytes
        entry = BudgetEntry(
            run_id=lease.run_id,
            kind=BudgetKind.TOOL_CALL,
            key=record.tool_call_id,
            component=record.tool,
            reserved=spent,
        )
        await self.control.reserve(lease, entry)
        await self.control.settle(lease, entry.kind, entry.key, spent, usage_reported=True)

    async def keep(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord:
        """The recorded result as a record of this replay."""
        begun = record.model_copy(
            update={
                "run_id": lease.run_id,
                "status": InvocationStatus.PROJECTING,
                "evidence_status": None,
                "error_code": None,
                "projection_json": None,
                "projection_sha256": None,
                "lease_epoch": lease.epoch,
                "begun_at": self.begun_at + (record.begun_at - self.opened_at),
                "expires_at": self.begun_at + CANONICAL_TTL,
            }
        )
        await self.canonical.begin(lease, begun)
        if record.status is InvocationStatus.READY and record.evidence_status and record.projection_json:
            return await self.canonical.complete(
                lease,
                record.tool_call_id,
                evidence_status=record.evidence_status,
                projection_json=record.projection_json,
                raw_json="{}",
            )
        return await self.canonical.fail(lease, record.tool_call_id, record.error_code or ToolCode.TOOL_EXECUTION_ERROR)
