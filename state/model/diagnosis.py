"""The one typed graph state. Every field is last-value; ``open_run`` sets every one. Pure.

``typing_extensions.TypedDict`` because ``typing.TypedDict`` gives empty schemas in Studio on Python 3.11.
Names of fields are what people read in Studio; bodies of evidence stay in the canonical store.
"""

from pydantic import Field
from typing_extensions import TypedDict

from state.model.base import Value
from state.model.draft import Draft
from state.model.enums import Intent, Language
from state.model.progress import ProgressEvent, ProgressSnapshot
from state.model.release import ReleaseDecision, RunFailure, RunResult
from state.model.run import RunFacts
from state.model.tool_call import AgentMove, Feedback, Transcript
from state.model.verdict import EvidenceVerdict, SemanticReview


class GateResult(Value):
    """What the tool gate did with the agent's request; ``track_progress`` folds it."""

    events: tuple[ProgressEvent, ...]
    """In order: an assessment first, then what became of the request."""
    feedback: Feedback
    note: str = ""


class RunOptions(Value):
    """Plain per-run options, shown in Studio as the graph's context. They can only lower limits."""

    language: Language | None = None
    """None: from the question."""
    since: str | None = Field(None, max_length=40)
    """Duration before ``now``, such as ``30m``; excludes window_start/window_end."""
    window_start: str | None = Field(None, max_length=40)
    """ISO 8601; without an offset in the configured time zone."""
    window_end: str | None = Field(None, max_length=40)
    deadline_s: float | None = Field(None, gt=0)
    max_model_calls: int | None = Field(None, ge=1)
    max_tool_calls: int | None = Field(None, ge=0)
    max_total_tokens: int | None = Field(None, ge=1000)


class RunInput(TypedDict, total=False):
    """What opens a run."""

    query: str
    session_id: str | None
    run_id: str | None
    """UUID; derived from the serving thread and run when absent."""
    follow_up_of: str | None
    parent_run_id: str | None


class DiagnosisState(TypedDict, total=False):
    """Facts of one run, each written by the node named beside it."""

    query: str
    """Question as given; input."""
    session_id: str | None
    """Input; ``open_run`` sets the generated one."""
    run_id: str | None
    """Input; ``open_run`` sets the derived one."""
    follow_up_of: str | None
    """Input."""
    parent_run_id: str | None
    """Input; set when this run is a fork."""
    run: RunFacts | None
    """open_run: what is fixed for the whole run."""
    intent: Intent | None
    """route: None means the router was unavailable."""
    transcript: Transcript
    """agent, track_progress: what was asked and answered so far."""
    progress: ProgressSnapshot
    """track_progress: where collection stands."""
    move: AgentMove | None
    """agent: what it wants next."""
    gate: GateResult | None
    """tool_gate: what became of the last request."""
    draft: Draft | None
    """agent, repair_draft: the draft under examination."""
    repairs: int
    """repair_draft: repairs attempted, at most one."""
    evidence: EvidenceVerdict | None
    """guard_evidence."""
    review: SemanticReview | None
    """guard_semantics."""
    decision: ReleaseDecision | None
    """release, answer_chat, answer_knowledge: what may leave."""
    failure: RunFailure | None
    """Error edges, route: why nothing may leave."""
    result: RunResult | None
    """close_run: what the run row says."""


class RunOutput(TypedDict, total=False):
    """What a finished graph returns."""

    run_id: str | None
    session_id: str | None
    result: RunResult | None
