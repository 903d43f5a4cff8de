"""The door to one Redis server: its address, its connections, and the map from whatever goes wrong to our errors.

Nothing is tried twice: a command whose reply was lost may have been executed.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoScriptError, ResponseError

from state.model.errors import LeaseLost, Misconfigured, RootproofError, TruthUnavailable
from state.model.ids import RunId
from state.stores.blocking import finish_before_cancel
from state.stores.canonical_redis_check import ServerFacts
from state.stores.canonical_redis_scripts import Script
from state.stores.canonical_redis_values import Reply
from state.stores.canonical_rules import STORE

T = TypeVar("T")

CONNECT_S = 2.0
"""Seconds for the connection itself."""
REPLY_S = 2.0
"""Seconds for sending a command, and again for its reply; also for getting a connection of the pool."""
OPERATION_S = 5.0
"""Seconds for one operation with everything in it."""
MAX_CONNECTIONS = 32

_KEY = "redis_url"
_TLS_OPTIONS = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"}
_DATABASE = re.compile(r"(/[0-9]{0,4})?")


@dataclass(frozen=True)
class Request:
    """One script to run for one run."""

    operation: str
    run_id: RunId
    script: Script
    keys: Sequence[str]
    args: Sequence[str | int]


class RedisServer:
    """Runs scripts on one server. The constructor connects to nothing and raises Misconfigured for a bad address."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_pool(_pool(url))
        self._closed = False

    async def read(self, request: Request, understand: Callable[[Reply], T]) -> T:
        """What ``understand`` makes of the reply.

        Raises:
            TruthUnavailable: no reply, or none that can be understood (``understand`` raises ValueError).
            LeaseLost: a higher epoch holds the run.
        """
        return await self._run(request.operation, lambda: self._answer(request, understand))

    async def write(self, request: Request, understand: Callable[[Reply], T]) -> T:
        """As ``read``; a cancellation propagates only once the write has ended, whatever became of it.

        Raises:
            TruthUnavailable: as ``read``; the write may have been executed.
            LeaseLost: a higher epoch holds the run; nothing was written.
        """
        return await finish_before_cancel(self.read(request, understand))

    async def facts(self) -> ServerFacts:
        """What the server tells about itself; fields are None where it may not be asked.

        Raises:
            TruthUnavailable: it cannot be reached.
            Misconfigured: it refuses user or password.
        """
        return await self._run("check", self._facts)

    async def ping(self, operation: str) -> None:
        """Return if the server answers.

        Raises:
            TruthUnavailable: it does not.
        """
        await self._run(operation, lambda: self._command("PING"))

    async def close(self) -> None:
        """Close every connection; later use raises TruthUnavailable. Closing twice is no error."""
        if not self._closed:
            self._closed = True
            await self._client.aclose(close_connection_pool=True)

    async def _run(self, operation: str, ask: Callable[[], Awaitable[T]]) -> T:
        if self._closed:
            raise TruthUnavailable(STORE, operation)
        try:
            async with asyncio.timeout(OPERATION_S):
                return await ask()
        except RootproofError:
            raise
        except Exception as error:  # a client that fails in a way it does not document fails closed too
            raise TruthUnavailable(STORE, operation) from error

    async def _answer(self, request: Request, understand: Callable[[Reply], T]) -> T:
        tail = (len(request.keys), *request.keys, *request.args)
        try:
            reply = await self._command("EVALSHA", request.script.sha1, *tail)
        except NoScriptError:  # nothing was executed
            reply = await self._command("EVAL", request.script.text, *tail)
        if reply[0] == b"FENCED":
            raise LeaseLost(request.run_id)
        if reply[0] == b"LOST":
            raise ValueError("keys of the run contradict each other")
        return understand(reply)

    async def _command(self, *words: str | int) -> Any:  # noqa: ANN401  a vendor's reply
        return await self._client.execute_command(*words)  # type: ignore[no-untyped-call]  # the client has no types here

    async def _facts(self) -> ServerFacts:
        try:
            info = await self._optional("INFO")
            config = None if info else await self._optional("CONFIG GET", "maxmemory*")
        except AuthenticationError:
            raise Misconfigured(_KEY, "the server refuses user or password") from None
        return ServerFacts.of(info or {}, config or {})

    async def _optional(self, *words: str) -> Any:  # noqa: ANN401  a vendor's reply
        try:
            return await self._command(*words)
        except ResponseError:
            return None


def _pool(url: str) -> BlockingConnectionPool:
    """Connections to the address; every limit is ours, never the address's.

    Raises:
        Misconfigured: it is no address of a Redis server. The message never repeats it: it may hold a password.
    """
    wrong = _problem(url)
    if wrong:
        raise Misconfigured(_KEY, wrong)
    return BlockingConnectionPool(
        max_connections=MAX_CONNECTIONS,
        timeout=REPLY_S,
        socket_connect_timeout=CONNECT_S,
        socket_timeout=REPLY_S,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
        driver_info=None,
        **parse_url(url),
    )


def _problem(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"redis", "rediss"} and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        return "redis://HOST:PORT/DATABASE is expected, rediss:// for TLS; special characters of a password as %XX"
    if parts.fragment or not _DATABASE.fullmatch(parts.path):
        return "after the port only the number of a database may follow"
    options = parse_qs(parts.query, keep_blank_values=True).keys()
    if options - (_TLS_OPTIONS if parts.scheme == "rediss" else set()):
        return f"only options of TLS may be given, with rediss://: {', '.join(sorted(_TLS_OPTIONS))}"
    return None
