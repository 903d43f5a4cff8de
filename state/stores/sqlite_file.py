"""Opens one SQLite file: private to its owner, WAL, and transactions that wait for their turn instead of failing.

A transaction that means to write says so at BEGIN (IMMEDIATE): one that upgrades later fails at once when another
process wrote meanwhile, whatever the busy timeout.
"""

import os
import sqlite3
import threading
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import ConnectionPoolEntry

from state.private_folder import make_private_folder
from state.stores.database import WRITES, Database
from state.stores.schema import HEAD, Schema, revision_of

BUSY_TIMEOUT_S = 5.0
"""Seconds a transaction waits for another process."""

_WAL_PAUSE_S = 0.01
_CREATING = threading.Lock()
"""Whoever creates a file has closed it before anybody else of this process opens it."""

Synchronous = Literal["FULL", "NORMAL"]
"""FULL: a commit survives loss of power. NORMAL: it survives a crash of the process, not surely loss of power."""


def sqlite_database(
    path: Path,
    schema: Schema,
    *,
    synchronous: Synchronous,
    secure_delete: bool = False,
    busy_timeout_s: float = BUSY_TIMEOUT_S,
    store: str | None = None,
) -> Database:
    """The database in ``path``, opened at first use; ``secure_delete`` overwrites what is deleted with zeros.

    ``store`` is its name in errors where several stores share the file; None: the component of the schema.
    """
    pragmas = (
        f"PRAGMA busy_timeout = {int(busy_timeout_s * 1000)}",
        f"PRAGMA synchronous = {synchronous}",
        f"PRAGMA secure_delete = {'ON' if secure_delete else 'OFF'}",
    )
    return Database(store or schema.component, partial(_open, path, schema, pragmas))


def make_private(path: Path) -> None:
    """Create file (0600) and folders (0700) where missing; an existing file is closed to others, a folder left alone.

    SQLite gives its side files the mode of the main file. An existing file is never opened here: closing any descriptor
    of a file drops every POSIX lock this process holds on it, also SQLite's, and another process would then take the
    file for unused and delete the log that this one still writes to. Blocking.

    Raises:
        OSError: the file cannot be created or is someone else's.
    """
    make_private_folder(path.parent)
    with _CREATING, suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    path.chmod(0o600)


def set_wal(path: Path) -> None:
    """Put the file into WAL mode; blocking, waits for another process that is doing the same.

    Raises:
        OperationalError: the file cannot be used, or stays locked beyond the busy timeout.
    """
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as connection:
        for _ in range(int(BUSY_TIMEOUT_S / _WAL_PAUSE_S)):
            if _is_wal(connection):
                return
            time.sleep(_WAL_PAUSE_S)
        raise sqlite3.OperationalError(f"{path} stays locked")


def _is_wal(connection: sqlite3.Connection) -> bool:
    """SQLite does not wait for its lock while changing the mode, so the caller does.

    Raises:
        OperationalError: the file cannot be used.
    """
    try:
        return bool(connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False


def _open(path: Path, schema: Schema, pragmas: tuple[str, ...]) -> Engine:
    make_private(path)
    set_wal(path)
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True)
    event.listen(engine, "connect", partial(_prepare, pragmas))
    event.listen(engine, "begin", _begin)
    try:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            _migrate(connection, path, schema)
    except BaseException:
        engine.dispose()  # the next one who asks opens it anew: a connection left here would be left for good
        raise
    return engine


def _migrate(connection: Connection, path: Path, schema: Schema) -> None:
    """A file belongs to its user, so whoever opens it brings it up to date; the write lock is held.

    Raises:
        Misconfigured: a newer version of the program wrote it.
    """
    if revision_of(connection) != HEAD:
        # Alembic is imported only where it has work to do.
        from state.stores.migrations.upgrade import bring_to_head

        bring_to_head(connection, [schema.component], str(path))


def _prepare(pragmas: tuple[str, ...], connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver's own BEGIN comes too late; _begin sends it
    for pragma in pragmas:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
