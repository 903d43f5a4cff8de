"""Messages of every role have exactly the documented shape."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from config.prompts import PROMPTS
from models.prompt_budget import rendered_turn
from models.prompts import agent_messages, prompt_chars, repair_messages, router_messages, semantic_messages
from state.model.enums import (
    Language,
    ModelRole,
    RedactionPolicy,
)
from state.model.evidence import Window
from state.model.ids import RunId, SessionId, ToolCallId
from state.model.limits import RunLimits
from state.model.run import PreviousTurn, RunFacts
from state.model.tool_call import ModelCall

NOW = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
FACTS = RunFacts(
    run_id=RunId("11111111-1111-1111-1111-111111111111"),
    session_id=SessionId("s1"),
    query="最近半小时支付为什么超时?",
    language=Language.ZH,
    now=NOW,
    time_zone="Asia/Shanghai",
    window=Window(start=datetime(2026, 3, 1, 1, 30, tzinfo=UTC), end=NOW),
    redaction=RedactionPolicy.NEVER,
    mask_identifiers=False,
    limits=RunLimits(),
)


def a_call(call_id: str, arguments: str = '{"previous_observation":null,"input":{}}') -> ModelCall:
    return ModelCall(tool_call_id=ToolCallId(call_id), name="query_logs", arguments=arguments)


def body(message: BaseMessage) -> Any:
    return json.loads(str(message.content))


def an_agent_prompt(*turns: Any, facts: RunFacts = FACTS) -> list[BaseMessage]:
    return agent_messages(facts, turns, max_prompt_chars=100_000)


def test_router_gets_rules_and_question_alone() -> None:
    system, user = router_messages("你好")

    assert system.content == PROMPTS[ModelRole.ROUTER].text
    assert body(user) == {"question": "你好"}


def test_agent_opening_is_the_documented_object_in_the_local_zone() -> None:
    system, user = an_agent_prompt()

    assert system.content == PROMPTS[ModelRole.AGENT].text
    assert body(user) == {
        "question": "最近半小时支付为什么超时?",
        "language": "zh",
        "now": "2026-03-01T10:00:00+08:00",
        "time_zone": "Asia/Shanghai",
        "window": {"start": "2026-03-01T09:30:00+08:00", "end": "2026-03-01T10:00:00+08:00"},
        "follow_up_of": None,
        "previous_turn": None,
    }


def test_chinese_is_written_as_itself() -> None:
    assert "支付" in str(an_agent_prompt()[1].content)


def test_nothing_of_limits_or_identities_reaches_the_model() -> None:
    text = "".join(str(message.content) for message in an_agent_prompt())

    assert not [word for word in ("max_tool_calls", "120000", "120_000", FACTS.run_id, "s1") if word in text]


def test_previous_turn_travels_without_ids() -> None:
    earlier = PreviousTurn(
        query="before", conclusion="pool exhausted", scope="logs", limitations=("l",), sources=("s",)
    )

    user = an_agent_prompt(facts=FACTS.model_copy(update={"previous_turn": earlier, "follow_up_of": "before"}))[1]

    assert body(user)["follow_up_of"] == "before"
    assert set(body(user)["previous_turn"]) == {"query", "conclusion", "scope", "limitations", "sources"}


def test_turn_is_one_assistant_message_and_a_reply_for_each_call() -> None:
    turn = rendered_turn([a_call("c1"), a_call("c2")], [{"evidence_status": "NO_EVIDENCE"}, {"rejected": True}])

    asked, first, second = an_agent_prompt(turn)[2:]

    assert isinstance(asked, AIMessage)
    assert [call["id"] for call in asked.tool_calls] == ["c1", "c2"]
    assert asked.tool_calls[0]["args"] == {"previous_observation": None, "input": {}}
    assert isinstance(first, ToolMessage) and isinstance(second, ToolMessage)
    assert (first.tool_call_id, body(first)) == ("c1", {"evidence_status": "NO_EVIDENCE"})
    assert (second.tool_call_id, body(second)) == ("c2", {"rejected": True})


def test_plain_message_is_answered_by_a_user_message() -> None:
    said, answer = an_agent_prompt(rendered_turn([], [{"draft_invalid": True}], text="I think …"))[2:]

    assert isinstance(said, AIMessage) and said.content == "I think …"
    assert isinstance(answer, HumanMessage) and body(answer) == {"draft_invalid": True}


@pytest.mark.parametrize("arguments", ["{broken", '{"a":1,"a":2}', "[]", ""])
def test_unparsable_arguments_go_back_as_legal_json(arguments: str) -> None:
    asked = an_agent_prompt(rendered_turn([a_call("c1", arguments)], [{"repair_required": True}]))[2]

    assert isinstance(asked, AIMessage)
    assert asked.tool_calls[0]["args"] == {"unparsable_arguments": arguments}
    assert asked.invalid_tool_calls == []


def test_every_call_needs_its_reply() -> None:
    with pytest.raises(ValueError, match="2 calls"):
        rendered_turn([a_call("c1"), a_call("c2")], [{}])


def test_prompt_is_measured_with_its_calls() -> None:
    plain, turn = an_agent_prompt(), an_agent_prompt(rendered_turn([a_call("c1")], [{"ok": 1}]))

    sent = len('{"previous_observation": null, "input": {}}') + len("query_logs") + 2 * len("c1") + len('{"ok":1}')
    assert prompt_chars(turn) - prompt_chars(plain) == sent


def test_same_facts_give_the_same_bytes() -> None:
    turn = rendered_turn([a_call("c1")], [{"evidence_status": "NO_EVIDENCE"}])

    assert an_agent_prompt(turn) == an_agent_prompt(turn)


@pytest.mark.parametrize(
    ("build", "role"), [(repair_messages, ModelRole.REPAIR), (semantic_messages, ModelRole.SEMANTIC)]
)
def test_a_prepared_request_goes_out_as_it_is(build: Callable[[str], list[BaseMessage]], role: ModelRole) -> None:
    request = '{"question":"为什么?","draft":{"conclusion":null},"evidence":[]}'

    system, user = build(request)

    assert system.content == PROMPTS[role].text
    assert user.content == request


@pytest.mark.parametrize("role", list(ModelRole))
def test_system_prompts_are_sent_as_system_messages(role: ModelRole) -> None:
    built = {
        ModelRole.ROUTER: router_messages("q"),
        ModelRole.AGENT: an_agent_prompt(),
        ModelRole.REPAIR: repair_messages("{}"),
        ModelRole.SEMANTIC: semantic_messages("{}"),
    }[role]

    assert isinstance(built[0], SystemMessage)
    assert built[0].content == PROMPTS[role].text
