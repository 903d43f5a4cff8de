"""A way between two that a test can hold still, cut, and mend: what a network does, at the moment the test needs it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class Relay:
    """Passes bytes on to ``target`` and back. Everything in the event loop of the test."""

    target: str
    heard: list[str] = field(default_factory=list)
    """Heads of the requests that came, as they were sent."""
    _flowing: asyncio.Event = field(default_factory=asyncio.Event)
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)
    _ways: set["asyncio.Task[None]"] = field(default_factory=set)
    _is_cut: bool = False
    _server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Relay"]:
        self._flowing.set()
        self._server = await asyncio.start_server(self._way, "127.0.0.1", 0)
        try:
            yield self
        finally:
            self._flowing.set()
            self._server.close()
            self._break()
            await asyncio.gather(*self._ways, return_exceptions=True)

    def hold(self) -> None:
        """Nothing comes back any more, but is kept."""
        self._flowing.clear()

    def release(self) -> None:
        """What was held comes back."""
        self._flowing.set()

    def cut(self) -> None:
        """Every connection breaks, and every new one does."""
        self._is_cut = True
        self._break()

    def mend(self) -> None:
        """New connections are good ones."""
        self._is_cut = False

    def _break(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._ways.add(task)
        task.add_done_callback(self._ways.discard)
        if self._is_cut:
            writer.transport.abort()
            return
        parts = urlsplit(self.target)
        back, forth = await asyncio.open_connection(parts.hostname, parts.port)
        self._writers |= {writer, forth}
        try:
            await asyncio.gather(self._send(reader, forth), self._answer(back, writer))
        finally:
            self._writers -= {writer, forth}
            writer.transport.abort()
            forth.transport.abort()

    async def _send(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                self.heard.append(data.split(b"\r\n\r\n", 1)[0].decode(errors="replace"))
                writer.write(data)
                await writer.drain()
        writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()
        with suppress(ConnectionError):
            writer.write_eof()
