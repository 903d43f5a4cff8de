"""The driver's connection, in bounds: its socket is ours, all it may read is counted, and TLS is as configured."""

import contextlib
import socket
import ssl
from collections.abc import Generator

import pymysql  # type: ignore[import-untyped]  # the driver has no types

from tools.sql.server import SqlServer, trusted_certificates

MySQLError: type[Exception] = pymysql.err.MySQLError
MAX_READ_BYTES = 64 * 1024 * 1024
"""Of one connection. 101 rows of 50 cells of 2001 characters are less."""


Rows = Generator[tuple[tuple[int, ...], tuple[bytes | None, ...]], None, None]


class ReadTooMuch(Exception):
    """The server sent more than any answer can be."""


class BoundedConnection(pymysql.Connection):  # type: ignore[misc]  # the driver has no types
    """A connection that stops reading at its cap."""

    _read_so_far = 0

    def wait_at_most(self, seconds: float) -> None:
        """Bound each further wait for the server."""
        self._read_timeout = seconds

    def _read_bytes(self, num_bytes: int) -> bytes:
        self._read_so_far += num_bytes
        if self._read_so_far > MAX_READ_BYTES:
            raise ReadTooMuch
        data: bytes = super()._read_bytes(num_bytes)
        return data


def rows_of(connection: BoundedConnection, sql: str) -> Rows:
    """Kinds of the columns, and one row, for each row as it arrives.

    Left early, the rest is forgotten instead of read, and closing is all that the connection is good for.
    """
    cursor = connection.cursor()
    try:
        cursor.execute(sql)
        kinds = tuple(column[1] for column in cursor.description or ())
        while (row := cursor.fetchone()) is not None:
            yield kinds, row
    finally:
        result = cursor._result  # the driver would read it to its end
        if result is not None:
            result.unbuffered_active = False
            result.connection = None
        cursor.connection = None


def new_connection(server: SqlServer, tls: ssl.SSLContext | None, *, timeout_s: float) -> BoundedConnection:
    """Not yet connected. ``timeout_s`` bounds each wait for the server."""
    return BoundedConnection(
        host=server.host,
        user=server.user,
        password=(server.password or "").encode(),
        database=server.database,
        charset="utf8mb4",
        use_unicode=False,
        conv={},
        cursorclass=pymysql.cursors.SSCursor,
        autocommit=None,
        local_infile=False,
        read_timeout=timeout_s,
        write_timeout=timeout_s,
        defer_connect=True,
        program_name="rootproof",
        ssl=tls,
        ssl_disabled=tls is None,
    )


def tls_context(server: SqlServer) -> ssl.SSLContext | None:
    """How the connection is encrypted; None without TLS, and for a socket of this machine.

    Raises:
        Misconfigured: there are no certificates to trust.
    """
    if server.tls == "off" or server.host.startswith("/"):
        return None
    if server.tls == "verify":
        return ssl.create_default_context(cafile=str(trusted_certificates(server)))
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def open_line(server: SqlServer, *, timeout_s: float) -> socket.socket:
    """A connected socket.

    Raises:
        OSError: the server cannot be reached.
    """
    if server.host.startswith("/"):
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.settimeout(timeout_s)
        line.connect(server.host)
        return line
    line = socket.create_connection((server.host, server.port), timeout_s)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def break_off(line: socket.socket) -> None:
    """Whoever waits for the socket finds its end. From any thread; never raises."""
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
