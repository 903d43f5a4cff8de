"""The web server in this process: nothing of it reaches the caller but the replies, and it leaves signals alone."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from service.http.connection import timed
from service.http.patience import Patience

MAX_CONNECTIONS = 1000
MAX_HEADER_BYTES = 32 * 1024


class Server(uvicorn.Server):
    """Tells when it answers, and tells streams when it stops."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer from now on."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connection; wait for those at work."""
        self._stopping.set()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing is captured: the program has runs to close."""
        yield


def make_server(
    app: ASGIApp,
    stopping: asyncio.Event,
    ready: Callable[[], None],
    shutdown_s: int,
    patience: Patience,
) -> Server:
    """The server of an application whose lifespan is entered already; ``shutdown_s`` seconds for what is at work.

    The address of the peer is that of the connection: no header of a proxy is believed.
    """
    config = uvicorn.Config(
        app,
        # Named, not found: the other implementation knows no limit of a head, in bytes or in seconds.
        http=timed(patience),
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=shutdown_s,
    )
    return Server(config, stopping, ready)
