"""``ask`` and the reply: time limits, cancellation, what is kept of a message, what decides a digest."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from models.chat import FailureKind, ModelReply, ask, may_retry, model_failed, read_reply, request_digest, write_reply
from models.scripted import ScriptedModel
from models.turns import WrittenTurn
from state.model.enums import ModelRole
from state.model.errors import ModelFailed
from state.model.ids import ToolCallId
from state.model.tool_call import ModelCall

MESSAGES: list[BaseMessage] = [SystemMessage("rules"), HumanMessage("question")]
TOOL = {"type": "function", "function": {"name": "query_logs", "description": "d", "parameters": {"type": "object"}}}


def a_call(arguments: str = "{}", call_id: str = "c1") -> ModelCall:
    return ModelCall(tool_call_id=ToolCallId(call_id), name="query_logs", arguments=arguments)


async def test_bounds_and_tools_reach_the_model() -> None:
    model = ScriptedModel(turns=("ok",))

    await ask(model, MESSAGES, tools=[TOOL], timeout_s=1, max_output_tokens=64, step="agent:1:1")

    request = model.requests[0]
    assert (request.max_tokens, request.tools, request.step) == (64, (TOOL,), "agent:1:1")


async def test_hanging_model_is_a_timeout() -> None:
    model = ScriptedModel(turns=(WrittenTurn(hang=True),))
    async with asyncio.timeout(30):
        with pytest.raises(ModelFailed) as caught:
            await ask(model, MESSAGES, timeout_s=0.1, max_output_tokens=64)

    assert (caught.value.kind, caught.value.retryable) == (FailureKind.TIMEOUT, True)
    assert model.n_cancelled == 1


async def test_cancelling_the_task_propagates_and_reaches_the_model() -> None:
    model = ScriptedModel(turns=(WrittenTurn(hang=True),))
    task = asyncio.create_task(ask(model, MESSAGES, timeout_s=60, max_output_tokens=64))
    while model.n_calls == 0:
        await asyncio.sleep(0.001)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.n_cancelled == 1


async def test_outer_deadline_is_not_taken_for_a_model_timeout() -> None:
    model = ScriptedModel(turns=(WrittenTurn(hang=True),))

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await ask(model, MESSAGES, timeout_s=60, max_output_tokens=64)


async def test_fault_of_ours_is_not_hidden_as_a_model_failure() -> None:
    model = ScriptedModel(turns=(KeyError("bug"),))

    with pytest.raises(KeyError):
        await ask(model, MESSAGES, timeout_s=1, max_output_tokens=64)


@pytest.mark.parametrize("kind", list(FailureKind))
def test_only_a_refusal_is_final(kind: FailureKind) -> None:
    assert model_failed(kind).retryable is (kind is not FailureKind.REFUSED)


TWICE = {
    ModelRole.ROUTER: {"timeout", "connect", "transport", "rate_limited", "server_error", "unparsable"},
    ModelRole.SEMANTIC: {"timeout", "connect", "transport", "rate_limited", "server_error", "unparsable"},
    ModelRole.AGENT: {"connect", "rate_limited", "server_error"},
    ModelRole.REPAIR: set(),
}


@pytest.mark.parametrize("role", list(ModelRole))
def test_each_role_asks_again_after_its_own_failures_only(role: ModelRole) -> None:
    assert {kind.value for kind in FailureKind if may_retry(role, model_failed(kind))} == TWICE[role]


def test_long_pause_is_not_waited_for() -> None:
    assert may_retry(ModelRole.AGENT, model_failed(FailureKind.RATE_LIMITED, retry_after_s=10.0))
    assert not may_retry(ModelRole.AGENT, model_failed(FailureKind.RATE_LIMITED, retry_after_s=10.1))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
replies = st.builds(
    ModelReply,
    text=texts,
    calls=st.lists(
        st.builds(
            ModelCall,
            tool_call_id=texts.map(ToolCallId),
            name=st.text(max_size=20),
            arguments=st.one_of(texts, st.dictionaries(texts, st.integers()).map(json.dumps), st.just('{"a":1,"a":2}')),
        ),
        max_size=3,
    ).map(tuple),
    prompt_tokens=st.integers(0, 10**6),
    completion_tokens=st.integers(0, 10**6),
    reasoning=st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), min_size=1)),
    model=st.text(max_size=10),
    finish_reason=st.one_of(st.none(), st.just("stop")),
)


@settings(max_examples=60, deadline=None)
@given(replies)
def test_reply_survives_message_and_json(reply: ModelReply) -> None:
    assert read_reply(write_reply(reply)) == reply
    assert ModelReply.model_validate_json(reply.model_dump_json()) == reply


def test_half_known_usage_is_not_reported() -> None:
    reply = read_reply(write_reply(ModelReply(prompt_tokens=5)))

    assert (reply.prompt_tokens, reply.usage_reported) == (None, False)


def test_calls_of_a_foreign_message_are_read_too() -> None:
    message = AIMessage(
        content=[{"type": "text", "text": "a"}, "b"],
        tool_calls=[{"name": "x", "args": {"k": "值"}, "id": None}],
        invalid_tool_calls=[{"name": "y", "args": "{broken", "id": "2", "error": None, "type": "invalid_tool_call"}],
    )

    reply = read_reply(message)

    assert reply.text == "ab"
    assert [(call.tool_call_id, call.name, call.arguments) for call in reply.calls] == [
        ("", "x", '{"k": "值"}'),
        ("2", "y", "{broken"),
    ]


def test_digest_ignores_ids_that_langchain_gives() -> None:
    with_id = [SystemMessage("rules", id="run-1"), HumanMessage("question", id="run-2")]

    assert request_digest(with_id, [TOOL], "m") == request_digest(MESSAGES, [TOOL], "m")


CHANGED: list[tuple[list[BaseMessage], list[dict[str, object]], str]] = [
    (MESSAGES, [TOOL], "other"),
    (MESSAGES, [], "m"),
    ([*MESSAGES, HumanMessage("more")], [TOOL], "m"),
    ([HumanMessage("rules"), HumanMessage("question")], [TOOL], "m"),
    ([SystemMessage("rules"), HumanMessage("Question")], [TOOL], "m"),
    (list(reversed(MESSAGES)), [TOOL], "m"),
]


@pytest.mark.parametrize("changed", CHANGED)
def test_digest_depends_on_everything_that_is_sent(
    changed: tuple[list[BaseMessage], list[dict[str, object]], str],
) -> None:
    assert request_digest(*changed) != request_digest(MESSAGES, [TOOL], "m")


def test_digest_depends_on_calls_and_on_what_they_answer() -> None:
    def history(arguments: str, answered: str) -> list[BaseMessage]:
        return [write_reply(ModelReply(calls=(a_call(arguments),))), ToolMessage("{}", tool_call_id=answered)]

    digests = {request_digest(history(*pair), [], "m") for pair in [("{}", "c1"), ('{"a":1}', "c1"), ("{}", "c2")]}

    assert len(digests) == 3


def test_digest_is_stable_across_releases() -> None:
    assert request_digest(MESSAGES, [], "m") == "17502d8c4339f411f7f6fea17a49752f00eac25adb04999c422c85883e1f6707", (
        "recordings made before this change can no longer be replayed"
    )
