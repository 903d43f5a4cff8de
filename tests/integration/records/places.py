"""A database of its own on a real server, for one test module or one test."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count

import psycopg
import pymysql
import pytest
from sqlalchemy import Engine, MetaData, create_engine

from state.stores.records import RECORD_SCHEMAS, RecordStores, open_records_database
from state.stores.records_upgrade import upgrade
from state.stores.server_limits import ServerLimits
from state.stores.server_url import server_url
from tests.contracts.samples import SteppingClock
from tests.servers import Server

_NUMBERS = count(1)
QUICK = ServerLimits(connect_s=2.0, lock_s=1.0, statement_s=1.0, answer_s=1.5)
"""Short enough that a test may wait for each of them."""
KINDS = [
    pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")),
    pytest.param("mariadb", marks=pytest.mark.xdist_group("mariadb")),
]


@dataclass(frozen=True)
class Place:
    """One database."""

    server: Server
    kind: str
    name: str

    @property
    def url(self) -> str:
        if self.kind == "postgres":
            return f"postgresql://postgres@127.0.0.1:{self.server.port}/{self.name}"
        return f"mysql://root@127.0.0.1:{self.server.port}/{self.name}"

    def stores(self, *, lease_s: float = 30.0, limits: ServerLimits | None = None) -> RecordStores:
        return open_records_database(self.url, password=None, clock=SteppingClock(), lease_s=lease_s, limits=limits)

    def admin(self) -> Engine:
        return create_engine(server_url(self.url, None, setting="test"), isolation_level="AUTOCOMMIT")

    def run(self, *statements: str) -> None:
        """Execute the statements, each on its own, as the administrator."""
        with closing_engine(self.admin()) as engine, engine.connect() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    def migrated(self) -> "Place":
        upgrade(self.url, None)
        return self

    def clear(self) -> None:
        """Delete every row."""
        with closing_engine(self.admin()) as engine:
            with engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
                for table in _TABLES:
                    connection.execute(table.delete())


def tables() -> MetaData:
    """Every table of the records."""
    found = MetaData()
    for schema in RECORD_SCHEMAS:
        for table in schema.tables.sorted_tables:
            table.to_metadata(found)
    return found


_TABLES = tables().sorted_tables


@contextmanager
def closing_engine(engine: Engine) -> Iterator[Engine]:
    try:
        yield engine
    finally:
        engine.dispose()


def _postgres_admin(server: Server) -> "psycopg.Connection[tuple[object, ...]]":
    """A server that accepts connections may still be starting up."""
    until = time.monotonic() + 20.0
    while True:
        try:
            return psycopg.connect(host="127.0.0.1", port=server.port, user="postgres", autocommit=True)
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def new_place(server: Server, kind: str) -> Place:
    """An empty database."""
    name = f"records_{next(_NUMBERS)}"
    if kind == "postgres":
        with _postgres_admin(server) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    else:
        with closing(pymysql.connect(host="127.0.0.1", port=server.port, user="root")) as admin:
            with admin.cursor() as cursor:
                cursor.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0")  # as PostgreSQL's -F here
                cursor.execute(f"CREATE DATABASE {name} CHARACTER SET latin1")
    return Place(server, kind, name)
