"""The prompt budget: what gives way, in which order, and what never does."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from models.prompt_budget import (
    Json,
    RenderedTurn,
    ShownCall,
    fit,
    rendered_turn,
    shown_call,
    turn_chars,
    write_json,
)
from state.model.ids import ToolCallId
from state.model.tool_call import ModelCall

OPENING: Json = {"question": "why?", "follow_up_of": None, "previous_turn": None}
PENDING = "c0"


def an_item(text: str = "x" * 100) -> Json:
    return {"item_id": "log:1", "kind": "TELEMETRY", "text": text, "fields": {}}


def an_observation(call_id: str, n_items: int, **changes: Any) -> Json:
    scope = {"source": "app", "window": None, "filters": {"contains": "timeout" * 5}, "query": "q" * 60}
    body: Json = {"tool_call_id": call_id, "tool": "query_logs", "scope": scope, "truncated": False}
    return {**body, "evidence_status": "EVIDENCE_FOUND", "items": [an_item()] * n_items, **changes}


def a_turn(call_id: str, reply: Json, arguments: str = "{}") -> RenderedTurn:
    return rendered_turn([ModelCall(tool_call_id=ToolCallId(call_id), name="query_logs", arguments=arguments)], [reply])


def shortened(call_id: str) -> RenderedTurn:
    reply = an_observation(call_id, 0, shortened=True)
    del reply["items"]
    return a_turn(call_id, reply)


def full(call_id: str, n_items: int = 5) -> RenderedTurn:
    return a_turn(call_id, an_observation(call_id, n_items))


def size(opening: Json, turns: Any) -> int:
    return len(write_json(opening)) + sum(turn_chars(turn) for turn in turns)


def cut(turns: list[RenderedTurn], *, by: int, opening: Json = OPENING, pending: str | None = None) -> Any:
    return fit(opening, turns, budget_chars=size(opening, turns) - by, pending=pending)


def test_what_fits_is_left_alone() -> None:
    turns = [shortened("c0"), full("c1"), full("c2")]

    assert cut(turns, by=0) == (OPENING, tuple(turns))


def test_oldest_shortened_observation_gives_way_first() -> None:
    turns = [full("c0"), shortened("c1"), shortened("c2"), full("c3")]

    _, shown = cut(turns, by=1)

    assert shown[1].replies[0]["scope"] == {"source": "app"}
    assert (shown[0], shown[2], shown[3]) == (turns[0], turns[2], turns[3])


def test_then_items_go_one_by_one_from_the_end_of_the_oldest() -> None:
    turns = [full("c0"), full("c1"), full("c2")]

    _, shown = cut(turns, by=150)

    reply = shown[0].replies[0]
    assert len(reply["items"]) == 3
    assert (reply["truncated"], reply["shortened"]) == (True, True)
    assert shown[1:] == tuple(turns[1:])


def test_every_result_keeps_its_best_items_before_any_loses_all() -> None:
    turns = [full("c0", 60), full("c1", 60), full("c2")]

    _, shown = cut(turns, by=12_000)

    kept = [len(turn.replies[0]["items"]) for turn in shown]
    assert min(kept) > 0
    assert kept[0] < 20
    assert kept[1] < 60


def test_observation_without_items_is_a_shortened_one() -> None:
    turns = [full("c0", 1), full("c1")]

    _, shown = cut(turns, by=100)

    assert "items" not in shown[0].replies[0]
    assert shown[0].replies[0]["shortened"] is True


def test_long_arguments_go_before_the_earlier_turn_and_that_before_whole_turns() -> None:
    opening: Json = {**OPENING, "previous_turn": {"conclusion": "y" * 400}, "follow_up_of": "z" * 400}
    turns = [a_turn("c0", {"rejected": True}, json.dumps({"input": {"sql": "s" * 500}})), full("c1")]

    first, after_arguments = cut(turns, by=300, opening=opening)
    second, _ = cut(turns, by=600, opening=opening)
    third, after_all = cut(turns, by=1300, opening=opening)

    assert (first, len(str(after_arguments[0].calls[0].arguments["input"])) < 120) == (opening, True)
    assert (second["previous_turn"], second["follow_up_of"]) == (None, "z" * 400)
    assert (third["follow_up_of"], after_all) == (None, (turns[1],))


def test_last_turn_is_never_cut() -> None:
    turns = [full("c0"), full("c1", 40)]

    assert cut(turns, by=100_000)[1] == (turns[1],)


def test_pending_observation_is_never_cut() -> None:
    turns = [full("c0", 20), a_turn("c1", {"repair_required": True}), full("c2")]

    assert cut(turns, by=100_000, pending="c0")[1] == (turns[0], turns[2])


def test_stop_required_is_never_cut() -> None:
    stop = a_turn("c1", {"stop_required": True, "reason": "r", "observation": an_observation("c1", 9)})
    turns = [full("c0"), stop, a_turn("c2", {"draft_invalid": True})]

    assert cut(turns, by=100_000)[1] == (stop, turns[2])


def test_old_plain_text_gives_way() -> None:
    turns = [rendered_turn([], [{"draft_invalid": True}], text="w" * 900), full("c1")]

    assert cut(turns, by=10)[1][0].text == "[left out]"


def test_valid_arguments_come_back_parsed() -> None:
    call = ModelCall(tool_call_id=ToolCallId("c1"), name="t", arguments='{"input":{"a":1}}')

    assert shown_call(call) == ShownCall("c1", "t", {"input": {"a": 1}})


scopes = st.fixed_dictionaries({"source": st.text(max_size=8), "query": st.text(max_size=40)})
items = st.lists(st.fixed_dictionaries({"item_id": st.text(max_size=6), "text": st.text(max_size=60)}), max_size=6)
observations = st.builds(
    lambda scope, found, shortened: {"scope": scope, "truncated": False, "items": found, **shortened},
    scopes,
    items,
    st.sampled_from([{}, {"shortened": True}]),
)
any_reply = st.one_of(observations, st.just({"rejected": True}), st.just({"stop_required": True, "reason": "r"}))
arguments = st.one_of(
    st.just("{}"), st.text(max_size=200), st.text(max_size=200).map(lambda t: json.dumps({"input": t}))
)


@st.composite
def conversations(draw: st.DrawFn) -> list[RenderedTurn]:
    replies = draw(st.lists(any_reply, max_size=6))
    return [a_turn(f"c{n}", reply, draw(arguments)) for n, reply in enumerate(replies)]


def must_stay(turns: list[RenderedTurn]) -> list[RenderedTurn]:
    last = len(turns) - 1
    return [
        turn
        for n, turn in enumerate(turns)
        if n == last or turn.calls[0].tool_call_id == PENDING or turn.replies[0].get("stop_required")
    ]


@settings(max_examples=150, deadline=None)
@given(conversations(), st.text(max_size=200), st.integers(0, 3000))
def test_result_is_within_the_budget_whenever_the_rest_is(turns: list[RenderedTurn], earlier: str, budget: int) -> None:
    opening: Json = {**OPENING, "follow_up_of": earlier, "previous_turn": {"conclusion": earlier}}
    least = size(OPENING, must_stay(turns))

    shown_opening, shown = fit(opening, turns, budget_chars=budget, pending=PENDING)

    assert size(shown_opening, shown) <= max(budget, least)
    assert [turn for turn in must_stay(turns) if turn not in shown] == []
    assert shown_opening["question"] == OPENING["question"]


@settings(max_examples=60, deadline=None)
@given(conversations(), st.integers(0, 3000))
def test_what_remains_keeps_its_order_and_its_pairs(turns: list[RenderedTurn], budget: int) -> None:
    _, shown = fit(OPENING, turns, budget_chars=budget)

    order = [int(turn.calls[0].tool_call_id[1:]) for turn in shown]
    assert order == sorted(set(order))
    assert all(len(turn.replies) == len(turn.calls) for turn in shown)


@settings(max_examples=60, deadline=None)
@given(conversations(), st.integers(0, 1500), st.integers(0, 1500))
def test_more_budget_never_shows_less(turns: list[RenderedTurn], budget: int, more: int) -> None:
    small, large = (size(*fit(OPENING, turns, budget_chars=b)) for b in (budget, budget + more))

    assert small <= large
