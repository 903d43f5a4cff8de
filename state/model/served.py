"""What a service keeps beside its runs: judgements, cases, alert groups, repeated requests, accesses. Pure."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from state.model.base import Value
from state.model.enums import ReleaseOutcome
from state.model.ids import RunId, SessionId


class KeptRequest(Value):
    """One ``Idempotency-Key`` of one owner, and the run it started."""

    owner_key: str
    key: str = Field(min_length=1, max_length=200)
    body_sha256: str
    run_id: RunId


class FeedbackVerdict(StrEnum):
    """What a person says of a result."""

    USEFUL = "useful"
    NOT_USEFUL = "not_useful"


class RunFeedback(Value):
    """What one key says of one run; saying it again replaces it."""

    run_id: RunId
    owner_key: str
    verdict: FeedbackVerdict
    correction: str = Field("", max_length=4000)
    """What was really the cause, in the person's words; untrusted."""
    at: datetime


class CaseKind(StrEnum):
    """Where the text of a case comes from."""

    CONFIRMED = "confirmed"
    """A report that somebody found useful."""
    CORRECTION = "correction"
    """What somebody wrote instead."""


class CaseState(StrEnum):
    """An operator decides once; only an approved case is retrievable."""

    PENDING = "PENDING"
    APPROVED = "APPROVED"
    DECLINED = "DECLINED"


class CaseRecord(Value):
    """A past incident offered to the knowledge base; one per run and kind."""

    case_id: str
    run_id: RunId
    kind: CaseKind
    title: str = Field(max_length=200)
    text: str = Field(max_length=20_000)
    """Markdown of the document it becomes."""
    state: CaseState = CaseState.PENDING
    created_at: datetime
    decided_by: str | None = None
    decided_at: datetime | None = None
    doc_id: str | None = None
    """The document of an approved case."""


class AlertRun(Value):
    """The run of a group of alerts."""

    run_id: RunId
    joined: bool
    """True: it had been started for an earlier notification of the group."""


class AccessRecord(Value):
    """One access to what only auditors may see."""

    at: datetime
    name: str
    """Name of the key."""
    action: str = Field(max_length=60)
    """Such as ``export``, ``reasoning``, ``raw``."""
    run_id: RunId | None = None
    request_id: str = Field("", max_length=64)


class RunFilter(Value):
    """Which runs a list names; what is None or empty does not count."""

    session_id: SessionId | None = None
    owner_key: str | None = None
    outcome: ReleaseOutcome | None = None
    words: tuple[str, ...] = ()
    """Parts of the question, case-folded; each must be in it."""
    before: RunId | None = None
    """Only runs that were opened before this one: where the page before ended."""


EVERY_RUN = RunFilter()


class SessionSummary(Value):
    """One session in a list."""

    session_id: SessionId
    owner_key: str
    opened_at: datetime
    runs: int
    last_opened_at: datetime | None
    last_query: str
    """The newest question; empty without runs."""
