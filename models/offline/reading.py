"""Messages → a typed ``Case``. Pure; text that is not what the protocol says is left out, never an error."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from models.offline.loose import Scalar, as_int, as_object, as_text, objects, scalars
from models.offline.moments import parse_instant

SUBMIT = "submit_diagnosis"


@dataclass(frozen=True)
class SeenItem:
    """One item of an observation."""

    call_id: str
    item_id: str
    is_knowledge: bool
    text: str
    fields: dict[str, Scalar] = field(default_factory=dict, hash=False)
    table: str = ""
    """The one table its SQL read; empty for anything else."""


@dataclass(frozen=True)
class Observation:
    """What one executed call showed, as far as this prompt still carries it."""

    call_id: str
    tool: str
    source: str
    window: tuple[str, str] | None
    filters: dict[str, Scalar]
    query: str
    coverage: str
    status: str
    """EVIDENCE_FOUND, NO_EVIDENCE or ERROR."""
    is_truncated: bool
    total: int | None
    items: tuple[SeenItem, ...]
    is_shortened: bool
    is_judged: bool
    code: str = ""

    @property
    def is_found(self) -> bool:
        """True if the call answered with items."""
        return self.status == "EVIDENCE_FOUND"


@dataclass(frozen=True)
class Asked:
    """One evidence call this model made, in order."""

    call_id: str
    tool: str
    input: dict[str, object]
    outcome: Observation | None
    """None: refused, a protocol violation, or not answered."""
    refusal: str = ""
    """Code of the refusal or violation."""
    is_violation: bool = False
    """The envelope broke the protocol: the request itself may be sent again."""

    @property
    def key(self) -> str:
        """Tool and input as one text; equal keys are the same request."""
        return request_key(self.tool, self.input)


@dataclass(frozen=True)
class Case:
    """Everything the agent role decides on."""

    question: str
    is_zh: bool
    now: datetime | None
    window: tuple[str, str] | None
    earlier_question: str
    asked: tuple[Asked, ...]
    is_stopped: bool
    invalid_drafts: int
    turn: int
    """Number of model messages so far."""

    @property
    def observations(self) -> tuple[Observation, ...]:
        """Results of executed calls, in order."""
        return tuple(asked.outcome for asked in self.asked if asked.outcome is not None)

    @property
    def items(self) -> tuple[SeenItem, ...]:
        """All visible items, in order, each once."""
        seen = {(item.call_id, item.item_id): item for result in self.observations for item in result.items}
        return tuple(seen.values())

    @property
    def executed(self) -> Observation | None:
        """The last executed call; an assessment can only be due for this one."""
        return self.observations[-1] if self.observations else None

    @property
    def due(self) -> Observation | None:
        """The result that awaits assessment; None if none does."""
        last = self.executed
        return last if last is not None and last.is_found and not last.is_judged else None


def asked_from(case: Case) -> datetime | None:
    """Start of the asked-for window; None if none was asked."""
    return parse_instant(case.window[0]) if case.window is not None else None


def request_key(tool: str, arguments: dict[str, object]) -> str:
    """Canonical text of a request."""
    return json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False, default=str)


def message_text(message: BaseMessage) -> str:
    """The text of a message; parts that are no text are left out."""
    if isinstance(message.content, str):
        return message.content
    parts = (part if isinstance(part, str) else as_text(as_object(part).get("text")) for part in message.content)
    return "".join(parts)


def last_user_object(messages: Sequence[BaseMessage]) -> dict[str, object]:
    """The JSON object of the last user message; ``{"question": text}`` for one that is plain text."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            text = message_text(message)
            return as_object(text) or {"question": text}
    return {}


