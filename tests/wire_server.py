"""A real HTTP server for tests: programmable, records requests, notices clients that leave.

Speaks HTTP/1.1 over a socket of its own, byte by byte, because half of what is tested is what happens when the
other side breaks off, stalls or lies. Runs in a thread with its own event loop, so blocking clients work too.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

REASONS = {
    200: "OK",
    301: "Moved",
    307: "Temporary Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


@dataclass(frozen=True)
class Reply:
    """What the server does with one request."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    """Before the first byte."""
    pause_s: float = 0.0
    """Between the two halves of the body."""
    cut_after: int | None = None
    """Bytes of the body after which the connection is cut; 0 cuts after the headers."""
    drop: bool = False
    """Close the connection without a single byte."""


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    path: str
    """With its query."""
    headers: dict[str, str]
    text: str
    method: str = "GET"

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.text)


def completion(
    content: str | None = None,
    *,
    calls: Sequence[dict[str, Any]] = (),
    usage: dict[str, Any] | None = None,
    reasoning: str | None = None,
    model: str = "wire-model",
    finish_reason: str | None = None,
) -> dict[str, Any]:
    """The body of a chat completion as providers send it."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = list(calls)
    if reasoning is not None:
        message["reasoning_content"] = reasoning
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": finish_reason or ("tool_calls" if calls else "stop"),
            }
        ],
    }
    return body if usage is None else {**body, "usage": usage}


def call(name: str, arguments: object, call_id: str | None = "call_a") -> dict[str, Any]:
    """One tool call; ``arguments`` goes over the wire as it is."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def usage(prompt: int, completion_tokens: int) -> dict[str, Any]:
    """A usage block."""
    return {"prompt_tokens": prompt, "completion_tokens": completion_tokens, "total_tokens": prompt + completion_tokens}


def answers(body: object, **changes: Any) -> Reply:
    """A reply with that JSON body."""
    return Reply(body=json.dumps(body, ensure_ascii=False).encode(), **changes)


def fails(status: int, code: str = "error", **changes: Any) -> Reply:
    """An error reply in OpenAI's form."""
    error = {"error": {"message": "secret backend text", "type": "error", "code": code}}
    return answers(error, status=status, **changes)


class WireServer:
    """Context manager; plays its replies in order and answers 500 ``script exhausted`` afterwards.

    With ``respond`` it answers each request with what that returns (called in the server's thread).
    """

    def __init__(self, *replies: Reply, respond: Callable[[Received], Reply] | None = None) -> None:
        self._replies = list(replies)
        self._respond = respond
        self._played = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._connections: set[asyncio.Task[None]] = set()
        self.requests: list[Received] = []
        self.n_connections = 0
        self.arrived = threading.Event()
        """Set with the first request."""
        self.client_left = threading.Event()
        """Set when a client closed its connection before it had its whole reply."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "WireServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._open())
        self._ready.set()
        self._loop.run_forever()

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        # A connection that was only just accepted is served by a task that has yet to begin.
        for _ in range(10):
            await asyncio.sleep(0)
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self.n_connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """True if the connection stays open for another request."""
        received = await _read_request(reader)
        if received is None:
            return False
        self.requests.append(received)
        self.arrived.set()
        reply = self._respond(received) if self._respond else self._next()
        if reply.drop or not await self._wait(reader, reply.delay_s):
            return False
        writer.write(_head(reply))
        whole = reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
        half = len(whole) // 2
        writer.write(whole[:half])
        await writer.drain()
        if not await self._wait(reader, reply.pause_s):
            return False
        writer.write(whole[half:])
        await writer.drain()
        return reply.cut_after is None

    def _next(self) -> Reply:
        position, self._played = self._played, self._played + 1
        return self._replies[position] if position < len(self._replies) else fails(500, "script_exhausted")

    async def _wait(self, reader: asyncio.StreamReader, seconds: float) -> bool:
        """False if the client closed the connection meanwhile."""
        if not seconds:
            return True
        try:
            await asyncio.wait_for(reader.read(1), seconds)
        except TimeoutError:
            return True
        except ConnectionError:
            pass
        self.client_left.set()
        return False


async def _read_request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, *_ = first.split(" ")
    return Received(path=path, headers=headers, text=body.decode(), method=method)


def _head(reply: Reply) -> bytes:
    headers = {"content-type": reply.content_type, "content-length": str(len(reply.body)), **reply.headers}
    status = f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}"
    lines = [status, *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
