"""repair_draft: one chance for the repair model to mend references; the words stay as they are."""

from guards.repair import build_repair_input, keeps_visible_text
from models.chat import ModelReply
from models.prompts import repair_messages
from nodes.ask_model import NoAnswer, Question, ask_model
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import trace
from state.model.diagnosis import DiagnosisState
from state.model.draft import Draft, parse_draft
from state.model.enums import ModelRole, TraceEventType


async def repair_draft(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The mended draft, or the same one if the repair changed what a person would read, failed or is unpaid."""
    facts, draft, verdict = facts_of(state), state["draft"], state["evidence"]
    assert draft is not None, "a draft was found repairable"
    assert verdict is not None, "guard_evidence runs first"
    by_id = {record.tool_call_id: record for record in await step.deps.canonical.records(facts.run_id)}
    question = Question(
        node="repair_draft",
        role=ModelRole.REPAIR,
        round=1,
        messages=repair_messages(build_repair_input(draft, verdict.violations, by_id, run_id=facts.run_id)),
    )
    repaired = await ask_model(step, facts, question, lambda reply: _accepted(reply, draft))
    kept = isinstance(repaired, NoAnswer)
    await trace(
        step,
        "repair:1",
        TraceEventType.EVIDENCE_REPAIR_ATTEMPT,
        "repair_draft",
        accepted=not kept,
        result=repaired.value if isinstance(repaired, NoAnswer) else "ok",
    )
    return {"draft": draft if isinstance(repaired, NoAnswer) else repaired, "repairs": state["repairs"] + 1}


def _accepted(reply: ModelReply, before: Draft) -> Draft | None:
    text = reply.calls[0].arguments if reply.calls else reply.text
    after = parse_draft(text)
    return after if isinstance(after, Draft) and keeps_visible_text(before, after) else None
