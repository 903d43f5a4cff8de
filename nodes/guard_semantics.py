"""guard_semantics: one isolated review of the draft against the items it cites. Undetermined means no."""

from guards.semantics import build_review, parse_verdict
from models.prompts import semantic_messages
from nodes.ask_model import NoAnswer, Question, ask_model
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import ModelRole, Stage, TraceEventType
from state.model.verdict import SemanticReview

ATTEMPTS = 2


async def guard_semantics(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The review; its verdict is None if two attempts gave no well-formed one."""
    facts, evidence = facts_of(state), state["evidence"]
    assert evidence is not None and evidence.draft is not None, "the evidence guard passed a draft"
    await announce(step, "semantics", Stage.SAFETY_VALIDATING)
    by_id = {record.tool_call_id: record for record in await step.deps.canonical.records(facts.run_id)}
    review_input = build_review(facts.query, evidence.draft, by_id, run_id=facts.run_id)
    question = Question(
        node="guard_semantics",
        role=ModelRole.SEMANTIC,
        round=1,
        messages=semantic_messages(review_input),
        attempts=ATTEMPTS,
        retry_unusable=True,
    )
    answer = await ask_model(step, facts, question, lambda reply: parse_verdict(reply.text))
    if isinstance(answer, NoAnswer):
        review = SemanticReview(verdict=None, attempts=ATTEMPTS, reason=answer.value)
    else:
        verdict, reason = answer
        review = SemanticReview(verdict=verdict, attempts=1, reason=reason[:500])
    await _tell(step, review)
    return {"review": review}


async def _tell(step: Step, review: SemanticReview) -> None:
    verdict = review.verdict.value if review.verdict else None
    await trace(step, "semantics:attempts", TraceEventType.SEMANTIC_GUARD_ATTEMPT, "guard_semantics", verdict=verdict)
    await trace(step, "semantics:decision", TraceEventType.SEMANTIC_GUARD_DECISION, "guard_semantics", verdict=verdict)
