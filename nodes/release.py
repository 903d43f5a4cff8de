"""release: the only node that decides which diagnosis may be public. It publishes nothing itself."""

import asyncio
from collections.abc import Mapping

from guards.citations import Verified, cited_in, evidence_views, verify_all
from guards.fallback import FallbackFacts, build_fallback
from guards.release import ReleaseFacts, Row, decide_diagnosis
from nodes.answer_knowledge import LOOKUP
from nodes.deps import Step
from nodes.judging import evidence_context
from nodes.reading import facts_of
from nodes.telling import trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import ContentType, StopReason, TraceEventType
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from state.model.release import DiagnosisReport, ReleaseDecision, SafeFallback
from state.model.tool_call import Halt

Records = Mapping[ToolCallId, CanonicalRecord]


async def release(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The decision, with the digest of every item the content cites."""
    facts = facts_of(state)
    records = {record.tool_call_id: record for record in await step.deps.canonical.records(facts.run_id)}
    verified = verify_all(records, facts.run_id)
    row = decide_diagnosis(_release_facts(state, verified))
    content = _report(state, row, verified) or await _fallback(state, step, row, records)
    decision = ReleaseDecision(
        run_state=row.run_state,
        outcome=row.outcome,
        content_type=row.content_type,
        fallback_type=row.fallback_type,
        failure_code=row.failure_code,
        stop_reason=_stop_reason(state),
        content=content,
        cited=cited_in(content.evidence, verified) if content else (),
    )
    await _tell(step, row, decision)
    return {"decision": decision}


def _release_facts(state: DiagnosisState, verified: Mapping[str, Verified]) -> ReleaseFacts:
    evidence, review, move = state["evidence"], state["review"], state["move"]
    draft = evidence.draft if evidence else None
    return ReleaseFacts(
        evidence=evidence.outcome if evidence else None,
        reviewed=review is not None,
        verdict=review.verdict if review else None,
        halted=move.stop_reason if isinstance(move, Halt) else None,
        has_verified_facts=bool(verified),
        has_missing_info=bool(draft and draft.limitations.missing_info),
    )


def _stop_reason(state: DiagnosisState) -> StopReason | None:
    """Why collection stopped; else why the agent could not go on."""
    move = state["move"]
    return state["progress"].stop_reason or (move.stop_reason if isinstance(move, Halt) else None)


def _report(state: DiagnosisState, row: Row, verified: Mapping[str, Verified]) -> DiagnosisReport | None:
    evidence = state["evidence"]
    if row.content_type is not ContentType.DIAGNOSIS_REPORT or evidence is None or evidence.draft is None:
        return None
    return DiagnosisReport(draft=evidence.draft, evidence=evidence_views(evidence.cited, verified))


async def _fallback(state: DiagnosisState, step: Step, row: Row, records: Records) -> SafeFallback | None:
    if row.fallback_type is None:
        return None
    facts, evidence = facts_of(state), state["evidence"]
    why = FallbackFacts(
        type=row.fallback_type,
        language=facts.language,
        stop_reason=_stop_reason(state),
        asked_window=facts.window,
        violations=evidence.violations if evidence else (),
        has_sources=bool(step.deps.tool_names - {LOOKUP}),
    )
    draft = evidence.draft if evidence else None
    context = evidence_context(state, step)
    return await asyncio.to_thread(build_fallback, why, records, context, draft=draft)


async def _tell(step: Step, row: Row, decision: ReleaseDecision) -> None:
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
        stop_reason=decision.stop_reason.value if decision.stop_reason else None,
        cited=len(decision.cited),
    )
