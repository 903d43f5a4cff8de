"""The documented account over the corpus: its source, and the servers' own word on what a statement reads."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

import psycopg
import pymysql

from tests.integration.sql.incident import WallClock
from tests.integration.sql_proof.account import OFFER, account_at
from tests.servers import Server
from tests.tools.sql.corpus.world import catalogue
from tools.sql.catalogue import Catalogue, Dialect
from tools.sql.mysql_cells import with_values
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.sensitive import is_sensitive
from tools.sql.server import Offer
from tools.sql.server_source import ServerSource
from tools.sql.validator import ValidSql

_POSTGRES_NAME = re.compile(r'\b(\w+|"\w+")\.(\w+|"\w+")')
_MYSQL_ALIAS = re.compile(r"`app`\.`(\w+)` `(\w+)`")
_MYSQL_COLUMN = re.compile(r"`app`\.`(\w+)`\.`(\w+)`")


async def opened(server: Server, dialect: Dialect) -> ServerSource:
    """The source as configured; what MySQL's account may not read is not even seen by it, so it cannot be masked."""
    kind = PostgresSqlSource if dialect is Dialect.POSTGRES else MysqlSqlSource
    offer = (
        OFFER
        if dialect is Dialect.POSTGRES
        else Offer({name: _seen(OFFER.allowlist[name]) for name in OFFER.allowlist})
    )
    return await kind.open(account_at(server, dialect), offer, clock=WallClock())


def offered(dialect: Dialect) -> Catalogue:
    """The catalogue that such a source must have."""
    whole = catalogue(dialect)
    if dialect is Dialect.POSTGRES:
        return whole
    tables = (
        replace(one, columns=tuple(column for column in one.columns if not column.sensitive)) for one in whole.tables
    )
    return replace(whole, tables=tuple(tables))


def _seen(columns: Sequence[str]) -> list[str]:
    return [name for name in columns if not is_sensitive(name)]


@contextmanager
def postgres_as(server: Server, user: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A plain connection that finds the corpus' tables by their names."""
    with psycopg.connect(
        host=server.host, port=server.port, dbname="shop", user=user, password="change-me", autocommit=True,
        options="-c search_path=app -c TimeZone=UTC -c default_transaction_read_only=on", cursor_factory=psycopg.RawCursor,
    ) as connection:  # fmt: skip
        yield connection


@contextmanager
def mariadb_as(server: Server, user: str) -> Iterator[pymysql.Connection]:  # type: ignore[type-arg]  # untyped driver
    """A plain connection in the session's SQL mode and time zone, in the corpus' database."""
    password = "" if user == "root" else "change-me"
    with pymysql.connect(
        host=server.host, port=server.port, user=user, password=password, database="app", ssl_disabled=True,
        charset="utf8mb4", autocommit=True,
        init_command="SET time_zone = '+00:00', tx_read_only = 1, sql_mode = 'STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY'",
    ) as connection:  # fmt: skip
        yield connection


def read_by_postgres(connection: psycopg.Connection[tuple[object, ...]], valid: ValidSql) -> set[tuple[str, str]]:
    """Table and column of all that the plan scans or computes; fails if the account may not, or it is no SELECT."""
    text = _numbered(valid.sql)
    values = [Decimal(repr(value)) if isinstance(value, float) else value for value in valid.params]
    plan = connection.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {text}".encode(), values).fetchone()
    assert plan is not None
    found = plan[0] if isinstance(plan[0], list) else json.loads(str(plan[0]))
    nodes = list(_nodes(found[0]["Plan"]))
    assert not {node["Node Type"] for node in nodes} & {"ModifyTable", "LockRows", "Function Scan", "CTE Scan"}
    tables = {node["Alias"]: node["Relation Name"] for node in nodes if "Relation Name" in node}
    assert {node["Schema"] for node in nodes if "Schema" in node} <= {"app"}
    words = re.sub(
        r"'(?:[^']|'')*'", "''", json.dumps([nodes[0]["Output"], *map(_conditions, nodes)], ensure_ascii=False)
    )
    pairs = {(left.strip('"'), right.strip('"')) for left, right in _POSTGRES_NAME.findall(words.replace('\\"', '"'))}
    return {(table, "") for table in tables.values()} | {
        (tables[left], right) for left, right in pairs if left in tables
    }


def _nodes(plan: dict[str, object]) -> Iterator[dict[str, object]]:
    yield plan
    below = plan.get("Plans")
    for child in below if isinstance(below, list) else []:
        yield from _nodes(child)


def _conditions(node: dict[str, object]) -> list[object]:
    """What a node compares or orders by. Its output, unless it is the topmost, may hold whole rows of the table."""
    return [value for name, value in node.items() if name.endswith(("Filter", "Cond", "Key", "Qual"))]


def read_by_mariadb(connection: pymysql.Connection, valid: ValidSql) -> set[tuple[str, str]]:  # type: ignore[type-arg]
    """Table and column of all that is left after the optimizer; fails if the account may not."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN EXTENDED " + with_values(valid.sql, valid.params))
        kinds = {row[1] for row in cursor.fetchall()}
        assert kinds <= {"SIMPLE"}, kinds
        cursor.execute("SHOW WARNINGS")
        notes = " ".join(str(row[2]) for row in cursor.fetchall() if row[1] == 1003)
    words = re.sub(r"'(?:[^'\\]|''|\\.)*'", "''", notes)
    tables = {alias: table for table, alias in _MYSQL_ALIAS.findall(words)}
    return {(tables.get(name, name), column) for name, column in _MYSQL_COLUMN.findall(words)}


def _numbered(sql: str) -> str:
    parts = sql.split("?")
    return parts[0] + "".join(f"${place}{part}" for place, part in enumerate(parts[1:], start=1))


def raw_postgres(
    connection: psycopg.Connection[tuple[object, ...]], sql: str, params: tuple[object, ...]
) -> list[tuple[object, ...]]:
    """What the server answers to the text as it was written; each ``?`` of one with parameters is a placeholder."""
    text = _numbered(sql) if params else sql
    return connection.execute(text.encode(), [str(value) for value in params] if params else None).fetchall()


def raw_mariadb(connection: pymysql.Connection, sql: str, params: tuple[object, ...]) -> list[tuple[object, ...]]:  # type: ignore[type-arg]
    """As ``raw_postgres``."""
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("%", "%%").replace("?", "%s") if params else sql, params or None)
        return list(cursor.fetchall())
