"""The door to MySQL and MariaDB: one connection a statement, in a read-only transaction that the server confirms."""

import contextlib
import json
import ssl
import struct
from collections.abc import Sequence
from contextlib import closing
from socket import socket

from state.model.enums import ToolCode
from tools.sql.mysql_cells import read_cell, with_values
from tools.sql.mysql_errors import code_of_number, reason_of_number
from tools.sql.mysql_link import (
    BoundedConnection,
    MySQLError,
    ReadTooMuch,
    break_off,
    new_connection,
    open_line,
    rows_of,
    tls_context,
)
from tools.sql.mysql_settings import check_statement, first_unconfirmed, is_question, set_statement, settings_for
from tools.sql.server import CONNECT_S, SqlServer
from tools.sql.session import Answer, Deadline, NotReadOnly
from tools.sql.statement import Constant

KILL_S = 1.0
_IN_READ_ONLY_TRANSACTION = 0x2001
"""Bits of the server's status: in a transaction, which is read-only."""
_GARBAGE = (ValueError, TypeError, LookupError, AttributeError, AssertionError, RuntimeError, struct.error, EOFError)
"""All a parser raises on bytes that are not of its protocol."""


class MysqlDoor:
    """A ``Door`` to one server."""

    failures = (MySQLError, OSError, ReadTooMuch, OverflowError, MemoryError, *_GARBAGE)
    waits_for_end = False

    def __init__(self, server: SqlServer) -> None:
        """Raises Misconfigured if there are no certificates to verify the server with."""
        self._server = server
        self._tls = tls_context(server)

    def session(self, deadline: Deadline) -> "MysqlSession":
        """A session that is not yet open."""
        return MysqlSession(self._server, self._tls, deadline)

    def code_of(self, error: BaseException) -> ToolCode:
        """By the server's error number; silence is a timeout."""
        if isinstance(error, ReadTooMuch):
            return ToolCode.RESULT_TOO_LARGE
        if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
            return ToolCode.TOOL_TIMEOUT
        return code_of_number(_number(error))

    def reason_of(self, error: BaseException) -> str:
        """By the server's error number."""
        return reason_of_number(_number(error))


class MysqlSession:
    """A ``Session`` over a connection of its own."""

    def __init__(self, server: SqlServer, tls: ssl.SSLContext | None, deadline: Deadline) -> None:
        self._server = server
        self._tls = tls
        self._deadline = deadline
        self._connection: BoundedConnection | None = None
        self._line: socket | None = None

    def open(self) -> None:
        """Connect and log in.

        Raises:
            OSError: the server cannot be reached.
            MySQLError: it refuses, or has no TLS although it must.
        """
        seconds = max(0.1, min(CONNECT_S, self._deadline.remaining_s()))
        line = open_line(self._server, timeout_s=seconds)
        # A second name for the connection, by which another thread can break it off.
        self._line = line.dup()
        connection = new_connection(self._server, self._tls, timeout_s=seconds)
        connection.connect(line)
        self._connection = connection

    def begin(self) -> None:
        """Harden, begin, and ask the server what it made of it.

        Raises:
            NotReadOnly: it does not confirm one of the settings, or the transaction.
        """
        connection = self._opened
        connection.wait_at_most(self._deadline.remaining_s() + CONNECT_S)
        settings = settings_for(connection.get_server_info(), self._deadline.remaining_s())
        self._tell(set_statement(settings))
        self._tell("START TRANSACTION READ ONLY")
        if connection.server_status & _IN_READ_ONLY_TRANSACTION != _IN_READ_ONLY_TRANSACTION:
            raise NotReadOnly("transaction")
        (answer,) = tuple(self.ask(check_statement(settings)))
        unconfirmed = first_unconfirmed(settings, answer)
        if unconfirmed is not None:
            raise NotReadOnly(unconfirmed)

    def _tell(self, sql: str) -> None:
        self._opened.query(sql)

    def ask(self, sql: str, values: Sequence[Constant] = ()) -> Answer:
        """Rows as they arrive, each in memory only while it is looked at.

        Raises:
            NotReadOnly: the text opens as anything but a question. One that opens as ``BEGIN NOT ATOMIC`` could leave
                the transaction, and an account may always change its own password.
        """
        if not is_question(sql):
            raise NotReadOnly("the statement")
        with closing(rows_of(self._opened, with_values(sql, tuple(values)))) as rows:
            for kinds, row in rows:
                yield tuple(read_cell(kind, cell) for kind, cell in zip(kinds, row, strict=True))

    def cost(self, sql: str, values: Sequence[Constant]) -> float | None:
        """The optimizer's cost, in its own unit (about one page read)."""
        text = "".join(str(row[0]) for row in self.ask(f"EXPLAIN FORMAT=JSON {sql}", values))
        told = query_cost(text)
        if told is not None:
            return told
        rows = list(self.ask("SHOW SESSION STATUS LIKE 'Last_query_cost'"))
        return float(str(rows[0][1])) if rows else None

    def end(self) -> None:
        """Kill the connection from a second one; an account may always kill its own."""
        connection = self._connection
        if connection is None:
            return
        with contextlib.suppress(*MysqlDoor.failures):
            thread_id = int(connection.thread_id())
            line = open_line(self._server, timeout_s=KILL_S)
            with line, new_connection(self._server, self._tls, timeout_s=KILL_S) as killer:
                killer.connect(line)
                killer.query(f"KILL {thread_id:d}")

    def cut(self) -> None:
        """Shut the socket down: the waiting thread finds the end of the stream."""
        if self._line is not None:
            break_off(self._line)

    def close(self) -> None:
        """Close; the server rolls back what is open. A rollback that is asked for could wait for a silent server."""
        if self._connection is not None:
            with contextlib.suppress(*MysqlDoor.failures):
                self._connection.close()
        if self._line is not None:
            self._line.close()

    @property
    def _opened(self) -> BoundedConnection:
        assert self._connection is not None, "opened before it is used"
        return self._connection


def _number(error: BaseException) -> object:
    return error.args[0] if isinstance(error, MySQLError) and error.args else None


def query_cost(plan: str) -> float | None:
    """The cost in a plan in JSON: MySQL's ``query_cost`` or MariaDB's ``cost`` (since 11); None without one. Pure."""
    try:
        block = json.loads(plan)["query_block"]
        found = block["cost_info"]["query_cost"] if "cost_info" in block else block["cost"]
        return float(found)
    except (ValueError, LookupError, TypeError):
        return None
