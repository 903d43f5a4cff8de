"""Loads an SQL script into a private in-memory database.

The script is data from outside: it may define and fill tables of that database, and can reach nothing else.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from state.model.errors import Misconfigured
from state.ports import Clock
from tools.regular_file import NotRegular, read_regular
from tools.sql.sqlite_functions import FUNCTIONS, replace_slow_functions
from tools.sql.sqlite_sandbox import Watch

MAX_SCRIPT_BYTES = 64 * 1024 * 1024
MAX_IMAGE_PAGES = 64 * 1024
"""Of 4 KiB: 256 MiB."""
LOAD_S = 15.0
MAX_VALUE_BYTES = 4 * 1024 * 1024
"""Of one text or blob: no single step, between which the time is looked at, works on more."""

_LIMITS: Mapping[int, int] = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MAX_SCRIPT_BYTES + 1,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 5_000_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_ALLOWED = frozenset(
    {
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_CREATE_INDEX,
        sqlite3.SQLITE_CREATE_VIEW,
        sqlite3.SQLITE_CREATE_TRIGGER,
        sqlite3.SQLITE_DROP_TABLE,
        sqlite3.SQLITE_DROP_INDEX,
        sqlite3.SQLITE_DROP_VIEW,
        sqlite3.SQLITE_DROP_TRIGGER,
        sqlite3.SQLITE_ALTER_TABLE,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_UPDATE,
        sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_TRANSACTION,
        sqlite3.SQLITE_SAVEPOINT,
        sqlite3.SQLITE_ANALYZE,
        sqlite3.SQLITE_REINDEX,
    }
)


def load_script(path: Path, *, clock: Clock) -> bytes:
    """The finished database as an image. Blocks.

    Raises:
        Misconfigured: the file cannot be read or is too large; a statement fails, is forbidden or is cut short.
    """
    script = _read(path)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _bound(connection)
        connection.set_authorizer(_authorize)
        Watch(clock, clock.monotonic() + LOAD_S).attach(connection)
        try:
            connection.executescript(script)
            connection.set_authorizer(None)
            cut_short = connection.in_transaction
            image = b"" if cut_short else connection.serialize()
        except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
            raise Misconfigured(path.name, f"the SQL script cannot be loaded: {error}"[:200]) from error
    if cut_short:
        raise Misconfigured(path.name, "the SQL script ends inside a transaction; it is cut short")
    return image


def _bound(connection: sqlite3.Connection) -> None:
    """Set what statements may use, before the first one is read."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in (f"max_page_count = {MAX_IMAGE_PAGES:d}", "trusted_schema = OFF", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    replace_slow_functions(connection)


def _read(path: Path) -> str:
    try:
        data = read_regular(path, max_bytes=MAX_SCRIPT_BYTES)
    except NotRegular as error:
        raise Misconfigured(path.name, "is not a regular file") from error
    except OSError as error:
        raise Misconfigured(path.name, f"cannot be read ({error.strerror})") from error
    if len(data) > MAX_SCRIPT_BYTES:
        raise Misconfigured(path.name, f"is larger than {MAX_SCRIPT_BYTES} bytes")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Misconfigured(path.name, "is not text in UTF-8 or GB18030")


def _authorize(action: int, first: str | None, second: str | None, database: str | None, inside: str | None) -> int:
    if action == sqlite3.SQLITE_PRAGMA:
        # Dumps begin with one; here it has no effect.
        return sqlite3.SQLITE_IGNORE
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if (second or "").lower() in FUNCTIONS else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED and database in ("main", None) else sqlite3.SQLITE_DENY
