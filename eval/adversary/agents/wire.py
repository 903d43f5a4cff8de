"""A model endpoint on loopback: HTTP/1.1 over a real socket, written byte by byte, so that it can lie on every layer.

It lives in the event loop of the run it answers. It reads requests of our own client only, so it trusts their framing.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
_REASONS = {200: "OK", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests"}


@dataclass(frozen=True)
class Sent:
    """What goes back over the socket for one request."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Beside or instead of content type and length; an empty value drops that header."""
    cut_after: int | None = None
    """Bytes of the body after which the connection is cut; None: the whole body goes out."""
    hang_s: float = 0.0
    """Seconds of silence before the first byte."""


def as_json(body: object, *, status: int = 200) -> Sent:
    """The body as JSON. Text with halves of surrogate pairs goes out as escapes."""
    return Sent(json.dumps(body, ensure_ascii=True).encode(), status=status)


Answer = Callable[[Json], Awaitable[Sent]]


@dataclass
class Loopback:
    """The endpoint; whoever runs a diagnosis sets ``answer`` before it."""

    answer: Answer
    port: int = 0
    connections: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        """Address for ``model_base_url``."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        task = asyncio.current_task()
        if task is not None:
            self.connections.add(task)
            task.add_done_callback(self.connections.discard)
        try:
            while (asked := await _read_request(reader)) is not None:
                if not await _write(writer, await self.answer(asked)):
                    return
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            writer.transport.abort()


@asynccontextmanager
async def open_loopback(answer: Answer) -> AsyncIterator[Loopback]:
    """The endpoint on a free port, closed with its connections at the end."""
    endpoint = Loopback(answer)
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    endpoint.port = server.sockets[0].getsockname()[1]
    try:
        yield endpoint
    finally:
        server.close()
        for task in list(endpoint.connections):
            task.cancel()
        await asyncio.gather(*endpoint.connections, return_exceptions=True)
        await server.wait_closed()


async def _read_request(reader: asyncio.StreamReader) -> Json | None:
    """The JSON body of the next request; None once the client has left."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    lengths = [line.partition(":")[2] for line in head.split("\r\n") if line.lower().startswith("content-length:")]
    loaded = json.loads(await reader.readexactly(int(lengths[0]) if lengths else 0) or b"{}")
    return loaded if isinstance(loaded, dict) else {}


async def _write(writer: asyncio.StreamWriter, sent: Sent) -> bool:
    """True if the connection stays open."""
    if sent.hang_s:
        await asyncio.sleep(sent.hang_s)
    named = {"content-type": "application/json", "content-length": str(len(sent.body)), **sent.headers}
    lines = [f"HTTP/1.1 {sent.status} {_REASONS.get(sent.status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in named.items() if value]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
    writer.write(sent.body if sent.cut_after is None else sent.body[: sent.cut_after])
    await writer.drain()
    return sent.cut_after is None and bool(named["content-length"])
