"""One bounded call of a chat model: messages in, a ``ModelReply`` out, or ``ModelFailed``.

Nothing is retried and nothing is parsed here: retries belong to the nodes, strict parsing to gate and guards.
A model of ours raises ``ModelFailed`` itself (vendor exceptions are translated at its own door); this module
adds the time limit.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from config.limits import MAX_RETRY_AFTER_S
from state.model.base import Value
from state.model.enums import ModelRole
from state.model.errors import ModelFailed
from state.model.ids import ToolCallId, digest
from state.model.tool_call import ModelCall

RAW_CALLS = "raw_tool_calls"
"""Key in ``additional_kwargs``: tool calls as ``{id, name, arguments}`` with the text the model sent."""
REASONING = "reasoning_content"
"""Key in ``additional_kwargs``: what the provider returned as thinking."""
STEP = "step"
"""Key in the call's metadata: which call this is, ``role:round:attempt``."""

_MAX_NAME_CHARS = 64


class FailureKind(StrEnum):
    """Why a model call gave no usable reply."""

    TIMEOUT = "timeout"
    CONNECT = "connect"
    """No connection: nothing reached the provider."""
    TRANSPORT = "transport"
    """The connection broke after the request had left."""
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    REFUSED = "refused"
    """The provider will not answer this request, however often it is asked: key, model, format, quota."""
    UNPARSABLE = "unparsable"
    """An answer that is not a chat completion."""


class ModelReply(Value):
    """What a model answered, in the form that is recorded and replayed."""

    text: str = ""
    calls: tuple[ModelCall, ...] = ()
    """In the order sent; ids and argument text exactly as sent (an absent id is empty)."""
    prompt_tokens: int | None = None
    """As reported; None: the provider reported no usage."""
    completion_tokens: int | None = None
    reasoning: str | None = None
    """Thinking as returned by the provider; never evidence."""
    model: str = ""
    """Model name as the provider gives it; empty if it gives none."""
    finish_reason: str | None = None
    """Such as ``stop``, ``tool_calls`` or ``length``; None if not given."""

    @property
    def usage_reported(self) -> bool:
        """True if both token counts are known."""
        return self.prompt_tokens is not None and self.completion_tokens is not None


def model_failed(kind: FailureKind, *, retry_after_s: float = 0.0) -> ModelFailed:
    """The error of that kind; everything but a refusal may go away by itself."""
    return ModelFailed(kind.value, retryable=kind is not FailureKind.REFUSED, retry_after_s=retry_after_s)


_PASSING = frozenset({FailureKind.CONNECT, FailureKind.RATE_LIMITED, FailureKind.SERVER_ERROR})
_RETRIED: dict[ModelRole, frozenset[FailureKind]] = {
    ModelRole.ROUTER: _PASSING | {FailureKind.TIMEOUT, FailureKind.TRANSPORT, FailureKind.UNPARSABLE},
    ModelRole.SEMANTIC: _PASSING | {FailureKind.TIMEOUT, FailureKind.TRANSPORT, FailureKind.UNPARSABLE},
    ModelRole.AGENT: _PASSING,
    ModelRole.REPAIR: frozenset(),
}


def may_retry(role: ModelRole, failure: ModelFailed) -> bool:
    """True if the role asks once more after this failure, attempts and time permitting. Pure.

    A pause longer than ``MAX_RETRY_AFTER_S`` is not waited for.
    """
    return failure.retryable and failure.kind in _RETRIED[role] and failure.retry_after_s <= MAX_RETRY_AFTER_S


async def ask(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[Mapping[str, object]] = (),
    timeout_s: float,
    max_output_tokens: int,
    step: str = "",
) -> ModelReply:
    """The reply of the model.

    ``tools``: function schemas (``models.prompts.tool_schemas``); empty binds none. ``timeout_s`` bounds the whole
    call, connecting and reading included. ``step`` names the call for recording and replay; it is not sent.
    Cancelling the task closes the connection. Nothing of the reply enters a LangGraph message stream.

    Raises:
        ModelFailed: no usable reply, with its kind.
    """
    options: dict[str, object] = {"max_tokens": max_output_tokens}
    if tools:
        options["tools"] = [dict(tool) for tool in tools]
    # "nostream" is LangGraph's tag: unreleased text must not leave through its message stream.
    config: RunnableConfig = {"tags": ["nostream"], "metadata": {STEP: step}}
    try:
        async with asyncio.timeout(timeout_s):
            message = await model.bind(**options).ainvoke(list(messages), config)
    except TimeoutError as error:
        raise ModelFailed(FailureKind.TIMEOUT, retryable=True) from error
    return read_reply(message)


