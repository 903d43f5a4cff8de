"""Standard input and output as MCP streams: bounded lines in, and nothing but the protocol out.

Reading and writing block, so each has a thread that does not keep the program from ending. What anybody else in the
process prints goes to standard error meanwhile.
"""

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from tools.mcp.framing import BoundedLines, TooLong

MAX_MESSAGE_BYTES = 1024 * 1024
_CHUNK_BYTES = 64 * 1024

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def standard_streams(ends: Callable[[], None]) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams for one client; ``ends`` is called when it closes our input, before anything else hears of it."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    replies = outgoing.clone()
    with _claimed() as (source, sink), to_server, incoming, outgoing, from_server, replies:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, source, to_server, replies, ends)
            tasks.start_soon(_write, sink, from_server)
            try:
                yield incoming, outgoing
            finally:
                tasks.cancel_scope.cancel()


@contextmanager
def _claimed() -> Iterator[tuple[int, int]]:
    """Descriptors of the protocol alone; 0 reads nothing and 1 is standard error until the end."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield source, sink
    finally:
        # The private ones stay open: a thread may still read there, and a closed number is soon another file.
        os.dup2(source, 0)
        os.dup2(sink, 1)


async def _read(
    source: int,
    sink: MemoryObjectSendStream[SessionMessage | Exception],
    replies: Outgoing,
    ends: Callable[[], None],
) -> None:
    """Pass messages on; what is none is answered here."""
    async with sink, replies:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for line in _lines(source):
                read = _message(line)
                await (replies.send(SessionMessage(read)) if isinstance(read, JSONRPCError) else sink.send(read))
        ends()


async def _lines(source: int) -> AsyncIterator[bytes | TooLong]:
    lines = BoundedLines(MAX_MESSAGE_BYTES)
    async for chunk in _chunks(source):
        for line in lines.feed(chunk):
            yield line


async def _chunks(source: int) -> AsyncIterator[bytes]:
    """What arrives, until the end of the input."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes] = asyncio.Queue(1)

    def read() -> None:
        chunk = b"more"
        # A loop that is closed, or a queue nobody reads any more, ends the thread.
        with suppress(RuntimeError, OSError, asyncio.CancelledError):
            while chunk:
                chunk = os.read(source, _CHUNK_BYTES)
                asyncio.run_coroutine_threadsafe(arrived.put(chunk), loop).result()

    threading.Thread(target=read, name="mcp-stdin", daemon=True).start()
    while chunk := await arrived.get():
        yield chunk


def _message(line: bytes | TooLong) -> SessionMessage | JSONRPCError:
    """The message, or the error that answers what is none."""
    if isinstance(line, TooLong):
        said = ErrorData(code=INVALID_REQUEST, message=f"A message has at most {MAX_MESSAGE_BYTES} bytes.")
        return JSONRPCError(jsonrpc="2.0", id=line.message_id, error=said)
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError:
        said = ErrorData(code=PARSE_ERROR, message="This is no JSON-RPC message.")
        return JSONRPCError(jsonrpc="2.0", id=None, error=said)


async def _write(sink: int, source: MemoryObjectReceiveStream[SessionMessage]) -> None:
    loop = asyncio.get_running_loop()
    lines: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()

    def write() -> None:
        with suppress(RuntimeError, OSError):
            while True:
                line, written = lines.get()
                while line:
                    line = line[os.write(sink, line) :]
                loop.call_soon_threadsafe(_done, written)

    threading.Thread(target=write, name="mcp-stdout", daemon=True).start()
    async with source:
        async for message in source:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            written: asyncio.Future[None] = loop.create_future()
            lines.put((f"{text}\n".encode(), written))
            await written


def _done(written: "asyncio.Future[None]") -> None:
    if not written.done():
        written.set_result(None)
