"""Who gets in, before anything of a body is read: this machine alone or a known key, same origin, within the rates.

Pure ASGI: a stream passes through untouched.
"""

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from config.keyring import Keyring
from service.http.codes import ProblemCode
from service.http.limits import Rates
from service.http.problems import HttpProblem, answer_problem, limited
from service.texts import http as texts
from state.model.caller import LOCAL_CALLER, Caller
from state.model.this_machine import is_made_here

MAX_BODY_BYTES = 1024 * 1024
MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
DOCUMENTS = "/api/documents"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES = frozenset({"same-origin", "none"})


@dataclass(frozen=True)
class Gate:
    """The door in front of the routes."""

    app: ASGIApp
    keyring: Keyring
    rates: Rates
    origins: frozenset[str] = frozenset()
    """Origins of other pages that may call."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request in with its caller, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            await self._check(scope)
        except HttpProblem as problem:
            response = await answer_problem(Request(scope), problem)
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _check(self, scope: Scope) -> None:
        """Set the caller, where the address asks for one.

        Raises:
            HttpProblem: the request does not get in.
        """
        headers = Headers(scope=scope)
        if not self.keyring.is_on:
            check_is_local(scope, headers)
        check_origin(scope, headers, self.origins)
        if needs_caller(scope["path"]):
            caller = await self._caller(scope, headers)
            check_rate(await self.rates.request(caller.name))
            scope["rootproof.caller"] = caller
        check_length(scope["path"], headers)

    async def _caller(self, scope: Scope, headers: Headers) -> Caller:
        """Who asks.

        Raises:
            HttpProblem: 401, or 429 for an address that tries one key after the other. A known key always gets in:
                others behind the same address must not be able to lock it out.
        """
        if not self.keyring.is_on:
            return LOCAL_CALLER
        caller = self.keyring.caller_of(headers.get("authorization", ""))
        if caller is not None:
            return caller
        if "authorization" in headers:
            check_rate(await self.rates.failed_key(client_address(scope)))
        raise HttpProblem(ProblemCode.UNAUTHENTICATED)


def check_rate(wait_s: int | None) -> None:
    """Return if nobody has to wait. Pure.

    Raises:
        HttpProblem: 429, for so many seconds.
    """
    if wait_s is not None:
        problem = limited(ProblemCode.RATE_LIMITED, wait_s)
        raise problem


def needs_caller(path: str) -> bool:
    """True for everything but the page, its files, the description of the interface and the two probes. Pure."""
    return path == "/metrics" or path == "/api" or path.startswith("/api/")


def check_is_local(scope: Scope, headers: Headers) -> None:
    """Return if the request was made on this machine. Pure.

    Raises:
        HttpProblem: it was not.
    """
    if not is_made_here(client_address(scope), headers.getlist("host"), headers.keys()):
        raise HttpProblem(ProblemCode.FORBIDDEN, texts.NOT_THIS_MACHINE)


def check_origin(scope: Scope, headers: Headers, origins: frozenset[str]) -> None:
    """Return if no page of another origin is trying to change something. Pure.

    Raises:
        HttpProblem: one is.
    """
    if scope["method"] in SAFE_METHODS:
        return
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin in origins:
        return
    is_other = origin is not None and origin != f"{scope['scheme']}://{headers.get('host', '')}"
    if is_other or (site is not None and site not in _OWN_SITES):
        raise HttpProblem(ProblemCode.FORBIDDEN, texts.OTHER_ORIGIN)


def check_length(path: str, headers: Headers) -> None:
    """Return if the declared length of the body may be read. Pure; a body without one is counted while it is read.

    Raises:
        HttpProblem: it is larger, or no length at all.
    """
    declared = headers.get("content-length", "0")
    most = MAX_DOCUMENT_BYTES if path == DOCUMENTS else MAX_BODY_BYTES
    if not (declared.isascii() and declared.isdecimal()) or len(declared) > 12 or int(declared) > most:
        raise HttpProblem(ProblemCode.TOO_LARGE)


def client_address(scope: Scope) -> str:
    """Address of the peer; empty where the server does not say. Pure."""
    client = scope.get("client")
    return str(client[0]) if client else ""
