"""agent: one turn of the only author of a diagnosis. It asks for one result or hands in a draft; it cannot publish."""

from guards.agent_reply import HandedIn, read_agent_reply
from models.chat import ModelReply
from models.prompts import agent_messages
from models.tool_schemas import ToolSpec, tool_schemas
from nodes.ask_model import NoAnswer, Question, ask_model
from nodes.deps import Step
from nodes.masking import masked
from nodes.observing import render_turns
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import ModelRole, Stage, StopReason, TraceEventType
from state.model.ids import RunId
from state.model.progress import ProgressSnapshot
from state.model.run import RunFacts
from state.model.tool_call import (
    AgentMove,
    AskEvidence,
    DraftTurn,
    Halt,
    ReviseDraft,
    SubmitDraft,
    ToolTurn,
    Transcript,
)

AgentReply = AskEvidence | HandedIn | DraftTurn

STOP_OF: dict[NoAnswer, StopReason] = {
    NoAnswer.BUDGET: StopReason.BUDGET_LIMIT_REACHED,
    NoAnswer.DEADLINE: StopReason.DEADLINE_REACHED,
    NoAnswer.FAILED: StopReason.MODEL_UNAVAILABLE,
}


async def agent(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The agent's next move; with the transcript if it was an invalid hand-in."""
    facts, transcript = facts_of(state), state["transcript"]
    round_ = len(transcript.turns) + 1
    await announce(step, f"agent:{round_}", Stage.DIAGNOSIS_RUNNING, round=round_)
    records = await step.deps.canonical.records(facts.run_id)
    turns = render_turns(transcript, {record.tool_call_id: record for record in records})
    question = Question(
        node="agent",
        role=ModelRole.AGENT,
        round=round_,
        messages=agent_messages(
            facts, turns, max_prompt_chars=step.deps.policy.max_prompt_chars, pending=state["progress"].awaiting
        ),
        tools=await _tools(step, facts, state["progress"]),
        attempts=2,
    )

    def accept(reply: ModelReply) -> AgentReply:
        return _read(reply, transcript, facts.run_id, round_)

    read: AgentReply | NoAnswer = await ask_model(step, facts, question, accept)
    await _tell(step, round_, read)
    return _moved(read, transcript)


async def _tools(step: Step, facts: RunFacts, progress: ProgressSnapshot) -> list[dict[str, object]]:
    """Every evidence tool and the hand-in; after STOP_REQUIRED the hand-in alone."""
    if progress.stop_delivered:
        return tool_schemas([])
    cards = step.deps.boundary.specs
    described: object = [card.description for card in cards]
    if facts.mask_identifiers:
        described = await masked(step, described)
    assert isinstance(described, list), "masking keeps the shape"
    return tool_schemas(
        [ToolSpec(card.name, text, card.input_schema) for card, text in zip(cards, described, strict=True)]
    )


def _read(reply: ModelReply, transcript: Transcript, run_id: RunId, round_: int) -> AgentReply:
    used = [call_id for turn in transcript.turns for call_id in _ids(turn)]
    return read_agent_reply(reply.text, reply.calls, run_id=run_id, round_=round_, used=used)


def _ids(turn: ToolTurn | DraftTurn) -> list[str]:
    if isinstance(turn, ToolTurn):
        return [call.tool_call_id for call in (turn.call, *turn.extra_calls)]
    return [turn.submitted.tool_call_id] if turn.submitted else []


def _moved(read: AgentReply | NoAnswer, transcript: Transcript) -> DiagnosisState:
    match read:
        case AskEvidence():
            return {"move": read}
        case HandedIn(draft=draft):
            return {"move": SubmitDraft(draft=draft), "draft": draft}
        case DraftTurn():
            move: AgentMove = Halt(invalid=read.invalid) if _revised(transcript) else ReviseDraft()
            return {"move": move, "transcript": Transcript(turns=(*transcript.turns, read))}
        case NoAnswer():
            return {"move": Halt(stop_reason=STOP_OF[read])}


def _revised(transcript: Transcript) -> bool:
    return any(isinstance(turn, DraftTurn) for turn in transcript.turns)


async def _tell(step: Step, round_: int, read: AgentReply | NoAnswer) -> None:
    result = read.value if isinstance(read, NoAnswer) else read.tag
    await trace(step, f"agent:{round_}", TraceEventType.AGENT_MODEL_STEP, "agent", round=round_, result=result)
    if isinstance(read, DraftTurn):
        await trace(
            step,
            f"draft-invalid:{round_}",
            TraceEventType.AGENT_DRAFT_INVALID,
            "agent",
            problem=read.invalid.problem.value,
            place=read.invalid.place[:100],
        )
