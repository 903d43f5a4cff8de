"""The MCP server over HTTP, for clients on this machine only: no key is asked for, so nobody else may connect."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from state.model.errors import Misconfigured
from state.model.this_machine import is_this_machine

PATH = "/mcp"
MAX_BODY_BYTES = 1024 * 1024
MAX_SESSIONS = 32
SESSION_IDLE_S = 3600.0
SHUTDOWN_S = 3
_SESSION_HEADER = b"mcp-session-id"
_HTTP_PORT = 80
_SUCCESS = 2


class Front(Protocol):
    """What answers the requests."""

    def server(self) -> Server[Any]:
        """The protocol side."""
        ...

    def leaving(self, key: str = "") -> None:
        """The client goes."""
        ...

    def staying(self, key: str = "") -> None:
        """The client was not let go."""
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


def addressed_to(host: str, port: int) -> TransportSecuritySettings:
    """What ``Host`` and ``Origin`` may be: this server's own address with its port, letter by letter."""
    own = f"[{host}]" if ":" in host else host
    names = {own, "localhost", *(("127.0.0.1",) if host == "localhost" else ())}
    places = sorted({f"{name}:{port}" for name in names} | (names if port == _HTTP_PORT else set()))
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=places,
        allowed_origins=[f"http://{place}" for place in places],
    )


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
        transport_security=addressed_to(host, port),
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
    """Notices a client that ends its session, so that its run ends with it; a request that is refused ends nothing."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self._app = app
        self._front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "DELETE":
            await self._app(scope, receive, send)
            return
        key = next((value.decode("latin-1") for name, value in scope["headers"] if name == _SESSION_HEADER), "")
        is_let_go = False

        async def told(message: Message) -> None:
            nonlocal is_let_go
            is_let_go |= message["type"] == "http.response.start" and message["status"] // 100 == _SUCCESS
            await send(message)

        if key:
            # Before the answer: the protocol side cuts a call off while it works on this.
            self._front.leaving(key)
        try:
            await self._app(scope, receive, told)
        finally:
            if key and not is_let_go:
                self._front.staying(key)
        if key and is_let_go:
            await self._front.left(key)
