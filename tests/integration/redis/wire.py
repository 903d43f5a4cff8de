"""A wire to a real Redis that can lose or replace replies. Requests always arrive."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from tests.servers import Server, free_port


@dataclass
class Wire:
    """Passes everything on until told otherwise."""

    server: Server
    port: int = field(default_factory=free_port)
    replace: bytes | None = None
    """What the client gets instead of the next replies; empty: the connection is closed instead."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    after: int = 0
    """So many more replies come through before that."""
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a client, and one of ours to the server for it."""
        self._serving.add(asyncio.ensure_future(self._pass_on(reader, writer)))

    async def close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self.server.host, self.server.port)
        try:
            await self._exchange(reader, writer, there, back)
        except OSError:
            pass  # the client left first
        finally:
            writer.close()
            back.close()

    async def _exchange(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        there: asyncio.StreamReader,
        back: asyncio.StreamWriter,
    ) -> None:
        while request := await reader.read(1 << 20):
            back.write(request)
            reply = await there.read(1 << 20)
            instead = None if self.after else self.replace
            self.after = max(0, self.after - 1)
            if instead == b"":
                return
            writer.write(reply if instead is None else instead)
            await writer.drain()


@contextlib.asynccontextmanager
async def wire_to(server: Server) -> AsyncIterator[Wire]:
    wire = Wire(server)
    listening = await asyncio.start_server(wire.serve, "127.0.0.1", wire.port)
    try:
        yield wire
    finally:
        listening.close()
        await wire.close()
