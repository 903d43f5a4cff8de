"""Audit rows: bounded metadata about what happened. Never prompt, draft, argument or payload text. Pure."""

from datetime import datetime

from pydantic import Field

from state.model.base import Value
from state.model.enums import Phase, TraceEventType
from state.model.evidence import Scalar
from state.model.ids import RunId

PHASE_OF: dict[TraceEventType, Phase] = {
    TraceEventType.RUN_STARTED: Phase.RUN,
    TraceEventType.RUN_FORKED: Phase.RUN,
    TraceEventType.ROUTING_ATTEMPT: Phase.ROUTING,
    TraceEventType.ROUTING_DECISION: Phase.ROUTING,
    TraceEventType.AGENT_MODEL_STEP: Phase.AGENT,
    TraceEventType.MODEL_TOKEN_USAGE: Phase.AGENT,
    TraceEventType.TOOL_INVOCATION: Phase.TOOL,
    TraceEventType.TOOL_RESULT_COPIED: Phase.TOOL,
    TraceEventType.TOOL_PROGRESS: Phase.TOOL,
    TraceEventType.TOOL_REQUEST_REJECTED: Phase.TOOL,
    TraceEventType.COLLECTION_STOP: Phase.TOOL,
    TraceEventType.AGENT_DRAFT_INVALID: Phase.AGENT,
    TraceEventType.EVIDENCE_GUARD_INITIAL: Phase.EVIDENCE,
    TraceEventType.EVIDENCE_REPAIR_ATTEMPT: Phase.EVIDENCE,
    TraceEventType.EVIDENCE_GUARD_RECHECK: Phase.EVIDENCE,
    TraceEventType.SEMANTIC_GUARD_ATTEMPT: Phase.SEMANTIC,
    TraceEventType.SEMANTIC_GUARD_DECISION: Phase.SEMANTIC,
    TraceEventType.RELEASE_DECISION: Phase.RELEASE,
    TraceEventType.RUN_FINISHED: Phase.RUN,
}


class TraceEvent(Value):
    """One thing that happened in a run."""

    event_key: str = Field(max_length=200)
    """Unique in its run: recording it again is a no-op, or fills a lost write."""
    type: TraceEventType
    node: str = Field(max_length=64)
    at: datetime
    duration_ms: int | None = None
    details: dict[str, Scalar] = {}
    """Codes, counts, names of configured things; strings of at most 200 characters."""


class StoredTraceEvent(Value):
    """A trace event as read back."""

    run_id: RunId
    sequence_no: int
    phase: Phase
    event: TraceEvent
