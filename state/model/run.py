"""One run in the control store: who executes it, what it spent, how it ended, what left it. Pure."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from state.model.alert import AlertOrigin
from state.model.audit import AuditStock
from state.model.base import Value
from state.model.enums import (
    CancellationReason,
    ContentType,
    FailureCode,
    FallbackType,
    Intent,
    Language,
    RedactionPolicy,
    ReleaseOutcome,
    RunState,
    StopReason,
)
from state.model.evidence import Window
from state.model.ids import RunId, SessionId
from state.model.limits import RunLimits
from state.model.release import ReleaseDecision

LEASE_S = 30.0
"""Seconds a lease holds without a heartbeat."""


class Lease(Value):
    """The right to write for one run. Every write names it; an older epoch changes nothing."""

    run_id: RunId
    owner: str
    epoch: int


class PreviousTurn(Value):
    """The last released diagnosis of the session: context, never citable."""

    query: str = Field(max_length=2000)
    conclusion: str = Field(max_length=2000)
    scope: str = Field("", max_length=1000)
    limitations: tuple[str, ...] = Field((), max_length=10)
    sources: tuple[str, ...] = Field((), max_length=10)


class RunFacts(Value):
    """What ``open_run`` fixed for the whole run. Everything time- or caller-dependent is in here."""

    run_id: RunId
    session_id: SessionId
    owner_key: str = "local"
    """Key that opened the session; "local" for the CLI."""
    query: str
    """The question as the model sees it (placeholders in place of identifiers where the policy says so)."""
    language: Language
    now: datetime
    """UTC; time words in the question resolve against it."""
    time_zone: str
    """IANA name in which times are shown."""
    window: Window | None
    """What the question or the caller asked for; None if neither gave one."""
    redaction: RedactionPolicy
    mask_identifiers: bool
    """The policy resolved against the models in use."""
    limits: RunLimits
    follow_up_of: str | None = None
    """The user's earlier question; no model output."""
    previous_turn: PreviousTurn | None = None
    parent_run_id: RunId | None = None
    notices: tuple[str, ...] = ()
    """Sentences by code the report must carry (bundled library used, ``now`` taken from the data …)."""
    alert: AlertOrigin | None = Field(None, exclude_if=lambda alert: alert is None)
    """Where it came from one; shown to people, never to a model. Left out where there is none, as it always was."""


class NewRun(Value):
    """The row that ``open_run`` writes."""

    facts: RunFacts
    thread_id: str
    """Checkpoint thread that executes it."""
    model: str
    """Name of the agent model."""
    world: str | None = None
    """Folder of embedded sources, so that ``resume`` and ``replay`` find it again."""
    fork_checkpoint: str | None = None
    """Id of the parent's checkpoint, if this run goes on from one."""
    intent: Intent | None = None
    """Set where it was decided before the run was opened, as of a fork."""


class RunRow(Value):
    """The run as stored."""

    run_id: RunId
    session_id: SessionId
    owner_key: str
    thread_id: str
    query: str
    language: Language
    model: str
    world: str | None
    parent_run_id: RunId | None
    fork_checkpoint: str | None
    facts: RunFacts
    owner: str
    lease_epoch: int
    lease_until: datetime
    cancel_requested_at: datetime | None
    cancel_reason: CancellationReason | None
    active_ms: int
    opened_at: datetime
    closed_at: datetime | None
    resumes: int
    intent: Intent | None
    run_state: RunState
    outcome: ReleaseOutcome | None
    content_type: ContentType | None
    fallback_type: FallbackType | None
    stop_reason: StopReason | None
    failure_code: FailureCode | None
    decision: ReleaseDecision | None
    """What was published, once terminal."""
    audit_lost: int
    """Failed audit writes plus ledger and canonical entries without their event; set at closing."""
    detached: bool = False
    """True: goes on without anybody watching, and may be resumed by any process that serves."""


class BudgetKind(StrEnum):
    """What a ledger entry counts."""

    MODEL_CALL = "MODEL_CALL"
    """Amounts are tokens; one entry is one call."""
    TOOL_CALL = "TOOL_CALL"
    """Amounts are bytes (request + raw + projection); one entry is one charged call."""


class BudgetEntry(Value):
    """Spending, written before use. Unsettled after a crash counts as spent."""

    run_id: RunId
    kind: BudgetKind
    key: str
    """tool_call_id, or ``component:round:attempt``."""
    component: str
    """Tool name or model role."""
    reserved: int
    settled: int | None = None
    """None: still running, crashed, or the provider reported no usage."""
    usage_reported: bool = False


class BudgetUsage(Value):
    """Sums of a run's ledger: settled where known, reserved otherwise."""

    model_calls: int = 0
    tokens: int = 0
    tool_calls: int = 0
    calls_by_tool: dict[str, int] = {}
    bytes: int = 0
    usage_unavailable: int = 0
    """Finished model calls whose provider reported no usage."""

    def allows_model(self, limits: RunLimits, *, tokens: int) -> bool:
        """True if one more model call with this reservation stays within the hard budget."""
        return self.model_calls < limits.max_model_calls and self.tokens + tokens <= limits.max_total_tokens

    def allows_tool(self, limits: RunLimits, tool: str, *, request_bytes: int = 0) -> bool:
        """True if one more charged call of this tool stays within the hard budget."""
        in_total = self.tool_calls < limits.max_tool_calls and self.bytes + request_bytes <= limits.max_run_bytes
        return in_total and self.calls_by_tool.get(tool, 0) < limits.max_calls_per_tool


def sum_usage(entries: Sequence[BudgetEntry]) -> BudgetUsage:
    """Sums of the ledger: what was settled where it is known, what was reserved otherwise."""
    models = [entry for entry in entries if entry.kind is BudgetKind.MODEL_CALL]
    tools = [entry for entry in entries if entry.kind is BudgetKind.TOOL_CALL]
    return BudgetUsage(
        model_calls=len(models),
        tokens=_spent(models),
        tool_calls=len(tools),
        calls_by_tool=dict(Counter(entry.component for entry in tools)),
        bytes=_spent(tools),
        usage_unavailable=sum(entry.settled is not None and not entry.usage_reported for entry in models),
    )


def _spent(entries: Sequence[BudgetEntry]) -> int:
    return sum(entry.reserved if entry.settled is None else entry.settled for entry in entries)


class PublicEventType(StrEnum):
    """Frames of the public stream."""

    METADATA = "metadata"
    STATUS = "status"
    CONTENT = "content"
    FAILURE = "failure"
    DONE = "done"


class PublicEvent(Value):
    """One committed frame."""

    run_id: RunId
    seq: int
    event_key: str
    type: PublicEventType
    payload: dict[str, object]


class Heartbeat(Value):
    """What a process learns when it renews its leases."""

    lost: tuple[RunId, ...] = ()
    cancels: dict[RunId, CancellationReason] = {}


class Closing(Value):
    """Everything the closing transaction writes."""

    decision: ReleaseDecision
    intent: Intent | None = None
    cancelled: CancellationReason | None = None
    """Set: close as CANCELLED, allowed although a cancel is requested."""
    audit: AuditStock = AuditStock()
