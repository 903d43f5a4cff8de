"""One character budget for the agent's prompt, with a fixed cut order. Pure.

Never cut: the question and the protected turns (the last one, the pending observation, STOP_REQUIRED). Everything
else gives way in the order of ``_CUTS``, oldest turn first within each step; then the earlier turn of the session,
then whole turns.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from state.model.strict_json import JsonProblem, parse_json_object
from state.model.tool_call import ModelCall

Json = dict[str, object]

SHORT_VALUE_CHARS = 80
"""What is left of a long value in the arguments of an earlier call."""
LEFT_OUT = "[left out]"
KEPT_ITEM_CHARS = 2 * 1024
"""What every earlier result keeps before any of them loses all its items."""


@dataclass(frozen=True)
class ShownCall:
    """A call as it goes back to its author."""

    tool_call_id: str
    name: str
    arguments: Json
    """An unparsable text comes back as the one value of ``unparsable_arguments``: several endpoints refuse a history
    that is not JSON."""


@dataclass(frozen=True)
class RenderedTurn:
    """One message of the agent with what it was answered."""

    calls: tuple[ShownCall, ...]
    """Calls of the message, the first one first; empty: a plain message."""
    replies: tuple[Json, ...]
    """One per call in the same order (docs/model-protocol.md); to a plain message exactly one."""
    text: str = ""
    """Words of a plain message."""

    def __post_init__(self) -> None:
        if len(self.replies) != max(1, len(self.calls)):
            raise ValueError(f"{len(self.calls)} calls need as many replies, got {len(self.replies)}")


def rendered_turn(calls: Sequence[ModelCall], replies: Sequence[Json], *, text: str = "") -> RenderedTurn:
    """The turn of these calls and their replies, in the same order.

    Raises:
        ValueError: there is not one reply per call, or not exactly one to a plain message.
    """
    return RenderedTurn(calls=tuple(shown_call(call) for call in calls), replies=tuple(replies), text=text)


def shown_call(call: ModelCall) -> ShownCall:
    """The call with parsed arguments."""
    parsed = parse_json_object(call.arguments)
    arguments: Json = {"unparsable_arguments": call.arguments} if isinstance(parsed, JsonProblem) else parsed
    return ShownCall(tool_call_id=call.tool_call_id, name=call.name, arguments=arguments)


def write_json(value: Json) -> str:
    """The one way JSON is written to a model: compact, every script readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def sent_arguments(arguments: Json) -> str:
    """Arguments as langchain-openai writes them."""
    return json.dumps(arguments, ensure_ascii=False)


def turn_chars(turn: RenderedTurn) -> int:
    """Characters the turn adds to a prompt."""
    calls = sum(
        2 * len(call.tool_call_id) + len(call.name) + len(sent_arguments(call.arguments)) for call in turn.calls
    )
    return calls + len(turn.text) + sum(len(write_json(reply)) for reply in turn.replies)


def fit(
    opening: Json, turns: Sequence[RenderedTurn], *, budget_chars: int, pending: str | None = None
) -> tuple[Json, tuple[RenderedTurn, ...]]:
    """Opening and turns, cut as little as the budget asks for.

    ``pending``: the call whose assessment is due. The result is within ``budget_chars`` whenever opening (without the
    earlier turn) and protected turns are; else these alone are returned.
    """
    excess = len(write_json(opening)) + sum(turn_chars(turn) for turn in turns) - budget_chars
    free = [index for index, turn in enumerate(turns) if not _protected(turns, index, turn, pending)]
    shown = list(turns)
    for cut, index in product(_CUTS, free):
        shown[index], excess = _cut_until(shown[index], cut, excess)
    opening, excess = _without_earlier(opening, excess)
    dropped: set[int] = set()
    for index in free:
        if excess > 0:
            excess -= turn_chars(shown[index])
            dropped.add(index)
    return opening, tuple(turn for index, turn in enumerate(shown) if index not in dropped)


