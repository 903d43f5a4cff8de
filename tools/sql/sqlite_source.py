"""The SQLite door: a file opened read-only for each statement, or a script loaded into memory once.

Statements run in a thread; each has its own connection, so one that is stopped leaves nothing behind.
"""

import sqlite3
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from state.model.enums import ToolCode
from state.model.errors import Misconfigured
from state.ports import Clock
from tools.regular_file import is_regular
from tools.sql.catalogue import Catalogue
from tools.sql.cells import decode_text
from tools.sql.executor import Executor
from tools.sql.session import Answer, Deadline, NotReadOnly
from tools.sql.source import RowSet
from tools.sql.sqlite_catalogue import Allowlist, read_catalogue, with_time_ranges
from tools.sql.sqlite_sandbox import Watch, confine, make_read_only
from tools.sql.sqlite_script import load_script
from tools.sql.statement import Constant
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


class SqliteSource:
    """An ``SqlSource`` over one SQLite database."""

    def __init__(self, catalogue: Catalogue, opener: Opener, clock: Clock) -> None:
        self.catalogue = catalogue
        self._executor = Executor(_SqliteDoor(opener, catalogue), clock)

    async def run(self, valid: ValidSql, *, timeout_s: float, row_cap: int) -> RowSet:
        """As in the port; the deadline counts from the call. A cancelled statement has ended when this returns.

        Raises:
            ToolFailed: as in the port.
        """
        return await self._executor.run(valid, timeout_s=timeout_s, row_cap=row_cap)


@dataclass(frozen=True)
class _SqliteDoor:
    """A ``Door`` to one database."""

    opener: Opener
    catalogue: Catalogue
    failures: tuple[type[BaseException], ...] = (
        sqlite3.Error,
        sqlite3.Warning,
        OSError,
        ValueError,
        OverflowError,
        MemoryError,
    )
    waits_for_end: bool = True

    def session(self, deadline: Deadline) -> "_SqliteSession":
        return _SqliteSession(self.opener, self.catalogue, Watch(deadline.clock, deadline.at))

    def code_of(self, error: BaseException) -> ToolCode:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_TOOBIG:
            return ToolCode.RESULT_TOO_LARGE
        return ToolCode.TOOL_EXECUTION_ERROR

    def reason_of(self, error: BaseException) -> str:
        return "is not a SQLite database that can be read"


@dataclass
class _SqliteSession:
    """A ``Session`` in a connection of its own."""

    opener: Opener
    catalogue: Catalogue
    watch: Watch
    _connection: sqlite3.Connection | None = None

    def open(self) -> None:
        self._connection = self.opener()

    def begin(self) -> None:
        confine(self._opened, self.catalogue)
        self.watch.attach(self._opened)

    def ask(self, sql: str, values: Sequence[Constant] = ()) -> Answer:
        yield from self._opened.execute(sql, tuple(values))

    def cost(self, sql: str, values: Sequence[Constant]) -> float | None:
        return None

    def end(self) -> None:
        self.watch.stop()

    def cut(self) -> None:
        """Nothing: there is no connection to a server, and the statement looks for the end itself."""

    def close(self) -> None:
        self.watch.detach()
        if self._connection is not None:
            self._connection.close()

    @property
    def _opened(self) -> sqlite3.Connection:
        assert self._connection is not None, "opened before it is used"
        return self._connection
