"""Opens PostgreSQL as the place of checkpoints. Imported only where it is configured."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from sqlalchemy.engine import URL

from state.model.errors import Misconfigured, TruthUnavailable
from state.stores.checkpoints_postgres import STORE, HeldLease, PostgresCheckpoints
from state.stores.postgres_connections import BoundedAsyncConnection
from state.stores.server_limits import ServerLimits

POOL_SIZE = 8
HEAD = len(PostgresSaver.MIGRATIONS) - 1
"""The newest of LangGraph's migrations: what this program needs."""
VERSION = "SELECT MAX(v) AS v FROM checkpoint_migrations"
_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_checkpointer(
    address: URL, *, held: HeldLease | None, limits: ServerLimits, setting: str
) -> AsyncIterator[PostgresCheckpoints]:
    """The checkpointer in that database, closed on exit.

    Raises:
        Misconfigured: the tables are not of the version this program needs.
        TruthUnavailable: the server cannot be reached, or refuses us.
    """
    arguments = connection_arguments(address, limits)
    await _check(arguments, limits, setting)
    async with _pool(arguments, limits) as pool:
        yield PostgresCheckpoints(pool, held)


def connection_arguments(address: URL, limits: ServerLimits) -> dict[str, Any]:
    """What psycopg connects with."""
    _, arguments = address.get_dialect()().create_connect_args(address)
    return {**arguments, "connect_timeout": max(1, round(limits.connect_s)), "application_name": "rootproof"}


def limits_sql(limits: ServerLimits) -> bytes:
    """Settings of one session."""
    statement_ms, lock_ms = int(limits.statement_s * 1000), int(limits.lock_s * 1000)
    return f"SET statement_timeout = {statement_ms}; SET lock_timeout = {lock_ms}".encode()


def refuse_newer(found: int | None, setting: str) -> None:
    """Return if this program may know the version.

    Raises:
        Misconfigured: a newer one changed the tables.
    """
    if found is not None and found > HEAD:
        why = f"the checkpoint tables have the newer version {found}; this program knows {HEAD}"
        raise Misconfigured(setting, why)


def unavailable(operation: str, error: Exception) -> TruthUnavailable:
    """The error for the caller; what the vendor says is for the log."""
    said = " ".join(str(error).split())[:300]
    _log.warning("%s store: %s failed: %s: %s", STORE, operation, type(error).__name__, said)
    return TruthUnavailable(STORE, operation)


async def _check(arguments: dict[str, Any], limits: ServerLimits, setting: str) -> None:
    try:
        connection = await BoundedAsyncConnection.connect(**arguments, autocommit=True, row_factory=dict_row)
        async with connection:
            connection.answer_s = limits.answer_s
            found = await _version(connection)
    except (psycopg.Error, OSError) as error:
        raise unavailable("open", error) from error
    refuse_newer(found, setting)
    if found != HEAD:
        state = "are missing" if found is None else f"have the older version {found}"
        raise Misconfigured(setting, f"the checkpoint tables {state}; run `rootproof db upgrade`")


async def _version(connection: BoundedAsyncConnection) -> int | None:
    try:
        row = await (await connection.execute(VERSION)).fetchone()
    except psycopg.errors.UndefinedTable:
        return None
    return row["v"] if row else None


@asynccontextmanager
async def _pool(
    arguments: dict[str, Any], limits: ServerLimits
) -> "AsyncIterator[AsyncConnectionPool[BoundedAsyncConnection]]":
    """A lost connection is asked for anew by who needs it, instead of after ever longer pauses."""

    async def limit(connection: BoundedAsyncConnection) -> None:
        connection.answer_s = limits.answer_s
        await connection.execute(limits_sql(limits))

    pool = AsyncConnectionPool(
        kwargs={**arguments, "autocommit": True, "row_factory": dict_row},
        connection_class=BoundedAsyncConnection,
        configure=limit,
        check=AsyncConnectionPool.check_connection,
        min_size=1,
        max_size=POOL_SIZE,
        timeout=limits.connect_s,
        reconnect_timeout=limits.connect_s,
        max_lifetime=limits.recycle_s,
        name="rootproof-checkpoints",
        open=False,
    )
    async with pool:
        yield pool
