"""The door to PostgreSQL: one connection a statement, in a read-only transaction that the server confirms.

Everything is set inside the transaction, so that it also holds, and ends, behind a pooler.
"""

import contextlib
import json
import math
import os
import socket
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing
from decimal import Decimal

import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.conninfo import make_conninfo
from psycopg.types.numeric import DecimalDumper, IntDumper
from psycopg.types.string import StrDumperUnknown

from state.model.enums import ToolCode
from state.model.evidence import Scalar
from tools.sql.postgres_cells import read_cell
from tools.sql.postgres_errors import code_of_state, reason_of
from tools.sql.postgres_settings import first_unconfirmed, settings_for
from tools.sql.server import CONNECT_S, SqlServer, trusted_certificates
from tools.sql.session import Answer, Deadline, NotReadOnly
from tools.sql.statement import Constant

CANCEL_S = 1.0


class _CellLoader(Loader):
    """Reads every type of result, known or not."""

    def load(self, data: Buffer) -> Scalar:
        return read_cell(self.oid, bytes(data))


class _Adapting:
    """What is sent and read, and nothing else of the driver's conversions."""

    def __init__(self) -> None:
        self.adapters = AdaptersMap()
        self.adapters.register_loader(0, _CellLoader)
        for kind, dumper in ((str, StrDumperUnknown), (int, IntDumper), (Decimal, DecimalDumper)):
            self.adapters.register_dumper(kind, dumper)
        self.connection = None


_ADAPTING: AdaptContext = _Adapting()


class PostgresDoor:
    """A ``Door`` to one PostgreSQL server."""

    failures = (psycopg.Error, OSError, ValueError)
    waits_for_end = False

    def __init__(self, server: SqlServer) -> None:
        """Raises Misconfigured if there are no certificates to verify the server with."""
        self._settings = _connection_settings(server)

    def session(self, deadline: Deadline) -> "PostgresSession":
        """A session that is not yet open."""
        return PostgresSession(self._settings, deadline)

    def code_of(self, error: BaseException) -> ToolCode:
        """By the server's SQLSTATE; a connection that does not come about in time is a timeout."""
        if isinstance(error, psycopg.errors.ConnectionTimeout):
            return ToolCode.TOOL_TIMEOUT
        return code_of_state(error.sqlstate if isinstance(error, psycopg.Error) else None)

    def reason_of(self, error: BaseException) -> str:
        """By the server's SQLSTATE, or by what was said while connecting."""
        return reason_of(error.sqlstate if isinstance(error, psycopg.Error) else None, str(error))


def _connection_settings(server: SqlServer) -> dict[str, str]:
    """The driver's parameters, everything it would otherwise take from the environment included.

    Raises:
        Misconfigured: there are no certificates to trust.
    """
    settings = {
        "host": server.host,
        "port": str(server.port),
        "dbname": server.database,
        "user": server.user,
        "sslmode": {"off": "disable", "require": "require", "verify": "verify-full"}[server.tls],
        "gssencmode": "disable",
        "target_session_attrs": "any",
        "application_name": "rootproof",
        "client_encoding": "UTF8",
    }
    if server.password is not None:
        settings["password"] = server.password
    if server.tls == "verify":
        settings["sslrootcert"] = str(trusted_certificates(server))
    return settings


