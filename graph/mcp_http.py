"""The MCP server over HTTP, for clients on this machine only: no key is asked for, so nobody else may connect."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import uvicorn
from mcp.server import Server
from starlette.types import ASGIApp, Receive, Scope, Send

from state.model.errors import Misconfigured
from state.model.this_machine import is_this_machine

PATH = "/mcp"
MAX_BODY_BYTES = 1024 * 1024
MAX_SESSIONS = 32
SESSION_IDLE_S = 3600.0
SHUTDOWN_S = 3
_SESSION_HEADER = b"mcp-session-id"


class Front(Protocol):
    """What answers the requests."""

    def server(self) -> Server[Any]:
        """The protocol side."""
        ...

    def leaving(self, key: str = "") -> None:
        """The client goes."""
        ...

    async def left(self, key: str = "") -> None:
        """The client is gone."""
        ...


def check_loopback(host: str) -> None:
    """Return if the address is one of this machine alone.

    Raises:
        Misconfigured: it is not.
    """
    if not is_this_machine(host):
        raise Misconfigured("--http", f"{host!r} is not this machine; only 127.0.0.1, ::1 or localhost can be served")


async def serve_app(front: Front, host: str, port: int) -> None:
    """Serve until cancelled; then requests at work get a moment to end.

    Raises:
        Misconfigured: the host is not this machine, or the port cannot be taken.
        CancelledError: as it came.
    """
    check_loopback(host)
    app = front.server().streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=MAX_SESSIONS,
    )
    config = uvicorn.Config(
        _Noticing(app, front), log_config=None, access_log=False, timeout_graceful_shutdown=SHUTDOWN_S
    )
    with _listening(host, port) as listener:
        server = _Quiet(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await serving
            raise


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound to the address.

    Raises:
        Misconfigured: it cannot be.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise Misconfigured("--http", f"{host}:{port} cannot be taken ({error})") from None
    return listener


class _Quiet(uvicorn.Server):
    """Leaves the signals to the program, which has runs to close."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing is captured."""
        yield


class _Noticing:
    """Notices a client that ends its session, so that its run ends with it."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self._app = app
        self._front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "DELETE":
            await self._app(scope, receive, send)
            return
        key = next((value.decode("latin-1") for name, value in scope["headers"] if name == _SESSION_HEADER), "")
        self._front.leaving(key)
        await self._app(scope, receive, send)
        if key:
            await self._front.left(key)
