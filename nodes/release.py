"""release: the only node that decides which diagnosis may be public. It publishes nothing itself."""

from guards.fallback import FallbackFacts, build_fallback
from guards.release import ReleaseFacts, Row, decide_diagnosis
from nodes.deps import Step
from nodes.published import evidence_views
from nodes.reading import facts_of
from nodes.telling import trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import (
    ContentType,
    InvocationStatus,
    StopReason,
    TraceEventType,
)
from state.model.evidence import CanonicalRecord, parse_projection
from state.model.release import Content, DiagnosisReport, ReleaseDecision
from state.model.tool_call import Halt


async def release(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The decision, with the digest of every item the content cites."""
    facts = facts_of(state)
    records = await step.deps.canonical.records(facts.run_id)
    row = decide_diagnosis(_release_facts(state, records))
    stop_reason = _stop_reason(state)
    content = _content(state, step, row, records, stop_reason)
    evidence = state["evidence"]
    decision = ReleaseDecision(
        run_state=row.run_state,
        outcome=row.outcome,
        content_type=row.content_type,
        fallback_type=row.fallback_type,
        failure_code=row.failure_code,
        stop_reason=stop_reason,
        content=content,
        cited=evidence.cited if isinstance(content, DiagnosisReport) and evidence else (),
    )
    await trace(
        step,
        "release",
        TraceEventType.RELEASE_DECISION,
        "release",
        row=row.name,
        run_state=row.run_state.value,
        outcome=row.outcome.value,
        fallback_type=row.fallback_type.value if row.fallback_type else None,
        failure_code=row.failure_code.value if row.failure_code else None,
        stop_reason=stop_reason.value if stop_reason else None,
    )
    return {"decision": decision}


def _release_facts(state: DiagnosisState, records: tuple[CanonicalRecord, ...]) -> ReleaseFacts:
    evidence, review, move = state["evidence"], state["review"], state["move"]
    draft = evidence.draft if evidence else None
    return ReleaseFacts(
        evidence=evidence.outcome if evidence else None,
        reviewed=review is not None,
        verdict=review.verdict if review else None,
        halted=move.stop_reason if isinstance(move, Halt) else None,
        has_verified_facts=any(_is_verified(record) for record in records),
        has_missing_info=bool(draft and draft.limitations.missing_info),
    )


def _is_verified(record: CanonicalRecord) -> bool:
    return record.status is InvocationStatus.READY and parse_projection(record.projection_json) is not None


def _stop_reason(state: DiagnosisState) -> StopReason | None:
    """Why collection stopped; else why the agent could not go on."""
    move = state["move"]
    return state["progress"].stop_reason or (move.stop_reason if isinstance(move, Halt) else None)


def _content(
    state: DiagnosisState,
    step: Step,
    row: Row,
    records: tuple[CanonicalRecord, ...],
    stop_reason: StopReason | None,
) -> Content | None:
    evidence, by_id = state["evidence"], {record.tool_call_id: record for record in records}
    if row.content_type is ContentType.DIAGNOSIS_REPORT and evidence and evidence.draft:
        return DiagnosisReport(draft=evidence.draft, evidence=evidence_views(evidence.draft, by_id))
    if row.fallback_type is None or row.failure_stage is None:
        return None
    facts = facts_of(state)
    return build_fallback(
        FallbackFacts(
            type=row.fallback_type,
            stage=row.failure_stage,
            stop_reason=stop_reason,
            run=facts,
            verdict=evidence,
            records=records,
            catalogue_terms=step.deps.catalogue_terms,
        )
    )