class PostgresSession:
    """A ``Session`` over a connection of its own."""

    def __init__(self, settings: Mapping[str, str], deadline: Deadline) -> None:
        self._settings = settings
        self._deadline = deadline
        self._connection: psycopg.Connection[tuple[object, ...]] | None = None
        self._line: socket.socket | None = None

    def open(self) -> None:
        """Connect, within three seconds in all.

        Raises:
            psycopg.Error: the server cannot be reached, or refuses.
        """
        seconds = max(1, math.ceil(min(CONNECT_S, self._deadline.remaining_s())))
        try:
            self._connection = psycopg.connect(
                make_conninfo("", **self._settings, connect_timeout=seconds),
                autocommit=True,
                prepare_threshold=None,
                context=_ADAPTING,
                cursor_factory=psycopg.RawCursor,
            )
        except psycopg.Error as error:
            # Frames of the driver hold the half-open connection; it must not stay open for as long as the error lives.
            traceback.clear_frames(error.__traceback__)
            raise
        # A second name for the connection, by which another thread can break it off.
        self._line = socket.socket(fileno=os.dup(self._connection.fileno()))

    def begin(self) -> None:
        """Begin, harden, and ask the server what it made of it.

        Raises:
            NotReadOnly: it does not confirm one of the settings.
        """
        connection = self._opened
        connection.execute("BEGIN TRANSACTION READ ONLY")
        info = connection.info
        wanted = settings_for(
            info.server_version, self._deadline.remaining_s(), encoding=info.parameter_status("server_encoding") or ""
        )
        calls = ", ".join(f"set_config(${2 * at + 1}, ${2 * at + 2}, true)" for at in range(len(wanted)))
        connection.execute(f"SELECT {calls}".encode(), [part for pair in wanted.items() for part in pair])
        checked = {**wanted, "transaction_read_only": "on"}
        answers = ", ".join(f"current_setting(${at + 1})" for at in range(len(checked)))
        confirmed = connection.execute(f"SELECT {answers}".encode(), list(checked)).fetchone()
        unconfirmed = first_unconfirmed(checked, confirmed or ())
        if unconfirmed is not None:
            raise NotReadOnly(unconfirmed)

    def ask(self, sql: str, values: Sequence[Constant] = ()) -> Answer:
        """Rows as they arrive, each in memory only while it is looked at."""
        with closing(self._opened.cursor()) as cursor, closing(_stream(cursor, sql, values)) as rows:
            yield from rows

    def cost(self, sql: str, values: Sequence[Constant]) -> float | None:
        """The planner's total cost, in its own unit (one page read in sequence is 1)."""
        with closing(self.ask(f"EXPLAIN (FORMAT JSON) {sql}", values)) as rows:
            text = "".join(str(row[0]) for row in rows)
        return total_cost(text)

    def end(self) -> None:
        """Send a cancel request over a connection of its own."""
        connection = self._connection
        if connection is not None and not connection.closed:
            with contextlib.suppress(psycopg.Error, OSError):
                connection.cancel_safe(timeout=CANCEL_S)

    def cut(self) -> None:
        """Shut the socket down: the waiting thread finds the end of the stream."""
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close; the server rolls back what is open. A rollback that is asked for could wait for a silent server."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                self._connection.close()
        if self._line is not None:
            self._line.close()

    @property
    def _opened(self) -> psycopg.Connection[tuple[object, ...]]:
        assert self._connection is not None, "opened before it is used"
        return self._connection


def _stream(cursor: psycopg.Cursor[tuple[object, ...]], sql: str, values: Sequence[Constant]) -> Answer:
    """The rows. Always in the extended protocol, which takes one statement only."""
    yield from cursor.stream(numbered(sql).encode(), [_sent(value) for value in values])


def numbered(sql: str) -> str:
    """The text with ``$1``, ``$2`` … for each ``?``. Pure; the text holds no other question mark."""
    parts = sql.split("?")
    return parts[0] + "".join(f"${place}{part}" for place, part in enumerate(parts[1:], start=1))


def _sent(value: Constant) -> Constant | Decimal:
    """A float as the decimal number it is written as: numeric columns compare with it exactly."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def total_cost(plan: str) -> float | None:
    """The cost in a plan in JSON; None if it holds none. Pure."""
    try:
        cost = json.loads(plan)[0]["Plan"]["Total Cost"]
    except (ValueError, LookupError, TypeError):
        return None
    return float(cost) if isinstance(cost, (int, float)) else None
