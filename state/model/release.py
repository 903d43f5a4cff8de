"""What may leave a run, and the facts on which that is decided. Pure."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.model.base import Value
from state.model.draft import Draft
from state.model.enums import (
    ContentType,
    EvidenceStatus,
    FailureCode,
    FailureStage,
    FallbackType,
    Language,
    ReleaseOutcome,
    RunState,
    StopReason,
)
from state.model.evidence import Item, Scope
from state.model.ids import ToolCallId
from state.model.verdict import CitedItem


class EvidenceView(Value):
    """One cited result as published beside the text that cites it."""

    tool_call_id: ToolCallId
    tool: str
    scope: Scope
    evidence_status: EvidenceStatus
    items: tuple[Item, ...] = ()
    """The cited items only; empty for a negative observation."""


class DiagnosisReport(Value):
    """A released diagnosis: the author's draft, unchanged, with its evidence."""

    tag: Literal["report"] = "report"
    draft: Draft
    evidence: tuple[EvidenceView, ...]


class ObservedFact(Value):
    """One verified result in a fallback, described by code."""

    tool_call_id: ToolCallId
    source: str = Field(max_length=160)
    scope: str = Field(max_length=320)
    summary: str = Field(max_length=320)


class Unverified(Value):
    """Text of the author that no evidence proves; always shown with that mark."""

    text: str
    unverified: Literal[True] = True


class SafeFallback(Value):
    """An honest "cannot conclude", built by code from verified records."""

    tag: Literal["fallback"] = "fallback"
    type: FallbackType
    stop_reason: StopReason | None = None
    summary: str
    """One sentence: what was searched, why it stopped, what to do next."""
    conclusion: None = None
    verified_sources: tuple[str, ...] = ()
    observed_facts: tuple[ObservedFact, ...] = Field((), max_length=12)
    searched_empty: tuple[str, ...] = ()
    """"Searched, nothing found in …": never "ruled out"."""
    ruled_out: tuple[Unverified, ...] = ()
    hypotheses: tuple[Unverified, ...] = ()
    limitations: tuple[Unverified, ...] = ()
    next_steps: tuple[str, ...] = ()
    failure_stage: FailureStage
    validation_issues: tuple[str, ...] = ()
    """Violation codes, without any text of the draft."""
    evidence: tuple[EvidenceView, ...] = ()


class Answer(Value):
    """A chat, meta or knowledge answer: built by code, or quoted from documents."""

    tag: Literal["answer"] = "answer"
    text: str
    quotes: tuple[EvidenceView, ...] = ()
    """For a knowledge answer: the quoted chunks."""


Content = DiagnosisReport | SafeFallback | Answer


class RunFailure(Value):
    """Why a run publishes nothing, from an error edge or an unavailable model."""

    code: FailureCode
    node: str
    run_state: RunState = RunState.FAILED


class ReleaseDecision(Value):
    """What ``release`` (or an answering node) decided; ``close_run`` publishes it or the truth that overtook it."""

    run_state: RunState
    outcome: ReleaseOutcome
    content_type: ContentType | None = None
    fallback_type: FallbackType | None = None
    failure_code: FailureCode | None = None
    stop_reason: StopReason | None = None
    content: Content | None = None
    cited: tuple[CitedItem, ...] = ()


class RunResult(Value):
    """How a run ended, as its row says. Exactly one of content or failure_code is set."""

    run_id: str
    session_id: str
    language: Language
    run_state: RunState
    outcome: ReleaseOutcome
    content_type: ContentType | None = None
    fallback_type: FallbackType | None = None
    failure_code: FailureCode | None = None
    stop_reason: StopReason | None = None
    content: Content | None = None
    persisted: bool = True
    """False: the control store could not be written; nothing was released."""
    closed_at: datetime | None = None
