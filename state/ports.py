"""Protocols of everything outside the process. One contract test-suite per port (``tests/contracts``)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from state.model.audit import AuditDigest, AuditRow, AuditStock, Timeline
from state.model.enums import CancellationReason, EvidenceStatus, ToolCode
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, SessionId, ToolCallId
from state.model.reasoning import Reasoning
from state.model.release import EvidenceView
from state.model.run import (
    BudgetEntry,
    BudgetKind,
    BudgetUsage,
    Closing,
    Heartbeat,
    Lease,
    NewRun,
    PreviousTurn,
    PublicEvent,
    PublicEventType,
    RunRow,
)
from state.model.served import (
    EVERY_RUN,
    AccessRecord,
    AlertRun,
    CaseRecord,
    CaseState,
    KeptRequest,
    RunFeedback,
    RunFilter,
    SessionSummary,
)
from state.model.trace import StoredTraceEvent, TraceEvent


class Clock(Protocol):
    """Wall and monotonic time; the only door to both."""

    def now(self) -> datetime:
        """Current UTC instant."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...


class IdSource(Protocol):
    """Fresh identities; the only door to randomness."""

    def uuid(self) -> str:
        """A new UUID in canonical lower-case form."""
        ...


class CanonicalStore(Protocol):
    """Records of tool calls, keyed ``run_id + tool_call_id``. Fails closed.

    Every write names a lease; one whose epoch is below the run's fence raises LeaseLost and changes nothing.
    Every method raises TruthUnavailable if the store cannot be read or written.
    Records vanish physically at ``expires_at``; neither reads nor updates extend it.
    """

    async def raise_fence(self, lease: Lease) -> None:
        """From now on only this epoch or a higher one may write for the run. Idempotent."""
        ...

    async def begin(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord | None:
        """None if the PROJECTING record was inserted; else the record already there, unchanged."""
        ...

    async def complete(
        self,
        lease: Lease,
        tool_call_id: ToolCallId,
        *,
        evidence_status: EvidenceStatus,
        projection_json: str,
        raw_json: str,
    ) -> CanonicalRecord:
        """The READY record. Only from PROJECTING; any other state raises TruthUnavailable."""
        ...

    async def fail(self, lease: Lease, tool_call_id: ToolCallId, code: ToolCode) -> CanonicalRecord:
        """The ERROR record. Only from PROJECTING; an ERROR record is returned as it is."""
        ...

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> CanonicalRecord | None:
        """The record, or None if there is none or it has expired."""
        ...

    async def records(self, run_id: RunId) -> tuple[CanonicalRecord, ...]:
        """All unexpired records of the run in the order they were begun."""
        ...

    async def raw(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """Raw result as stored (secrets removed), or None."""
        ...

    async def placeholders(self, run_id: RunId) -> dict[str, str]:
        """Placeholder → value of the run; empty if none was needed."""
        ...

    async def add_placeholders(self, lease: Lease, added: Mapping[str, str]) -> None:
        """Keep further placeholders; an existing one is never changed."""
        ...

    async def copy_finished(self, source: RunId, lease: Lease, ids: Sequence[ToolCallId]) -> None:
        """Copy READY and ERROR records for a fork, with raw results, placeholders and their original expiry.

        Copying again changes nothing. A missing, expired or PROJECTING one raises ResultsGone, and nothing is copied.
        """
        ...

    async def sweep(self) -> int:
        """How many expired records, fences and placeholder maps were deleted."""
        ...


TakeStock = Callable[[Lease], Awaitable[AuditStock]]
"""What a closing under this lease knows of the audit; the holder before it can write nothing more."""


async def nothing_known(_: Lease) -> AuditStock:
    """Nothing: no digest is kept."""
    return AuditStock()


class ControlStore(Protocol):
    """Run, lease, budget, public events, sessions, published evidence. Fails closed.

    Every method raises TruthUnavailable if the store cannot be read or written. Lease times use the
    database's clock. Every write with a lease requires ``lease_epoch`` to be current, else LeaseLost.
    """

    async def open_run(self, new: NewRun, owner: str) -> Lease:
        """The lease of the run, newly inserted RUNNING with its session, or already there (then as take_lease).

        Raises RunRefused if the run is terminal, held by another owner, or its session belongs to another key.
        """
        ...

    async def take_lease(self, run_id: RunId, owner: str, *, resume: bool = False) -> Lease:
        """The lease with a raised epoch; the same owner's unexpired lease is returned as it is.

        ``resume`` counts one more resume. Raises RunRefused: unknown, terminal, held by another, or resumed too often.
        """
        ...

    async def drop_lease(self, lease: Lease) -> None:
        """Expire the lease at once, so that another process may take it. Losing it already is no error."""
        ...

    async def heartbeat(self, leases: Sequence[Lease], active_ms: Mapping[RunId, int]) -> Heartbeat:
        """Renew all leases, add active milliseconds; tells which are lost and which runs must stop."""
        ...

    async def request_cancel(self, run_id: RunId, reason: CancellationReason) -> bool:
        """True if the run was RUNNING and is now asked to stop (the first reason stays).

        CLIENT_DISCONNECTED leaves a detached run alone (False): it may have been detached since it was looked at.
        """
        ...

    async def get_run(self, run_id: RunId) -> RunRow | None:
        """The run, or None."""
        ...

    async def list_runs(self, wanted: RunFilter = EVERY_RUN, *, limit: int = 20) -> tuple[RunRow, ...]:
        """Newest first, of all runs that meet every condition; ``limit`` 1–200."""
        ...

    async def list_sessions(self, *, limit: int = 50, owner_key: str | None = None) -> tuple[SessionSummary, ...]:
        """Sessions with their newest question, the one asked in last first; ``limit`` 1–200."""
        ...

    async def session_owner(self, session_id: SessionId) -> str | None:
        """The key the session belongs to; None if there is no such session."""
        ...

    async def see_streams(self, run_ids: Sequence[RunId]) -> None:
        """Somebody watches these runs now, by the database's clock; ended and unknown ones are left alone."""
        ...

    async def detach(self, run_id: RunId) -> bool:
        """True if the run goes on without anybody watching from now on; False: ended, unknown, or asked to stop."""
        ...

    async def abandoned_runs(self, *, grace_s: float) -> tuple[RunId, ...]:
        """RUNNING runs that were watched, are not detached, and that nobody has watched for ``grace_s`` seconds."""
        ...

    async def interrupted_runs(self) -> tuple[RunRow, ...]:
        """RUNNING runs whose lease has expired, oldest first."""
        ...

    async def previous_turn(self, session_id: SessionId, owner_key: str) -> PreviousTurn | None:
        """The last DIAGNOSIS run of the session that ended SUCCESS, bounded; None if there is none."""
        ...

    async def reserve(self, lease: Lease, entry: BudgetEntry) -> None:
        """Write the entry; one with the same (kind, key) is left as it is."""
        ...

    async def settle(self, lease: Lease, kind: BudgetKind, key: str, amount: int, *, usage_reported: bool) -> None:
        """Set what was really spent; a missing entry raises TruthUnavailable."""
        ...

    async def usage(self, run_id: RunId) -> BudgetUsage:
        """Sums of the ledger."""
        ...

    async def entries(self, run_id: RunId) -> tuple[BudgetEntry, ...]:
        """The ledger in the order it was written."""
        ...

    async def offer_event(
        self, lease: Lease, event_key: str, type_: PublicEventType, payload: dict[str, object]
    ) -> PublicEvent | None:
        """The committed event; None if one with this key exists. CONTENT, FAILURE, DONE are refused (ValueError)."""
        ...

    async def public_events(self, run_id: RunId, *, after: int = 0) -> tuple[PublicEvent, ...]:
        """Events with ``seq`` > after, in order."""
        ...

    async def set_intent(self, lease: Lease, intent: str) -> None:
        """Record the routing decision on the run."""
        ...

    async def close(self, lease: Lease, closing: Closing) -> RunRow:
        """The run row after the attempt: first terminal state wins.

        One transaction: the conditional update, then content | failure, done and the published evidence.
        No row changed because a cancel is requested → the same transaction again as CANCELLED; because the run
        is terminal → the stored row; because the lease is lost → LeaseLost.
        """
        ...

    async def published_evidence(self, run_id: RunId) -> tuple[EvidenceView, ...]:
        """What the released content cites; empty if nothing was released."""
        ...

    async def audit_digest(self, run_id: RunId) -> AuditDigest | None:
        """What the closing transaction kept of the run's audit, its last event included; None where it knew nothing."""
        ...

    async def sweep(self, *, max_run_age_s: float, stock: TakeStock = nothing_known) -> tuple[RunRow, ...]:
        """Close over-age runs (RUN_EXPIRED) and runs asked to stop that nobody holds (CANCELLED); the closed rows."""
        ...


class ServiceStore(Protocol):
    """What the service keeps beside its runs, in the database of the runs. Fails closed.

    Every method raises TruthUnavailable if the store cannot be read or written.
    """

    async def claim_request(self, request: KeptRequest, *, now: datetime) -> KeptRequest:
        """The request kept under its (owner_key, key): this one if none was in the last 24 h, else the earlier."""
        ...

    async def put_feedback(self, feedback: RunFeedback) -> None:
        """Keep what a key says of a run, in place of what it said before."""
        ...

    async def feedback(self, run_id: RunId) -> tuple[RunFeedback, ...]:
        """What was said of the run, oldest first."""
        ...

    async def add_case(self, case: CaseRecord) -> CaseRecord:
        """The case of its run and kind: this one if there was none, or in place of a PENDING correction that differs.

        What takes the place of a correction has its own id: a decision names the text it was made on.
        """
        ...

    async def case(self, case_id: str) -> CaseRecord | None:
        """The case, or None."""
        ...

    async def cases(self, *, state: CaseState | None = None, limit: int = 50) -> tuple[CaseRecord, ...]:
        """Newest first, in this state if named; ``limit`` 1–200."""
        ...

    async def decide_case(
        self, case_id: str, state: CaseState, *, by: str, now: datetime, doc_id: str | None = None
    ) -> CaseRecord | None:
        """The case after the attempt: the first decision stays. None: there is no such case."""
        ...

    async def forget_documents(self, doc_ids: Sequence[str]) -> int:
        """How many approved cases were deleted because their document is."""
        ...

    async def join_alert(self, group: str, run_id: RunId, *, now: datetime, within_s: float = 1800.0) -> AlertRun:
        """The run of the group: the earlier one (joined) if it was claimed within ``within_s``, else this one."""
        ...

    async def record_access(self, access: AccessRecord) -> None:
        """Keep one access; what cannot be recorded must not be shown."""
        ...

    async def accesses(self, *, limit: int = 100) -> tuple[AccessRecord, ...]:
        """Newest first; ``limit`` 1–1000."""
        ...


class AuditLog(Protocol):
    """Timeline of a run. Fails open: a lost row is counted, never an error."""

    async def record(self, lease: Lease, event: TraceEvent) -> None:
        """Write one event with the next sequence number of the lease holder; never raises."""
        ...

    async def lost(self, run_id: RunId) -> int:
        """How many events of this run could not be written by this process."""
        ...

    async def close_timeline(self, lease: Lease) -> Timeline | None:
        """The rows of the run and the number of its last event; events of an earlier epoch are dropped from now on.

        None: the audit cannot be read or written. Never raises. A later closing, of the same epoch or a higher one,
        takes the place of this one.
        """
        ...

    async def rows(self, run_id: RunId) -> tuple[AuditRow, ...]:
        """The rows as they are stored, in order of sequence; raises TruthUnavailable if the audit cannot be read."""
        ...

    async def events(self, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
        """In order of sequence; raises TruthUnavailable if the audit cannot be read."""
        ...


class Recording(Protocol):
    """Model replies and tool results by content, for replay. Fails open on write."""

    async def put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        """Keep one reply; ``step`` is ``role:round:attempt`` or ``tool:<tool_call_id>``. Never raises."""
        ...

    async def get(self, run_id: RunId, step: str) -> tuple[str, str] | None:
        """(request_sha256, reply_json), or None if not recorded. Raises TruthUnavailable if unreadable."""
        ...


class RawLog(Protocol):
    """Raw results of tool calls as a full recording keeps them, sealed; for auditors. Fails open on write."""

    async def put(self, run_id: RunId, tool_call_id: ToolCallId, raw_json: str) -> None:
        """Keep it under its call, in place of what was there. Never raises."""
        ...

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """What is kept of the call, or None; raises TruthUnavailable if it cannot be read."""
        ...


class ReasoningLog(Protocol):
    """What providers returned as thinking, sealed; for auditors. Fails open on write."""

    @property
    def is_kept(self) -> bool:
        """False: there is no key to seal it with, so nothing is kept."""
        ...

    async def put(self, run_id: RunId, reasoning: Reasoning) -> None:
        """Keep it under its step, in place of what was there. Never raises; without a key it does nothing."""
        ...

    async def entries(self, run_id: RunId, steps: Sequence[str]) -> tuple[Reasoning, ...]:
        """What is kept of these steps, in their order; raises TruthUnavailable if it cannot be read."""
        ...
