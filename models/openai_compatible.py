"""The door to OpenAI-compatible chat endpoints: the only module that knows langchain-openai and openai.

No retries, no streaming, no token look-ups, no redirects, nothing taken from OPENAI_* variables that decides where
a request goes. Every vendor exception is translated here, once, into ``ModelFailed``.
"""

import email.utils
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import httpx2
import openai
import openai.resources.chat.chat  # noqa: F401 - else loaded inside the event loop by the first model built
import openai.resources.chat.completions.completions  # noqa: F401
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from models.chat import FailureKind, model_failed, write_reply
from models.wire import kind_of_status, read_completion
from state.model.errors import ModelFailed
from state.model.this_machine import is_loopback

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 10.0
"""A connection that takes longer is a connect failure; the whole call has its own limit in ``ask``."""
MAX_REPLY_BYTES = 8 * 1024 * 1024
"""A larger body is no reply of ours: replies are bounded by their output tokens."""

_TLS = httpx2.create_ssl_context()
"""Built at import (it reads certificate files; SSL_CERT_FILE and SSL_CERT_DIR are honoured), shared by all clients."""


@dataclass(frozen=True)
class Endpoint:
    """How one role reaches its model."""

    name: str
    base_url: str
    api_key: SecretStr | None = None
    """None: the endpoint asks for none."""
    temperature: float | None = None
    """None: not sent."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    json_replies: bool = False
    """Ask for a JSON object in calls without tools."""


class OpenAICompatible(ChatOpenAI):
    """A chat model behind an OpenAI-compatible endpoint. Asynchronous only; use it through ``models.chat.ask``."""

    max_tokens_field: str = "max_tokens"
    json_replies: bool = False

    def _get_request_payload(
        self,
        input_: LanguageModelInput,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> dict[str, Any]:
        payload = super()._get_request_payload(input_, stop=stop, **kwargs)
        limit = payload.pop("max_completion_tokens", None)
        body = dict(payload.pop("extra_body", None) or {})
        if limit is not None:
            body[self.max_tokens_field] = limit
        if payload.get("tools"):
            payload["parallel_tool_calls"] = False
        elif self.json_replies:
            # Not as response_format: the SDK would parse the reply itself, and raise on a cut one.
            body["response_format"] = {"type": "json_object"}
        return {**payload, "extra_body": body}

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - vendor border
    ) -> ChatResult:
        try:
            return await super()._agenerate(messages, stop, run_manager, **kwargs)
        except (
            openai.OpenAIError,
            httpx2.HTTPError,
            json.JSONDecodeError,
            UnicodeDecodeError,
            RecursionError,
        ) as error:
            raise failure_of(error) from error

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        body = response.model_dump(warnings=False) if isinstance(response, openai.BaseModel) else response
        message = write_reply(read_completion(body))
        return ChatResult(generations=[ChatGeneration(message=message, generation_info=generation_info)])


def build_openai_model(endpoint: Endpoint, client: httpx2.AsyncClient) -> OpenAICompatible:
    """The chat model of one endpoint over a shared client. Does no I/O; the client stays the caller's to close."""
    secret = endpoint.api_key.get_secret_value() if endpoint.api_key else "none"

    async def key() -> str:
        return secret

    return OpenAICompatible(
        model=endpoint.name,
        base_url=endpoint.base_url,
        # A coroutine: the vendor class then builds no synchronous client, which would load certificates again.
        api_key=key,
        temperature=endpoint.temperature,
        timeout=client.timeout,
        max_retries=0,
        http_async_client=client,
        openai_proxy=None,
        use_responses_api=False,
        disable_streaming=True,
        stream_usage=False,
        max_tokens_field=endpoint.max_tokens_field,
        json_replies=endpoint.json_replies,
    )


def open_client(base_url: str) -> httpx2.AsyncClient:
    """A connection pool for one endpoint. Connects to nothing yet; close it with ``aclose``.

    Proxy variables of the environment hold, but not for an endpoint on this machine.
    """
    return httpx2.AsyncClient(
        verify=_TLS,
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S),
        limits=httpx2.Limits(max_connections=200, max_keepalive_connections=50),
        follow_redirects=False,
        trust_env=not is_loopback(base_url),
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_bound_body]},
    )


class _ReplyTooLarge(httpx2.TransportError):
    """The body passed MAX_REPLY_BYTES."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error once it is too large."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > MAX_REPLY_BYTES:
                raise _ReplyTooLarge(f"more than {MAX_REPLY_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _bound_body(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


_VENDOR = (openai.OpenAIError, httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What may come out of the vendor's call; anything else is a fault of ours and is not hidden."""

_KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (_ReplyTooLarge, FailureKind.UNPARSABLE),
    (httpx2.ConnectError, FailureKind.CONNECT),
    (httpx2.ConnectTimeout, FailureKind.CONNECT),
    (httpx2.PoolTimeout, FailureKind.CONNECT),
    (httpx2.TimeoutException, FailureKind.TIMEOUT),
    (httpx2.DecodingError, FailureKind.UNPARSABLE),
    (httpx2.HTTPError, FailureKind.TRANSPORT),
    (openai.APIResponseValidationError, FailureKind.UNPARSABLE),
    (openai.APITimeoutError, FailureKind.TIMEOUT),
    (openai.APIConnectionError, FailureKind.TRANSPORT),
    (json.JSONDecodeError, FailureKind.UNPARSABLE),
    (UnicodeDecodeError, FailureKind.UNPARSABLE),
    (RecursionError, FailureKind.UNPARSABLE),
)
"""First match wins; the innermost cause is looked up before what wraps it. RecursionError: JSON nested too deep."""


def failure_of(error: BaseException) -> ModelFailed:
    """What a vendor exception means. Pure."""
    causes = list(_causes(error))
    status = next((cause for cause in causes if isinstance(cause, openai.APIStatusError)), None)
    if status is not None:
        return _status_failure(status)
    for cause in reversed(causes):
        for vendor, kind in _KINDS:
            if isinstance(cause, vendor):
                return model_failed(kind)
    return model_failed(FailureKind.REFUSED)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and what it was raised from; bounded, should a chain ever be circular."""
    current: BaseException | None = error
    for _ in range(16):
        if current is None:
            return
        yield current
        current = current.__cause__


def _status_failure(error: openai.APIStatusError) -> ModelFailed:
    kind = kind_of_status(error.status_code)
    if kind is FailureKind.RATE_LIMITED and error.code == "insufficient_quota":
        kind = FailureKind.REFUSED
    return model_failed(kind, retry_after_s=retry_after_s(error.response.headers))


def retry_after_s(headers: httpx2.Headers) -> float:
    """Seconds the provider asks to wait; 0 if it does not say. A date is read against the reply's own Date."""
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return min(max(0.0, float(headers.get(name, "")) / divisor), 86_400.0)
        except ValueError:
            continue
    try:
        until = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        sent = email.utils.parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - sent).total_seconds())
    except (ValueError, TypeError):
        return 0.0
