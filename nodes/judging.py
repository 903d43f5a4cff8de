"""What the evidence guard and the fallback know about a run besides its records."""

from guards.run_evidence import EvidenceContext
from nodes.deps import Step
from nodes.reading import facts_of
from state.model.diagnosis import DiagnosisState
from state.model.ids import ToolCallId
from state.model.tool_call import Observed, ToolTurn, Transcript


def evidence_context(state: DiagnosisState, step: Step) -> EvidenceContext:
    """The context of a judgement made now."""
    facts = facts_of(state)
    return EvidenceContext(
        run_id=facts.run_id,
        question=facts.query,
        judged_at=step.deps.clock.now(),
        time_zone=facts.time_zone,
        catalogue_terms=tuple(sorted(step.deps.catalogue_terms)),
        answered_ids=_answered_ids(state["transcript"]),
    )


def _answered_ids(transcript: Transcript) -> frozenset[ToolCallId]:
    """Calls that have a record, or had one until it expired."""
    return frozenset(
        turn.call.tool_call_id
        for turn in transcript.turns
        if isinstance(turn, ToolTurn) and isinstance(turn.feedback, Observed)
    )
