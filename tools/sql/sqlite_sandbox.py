"""What a SQLite connection may do at all, whoever wrote the statement: read allowlisted columns, briefly, in bounds.

Holds without the validator: read-only file, ``query_only``, an authorizer, limits, a deadline and a stop.
"""

import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from state.ports import Clock
from tools.sql.catalogue import Catalogue
from tools.sql.session import NotReadOnly

STEPS_BETWEEN_CHECKS = 1000
"""Virtual-machine steps between two looks at deadline and stop: well below a millisecond."""
MAX_VALUE_BYTES = 16 * 1024 * 1024
_FUNCTIONS = frozenset({"count", "sum", "avg", "min", "max", "like"})
_LIMITS: Mapping[int, int] = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1024 * 1024,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 1000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""Those on columns, depth, arguments and compounds stay as they are: the file's own schema is parsed under them."""

Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]


@dataclass
class Watch:
    """Ends a statement at its deadline, or when told to. Set up in the thread that runs it."""

    clock: Clock
    deadline: float
    """Monotonic seconds."""
    _stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _connection: sqlite3.Connection | None = None

    def stop(self) -> None:
        """End the running statement, or the next one at its first step. Callable from any thread, repeatedly."""
        self._stopped.set()
        with self._lock:
            if self._connection is not None:
                self._connection.interrupt()

    def attach(self, connection: sqlite3.Connection) -> None:
        """Watch every further statement of the connection."""
        with self._lock:
            self._connection = connection
        connection.set_progress_handler(self.is_over, STEPS_BETWEEN_CHECKS)

    def detach(self) -> None:
        """Forget the connection, before it is closed."""
        with self._lock:
            self._connection = None

    def is_over(self) -> bool:
        """True if stopped or past the deadline."""
        return self._stopped.is_set() or self.clock.monotonic() >= self.deadline


def confine(connection: sqlite3.Connection, catalogue: Catalogue) -> None:
    """Leave the connection able to read the catalogue's columns inside one read transaction, and nothing else.

    Raises:
        NotReadOnly: it did not confirm ``query_only``, or is not inside a transaction.
    """
    make_read_only(connection)
    connection.execute("BEGIN")
    if not connection.in_transaction:
        raise NotReadOnly
    connection.set_authorizer(authorizer_for(catalogue))


def make_read_only(connection: sqlite3.Connection) -> None:
    """Set the limits and ``query_only``, and read it back.

    Raises:
        NotReadOnly: it reads back as off.
    """
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA query_only").fetchone() != (1,):
        raise NotReadOnly


def authorizer_for(catalogue: Catalogue) -> Authorizer:
    """A callback that admits reading the catalogue's columns that are not sensitive, and five aggregates."""
    readable = {
        table.name.lower(): frozenset({"", *(column.name.lower() for column in table.columns if not column.sensitive)})
        for table in catalogue.tables
    }

    def authorize(action: int, first: str | None, second: str | None, database: str | None, inside: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            allowed = inside is None
        elif action == sqlite3.SQLITE_READ:
            columns = readable.get((first or "").lower(), frozenset())
            allowed = (second or "").lower() in columns and database in ("main", None) and inside is None
        elif action == sqlite3.SQLITE_FUNCTION:
            allowed = second in _FUNCTIONS
        else:
            allowed = False
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return authorize
