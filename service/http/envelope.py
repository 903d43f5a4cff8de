"""Around every request: its id, the headers that protect whoever reads the reply, the counters, and one log line.

The outermost edge: whatever a route did not foresee ends here as INTERNAL_FAILURE. The line names the route and never
the query, a key or a body.
"""

from dataclasses import dataclass, field

import structlog
from sse_starlette.sse import SendTimeoutError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.http.metrics import Meters
from service.http.problems import answer_problem
from service.visible import visible
from state.model.caller import Caller
from state.ports import Clock, IdSource

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MAX_PATH_CHARS = 200
UNKNOWN_ROUTE = "unmatched"
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})

log = structlog.get_logger("service.http")


@dataclass
class _Seen:
    """What became of one request."""

    started: float
    status: int = 0
    seconds: float | None = None


@dataclass(frozen=True)
class Envelope:
    """The outermost layer."""

    app: ASGIApp
    meters: Meters
    clock: Clock
    ids: IdSource
    headers: dict[str, str] = field(default_factory=lambda: dict(SECURITY_HEADERS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on.

        Raises:
            SendTimeoutError: the reader of a stream takes nothing; the server closes the connection.
            Exception: as it came, where the reply had begun.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = scope["rootproof.request_id"] = self.ids.uuid()
        seen = _Seen(self.clock.monotonic())

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.status, seen.seconds = message["status"], self.clock.monotonic() - seen.started
                reply = MutableHeaders(scope=message)
                reply["X-Request-Id"] = request_id
                for name, value in self.headers.items():
                    reply.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    reply.setdefault("Cache-Control", "no-store")
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, sent)
            except SendTimeoutError:
                log.info("stream ended: its reader was too slow", route=route_of(scope))
                raise
            except Exception as error:
                log.error("request failed", route=route_of(scope), exc_info=error)
                if seen.status:
                    raise
                await (await answer_problem(Request(scope), error))(scope, receive, sent)
            finally:
                self._tell(scope, seen)

    def _tell(self, scope: Scope, seen: _Seen) -> None:
        route = route_of(scope)
        self.meters.requests.labels(method=method_of(scope), route=route, status=str(seen.status)).inc()
        if seen.seconds is not None:
            self.meters.seconds.labels(route=route).observe(seen.seconds)
        caller = scope.get("rootproof.caller")
        (log.debug if scope["path"] in _PROBES else log.info)(
            "request",
            method=method_of(scope),
            path=visible(scope["path"][:MAX_PATH_CHARS]),
            status=seen.status,
            ms=round((self.clock.monotonic() - seen.started) * 1000),
            caller=caller.name if isinstance(caller, Caller) else None,
        )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def method_of(scope: Scope) -> str:
    """The method, ``other`` for one that nobody uses: callers must not make up series of counters. Pure."""
    method = str(scope["method"])
    return method if method in _METHODS else "other"


def route_of(scope: Scope) -> str:
    """The template of the address, such as ``/api/runs/{run_id}``; never what stands in its place. Pure."""
    route = scope.get("route")
    return str(getattr(route, "path", None) or UNKNOWN_ROUTE)
