"""The OpenAI-compatible door over a real socket: what is sent, what is read, and what each failure becomes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import SecretStr

from models.chat import FailureKind, ModelReply, ask
from models.openai_compatible import (
    Endpoint,
    OpenAICompatible,
    build_openai_model,
    failure_of,
    open_client,
    retry_after_s,
)
from models.tool_schemas import ToolSpec, tool_schemas
from state.model.errors import ModelFailed
from tests.wire_server import Reply, WireServer, answers, call, completion, fails, usage

TOOLS = tool_schemas([ToolSpec("query_logs", "Searches logs.", {"type": "object", "properties": {}})])
QUESTION = [SystemMessage("rules"), HumanMessage('{"question":"为什么支付超时?"}')]


@asynccontextmanager
async def a_model(base_url: str, **changes: Any) -> AsyncIterator[OpenAICompatible]:
    client = open_client(base_url)
    try:
        yield build_openai_model(Endpoint(**{"name": "wire-model", "base_url": base_url, **changes}), client)
    finally:
        await client.aclose()


async def asked(server: WireServer, *, tools: Any = TOOLS, timeout_s: float = 5.0, **changes: Any) -> ModelReply:
    async with a_model(server.base_url, **changes) as model:
        return await ask(model, QUESTION, tools=tools, timeout_s=timeout_s, max_output_tokens=77)


async def failure(*replies: Reply, timeout_s: float = 5.0) -> ModelFailed:
    with WireServer(*replies) as server, pytest.raises(ModelFailed) as caught:
        await asked(server, timeout_s=timeout_s)
    assert len(server.requests) == 1, "nothing is retried behind our back"
    return caught.value


# What is sent


async def test_request_holds_exactly_the_documented_fields() -> None:
    with WireServer(answers(completion("ok"))) as server:
        await asked(server)

    body = server.requests[0].body
    assert set(body) == {"model", "messages", "stream", "tools", "parallel_tool_calls", "max_tokens"}
    assert body["parallel_tool_calls"] is False
    assert body["stream"] is False
    assert body["max_tokens"] == 77
    assert body["tools"] == TOOLS
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


async def test_call_without_tools_says_nothing_about_tools() -> None:
    with WireServer(answers(completion("ok"))) as server:
        await asked(server, tools=())

    assert set(server.requests[0].body) == {"model", "messages", "stream", "max_tokens"}


async def test_json_reply_is_asked_for_only_in_calls_without_tools() -> None:
    with WireServer(answers(completion("{}")), answers(completion("{}"))) as server:
        await asked(server, tools=(), json_replies=True)
        await asked(server, json_replies=True)

    assert server.requests[0].body["response_format"] == {"type": "json_object"}
    assert "response_format" not in server.requests[1].body


async def test_cut_json_reply_is_returned_and_not_raised() -> None:
    cut = completion('{"intent": "DIAG', finish_reason="length")
    with WireServer(answers(cut)) as server:
        reply = await asked(server, tools=(), json_replies=True)

    assert (reply.text, reply.finish_reason) == ('{"intent": "DIAG', "length")


async def test_output_limit_travels_under_the_chosen_name() -> None:
    with WireServer(answers(completion("ok"))) as server:
        await asked(server, max_tokens_field="max_completion_tokens")

    assert server.requests[0].body["max_completion_tokens"] == 77
    assert "max_tokens" not in server.requests[0].body


async def test_temperature_is_sent_only_when_set() -> None:
    with WireServer(answers(completion("ok"))) as server:
        await asked(server, temperature=0.0)

    assert server.requests[0].body["temperature"] == 0.0


async def test_key_travels_as_bearer_token() -> None:
    with WireServer(answers(completion("ok"))) as server:
        await asked(server, api_key=SecretStr("sk-test-1"))

    assert server.requests[0].headers["authorization"] == "Bearer sk-test-1"


async def test_earlier_turns_travel_with_their_ids_and_arguments() -> None:
    asked_before = AIMessage(
        content="", tool_calls=[{"name": "query_logs", "args": {"input": {"contains": "超时"}}, "id": "c1"}]
    )
    history = [*QUESTION, asked_before, ToolMessage('{"evidence_status":"NO_EVIDENCE"}', tool_call_id="c1")]
    with WireServer(answers(completion("ok"))) as server:
        async with a_model(server.base_url) as model:
            await ask(model, history, tools=TOOLS, timeout_s=5, max_output_tokens=10)

    assistant, tool = server.requests[0].body["messages"][2:]
    assert assistant["tool_calls"][0]["function"]["arguments"] == '{"input": {"contains": "超时"}}'
    assert tool == {"role": "tool", "tool_call_id": "c1", "content": '{"evidence_status":"NO_EVIDENCE"}'}


async def test_vendor_environment_variables_do_not_move_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_PROXY", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with WireServer(answers(completion("ok"))) as server:
        reply = await asked(server)

    assert reply.text == "ok"
    assert "sk-of-somebody-else" not in str(server.requests[0].headers)


async def test_two_calls_share_one_connection() -> None:
    with WireServer(answers(completion("one")), answers(completion("two"))) as server:
        async with a_model(server.base_url) as model:
            for expected in ("one", "two"):
                reply = await ask(model, QUESTION, timeout_s=5, max_output_tokens=10)
                assert reply.text == expected

    assert server.n_connections == 1


# What is read


async def test_tool_call_and_usage_are_read() -> None:
    body = completion(calls=[call("query_logs", '{"previous_observation":null,"input":{}}')], usage=usage(812, 31))
    with WireServer(answers(body)) as server:
        reply = await asked(server)

    assert reply.calls[0].tool_call_id == "call_a"
    assert reply.calls[0].name == "query_logs"
    assert (reply.prompt_tokens, reply.completion_tokens, reply.usage_reported) == (812, 31, True)
    assert (reply.model, reply.finish_reason, reply.text) == ("wire-model", "tool_calls", "")


@pytest.mark.parametrize(
    "reported",
    [
        None,
        {},
        {"prompt_tokens": 5},
        {"prompt_tokens": None, "completion_tokens": 3},
        {"prompt_tokens": -1, "completion_tokens": 2},
        {"prompt_tokens": 10**40, "completion_tokens": 2},
    ],
)
async def test_missing_or_partial_usage_is_not_reported(reported: Any) -> None:
    with WireServer(answers({**completion("ok"), "usage": reported})) as server:
        reply = await asked(server)

    assert (reply.prompt_tokens, reply.completion_tokens, reply.usage_reported) == (None, None, False)


async def test_zero_usage_is_zero_and_not_unknown() -> None:
    with WireServer(answers(completion("ok", usage=usage(0, 0)))) as server:
        reply = await asked(server)

    assert (reply.prompt_tokens, reply.usage_reported) == (0, True)


async def test_reasoning_is_kept() -> None:
    with WireServer(answers(completion("ok", reasoning="先看日志"))) as server:
        reply = await asked(server)

    assert reply.reasoning == "先看日志"


ARGUMENT_TEXTS = [
    '{"input": {"a": 1}, "input": {"a": 2}}',
    '{ "input" : {"n": 1.0e3} }',
    '{"input": {"unfinished',
    "[1, 2]",
    "not json at all",
    "",
]


@pytest.mark.parametrize("text", ARGUMENT_TEXTS)
async def test_argument_text_arrives_character_for_character(text: str) -> None:
    with WireServer(answers(completion(calls=[call("query_logs", text)]))) as server:
        reply = await asked(server)

    assert reply.calls[0].arguments == text


async def test_arguments_sent_as_an_object_are_written_as_json() -> None:
    with WireServer(answers(completion(calls=[call("query_logs", {"input": {"k": "值"}})]))) as server:
        reply = await asked(server)

    assert reply.calls[0].arguments == '{"input": {"k": "值"}}'


async def test_calls_keep_their_order_whether_valid_or_not() -> None:
    calls = [call("a", "{broken", "1"), call("b", "{}", "2"), call("c", "{broken", "3")]
    with WireServer(answers(completion(calls=calls))) as server:
        reply = await asked(server)

    assert [(one.name, one.tool_call_id) for one in reply.calls] == [("a", "1"), ("b", "2"), ("c", "3")]


async def test_missing_call_id_is_empty_and_left_to_the_agent_node() -> None:
    with WireServer(answers(completion(calls=[call("query_logs", "{}", None)]))) as server:
        reply = await asked(server)

    assert reply.calls[0].tool_call_id == ""


async def test_over_long_tool_name_can_never_be_a_tool() -> None:
    with WireServer(answers(completion(calls=[call("q" * 200, "{}")]))) as server:
        reply = await asked(server)

    assert reply.calls[0].name == "q" * 63 + "…"


async def test_text_in_parts_is_joined() -> None:
    body = completion()
    parts = [{"type": "text", "text": "a"}, {"type": "other"}, {"type": "text", "text": "b"}]
    body["choices"][0]["message"]["content"] = parts
    with WireServer(answers(body)) as server:
        reply = await asked(server)

    assert reply.text == "ab"


# What fails


async def test_rate_limit_carries_the_pause_asked_for() -> None:
    failed = await failure(fails(429, headers={"retry-after": "7"}))

    assert (failed.kind, failed.retryable, failed.retry_after_s) == (FailureKind.RATE_LIMITED, True, 7.0)


async def test_exhausted_quota_is_refused_for_good() -> None:
    failed = await failure(fails(429, "insufficient_quota"))

    assert (failed.kind, failed.retryable) == (FailureKind.REFUSED, False)


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (500, FailureKind.SERVER_ERROR, True),
        (503, FailureKind.SERVER_ERROR, True),
        (529, FailureKind.SERVER_ERROR, True),
        (408, FailureKind.TIMEOUT, True),
        (400, FailureKind.REFUSED, False),
        (401, FailureKind.REFUSED, False),
        (403, FailureKind.REFUSED, False),
        (404, FailureKind.REFUSED, False),
        (413, FailureKind.REFUSED, False),
        (422, FailureKind.REFUSED, False),
    ],
)
async def test_status_decides_the_kind(status: int, kind: FailureKind, retryable: bool) -> None:
    failed = await failure(fails(status))

    assert (failed.kind, failed.retryable) == (kind, retryable)


async def test_redirect_is_not_followed() -> None:
    with WireServer(answers(completion("stolen"))) as other:
        failed = await failure(Reply(b"", status=307, headers={"location": f"{other.base_url}/chat/completions"}))

    assert failed.kind == FailureKind.REFUSED
    assert other.requests == []


async def test_error_body_with_status_200_is_no_reply() -> None:
    failed = await failure(answers({"error": {"code": 503, "message": "upstream"}, "choices": None}))

    assert failed.kind == FailureKind.SERVER_ERROR


async def test_backend_text_stays_out_of_the_message() -> None:
    failed = await failure(fails(500))

    assert "secret" not in str(failed)


async def test_slow_first_byte_is_a_timeout_and_the_connection_is_closed() -> None:
    with WireServer(answers(completion("late"), delay_s=30)) as server:
        with pytest.raises(ModelFailed) as caught:
            await asked(server, timeout_s=0.3)

        assert await asyncio.to_thread(server.client_left.wait, 20)
    assert (caught.value.kind, caught.value.retryable) == (FailureKind.TIMEOUT, True)


async def test_stall_inside_the_body_is_a_timeout() -> None:
    failed = await failure(answers(completion("x" * 4000), pause_s=30), timeout_s=0.3)

    assert failed.kind == FailureKind.TIMEOUT


async def test_slow_reply_within_the_limit_is_a_reply() -> None:
    with WireServer(answers(completion("slow"), delay_s=0.1, pause_s=0.1)) as server:
        reply = await asked(server)

    assert reply.text == "slow"


@pytest.mark.parametrize(
    "reply",
    [answers(completion("x" * 500), cut_after=100), answers(completion("ok"), cut_after=0), Reply(b"", drop=True)],
)
async def test_cut_connection_is_a_transport_failure(reply: Reply) -> None:
    failed = await failure(reply)

    assert (failed.kind, failed.retryable) == (FailureKind.TRANSPORT, True)


async def test_nobody_listening_is_a_connect_failure() -> None:
    with WireServer() as server:
        port_of_nobody = server.base_url
    async with a_model(port_of_nobody) as model:
        with pytest.raises(ModelFailed) as caught:
            await ask(model, QUESTION, timeout_s=5, max_output_tokens=10)

    assert (caught.value.kind, caught.value.retryable) == (FailureKind.CONNECT, True)


UNPARSABLE = [
    Reply(b"{not json"),
    Reply(b"<html>gateway</html>", content_type="text/html"),
    Reply(b""),
    Reply(b"\xff\xfe\x00", content_type="application/json"),
    answers([]),
    answers("text"),
    answers(None),
    answers({}),
    answers({"choices": None}),
    answers({"choices": []}),
    answers({"choices": [None]}),
    answers({"choices": [{}]}),
    answers({"choices": [{"message": {"role": "assistant", "content": 5}}]}),
    answers({"choices": [{"message": {"role": "assistant", "content": "x", "tool_calls": "y"}}]}),
    answers({"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "1"}]}}]}),
    answers({"error": "plain words"}),
    Reply(b"[" * 200_000),
]


HALF_A_PAIR = b"""{"choices": [{"message": {"role": "assistant", "content": "\\ud800", "tool_calls": [
    {"id": "\\udfff", "function": {"name": "\\ud800a", "arguments": "{\\"x\\": \\"\\ud800\\"}"}},
    {"id": "b", "function": {"name": "b", "arguments": {"\\ud800": 1}}}
]}}]}"""


async def test_half_of_a_surrogate_pair_is_read_as_its_escape() -> None:
    with WireServer(Reply(HALF_A_PAIR)) as server:
        reply = await asked(server)

    assert reply.text == "\\ud800"
    assert [(call.tool_call_id, call.name) for call in reply.calls] == [("\\udfff", "\\ud800a"), ("b", "b")]
    assert [call.arguments for call in reply.calls] == ['{"x": "\\ud800"}', '{"\\ud800": 1}']


@pytest.mark.parametrize("reply", UNPARSABLE)
async def test_what_is_no_completion_is_unparsable(reply: Reply) -> None:
    failed = await failure(reply)

    assert (failed.kind, failed.retryable) == (FailureKind.UNPARSABLE, True)


async def test_completion_under_a_wrong_content_type_is_still_read() -> None:
    with WireServer(answers(completion("ok"), content_type="text/plain")) as server:
        reply = await asked(server)

    assert reply.text == "ok"


async def test_huge_body_is_broken_off() -> None:
    failed = await failure(answers(completion("x" * 9_000_000)), timeout_s=20)

    assert failed.kind == FailureKind.UNPARSABLE


async def test_cancelling_closes_the_connection_and_propagates() -> None:
    with WireServer(answers(completion("late"), delay_s=30)) as server:
        async with a_model(server.base_url) as model:
            task = asyncio.create_task(ask(model, QUESTION, timeout_s=60, max_output_tokens=10))
            assert await asyncio.to_thread(server.arrived.wait, 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

            assert await asyncio.to_thread(server.client_left.wait, 20)


# The table


def _raised(cause: Exception) -> openai.APIConnectionError:
    error = openai.APIConnectionError(request=httpx2.Request("POST", "http://127.0.0.1/v1"))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (httpx2.ConnectError("x"), FailureKind.CONNECT),
        (httpx2.ConnectTimeout("x"), FailureKind.CONNECT),
        (httpx2.PoolTimeout("x"), FailureKind.CONNECT),
        (httpx2.ReadTimeout("x"), FailureKind.TIMEOUT),
        (httpx2.ReadError("x"), FailureKind.TRANSPORT),
        (httpx2.RemoteProtocolError("x"), FailureKind.TRANSPORT),
        (httpx2.DecodingError("x"), FailureKind.UNPARSABLE),
        (RuntimeError("x"), FailureKind.TRANSPORT),
    ],
)
def test_innermost_cause_decides(cause: Exception, kind: FailureKind) -> None:
    assert failure_of(_raised(cause)).kind == kind


def test_unknown_vendor_error_is_not_asked_again() -> None:
    assert failure_of(openai.OpenAIError("x")).retryable is False


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 0.0),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "inf"}, 86_400.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:09 GMT", "date": "Mon, 01 Jan 2024 00:00:01 GMT"}, 8.0),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:09 GMT"}, 0.0),
    ],
)
def test_pause_asked_for_is_read_in_every_form(headers: dict[str, str], expected: float) -> None:
    assert retry_after_s(httpx2.Headers(headers)) == expected
