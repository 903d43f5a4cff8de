"""The replies of the service as typed values, as ``docs/http-api.md`` gives them. Pure.

Codes are plain text that compares equal to the members of ``state.model.enums``: a code that a newer service adds is no
error here. Unknown fields are ignored (the client reads every reply so).
"""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from state.model.draft import Draft
from state.model.evidence import Item, Scope
from state.model.release import SafeFallback

Json = dict[str, Any]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class RunSummary(_Reply):
    """One run in a list."""

    run_id: str
    session_id: str
    owner_key: str
    query: str
    language: str
    model: str
    opened_at: datetime
    closed_at: datetime | None
    intent: str | None
    run_state: str
    outcome: str | None
    content_type: str | None
    fallback_type: str | None
    stop_reason: str | None
    failure_code: str | None
    parent_run_id: str | None
    fork_checkpoint: str | None = None
    """The checkpoint of the parent from which this run went on; None: it is no fork."""


class Runs(_Reply):
    """Newest first."""

    runs: tuple[RunSummary, ...]
    next: str | None = None
    """``before`` of the next page; None: this one was the last."""


class CitedItem(_Reply):
    """One piece of a result."""

    item_id: str
    kind: str
    text: str


class CitedEvidence(_Reply):
    """One cited result with its cited items; none for a search that found nothing."""

    tool_call_id: str
    tool: str
    scope: Scope
    evidence_status: str
    items: tuple[CitedItem, ...]


class AnswerText(_Reply):
    """A chat or knowledge answer."""

    text: str


class Firing(_Reply):
    """One alert that fired; its texts are words of the alerting system."""

    name: str
    labels: dict[str, str]
    started_at: datetime
    diagnosed: bool
    """True for the subject of the run alone."""


class Alert(_Reply):
    """The alert a run came from."""

    untrusted: bool
    subject: Firing
    related_risks: tuple[Firing, ...]
    """What else fired; not the subject, and not diagnosed."""
    omitted: int
    """How many more fired beyond those."""


class Run(_Reply):
    """One run with its result; the object of ``rootproof diagnose --json`` and a little more."""

    run_id: str
    session_id: str
    query: str
    language: str
    opened_at: datetime
    closed_at: datetime | None
    intent: str | None
    outcome: str | None
    run_state: str
    content_type: str | None
    fallback_type: str | None
    stop_reason: str | None
    failure_code: str | None
    report: Draft | None
    fallback: SafeFallback | None
    answer: AnswerText | None
    evidence: tuple[CitedEvidence, ...]
    usage: Json
    trace: Json
    model: str | None
    window: Json | None
    alert: Alert | None = None
    """None: somebody asked."""
    time_zone: str | None = None
    """IANA name in which the run shows times."""
    notices: tuple[str, ...]
    parent_run_id: str | None = None
    fork_checkpoint: str | None = None
    backed_actions: tuple[bool, ...] = ()
    """One per action of the report: does a document stand behind it. The others are proposed."""


class Cancelled(_Reply):
    """The run is asked to stop."""

    run_id: str
    run_state: str


class Detached(_Reply):
    """The run goes on without a watcher."""

    run_id: str


class Session(_Reply):
    """Runs that belong together."""

    session_id: str
    owner_key: str
    opened_at: datetime
    runs: int
    last_opened_at: datetime | None
    last_query: str


class Sessions(_Reply):
    """The one asked in last first."""

    sessions: tuple[Session, ...]


class Cite(_Reply):
    """What proves a sentence."""

    tool_call_id: str
    item_id: str | None
    quote: str | None


class Sentence(_Reply):
    """One sentence of the published answer."""

    id: str
    part: str
    """`analysis`, `conclusion`, `action`, `recommendation` or `limitation`."""
    text: str
    cites: tuple[Cite, ...]


class Step(_Reply):
    """One model step."""

    step: str
    """`role:round:attempt`."""
    sequence_no: int
    at: datetime
    duration_ms: float | None
    role: str
    outcome: str | None
    tokens: int | None


class ToolCall(_Reply):
    """One tool call."""

    tool_call_id: str
    tool: str
    status: str
    evidence_status: str | None
    code: str | None
    coverage: str | None
    items: int | None
    bytes: int | None
    gain: str | None
    """`GAINED` or `NO_GAIN`; null where it was not judged."""
    scope: Json | None
    at: datetime
    duration_ms: float | None
    copied_from: str | None = None
    """The run that a fork got the result from."""


