"""One connection: HTTP/1.1 as the server library speaks it, and an end to waiting for the head of a request."""

import asyncio
from typing import ClassVar

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from graph.system import SystemIds
from service.http.codes import ProblemCode
from service.http.patience import Patience
from service.http.problems import HttpProblem, problem_response
from state.model.enums import Language

log = structlog.get_logger("service.http")


class TimedProtocol(H11Protocol):
    """Closes a connection on which no request begins, ends its head, or goes on being read, within the time.

    The library itself limits only the pause between two requests, and that only as long as no byte comes.
    """

    head_s: ClassVar[float] = Patience().head_s
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the library has it
        """The first request is waited for from now on."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Hand on what came; no byte of an unfinished head buys time."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """The library waits for the next request, which may have come already."""
        super().on_response_complete()
        self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for."""
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._rest()
        elif self._waiting is None and not self.transport.is_closing():
            self._waiting = self.loop.call_later(self.head_s, self._give_up)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self.transport.is_closing():
            return
        has_begun = bool(self.conn.trailing_data[0])
        if has_begun and self.conn.our_state is h11.IDLE:
            log.info("head of a request came too slowly")
            self.transport.write(self._refusal())
        # A connection that somebody opened and never used is closed without a word.
        self.transport.close()

    def _refusal(self) -> bytes:
        reply = problem_response(
            HttpProblem(ProblemCode.REQUEST_TIMEOUT), language=Language.EN, request_id=SystemIds().uuid()
        )
        head = h11.Response(status_code=reply.status_code, headers=reply.raw_headers, reason=b"Request Timeout")
        parts = (head, h11.Data(data=bytes(reply.body)), h11.EndOfMessage())
        return b"".join(self.conn.send(part) or b"" for part in parts)


def timed(patience: Patience) -> type[TimedProtocol]:
    """The connection with this patience."""
    return type("Timed", (TimedProtocol,), {"head_s": patience.head_s})