def read_case(messages: Sequence[BaseMessage]) -> Case:
    """The case as the messages tell it."""
    request = _request(messages)
    answers = {m.tool_call_id: as_object(message_text(m)) for m in messages if isinstance(m, ToolMessage)}
    own = [message for message in messages if isinstance(message, AIMessage)]
    question = as_text(request.get("question"))
    return Case(
        question=question,
        is_zh=as_text(request.get("language")) == "zh" or ("language" not in request and has_cjk(question)),
        now=parse_instant(as_text(request.get("now"))),
        window=_window(request.get("window")),
        earlier_question=as_text(request.get("follow_up_of")),
        asked=tuple(_asked(own, answers)),
        is_stopped=any(answer.get("stop_required") is True for answer in answers.values()),
        invalid_drafts=_invalid_drafts(messages),
        turn=len(own),
    )


def has_cjk(text: str) -> bool:
    """True if a Chinese character is in the text."""
    return any("\u3400" <= char <= "\u9fff" for char in text)


def _request(messages: Sequence[BaseMessage]) -> dict[str, object]:
    for message in messages:
        if isinstance(message, HumanMessage):
            text = message_text(message)
            return as_object(text) or {"question": text}
    return {}


def _invalid_drafts(messages: Sequence[BaseMessage]) -> int:
    others = (message for message in messages if not isinstance(message, AIMessage))
    return sum(as_object(message_text(message)).get("draft_invalid") is True for message in others)


def _window(value: object) -> tuple[str, str] | None:
    window = as_object(value)
    start, end = as_text(window.get("start")), as_text(window.get("end"))
    return (start, end) if start and end else None


def _asked(own: Iterable[AIMessage], answers: dict[str, dict[str, object]]) -> Iterable[Asked]:
    for message in own:
        for call in message.tool_calls:
            if call["name"] != SUBMIT:
                answer = answers.get(call["id"] or "", {})
                yield _one_asked(call["id"] or "", call["name"], as_object(call["args"]), answer)


def _one_asked(call_id: str, tool: str, arguments: dict[str, object], answer: dict[str, object]) -> Asked:
    inner = as_object(arguments.get("input"))
    if answer.get("stop_required") is True:
        answer = as_object(answer.get("observation"))
    if answer.get("repair_required") is True:
        return Asked(call_id, tool, inner, None, as_text(answer.get("violation_type")), is_violation=True)
    if answer.get("rejected") is True or "evidence_status" not in answer:
        return Asked(call_id, tool, inner, None, as_text(answer.get("code")))
    return Asked(call_id, tool, inner, _observation(answer, call_id, tool))


def _observation(answer: dict[str, object], call_id: str, tool: str) -> Observation:
    scope = as_object(answer.get("scope"))
    table = _only_table(as_text(scope.get("query"))) if as_text(answer.get("tool")) == "query_sql" else ""
    found = (_item(item, call_id, table) for item in objects(answer.get("items")))
    items = tuple(item for item in found if item.item_id)
    return Observation(
        call_id=as_text(answer.get("tool_call_id")) or call_id,
        tool=as_text(answer.get("tool")) or tool,
        source=as_text(scope.get("source")),
        window=_window(scope.get("window")),
        filters=scalars(scope.get("filters")),
        query=as_text(scope.get("query")),
        coverage=as_text(answer.get("coverage")),
        status=as_text(answer.get("evidence_status")),
        is_truncated=answer.get("truncated") is True,
        total=as_int(answer.get("total_matches")),
        items=items,
        is_shortened=answer.get("shortened") is True,
        is_judged=bool(answer.get("judged")),
        code=as_text(answer.get("code")),
    )


def _only_table(sql: str) -> str:
    """The table of a statement over one; empty if it joins several."""
    names = re.findall(r"\b(?:from|join)\s+[`\"]?([\w.$]+)", sql, re.IGNORECASE)
    return names[0].rpartition(".")[2] if len(names) == 1 else ""


def _item(item: dict[str, object], call_id: str, table: str) -> SeenItem:
    return SeenItem(
        call_id=call_id,
        item_id=as_text(item.get("item_id")),
        is_knowledge=item.get("kind") == "KNOWLEDGE",
        text=as_text(item.get("text")),
        fields=scalars(item.get("fields")),
        table=table,
    )