class ForkStep(_Reply):
    """One step of a run, from which another can go on."""

    number: int
    node: str
    """What the run did next."""
    checkpoint_id: str
    at: datetime


class ForkSteps(_Reply):
    """In order."""

    steps: tuple[ForkStep, ...]


class LedgerEntry(_Reply):
    """What was reserved before something was spent, and what it came to."""

    kind: str
    key: str
    component: str
    reserved: int
    settled: int | None
    usage_reported: bool


class Visited(_Reply):
    """A node of the graph this run took."""

    name: str
    at: datetime | None


class Trace(_Reply):
    """Everything kept about one run."""

    run: Json
    usage: Json
    timeline: tuple[Json, ...]
    published: tuple[Json, ...]
    evidence: tuple[CitedEvidence, ...]
    steps: tuple[Step, ...]
    tool_calls: tuple[ToolCall, ...]
    ledger: tuple[LedgerEntry, ...]
    path: tuple[Visited, ...]
    sentences: tuple[Sentence, ...]
    summary: Json
    feedback: tuple[Json, ...]
    verification: Json | None = None
    """Whether the audit was changed since the run ended; None from a server that does not say."""


class Evidence(_Reply):
    """One tool result: whole while it is kept, afterwards the cited items alone."""

    tool_call_id: str
    tool: str
    scope: Scope
    evidence_status: str
    coverage: str | None
    items: tuple[Item, ...]
    cited_item_ids: tuple[str, ...]
    expired: bool


class Judged(_Reply):
    """The judgement as it stands."""

    run_id: str
    verdict: str
    case_id: str | None


class Uploaded(_Reply):
    """An ingest task, or a document that is there already."""

    task_id: str | None
    doc_id: str
    state: str


class Task(_Reply):
    """Where an ingest stands."""

    task_id: str
    doc_id: str
    name: str
    state: str
    """`PENDING`, `PROCESSING`, `READY` or `FAILED`."""
    attempts: int
    problem: str | None
    embedded: int | None
    reused: int | None
    created_at: datetime
    updated_at: datetime

    @property
    def has_ended(self) -> bool:
        """True if it is READY or FAILED."""
        return self.state in {"READY", "FAILED"}


class Document(_Reply):
    """One document of the knowledge base."""

    doc_id: str
    name: str
    title: str
    category: str
    state: str
    chunks: int
    problem: str | None
    updated_at: datetime


class Documents(_Reply):
    """Every document."""

    documents: tuple[Document, ...]


class Hit(_Reply):
    """One found chunk."""

    rank: int
    title: str
    path: str
    section: str
    text: str
    quality: float
    level: str
    found_by: tuple[str, ...]
    doc_id: str
    chunk: int
    source: str
    """Name of the knowledge base."""


class Attempt(_Reply):
    """One attempt of a search."""

    source: str
    name: str
    candidates: int
    usable: bool
    top_quality: float
    duration_ms: int
    embed_ms: int


class Found(_Reply):
    """The hits, best first; empty if nothing reaches the thresholds."""

    question: str
    attempts: tuple[Attempt, ...]
    hits: tuple[Hit, ...]
    dropped: int


class AlertRun(_Reply):
    """The run of one alert group."""

    run_id: str
    session_id: str
    joined: bool
    """True if the group had a run already."""
    group: str
    subject: dict[str, str]
    """Labels of the alert that began first: what the run is about."""
    related_risks: tuple[dict[str, str], ...]
    """Labels of what else fires; not diagnosed."""
    omitted: int = 0
    """How many more fire beyond those."""


class AlertRuns(_Reply):
    """One run per group; empty for resolved notifications."""

    runs: tuple[AlertRun, ...]


class Caller(_Reply):
    """Who the key is."""

    name: str
    roles: tuple[str, ...]


class Demo(_Reply):
    """The bundled incident that is served."""

    name: str
    title: str
    question: str


class About(_Reply):
    """What the service is."""

    version: str
    caller: Caller
    sources: tuple[Json, ...]
    notices: tuple[str, ...]
    model: str | None
    languages: tuple[str, ...]
    time_zone: str | None = None
    now: datetime | None = None
    """The fixed present of recorded evidence; None: that of the clock."""
    demo: Demo | None = None
    """None: real evidence."""
