"""Connections to PostgreSQL that never wait without end. Imports psycopg: only for those who use it.

The server's own limit ends a slow statement; a server that is frozen, or a network that drops packets, ends nothing.
"""

from typing import Any, TypeVar

from psycopg import AsyncConnection, Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout
from psycopg.rows import DictRow

T = TypeVar("T")
_INTERVAL_S = 0.1
_SILENT = "the server did not answer in time"


class BoundedConnection(Connection[tuple[Any, ...]]):
    """Closes itself, with an OperationalError, when the server says nothing for ``answer_s`` seconds."""

    answer_s: float | None = None

    def wait(self, gen: PQGen[T], interval: float = _INTERVAL_S, timeout: float | None = None) -> T:
        """What the exchange gives.

        Raises:
            OperationalError: the server said nothing in time; the connection is closed.
        """
        try:
            return super().wait(gen, interval, self.answer_s if timeout is None else timeout)
        except _WaitTimeout:
            self.pgconn.finish()
            raise OperationalError(_SILENT) from None


class BoundedAsyncConnection(AsyncConnection[DictRow]):
    """The same for an event loop."""

    answer_s: float | None = None

    async def wait(
        self,
        gen: PQGen[T],
        interval: float = _INTERVAL_S,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's signature
    ) -> T:
        """What the exchange gives.

        Raises:
            OperationalError: the server said nothing in time; the connection is closed.
        """
        try:
            return await super().wait(gen, interval, self.answer_s if timeout is None else timeout)
        except _WaitTimeout:
            self.pgconn.finish()
            raise OperationalError(_SILENT) from None