def _cut_until(
    turn: RenderedTurn, cut: Callable[[RenderedTurn], Iterator[RenderedTurn]], excess: int
) -> tuple[RenderedTurn, int]:
    """The turn cut step by step until nothing is in excess, and what still is."""
    for smaller in cut(turn):
        if excess <= 0:
            break
        saved = turn_chars(turn) - turn_chars(smaller)
        if saved > 0:
            turn, excess = smaller, excess - saved
    return turn, excess


def _protected(turns: Sequence[RenderedTurn], index: int, turn: RenderedTurn, pending: str | None) -> bool:
    return (
        index == len(turns) - 1
        or any(reply.get("stop_required") is True for reply in turn.replies)
        or (pending is not None and any(call.tool_call_id == pending for call in turn.calls))
    )


def _without_earlier(opening: Json, excess: int) -> tuple[Json, int]:
    for key in ("previous_turn", "follow_up_of"):
        if excess > 0 and opening.get(key) is not None:
            smaller = {**opening, key: None}
            excess += len(write_json(smaller)) - len(write_json(opening))
            opening = smaller
    return opening, excess


def _scope_of_shortened(turn: RenderedTurn) -> Iterator[RenderedTurn]:
    """1. An observation without items keeps only the source of its scope."""
    yield _with_replies(turn, lambda reply: reply if reply.get("items") else _source_only(reply))


def _long_results(turn: RenderedTurn) -> Iterator[RenderedTurn]:
    """2. Items go from the end, one at a time, down to ``KEPT_ITEM_CHARS``; they are in order of usefulness."""
    left = turn
    for smaller in _fewer_items(turn):
        if _item_chars(left) <= KEPT_ITEM_CHARS:
            return
        yield smaller
        left = smaller


def _fewer_items(turn: RenderedTurn) -> Iterator[RenderedTurn]:
    """3. Then the rest of them."""
    most = max((len(_items(reply)) for reply in turn.replies), default=0)
    for keep in range(most - 1, -1, -1):
        yield _with_replies(turn, lambda reply, keep=keep: _keep_items(reply, keep))  # type: ignore[misc]


def _item_chars(turn: RenderedTurn) -> int:
    return sum(len(json.dumps(_items(reply), ensure_ascii=False)) for reply in turn.replies)


def _scope(turn: RenderedTurn) -> Iterator[RenderedTurn]:
    """4. What lost its items loses the details of its scope."""
    yield _with_replies(turn, _source_only)


def _arguments(turn: RenderedTurn) -> Iterator[RenderedTurn]:
    """5. Long values in the agent's own earlier words."""
    text = turn.text if len(turn.text) <= len(LEFT_OUT) else LEFT_OUT
    yield replace(turn, calls=tuple(_short_call(call) for call in turn.calls), text=text)


_CUTS: tuple[Callable[[RenderedTurn], Iterator[RenderedTurn]], ...] = (
    _scope_of_shortened,
    _long_results,
    _fewer_items,
    _scope,
    _arguments,
)


def _with_replies(turn: RenderedTurn, change: Callable[[Json], Json]) -> RenderedTurn:
    return replace(turn, replies=tuple(change(reply) for reply in turn.replies))


def _items(reply: Json) -> list[object]:
    items = reply.get("items")
    return items if isinstance(items, list) else []


def _keep_items(reply: Json, keep: int) -> Json:
    items = _items(reply)
    if len(items) <= keep:
        return reply
    cut: Json = {**reply, "truncated": True, "items": items[:keep], "shortened": True}
    if not keep:
        del cut["items"]
    return cut


def _source_only(reply: Json) -> Json:
    scope = reply.get("scope")
    return {**reply, "scope": {"source": scope.get("source")}} if isinstance(scope, dict) else reply


def _short_call(call: ShownCall) -> ShownCall:
    return replace(call, arguments={key: _short(value) for key, value in call.arguments.items()})


def _short(value: object) -> object:
    match value:
        case str():
            return value if len(value) <= SHORT_VALUE_CHARS else f"{value[:SHORT_VALUE_CHARS]}…"
        case dict():
            return {key: _short(part) for key, part in value.items()}
        case list():
            return [_short(part) for part in value]
        case _:
            return value
