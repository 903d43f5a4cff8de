"""guard_evidence: every reference, quote and claim of the draft against the canonical records of this run."""

import asyncio

from guards.evidence import judge
from nodes.deps import Step
from nodes.judging import evidence_context
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import Stage, TraceEventType
from state.model.verdict import EvidenceVerdict

MAX_REPAIRS = 1


async def guard_evidence(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The verdict; with what is left of a draft that has no conclusion."""
    facts, repairs = facts_of(state), state["repairs"]
    await announce(step, f"evidence:{repairs}", Stage.SAFETY_VALIDATING)
    records = await step.deps.canonical.records(facts.run_id)
    by_id = {record.tool_call_id: record for record in records}
    context = evidence_context(state, step)
    # In a thread: a hostile draft can keep the claim rules busy for seconds.
    verdict = await asyncio.to_thread(judge, state["draft"], by_id, context, repairs_left=MAX_REPAIRS - repairs)
    await _tell(step, verdict, recheck=repairs > 0)
    return {"evidence": verdict}


async def _tell(step: Step, verdict: EvidenceVerdict, *, recheck: bool) -> None:
    type_ = TraceEventType.EVIDENCE_GUARD_RECHECK if recheck else TraceEventType.EVIDENCE_GUARD_INITIAL
    await trace(
        step,
        type_.value.lower(),
        type_,
        "guard_evidence",
        outcome=verdict.outcome.value,
        violations=",".join(sorted({violation.code.value for violation in verdict.violations}))[:200],
        n_violations=len(verdict.violations),
        cited=len(verdict.cited),
        dropped=len(verdict.dropped),
    )
