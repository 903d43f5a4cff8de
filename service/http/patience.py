"""How long a request may take to arrive: a client that sends slower is answered with 408 and loses its connection.

The head has a fixed time. A body has one that grows with what has come of it, so that a large document over a slow line
is no fault and a byte now and then is. Only waiting for the client counts.
"""

import asyncio
from dataclasses import dataclass

import structlog
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from state.ports import Clock

REQUEST_TIMEOUT = 408

log = structlog.get_logger("service.http")


@dataclass(frozen=True)
class Patience:
    """What a client is given, in seconds."""

    head_s: float = 10.0
    """From the connection, or from the first byte of a further request, to the end of the head."""
    body_s: float = 20.0
    """For a body, besides what its bytes earn."""
    bytes_per_s: int = 16 * 1024
    """So many bytes of a body earn one more second."""


@dataclass(frozen=True)
class SlowBodies:
    """The layer that waits for bodies no longer than it must."""

    app: ASGIApp
    clock: Clock
    patience: Patience = Patience()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Arriving(receive, send, self.clock, self.patience)
        await self.app(scope, body.receive, body.send)


class _Arriving:
    """The body of one request while it comes."""

    def __init__(self, receive: Receive, send: Send, clock: Clock, patience: Patience) -> None:
        self._receive = receive
        self._send = send
        self._clock = clock
        self._patience = patience
        self._waited_s = 0.0
        self._n_bytes = 0
        self._is_over = False
        """The body is whole, or the client has gone: what comes then takes as long as it takes."""
        self._is_answered = False

    async def send(self, message: Message) -> None:
        self._is_answered = True
        await self._send(message)

    async def receive(self) -> Message:
        """What comes next.

        Raises:
            HTTPException: 408, the body takes too long and nothing was answered yet.
        """
        if self._is_over:
            return await self._receive()
        began = self._clock.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left_s)):
                message = await self._receive()
        except TimeoutError:
            return self._gave_up()
        self._waited_s += self._clock.monotonic() - began
        self._n_bytes += len(message.get("body", b""))
        self._is_over = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    @property
    def _left_s(self) -> float:
        return self._patience.body_s + self._n_bytes / self._patience.bytes_per_s - self._waited_s

    def _gave_up(self) -> Message:
        self._is_over = True
        log.info("body came too slowly", bytes=self._n_bytes)
        if not self._is_answered:
            raise HTTPException(REQUEST_TIMEOUT)
        return {"type": "http.disconnect"}
