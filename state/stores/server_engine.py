"""A pool of connections to PostgreSQL, MySQL or MariaDB in which nothing waits without end.

The room for what these servers do differently when a connection opens; one code base does the rest. A transaction
that writes runs READ COMMITTED, so that what it reads once it holds a lock is what is there; one that reads is one
snapshot.
"""

from contextlib import closing
from functools import partial
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from state.model.errors import Misconfigured
from state.stores.database import WRITES
from state.stores.server_limits import ServerLimits
from state.stores.server_url import POSTGRES
from state.stores.sql_errors import wants_new_connection

POOL_SIZE, POOL_OVERFLOW = 4, 10
"""Kept open, and opened beyond that while all are busy: no thread of our stores ever waits for a connection."""

_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


def server_engine(url: URL, limits: ServerLimits, *, setting: str) -> Engine:
    """The engine; touches no network yet. Its errors show no parameters."""
    is_postgres = url.drivername == POSTGRES
    engine = create_engine(
        url,
        connect_args=_postgres_arguments(limits) if is_postgres else _mysql_arguments(limits),
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        pool_recycle=int(limits.recycle_s),
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_timeout=limits.connect_s,
        hide_parameters=True,
    )
    event.listen(engine, "do_connect", partial(_connect_postgres if is_postgres else _connect_mysql, limits, setting))
    event.listen(engine, "connect", partial(_limit_postgres if is_postgres else _limit_mysql, limits))
    event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", _look_elsewhere)
    return engine


def _postgres_arguments(limits: ServerLimits) -> dict[str, object]:
    return {"connect_timeout": _whole(limits.connect_s), "client_encoding": "utf8", "application_name": "rootproof"}


def _mysql_arguments(limits: ServerLimits) -> dict[str, object]:
    return {
        "connect_timeout": _whole(limits.connect_s),
        "read_timeout": limits.answer_s,
        "write_timeout": limits.answer_s,
        "charset": "utf8mb4",
        "local_infile": False,
    }


def _connect_postgres(
    limits: ServerLimits, _: str, dialect: Dialect, entry: ConnectionPoolEntry, args: list[Any], named: dict[str, Any]
) -> DBAPIConnection:
    from state.stores.postgres_connections import BoundedConnection  # psycopg is optional

    connection = BoundedConnection.connect(*args, **named)
    connection.answer_s = limits.answer_s
    return connection  # type: ignore[return-value]  # SQLAlchemy's protocol asks for more than it uses


def _connect_mysql(
    _: ServerLimits, setting: str, dialect: Dialect, entry: ConnectionPoolEntry, args: list[Any], named: dict[str, Any]
) -> DBAPIConnection:
    if named.get("password") is not None:
        named = {**named, "password": str(named["password"]).encode()}  # the driver's own encoding is Latin-1
    try:
        return dialect.connect(*args, **named)
    except RuntimeError:  # PyMySQL's way to say that it cannot encrypt the password
        why = "the server wants the password encrypted: use TLS (ssl_ca=…) or install the package `cryptography`"
        raise Misconfigured(setting, why) from None


def _limit_postgres(limits: ServerLimits, connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    with closing(connection.cursor()) as cursor:
        for name, seconds in (("statement_timeout", limits.statement_s), ("lock_timeout", limits.lock_s)):
            cursor.execute(f"SET {name} = {int(seconds * 1000)}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {int(limits.answer_s * 2000)}")
    connection.commit()


def _limit_mysql(limits: ServerLimits, connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Also: strict, so that nothing is cut silently to what a column holds, and a clock without summer time."""
    settings: dict[str, object] = {
        "sql_mode": "'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
        "time_zone": "'+00:00'",
        "innodb_lock_wait_timeout": _whole(limits.lock_s),
        "lock_wait_timeout": _whole(limits.lock_s),
    }
    with closing(connection.cursor()) as cursor:
        cursor.execute("SELECT VERSION()")
        settings |= _statement_limit(limits.statement_s, version=str(cursor.fetchone()))
        cursor.execute("SET SESSION " + ", ".join(f"{name} = {value}" for name, value in settings.items()))


def _statement_limit(seconds: float, *, version: str) -> dict[str, object]:
    """MySQL's, in milliseconds, holds for queries alone; MariaDB's for every statement."""
    if "mariadb" in version.lower():
        return {"max_statement_time": seconds}
    return {"max_execution_time": int(seconds * 1000)}


def _begin(connection: Connection) -> None:
    if not connection.get_execution_options().get(WRITES, False):
        connection.exec_driver_sql(_SNAPSHOT)


def _look_elsewhere(context: ExceptionContext) -> None:
    if wants_new_connection(context.original_exception):
        context.is_disconnect = True


def _whole(seconds: float) -> int:
    """The drivers count whole seconds, of which none is at least one."""
    return max(1, round(seconds))