def read_reply(message: AIMessage) -> ModelReply:
    """The reply in a LangChain message, argument text as sent where the model kept it. Pure."""
    usage = message.usage_metadata
    reasoning = message.additional_kwargs.get(REASONING)
    return ModelReply(
        text=_text(message),
        calls=_calls(message),
        prompt_tokens=usage["input_tokens"] if usage else None,
        completion_tokens=usage["output_tokens"] if usage else None,
        reasoning=str(reasoning) if reasoning else None,
        model=str(message.response_metadata.get("model_name") or ""),
        finish_reason=message.response_metadata.get("finish_reason"),
    )


def write_reply(reply: ModelReply) -> AIMessage:
    """The LangChain message from which ``read_reply`` reads the same reply. Pure."""
    usage = None
    if reply.prompt_tokens is not None and reply.completion_tokens is not None:
        total = reply.prompt_tokens + reply.completion_tokens
        usage = {
            "input_tokens": reply.prompt_tokens,
            "output_tokens": reply.completion_tokens,
            "total_tokens": total,
        }
    raw = [{"id": call.tool_call_id, "name": call.name, "arguments": call.arguments} for call in reply.calls]
    parsed = [_parsed(call) for call in reply.calls]
    extra: dict[str, object] = {RAW_CALLS: raw} if raw else {}
    if reply.reasoning:
        extra[REASONING] = reply.reasoning
    return AIMessage(
        content=reply.text,
        additional_kwargs=extra,
        tool_calls=[call for call in parsed if isinstance(call["args"], dict)],
        invalid_tool_calls=[
            {"type": "invalid_tool_call", "error": None, **call} for call in parsed if isinstance(call["args"], str)
        ],
        usage_metadata=usage,
        response_metadata={"model_name": reply.model, "finish_reason": reply.finish_reason},
    )


def request_digest(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, object]], model_name: str) -> str:
    """SHA-256 of everything that decides the reply: model, tools, roles, texts, calls and their ids. Pure.

    Ids that LangChain gives to messages take no part: they differ from run to run.
    """
    body = {
        "model": model_name,
        "tools": [dict(tool) for tool in tools],
        "messages": [_canonical(message) for message in messages],
    }
    return digest(json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def _canonical(message: BaseMessage) -> dict[str, object]:
    calls = _calls(message) if isinstance(message, AIMessage) else ()
    return {
        "role": message.type,
        "content": message.content,
        "calls": [[call.tool_call_id, call.name, call.arguments] for call in calls],
        "answers": getattr(message, "tool_call_id", None),
    }


def _text(message: AIMessage) -> str:
    if isinstance(message.content, str):
        return storable(message.content)
    parts = [part if isinstance(part, str) else part.get("text") for part in message.content]
    return storable("".join(part for part in parts if isinstance(part, str)))


def _calls(message: AIMessage) -> tuple[ModelCall, ...]:
    raw = message.additional_kwargs.get(RAW_CALLS)
    if raw is not None:
        return tuple(model_call(one["id"], one["name"], one["arguments"]) for one in raw)
    valid = [
        model_call(one["id"], one["name"], json.dumps(one["args"], ensure_ascii=False)) for one in message.tool_calls
    ]
    invalid = [model_call(one["id"], one["name"], one["args"]) for one in message.invalid_tool_calls]
    return (*valid, *invalid)


def storable(text: str) -> str:
    """The text with each half of a surrogate pair written as its escape: it can be stored and stays no JSON of ours."""
    return text.encode("utf-8", "backslashreplace").decode()


def model_call(call_id: str | None, name: str | None, arguments: str | None) -> ModelCall:
    """A call as sent: nothing is checked, an over-long name becomes one that no tool can have. Pure.

    Text that cannot be stored becomes its escape, which no id, name or strict JSON of ours holds.
    """
    shown = storable(name or "")
    if len(shown) > _MAX_NAME_CHARS:
        shown = shown[: _MAX_NAME_CHARS - 1] + "…"  # never the name of a tool
    return ModelCall(tool_call_id=ToolCallId(storable(call_id or "")), name=shown, arguments=storable(arguments or ""))


def _parsed(call: ModelCall) -> dict[str, object]:
    """LangChain's parsed form; arguments that are no JSON object stay text."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    args = arguments if isinstance(arguments, dict) else call.arguments
    return {"id": call.tool_call_id, "name": call.name, "args": args}
