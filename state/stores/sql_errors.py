"""What an error of a database means, by its code. Pure; nothing is decided by the text of a vendor."""

import sqlite3

from sqlalchemy.exc import DBAPIError

MAX_LOGGED_CHARS = 300

_UNDONE = frozenset({
    "40001",  # PostgreSQL: could not serialize
    "40P01",  # PostgreSQL: deadlock
    "23505",  # PostgreSQL: somebody inserted the same key first
    "1213",  # MySQL: deadlock
    "1020",  # MariaDB: the row changed since it was read
    "1062",  # MySQL: somebody inserted the same key first
})  # fmt: skip

_READ_ONLY = frozenset({
    "25006",  # PostgreSQL: read-only transaction
    "1290",  # MySQL: --read-only
    "1792",  # MySQL: read-only transaction
    "1836",  # MySQL: read-only mode
})  # fmt: skip

_ENDING = frozenset({"1053"})
"""MySQL: the server shuts down."""


def code_of(error: BaseException) -> str:
    """SQLSTATE of PostgreSQL, error number of MySQL, name of SQLite's code; empty if there is none."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return str(getattr(cause, "sqlite_errorname", ""))
    first = cause.args[0] if cause is not None and cause.args else ""
    return str(first) if isinstance(first, int) else str(getattr(cause, "sqlstate", None) or "")


def for_the_log(error: BaseException) -> str:
    """Kind and code; of a connection that did not come about also what the driver says, which holds no data of ours."""
    said = f"{type(error).__name__} {code_of(error)}".rstrip()
    if isinstance(error, DBAPIError) and error.statement is None:
        return f"{said}: {' '.join(str(error.orig).split())[:MAX_LOGGED_CHARS]}"
    return said


def may_repeat(error: DBAPIError) -> bool:
    """True if nothing of the transaction was kept, by no fault of its own, so that it may be run again as a whole.

    A lost connection is not among them: what was to be committed may be.
    """
    return code_of(error) in _UNDONE | _READ_ONLY


def wants_new_connection(error: BaseException) -> bool:
    """True if this server takes no writes (any more) from this connection: another one may lead to its successor."""
    return code_of(error) in _READ_ONLY | _ENDING
