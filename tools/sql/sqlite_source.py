"""The SQLite door: a file opened read-only for each statement, or a script loaded into memory once.

Statements run in a thread; each has its own connection, so one that is stopped leaves nothing behind.
"""

import asyncio
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from state.ports import Clock
from tools.regular_file import is_regular
from tools.sql.catalogue import Catalogue
from tools.sql.cells import decode_text, read_rows
from tools.sql.source import RowSet
from tools.sql.sqlite_catalogue import Allowlist, read_catalogue, with_time_ranges
from tools.sql.sqlite_sandbox import NotReadOnly, Watch, confine, make_read_only
from tools.sql.sqlite_script import load_script
from tools.sql.validator import ValidSql

Opener = Callable[[], sqlite3.Connection]

LOCK_WAIT_S = 0.5
"""How long a statement waits for a writer of the file."""
RANGES_S = 2.0
"""Time given to finding the ranges of time columns when a source is opened."""
_SIDE_FILES = ("-wal", "-shm", "-journal")
_WAL_HEADER = slice(18, 20)


def open_sqlite_file(path: Path, *, clock: Clock, allowlist: Allowlist | None = None) -> "SqliteSource":
    """The database in this file. Blocks: call it in a thread.

    Raises:
        Misconfigured: there is no readable SQLite database, it holds no table, or the allowlist does not fit it.
    """
    if not is_regular(path):
        raise Misconfigured(path.name, "there is no such file, or it is no regular one")
    for side in _SIDE_FILES:
        if not _is_plain_or_absent(path.with_name(path.name + side)):
            raise Misconfigured(path.name, f"its side file {side} is not a regular file")
    return _source(path, lambda: _open_file(path), clock, allowlist)


def _is_plain_or_absent(path: Path) -> bool:
    """True unless SQLite would open a link, a pipe or a device there."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return True


def open_sql_script(path: Path, *, clock: Clock, allowlist: Allowlist | None = None) -> "SqliteSource":
    """A private database made by this SQL script (CREATE TABLE, INSERT …). Blocks: call it in a thread.

    Raises:
        Misconfigured: the script cannot be read or run, is cut short, holds no table, or the allowlist does not fit.
    """
    image = load_script(path, clock=clock)
    return _source(path, lambda: _open_image(image), clock, allowlist)


def _source(path: Path, opener: Opener, clock: Clock, allowlist: Allowlist | None) -> "SqliteSource":
    try:
        with closing(opener()) as connection:
            make_read_only(connection)
            catalogue = read_catalogue(connection, path.stem, allowlist)
            Watch(clock, clock.monotonic() + RANGES_S).attach(connection)
            catalogue = with_time_ranges(connection, catalogue)
    except (sqlite3.Error, NotReadOnly, OSError) as error:
        raise Misconfigured(path.name, f"is not a SQLite database that can be read ({error})") from error
    return SqliteSource(catalogue, opener, clock)


def _open_file(path: Path) -> sqlite3.Connection:
    # A write-ahead database without its log is complete; opened plainly it would get files beside it.
    alone = _uses_write_ahead(path) and not path.with_name(path.name + "-wal").exists()
    options = "mode=ro&immutable=1" if alone else "mode=ro"
    return _connect(f"file:{quote(str(path.absolute()))}?{options}")


def _uses_write_ahead(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(20)[_WAL_HEADER] == b"\x02\x02"


def _open_image(image: bytes) -> sqlite3.Connection:
    connection = _connect("file::memory:")
    connection.deserialize(image)
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=LOCK_WAIT_S, isolation_level=None, cached_statements=0)
    connection.text_factory = decode_text
    return connection


@dataclass(frozen=True)
class SqliteSource:
    """An ``SqlSource`` over one SQLite database."""

    catalogue: Catalogue
    opener: Opener
    clock: Clock

    async def run(self, valid: ValidSql, *, timeout_s: float, row_cap: int) -> RowSet:
        """As in the port; the deadline counts from the call.

        Raises:
            CancelledError: this task was cancelled; the statement has ended.
        """
        watch = Watch(self.clock, self.clock.monotonic() + timeout_s)
        work = asyncio.ensure_future(asyncio.to_thread(self._read, valid, watch, row_cap))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            watch.stop()
            await _end_of(work)
            raise

    def _read(self, valid: ValidSql, watch: Watch, row_cap: int) -> RowSet:
        try:
            with closing(self.opener()) as connection:
                return self._read_from(connection, valid, watch, row_cap)
        except (sqlite3.Error, sqlite3.Warning, NotReadOnly, OSError, ValueError, OverflowError, MemoryError) as error:
            raise _failure(error, watch) from error

    def _read_from(self, connection: sqlite3.Connection, valid: ValidSql, watch: Watch, row_cap: int) -> RowSet:
        confine(connection, self.catalogue)
        watch.attach(connection)
        try:
            cursor = connection.execute(f"{valid.sql} LIMIT {row_cap + 1:d}", valid.params)
            return read_rows(cursor, row_cap=row_cap)
        finally:
            watch.detach()


async def _end_of(work: "asyncio.Future[RowSet]") -> None:
    """Return once the thread has ended, however often this task is cancelled meanwhile."""
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError:
            continue
    # Read, so that nobody warns about an exception which was never looked at.
    if not work.cancelled():
        work.exception()


def _failure(error: BaseException, watch: Watch) -> ToolFailed:
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_INTERRUPT and watch.is_over():
        return ToolFailed(ToolCode.TOOL_TIMEOUT)
    if code == sqlite3.SQLITE_TOOBIG:
        return ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=str(error))
    return ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"{type(error).__name__}: {error}"[:300])
