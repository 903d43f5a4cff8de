"""guard_evidence: every reference, quote and claim of the draft against the canonical records of this run."""

from guards.evidence import EvidenceContext, judge
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import Stage, TraceEventType
from state.model.ids import ToolCallId
from state.model.run import RunFacts
from state.model.tool_call import Observed, ToolTurn, Transcript
from state.model.verdict import EvidenceVerdict

MAX_REPAIRS = 1


async def guard_evidence(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The verdict; with what is left of a draft that has no conclusion."""
    facts, repairs = facts_of(state), state["repairs"]
    await announce(step, f"evidence:{repairs}", Stage.SAFETY_VALIDATING)
    records = await step.deps.canonical.records(facts.run_id)
    context = EvidenceContext(
        run_id=facts.run_id,
        question=facts.query,
        now=facts.now,
        time_zone=facts.time_zone,
        catalogue_terms=step.deps.catalogue_terms,
        known_call_ids=_known_calls(state["transcript"]),
        repairs_left=MAX_REPAIRS - repairs,
    )
    verdict = judge(state["draft"], {record.tool_call_id: record for record in records}, context)
    await _tell(step, facts, verdict, recheck=repairs > 0)
    return {"evidence": verdict}


def _known_calls(transcript: Transcript) -> frozenset[ToolCallId]:
    """Calls that have a record, or had one until it expired."""
    return frozenset(
        turn.call.tool_call_id
        for turn in transcript.turns
        if isinstance(turn, ToolTurn) and isinstance(turn.feedback, Observed)
    )


async def _tell(step: Step, facts: RunFacts, verdict: EvidenceVerdict, *, recheck: bool) -> None:
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
