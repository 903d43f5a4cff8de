"""The body of a chat completion → ``ModelReply``, tolerant of what providers add, strict about what we use. Pure."""

import json
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import PydanticSerializationError

from models.chat import FailureKind, ModelReply, model_call, storable
from state.model.errors import ModelFailed
from state.model.tool_call import ModelCall

MAX_CALLS = 64
"""More tool calls in one message are no reply of a working model."""

MAX_TOKENS = 1_000_000_000
"""More tokens for one reply are no usage of a working provider, and more than every store can hold."""

_Tokens = Annotated[int, Field(ge=0, le=MAX_TOKENS, strict=True)]


class _Function(BaseModel):
    name: str | None = None
    arguments: object = None


class _ToolCall(BaseModel):
    id: str | None = None
    function: _Function


class _Message(BaseModel):
    content: str | list[object] | None = None
    reasoning_content: str | None = None
    reasoning: object = None
    tool_calls: Annotated[list[_ToolCall], Field(max_length=MAX_CALLS)] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    model: str | None = None
    choices: Annotated[list[_Choice], Field(min_length=1)]


class _Usage(BaseModel):
    prompt_tokens: _Tokens
    completion_tokens: _Tokens


def read_completion(body: object) -> ModelReply:
    """The first choice of a completion.

    Usage that is absent or malformed is "not reported", never zero. Argument text stays as sent; a provider
    that sends an object instead of text gets it written as JSON.

    Raises:
        ModelFailed: ``unparsable``, or the kind of the status inside an error body sent with 200.
    """
    if isinstance(body, dict) and body.get("error"):
        kind = _reported(body["error"])
        raise ModelFailed(kind, retryable=kind is not FailureKind.REFUSED)
    try:
        reply = _reply(_Completion.model_validate(body), _usage(body))
        reply.model_dump_json()  # a text with half a surrogate pair can be neither stored nor sent on
        return reply
    except (ValidationError, PydanticSerializationError):
        raise ModelFailed(FailureKind.UNPARSABLE, retryable=True) from None


def _reply(completion: _Completion, usage: _Usage | None) -> ModelReply:
    choice = completion.choices[0]
    return ModelReply(
        text=_text(choice.message.content),
        calls=tuple(_call(call) for call in choice.message.tool_calls or ()),
        prompt_tokens=usage.prompt_tokens if usage else None,
        completion_tokens=usage.completion_tokens if usage else None,
        reasoning=_reasoning(choice.message),
        model=completion.model or "",
        finish_reason=choice.finish_reason,
    )


def kind_of_status(status: int) -> FailureKind:
    """The kind of an HTTP status that is no success."""
    match status:
        case 408:
            return FailureKind.TIMEOUT
        case 429:
            return FailureKind.RATE_LIMITED
        case 409 | 425:
            return FailureKind.SERVER_ERROR
        case _:
            return FailureKind.SERVER_ERROR if status >= 500 else FailureKind.REFUSED


def _reported(error: object) -> FailureKind:
    code = error.get("code") if isinstance(error, dict) else None
    return kind_of_status(code) if isinstance(code, int) else FailureKind.UNPARSABLE


def _usage(body: object) -> _Usage | None:
    usage = body.get("usage") if isinstance(body, dict) else None
    try:
        return _Usage.model_validate(usage)
    except ValidationError:
        return None


def _text(content: str | list[object] | None) -> str:
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return storable("".join(part for part in parts if isinstance(part, str)))
    return storable(content or "")


def _reasoning(message: _Message) -> str | None:
    """Two names are in use; ``reasoning`` as an object is another thing."""
    reasoning = message.reasoning_content or (message.reasoning if isinstance(message.reasoning, str) else None)
    return storable(reasoning) if reasoning else None


def _call(call: _ToolCall) -> ModelCall:
    arguments = call.function.arguments
    if arguments is not None and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return model_call(call.id, call.function.name, arguments)
