"""A remote MCP server over streamable HTTP: every reply bounded in bytes and time before any of it is kept.

Whatever goes wrong below the protocol becomes an HTTP status of one request, so that it fails alone. No redirect is
followed and no standing stream is opened: what the server would push there, nobody here acts on.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext, create_default_context

import httpx2
from mcp.client.streamable_http import streamable_http_client

from state.model.this_machine import is_loopback
from tools.http_api import CONNECT_TIMEOUT_S
from tools.mcp.link import MESSAGE_CAP_BYTES, TROUBLE, Streams, Trouble

MAX_EVENTS = 1000
"""Of one event stream: what comes before the answer is work for us, and of no use."""
_BAD_GATEWAY = 502
_NO_SESSION = 404
_UNAUTHORIZED = frozenset({401, 403})


@dataclass(frozen=True)
class Remote:
    """Address and credentials of the server, with every secret already read."""

    url: str
    token: str | None = None
    """Bearer token; never shown."""
    ca_file: Path | None = None
    timeout_s: float = 15.0
    """For one whole exchange."""


@asynccontextmanager
async def http_link(remote: Remote) -> AsyncIterator[Streams]:
    """Streams to and from the server. Connects with the first message."""
    async with (
        _BoundedClient(remote) as client,
        streamable_http_client(remote.url, http_client=client, max_sse_event_size=2 * MESSAGE_CAP_BYTES) as streams,
    ):
        yield streams


def _context(ca_file: Path | None) -> SSLContext | bool:
    return create_default_context(cafile=str(ca_file)) if ca_file else True


class _BoundedClient(httpx2.AsyncClient):
    """Reads every reply within bounds of bytes and time, and turns what fails into a status."""

    def __init__(self, remote: Remote) -> None:
        headers = {"accept-encoding": "identity"}
        if remote.token:
            headers["authorization"] = f"Bearer {remote.token}"
        super().__init__(
            headers=headers,
            verify=_context(remote.ca_file),
            trust_env=not is_loopback(remote.url),
            timeout=httpx2.Timeout(remote.timeout_s, connect=min(remote.timeout_s, CONNECT_TIMEOUT_S)),
            follow_redirects=False,
        )
        # Whoever waits gives up first, and says why.
        self._exchange_s = remote.timeout_s + 1.0

    async def send(self, request: httpx2.Request, **options: object) -> httpx2.Response:
        """The reply, read within bounds; an event stream is read on the way."""
        if request.method == "GET":
            return httpx2.Response(405, request=request)
        trouble = TROUBLE.get() or Trouble()
        until = time.monotonic() + self._exchange_s
        try:
            async with asyncio.timeout(self._exchange_s):
                reply = await super().send(request, stream=True, follow_redirects=False)
                return await self._bounded(reply, request, trouble, until)
        except (httpx2.HTTPError, httpx2.StreamError, TimeoutError, ValueError) as error:
            trouble.what = trouble.what or type(error).__name__
            trouble.is_slow = isinstance(error, (httpx2.TimeoutException, TimeoutError))
            trouble.is_gone = not trouble.is_slow
            return httpx2.Response(_BAD_GATEWAY, request=request)

    async def _bounded(
        self, reply: httpx2.Response, request: httpx2.Request, trouble: Trouble, until: float
    ) -> httpx2.Response:
        kind = reply.headers.get("content-type", "").lower()
        if reply.headers.get("content-encoding", "identity") != "identity" or reply.is_redirect:
            await reply.aclose()
            trouble.what = f"status {reply.status_code} or an encoding that was not asked for"
            return httpx2.Response(_BAD_GATEWAY, request=request)
        if not reply.is_success:
            trouble.what, trouble.status = f"status {reply.status_code}", reply.status_code
            trouble.is_unauthorized = reply.status_code in _UNAUTHORIZED
            trouble.is_gone = reply.status_code == _NO_SESSION
        headers = {name: value for name in ("content-type", "mcp-session-id") if (value := reply.headers.get(name))}
        if reply.is_success and kind.startswith("text/event-stream"):
            stream = _BoundedStream(reply, trouble, until)
            return httpx2.Response(reply.status_code, headers=headers, stream=stream, request=request)
        data = await _read(reply, trouble)
        status = reply.status_code if data is not None else _BAD_GATEWAY
        return httpx2.Response(status, headers=headers, content=data or b"", request=request)


async def _read(reply: httpx2.Response, trouble: Trouble) -> bytes | None:
    """The body; None if it exceeds the cap."""
    data = bytearray()
    try:
        async for block in reply.aiter_raw(64 * 1024):
            data += block
            if len(data) > MESSAGE_CAP_BYTES:
                trouble.is_too_large = True
                return None
        return bytes(data)
    finally:
        await reply.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    """The bytes of an event stream up to the cap and the end of the exchange."""

    def __init__(self, reply: httpx2.Response, trouble: Trouble, until: float) -> None:
        self._reply = reply
        self._trouble = trouble
        self._until = until

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total, events = 0, 0
        blocks = self._reply.aiter_raw(64 * 1024)
        while True:
            try:
                async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                    block = await anext(blocks, None)
            except (httpx2.HTTPError, httpx2.StreamError, TimeoutError) as error:
                self._trouble.what = type(error).__name__
                raise httpx2.SSEError(self._trouble.what) from error
            if block is None:
                return
            total += len(block)
            events += block.count(b"data:")
            if total > MESSAGE_CAP_BYTES or events > MAX_EVENTS:
                self._trouble.is_too_large = True
                raise httpx2.SSEError("over the cap")
            yield block

    async def aclose(self) -> None:
        """Close the connection of the stream."""
        await self._reply.aclose()
