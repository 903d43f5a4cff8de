"""Clients that send slower than they may, over raw sockets: heads, bodies, and connections nobody uses."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.http.patience import Patience
from tests.graph.stage import QUESTION, Cast
from tests.service.http.place import PATIENCE_S, Place, key, place, until

SHORT = Patience(head_s=0.4, body_s=0.4, bytes_per_s=1000)
BODY = json.dumps({"query": QUESTION}).encode()


class Line:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, *pieces: bytes, every_s: float = 0.0) -> None:
        """The pieces one after the other."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            await asyncio.sleep(every_s)

    async def drip(self, *pieces: bytes) -> bytes:
        """What comes until the other side closes, while the pieces are sent slowly."""
        sending = asyncio.create_task(self.send(*pieces, every_s=0.05))
        raw = await self.rest()
        sending.cancel()
        await asyncio.wait([sending])
        return raw

    async def rest(self) -> bytes:
        """What comes until the other side closes."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.read()

    async def reply(self) -> bytes:
        """One reply with a length."""
        async with asyncio.timeout(PATIENCE_S):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            return head + await self.reader.readexactly(int(length.split(b":")[1]))


@asynccontextmanager
async def line(served: Place) -> AsyncIterator[Line]:
    address = urlsplit(served.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


def head(path: str, method: str = "POST", **headers: object) -> bytes:
    sent = {"Host": "127.0.0.1", **key("ann"), **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def asking(length: int = len(BODY)) -> bytes:
    return head("/api/chat", Content_Type="application/json", Content_Length=length)


def bytewise(text: bytes) -> Iterable[bytes]:
    return (bytes((byte,)) for byte in text)


def problem(raw: bytes) -> tuple[bytes, str]:
    """Status line and code."""
    start, _, body = raw.partition(b"\r\n\r\n")
    return start.split(b"\r\n")[0], json.loads(body)["code"]


async def test_a_head_that_drips_is_answered_408_and_the_connection_ends(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        raw = await one.drip(*bytewise(asking()))

    assert problem(raw) == (b"HTTP/1.1 408 Request Timeout", "REQUEST_TIMEOUT")
    assert b"connection: close" in raw.lower()


async def test_a_connection_that_nobody_uses_is_closed_without_a_word(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        assert await one.rest() == b""
        await until(lambda: not served.server.server_state.connections)


async def test_the_head_of_a_further_request_has_the_same_time(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        await one.send(head("/healthz", "GET"))
        first = await one.reply()
        raw = await one.drip(*bytewise(head("/healthz", "GET")))

    assert first.startswith(b"HTTP/1.1 200")
    assert problem(raw)[1] == "REQUEST_TIMEOUT"


async def test_requests_one_after_the_other_keep_their_connection(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        replies = []
        for _ in range(4):
            await one.send(head("/healthz", "GET"), every_s=0.15)
            replies.append(await one.reply())

    assert [reply.split(b"\r\n")[0] for reply in replies] == [b"HTTP/1.1 200 OK"] * 4


async def test_a_body_that_drips_is_answered_408_and_starts_no_run(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        raw = await one.drip(asking(), *bytewise(BODY))
        runs = await served.play.stores.control.list_runs()
        streams = served.app.state.context.streams.places.n_held

    assert problem(raw) == (b"HTTP/1.1 408 Request Timeout", "REQUEST_TIMEOUT")
    assert b"connection: close" in raw.lower()
    assert (runs, streams) == ((), 0)


async def test_a_document_that_drips_is_answered_408(tmp_path: Path) -> None:
    sent = head("/api/documents", Content_Type="multipart/form-data; boundary=x", Content_Length=100_000)
    sent = sent.replace(key("ann")["Authorization"].encode(), key("olga")["Authorization"].encode())
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        raw = await one.drip(sent, part, *bytewise(b"#" * 100))

    assert problem(raw)[1] == "REQUEST_TIMEOUT"


async def test_a_body_that_comes_at_a_fair_pace_may_take_longer(tmp_path: Path) -> None:
    """Four times the fixed time, for its bytes earn the rest."""
    body = json.dumps({"query": QUESTION, "follow_up_of": "x" * 3000}).encode()
    pieces = [body[at : at + 100] for at in range(0, len(body), 100)]
    async with place(tmp_path, Cast(), patience=SHORT) as served, line(served) as one:
        await one.send(asking(len(body)), *pieces, every_s=0.05)
        raw = await one.reader.readuntil(b"event: done")

    assert len(pieces) * 0.05 > 3 * SHORT.body_s
    assert raw.startswith(b"HTTP/1.1 200")


async def test_a_stream_lasts_longer_than_a_request_may_take_to_come(tmp_path: Path) -> None:
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        await one.send(asking(), BODY)
        await until(lambda: served.gate.reached == 1)
        await asyncio.sleep(3 * SHORT.head_s)
        served.gate.is_open.set()
        async with asyncio.timeout(PATIENCE_S):
            raw = await one.reader.readuntil(b"event: done")

    assert raw.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("who", ["nobody", "ann"])
async def test_a_body_that_nobody_reads_keeps_no_connection(tmp_path: Path, who: str) -> None:
    sent = head("/api/documents", Content_Length=100_000)
    if who == "nobody":
        sent = sent.replace(b"ann", b"xyz")
    async with place(tmp_path, patience=SHORT) as served, line(served) as one:
        raw = await one.drip(sent, *bytewise(b"x" * 200))

    assert raw.split(b"\r\n")[0] in {b"HTTP/1.1 401 Unauthorized", b"HTTP/1.1 403 Forbidden"}


async def test_a_head_larger_than_it_may_be_is_refused(tmp_path: Path) -> None:
    """Also where another implementation of HTTP is installed, which knows no such limit."""
    sent = head("/healthz", "GET", X_Long="x" * 70_000)
    async with place(tmp_path) as served, line(served) as one:
        raw = await one.drip(sent[:40_000], sent[40_000:])

    assert raw.startswith(b"HTTP/1.1 400")
