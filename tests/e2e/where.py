"""Where a run keeps its stores: files of its home folder, or servers, emptied before every story."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pymysql
import redis as redis_client
from sqlalchemy import create_engine, inspect

from config.settings import Settings
from graph.database import upgrade_tables
from state.stores.schema import VERSION_TABLE
from state.stores.server_url import server_url
from tests import servers


def _leave() -> None:
    """Nothing to empty: every story has a home folder of its own."""


@dataclass(frozen=True)
class Where:
    """The stores of a story."""

    name: str
    settings: Mapping[str, object] = field(default_factory=dict)
    """Addresses of servers, as settings; empty: files."""
    clear: Callable[[], None] = _leave
    """Deletes whatever is kept on servers."""


FILES = Where("files")


@contextlib.contextmanager
def postgres_and_redis(folder: Path) -> Iterator[Where]:
    """Runs and checkpoints in one PostgreSQL, records of calls in a Redis."""
    with _both(folder, servers.postgres) as (database, cache):
        with psycopg.connect(host="127.0.0.1", port=database.port, user="postgres", autocommit=True) as admin:
            admin.execute("CREATE DATABASE runs TEMPLATE template0 ENCODING 'UTF8'")
        yield _on(f"postgresql://postgres@127.0.0.1:{database.port}/runs", cache)


@contextlib.contextmanager
def mariadb_and_redis(folder: Path) -> Iterator[Where]:
    """Runs in MariaDB, checkpoints in a file, records of calls in a Redis."""
    with _both(folder, servers.mariadb) as (database, cache):
        with closing(pymysql.connect(host="127.0.0.1", port=database.port, user="root")) as admin:
            with admin.cursor() as cursor:
                cursor.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0")  # as PostgreSQL's -F here
                cursor.execute("CREATE DATABASE runs")
        yield _on(f"mysql://root@127.0.0.1:{database.port}/runs", cache)


@contextlib.contextmanager
def _both(
    folder: Path, database: Callable[[Path], AbstractContextManager[servers.Server]]
) -> Iterator[tuple[servers.Server, servers.Server]]:
    rooms = folder / "database", folder / "redis"
    for room in rooms:
        room.mkdir()
    with database(rooms[0]) as records, servers.redis(rooms[1]) as cache:
        yield records, cache


def _on(url: str, cache: servers.Server) -> Where:
    settings = {"database_url": url, "redis_url": f"redis://127.0.0.1:{cache.port}/0"}
    asyncio.run(upgrade_tables(Settings(**settings)))  # type: ignore[arg-type]

    def clear() -> None:
        with redis_client.Redis(port=cache.port) as client:
            client.flushall()
        engine = create_engine(server_url(url, None, setting="test"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            # LangGraph makes the tables of checkpoints itself and counts its own versions.
            kept = {VERSION_TABLE, "checkpoint_migrations"}
            for table in set(inspect(connection).get_table_names()) - kept:
                connection.exec_driver_sql(f"DELETE FROM {table}")
        engine.dispose()

    return Where(url.partition(":")[0], settings, clear)
