"""What a run becomes: the decision table, as a table. Pure.

``release`` walks it for diagnoses, the answering nodes and error edges use their own rows of it, and
``close_run`` uses it when something overtook the decision. The first matching row wins.
"""

from collections.abc import Callable

from state.model.base import Value
from state.model.enums import (
    ContentType,
    EvidenceOutcome,
    FailureCode,
    FailureStage,
    FallbackType,
    ReleaseOutcome,
    RunState,
    SemanticVerdict,
    StopReason,
)


class ReleaseFacts(Value):
    """Everything the release of a diagnosis depends on."""

    evidence: EvidenceOutcome | None
    """Last outcome of the evidence guard; None if no valid draft reached it."""
    reviewed: bool = False
    """The semantic guard ran."""
    verdict: SemanticVerdict | None = None
    """None after a review: unavailable."""
    halted: StopReason | None = None
    """Why the agent could not go on: DEADLINE_REACHED or BUDGET_LIMIT_REACHED are the hard limits."""
    has_verified_facts: bool
    """At least one READY record of this run was re-read and parsed."""
    has_missing_info: bool = False
    """The draft names what it lacks."""


class Row(Value):
    """One outcome of the table."""

    name: str
    run_state: RunState
    outcome: ReleaseOutcome
    content_type: ContentType | None = None
    fallback_type: FallbackType | None = None
    failure_code: FailureCode | None = None
    failure_stage: FailureStage | None = None


def _published(name: str, content_type: ContentType) -> Row:
    return Row(name=name, run_state=RunState.SUCCESS, outcome=ReleaseOutcome.SUCCESS, content_type=content_type)


def _fallback(
    name: str,
    fallback_type: FallbackType,
    stage: FailureStage = FailureStage.DIAGNOSIS_COLLECTION,
    run_state: RunState = RunState.SUCCESS,
) -> Row:
    return Row(
        name=name,
        run_state=run_state,
        outcome=ReleaseOutcome.FALLBACK,
        content_type=ContentType.SAFE_FALLBACK,
        fallback_type=fallback_type,
        failure_stage=stage,
    )


def _failed(name: str, code: FailureCode, run_state: RunState = RunState.FAILED) -> Row:
    return Row(name=name, run_state=run_state, outcome=ReleaseOutcome.FAILED, failure_code=code)


_INSUFFICIENT = FallbackType.INSUFFICIENT_EVIDENCE

DIAGNOSIS_TABLE: tuple[tuple[Callable[[ReleaseFacts], bool], Row], ...] = (
    (
        lambda f: f.evidence in {EvidenceOutcome.REJECTED, EvidenceOutcome.REPAIRABLE},
        _fallback(
            "evidence guard fails finally",
            FallbackType.EVIDENCE_VALIDATION_FAILED,
            FailureStage.EVIDENCE_VALIDATION,
        ),
    ),
    (
        lambda f: f.reviewed and f.verdict is SemanticVerdict.UNSUPPORTED,
        _fallback("semantics unsupported", FallbackType.SEMANTIC_UNSUPPORTED, FailureStage.SEMANTIC_VALIDATION),
    ),
    (
        lambda f: f.evidence is EvidenceOutcome.PASSED_WITH_CONCLUSION and f.verdict is not SemanticVerdict.SUPPORTED,
        _fallback("review unavailable", FallbackType.SEMANTIC_UNAVAILABLE, FailureStage.SEMANTIC_VALIDATION),
    ),
    (
        lambda f: (
            f.evidence is EvidenceOutcome.PASSED_WITH_CONCLUSION
            and f.reviewed
            and f.verdict is SemanticVerdict.SUPPORTED
        ),
        _published("conclusion, both guards pass", ContentType.DIAGNOSIS_REPORT),
    ),
    (
        lambda f: f.halted is StopReason.DEADLINE_REACHED and f.has_verified_facts,
        _fallback("hard deadline, facts", _INSUFFICIENT, run_state=RunState.TIMED_OUT),
    ),
    (
        lambda f: f.halted is StopReason.DEADLINE_REACHED,
        _failed("hard deadline, none", FailureCode.RUN_TIMED_OUT, RunState.TIMED_OUT),
    ),
    (
        lambda f: f.halted is StopReason.BUDGET_LIMIT_REACHED and f.has_verified_facts,
        _fallback("budget spent, facts", _INSUFFICIENT, run_state=RunState.BUDGET_EXHAUSTED),
    ),
    (
        lambda f: f.halted is StopReason.BUDGET_LIMIT_REACHED,
        _failed("budget spent, none", FailureCode.BUDGET_EXHAUSTED, RunState.BUDGET_EXHAUSTED),
    ),
    (
        lambda f: f.evidence is None and f.has_verified_facts,
        _fallback("no draft, facts", _INSUFFICIENT),
    ),
    (lambda f: f.evidence is None, _failed("no draft, none", FailureCode.DIAGNOSIS_UNAVAILABLE)),
    (lambda f: f.has_verified_facts, _fallback("no conclusion, facts", _INSUFFICIENT)),
    (
        lambda f: f.has_missing_info,
        _fallback(
            "no conclusion, only missing info",
            FallbackType.MISSING_REQUIRED_CONTEXT,
            FailureStage.DIAGNOSIS_INPUT,
        ),
    ),
    (lambda _: True, _failed("no conclusion, neither", FailureCode.DIAGNOSIS_UNAVAILABLE)),
)
"""Rows in order; the last one always matches."""

SYSTEM_ANSWER = _published("chat and meta answers", ContentType.SYSTEM_ANSWER)
KNOWLEDGE_ANSWER = _published("knowledge answered, or searched and empty", ContentType.KNOWLEDGE_ANSWER)

FAILURE_STATE: dict[FailureCode, tuple[RunState, ReleaseOutcome]] = {
    FailureCode.RUN_CANCELLED: (RunState.CANCELLED, ReleaseOutcome.CANCELLED),
    FailureCode.RUN_TIMED_OUT: (RunState.TIMED_OUT, ReleaseOutcome.FAILED),
    FailureCode.BUDGET_EXHAUSTED: (RunState.BUDGET_EXHAUSTED, ReleaseOutcome.FAILED),
}
"""Terminal state of a failure; every other code is FAILED."""


def decide_diagnosis(facts: ReleaseFacts) -> Row:
    """The first row of the table that matches; total over all facts."""
    return next(row for applies, row in DIAGNOSIS_TABLE if applies(facts))


def decide_failure(code: FailureCode) -> Row:
    """The row of a run that publishes nothing."""
    run_state, outcome = FAILURE_STATE.get(code, (RunState.FAILED, ReleaseOutcome.FAILED))
    return Row(name=code.value, run_state=run_state, outcome=outcome, failure_code=code)
