"""A local MCP server as a child process: bounded lines in, messages out, and an end that leaves no process behind."""

import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import structlog
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter
from pydantic import ValidationError

from tools.mcp.framing import EDGE_BYTES, BoundedLines, TooLong, message_id
from tools.mcp.known_secrets import KnownSecrets
from tools.mcp.link import MESSAGE_CAP_BYTES, Streams, too_large, unreadable
from tools.mcp.words import plain_words

CHUNK_BYTES = 64 * 1024
MAX_DROPPED_BYTES = 16 * MESSAGE_CAP_BYTES
"""A line that grows beyond this ends the connection."""
MAX_UNASKED = 5000
"""Messages between two answers until the connection ends: each is work for us, and of no use."""
MAX_LOG_LINES = 200
MAX_LOG_CHARS = 500
GRACE_S = 1.0
"""Time to leave after standard input closed, and again after SIGTERM."""
REAP_S = 5.0

_GONE = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
log = structlog.get_logger("tools.mcp")


@dataclass(frozen=True)
class Child:
    """How the server is started."""

    name: str
    """Configured name of the server, for the log."""
    command: Sequence[str]
    environment: Mapping[str, str]
    """All of it."""
    secrets: KnownSecrets = KnownSecrets()
    """What no log line may show."""


@asynccontextmanager
async def stdio_link(child: Child) -> AsyncIterator[Streams]:
    """Streams to and from a new process of the server, in a group of its own.

    Raises:
        OSError: it cannot be started.
    """
    process = await anyio.open_process(list(child.command), env=dict(child.environment), start_new_session=True)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None, (
        "pipes are asked for"
    )
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, process.stdout, to_session, child)
        tasks.start_soon(_write, process.stdin, from_session)
        tasks.start_soon(_listen, process.stderr, child)
        try:
            yield from_server, to_server
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            tasks.cancel_scope.cancel()
            for stream in (to_session, from_server, to_server, from_session):
                stream.close()


async def _read(
    source: ByteReceiveStream, sink: MemoryObjectSendStream[SessionMessage | Exception], child: Child
) -> None:
    """Pass messages on until the server closes its output or says too much that is no answer."""
    lines, unasked = BoundedLines(MESSAGE_CAP_BYTES), 0
    async with sink:
        with suppress(*_GONE):
            while unasked <= MAX_UNASKED and lines.dropped_bytes <= MAX_DROPPED_BYTES:
                found = [_message(line) for line in lines.feed(await source.receive(CHUNK_BYTES))]
                unasked = 0 if any(map(_is_answer, found)) else unasked + len(found)
                await _pass_on(found, sink)
            log.error("MCP server says too much that is no answer; connection ended", server=child.name)
            await _pass_on([SessionMessage(too_large(lines.dropped_id))], sink)


def _is_answer(message: SessionMessage | None) -> bool:
    return message is not None and isinstance(message.message, (JSONRPCResponse, JSONRPCError))


async def _pass_on(
    messages: Sequence[SessionMessage | None], sink: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    for message in messages:
        if message is not None:
            await sink.send(message)


def _message(line: bytes | TooLong) -> SessionMessage | None:
    """None for a line that is no message: banners and debug prints are common and harmless."""
    if isinstance(line, TooLong):
        return SessionMessage(too_large(line.message_id))
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError:
        meant_for = message_id(line[:EDGE_BYTES], line[-EDGE_BYTES:])
        return None if meant_for is None else SessionMessage(unreadable(meant_for))


async def _write(sink: ByteSendStream, source: MemoryObjectReceiveStream[SessionMessage]) -> None:
    with suppress(*_GONE):
        async with source:
            async for message in source:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await sink.send(f"{text}\n".encode())


async def _listen(source: ByteReceiveStream, child: Child) -> None:
    """Read what the server logs, so that it never blocks; the first lines go to our log, without secrets."""
    lines, left = BoundedLines(4 * MAX_LOG_CHARS), MAX_LOG_LINES
    with suppress(*_GONE):
        while True:
            said = [line for line in lines.feed(await source.receive(CHUNK_BYTES)) if not isinstance(line, TooLong)]
            for line in said[:left]:
                log.info("MCP server says", server=child.name, text=_without_secrets(line, child))
            left -= min(left, len(said))


def _without_secrets(line: bytes, child: Child) -> str:
    text = child.secrets.gone(line.decode(errors="replace"))
    return child.secrets.gone(plain_words(text, MAX_LOG_CHARS))


async def _end(process: Process) -> None:
    """Close its input, then ask its whole group to end, then kill it; every wait is bounded."""
    assert process.stdin is not None, "pipes are asked for"
    with suppress(*_GONE):
        await process.stdin.aclose()
    if not await _exits(process):
        _signal(process, signal.SIGTERM)
        await _exits(process)
    # Also what the server itself started and left behind.
    _signal(process, signal.SIGKILL)
    with anyio.move_on_after(REAP_S):
        await process.aclose()


async def _exits(process: Process) -> bool:
    """True if it ended in time. By polling: waiting also waits for pipes that a grandchild may hold."""
    with anyio.move_on_after(GRACE_S):
        while process.returncode is None:  # noqa: ASYNC110 - nothing sets an event when a process ends
            await anyio.sleep(0.02)
    return process.returncode is not None


def _signal(process: Process, signal_: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal_)
