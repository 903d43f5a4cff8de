"""Brings the checkpoint tables up to date: what ``rootproof db upgrade`` does. Blocking; needs PostgreSQL's driver.

The tables are LangGraph's, made and changed by its own migrations. One upgrade at a time, whoever starts it.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg import sql
from psycopg.rows import DictRow, dict_row
from sqlalchemy.engine import URL

from state.model.errors import TruthUnavailable
from state.stores.checkpoints_postgres import STORE
from state.stores.checkpoints_server import HEAD, VERSION, connection_arguments, limits_sql, refuse_newer, unavailable
from state.stores.server_limits import ServerLimits

Connection = psycopg.Connection[DictRow]

_LOCK = 0x526F6F7470726F66
"""Held by who changes the tables. Asked for again and again, not waited for: an index is built beside the work of
others only once no older transaction is open, and a waiting one would be."""
_ASK_AGAIN_S = 0.2
_BROKEN = (
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid AND indrelid IN"
    " (to_regclass('checkpoints'), to_regclass('checkpoint_blobs'), to_regclass('checkpoint_writes'))"
)


def upgrade(address: URL, *, setting: str, limits: ServerLimits) -> tuple[int | None, int]:
    """The version found (None: no tables) and the one reached.

    Raises:
        Misconfigured: a newer version of the program changed the tables.
        TruthUnavailable: the server cannot be reached or refused a step, or another upgrade did not end in time.
    """
    with _connected(address, "upgrade", limits) as connection:
        _wait_for_our_turn(connection, limits)
        found = _version(connection)
        refuse_newer(found, setting)
        _drop_broken_indexes(connection)
        PostgresSaver(connection).setup()
        return found, HEAD


def version(address: URL, *, limits: ServerLimits) -> int | None:
    """The version of the tables; None if there are none.

    Raises:
        TruthUnavailable: the server cannot be reached.
    """
    with _connected(address, "version", limits) as connection:
        return _version(connection)


def _version(connection: Connection) -> int | None:
    try:
        row = connection.execute(VERSION).fetchone()
    except psycopg.errors.UndefinedTable:
        return None
    return row["v"] if row else None


@contextmanager
def _connected(address: URL, operation: str, limits: ServerLimits) -> Iterator[Connection]:
    arguments = connection_arguments(address, limits)
    try:
        with psycopg.connect(**arguments, autocommit=True, row_factory=dict_row) as connection:
            connection.execute(limits_sql(limits))
            yield connection
    except (psycopg.Error, OSError) as error:
        raise unavailable(operation, error) from error


def _wait_for_our_turn(connection: Connection, limits: ServerLimits) -> None:
    """Return with the lock, which ends with the connection: a killed upgrade keeps nobody out.

    Raises:
        TruthUnavailable: another upgrade did not end in time.
    """
    until = time.monotonic() + limits.lock_s
    while not _locked(connection):
        if time.monotonic() > until:
            raise TruthUnavailable(STORE, "upgrade")
        time.sleep(_ASK_AGAIN_S)


def _locked(connection: Connection) -> bool:
    row = connection.execute("SELECT pg_try_advisory_lock(%s) AS got", (_LOCK,)).fetchone()
    return bool(row and row["got"])


def _drop_broken_indexes(connection: Connection) -> None:
    """An index whose building was interrupted stays, unused and for ever, and would count as there."""
    for row in connection.execute(_BROKEN).fetchall():
        connection.execute(sql.SQL("DROP INDEX {}").format(sql.SQL(row["name"])))
