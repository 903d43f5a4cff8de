"""The messages of every model call, built from typed values. Pure; shapes are in docs/model-protocol.md."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage

from config.prompts import PROMPTS
from models.prompt_budget import Json, RenderedTurn, ShownCall, fit, sent_arguments, write_json
from state.model.enums import ModelRole
from state.model.run import RunFacts


def router_messages(question: str) -> list[BaseMessage]:
    """Rules and question; the reply is ``{"intent": …}``."""
    return _two(ModelRole.ROUTER, write_json({"question": question}))


def agent_messages(
    facts: RunFacts, turns: Sequence[RenderedTurn], *, max_prompt_chars: int, pending: str | None = None
) -> list[BaseMessage]:
    """Rules, the question with its facts, then every turn as assistant message and tool messages.

    ``pending``: the call whose assessment is due. Shortened as ``models.prompt_budget`` says; the result has at most
    ``max_prompt_chars`` characters whenever rules, question and protected turns have.
    """
    rules = PROMPTS[ModelRole.AGENT].text
    opening, shown = fit(agent_opening(facts), turns, budget_chars=max_prompt_chars - len(rules), pending=pending)
    messages: list[BaseMessage] = [SystemMessage(rules), HumanMessage(write_json(opening))]
    for turn in shown:
        messages += _turn_messages(turn)
    return messages


def agent_opening(facts: RunFacts) -> Json:
    """The first user message: the question and what is fixed for the run, instants in the run's time zone."""
    zone = ZoneInfo(facts.time_zone)
    window = facts.window
    return {
        "question": facts.query,
        "language": facts.language.value,
        "now": _local(facts.now, zone),
        "time_zone": facts.time_zone,
        "window": {"start": _local(window.start, zone), "end": _local(window.end, zone)} if window else None,
        "follow_up_of": facts.follow_up_of,
        "previous_turn": facts.previous_turn.model_dump(mode="json") if facts.previous_turn else None,
    }


def repair_messages(request: str) -> list[BaseMessage]:
    """Rules, then the request that ``guards.repair`` built: the refused draft, what is wrong, the citable results."""
    return _two(ModelRole.REPAIR, request)


def semantic_messages(review: str) -> list[BaseMessage]:
    """Rules, then the frozen review input that ``guards.semantics`` built."""
    return _two(ModelRole.SEMANTIC, review)


def prompt_chars(messages: Sequence[BaseMessage]) -> int:
    """Characters of a prompt as ``agent_messages`` counts them: texts, and ids, names and arguments of calls."""
    return sum(len(str(message.content)) + _call_chars(message) for message in messages)


def _two(role: ModelRole, body: str) -> list[BaseMessage]:
    return [SystemMessage(PROMPTS[role].text), HumanMessage(body)]


def _turn_messages(turn: RenderedTurn) -> list[BaseMessage]:
    if not turn.calls:
        return [AIMessage(turn.text), HumanMessage(write_json(turn.replies[0]))]
    asked = AIMessage(content=turn.text, tool_calls=[_tool_call(call) for call in turn.calls])
    answers = [
        ToolMessage(write_json(reply), tool_call_id=call.tool_call_id)
        for call, reply in zip(turn.calls, turn.replies, strict=True)
    ]
    return [asked, *answers]


def _tool_call(call: ShownCall) -> ToolCall:
    return ToolCall(name=call.name, args=call.arguments, id=call.tool_call_id)


def _call_chars(message: BaseMessage) -> int:
    if isinstance(message, ToolMessage):
        return len(message.tool_call_id)
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return sum(len(call["id"] or "") + len(call["name"]) + len(sent_arguments(call["args"])) for call in calls)


def _local(instant: datetime, zone: ZoneInfo) -> str:
    return instant.astimezone(zone).isoformat()
