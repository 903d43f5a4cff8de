"""A payment incident as tables of a real server, and ways to ask about it."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import psycopg
import pymysql

from state.model.evidence import Scalar
from tests.servers import Server
from tools.sql.catalogue import Catalogue
from tools.sql.server import Offer, SqlServer
from tools.sql.source import RowSet, SqlSource
from tools.sql.validator import ValidSql, validate

POSTGRES = """
CREATE SCHEMA app;
CREATE SCHEMA archive;
CREATE TYPE app.pay_status AS ENUM ('PAID', 'FAILED', 'REFUNDED');
CREATE TABLE app.orders (
  id bigint PRIMARY KEY, customer_id int, status app.pay_status, total numeric(12,2), created_at timestamptz,
  booked_on timestamp, note text, email text, receipt bytea, details jsonb, trace uuid, host inet, tags text[],
  took interval, price money, retried boolean
);
CREATE TABLE app.customers (id int PRIMARY KEY, tier text, api_key text, region text);
CREATE TABLE archive.orders (id bigint PRIMARY KEY, status text);
CREATE TABLE app."Ledger" ("Entry" int PRIMARY KEY, amount numeric);
CREATE TABLE app.hidden_audit (id int PRIMARY KEY, who text);
CREATE VIEW app.failed_orders AS SELECT id, total, created_at FROM app.orders WHERE status = 'FAILED';
INSERT INTO app.orders VALUES
  (1, 1, 'PAID', 12.50, '2026-03-01 18:00:00+08', '2026-03-01 18:00:00', NULL, 'ann@example.org', '\\x0102',
   '{"a": 1}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '10.0.0.7', '{a,"b c"}', '1 day 02:03:04', 1234.56, false),
  (2, 1, 'FAILED', 9.90, '2026-03-01 10:05:00+00', '2026-03-01 18:05:00', 'connection refused, host db-1',
   'ann@example.org', NULL, NULL, NULL, NULL, NULL, NULL, NULL, true),
  (9007199254740993, 2, 'FAILED', 40, '2026-03-01 10:06:30.25+00', '2026-03-01 18:06:30.25', '支付超时', 'bob@example.org',
   NULL, NULL, NULL, NULL, NULL, NULL, NULL, true);
INSERT INTO app.customers VALUES (1, 'gold', 'k-111', 'eu'), (2, 'basic', 'k-222', 'us');
INSERT INTO archive.orders VALUES (1, 'OLD');
INSERT INTO app."Ledger" VALUES (1, 0.1);
INSERT INTO app.hidden_audit VALUES (1, 'root');
"""
MYSQL = """
CREATE DATABASE app;
CREATE DATABASE archive;
CREATE TABLE app.orders (
  id BIGINT UNSIGNED PRIMARY KEY, customer_id INT, status ENUM('PAID', 'FAILED', 'REFUNDED'), total DECIMAL(12,2),
  created_at TIMESTAMP(2) NULL, booked_on DATETIME(2), note TEXT, email VARCHAR(80), receipt BLOB, details JSON,
  tags SET('a', 'b'), took TIME, flags BIT(3), retried TINYINT(1), rate DOUBLE, year_of YEAR
) DEFAULT CHARSET utf8mb4;
CREATE TABLE app.customers (id INT PRIMARY KEY, tier VARCHAR(20), api_key VARCHAR(40), region VARCHAR(10));
CREATE TABLE archive.orders (id BIGINT PRIMARY KEY, status VARCHAR(20));
CREATE TABLE app.Ledger (Entry INT PRIMARY KEY, amount DECIMAL(30,10));
CREATE TABLE app.hidden_audit (id INT PRIMARY KEY, who VARCHAR(20));
CREATE VIEW app.failed_orders AS SELECT id, total, created_at FROM app.orders WHERE status = 'FAILED';
SET time_zone = '+08:00';
INSERT INTO app.orders VALUES
  (1, 1, 'PAID', 12.50, '2026-03-01 18:00:00', '2026-03-01 18:00:00', NULL, 'ann@example.org', X'0102', '{"a": 1}',
   'a,b', '-26:03:04', b'101', 0, 0.1, 2026),
  (2, 1, 'FAILED', 9.90, '2026-03-01 18:05:00', '2026-03-01 18:05:00', 'connection refused, host db-1',
   'ann@example.org', NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL),
  (9007199254740993, 2, 'FAILED', 40, '2026-03-01 18:06:30.25', '2026-03-01 18:06:30.25', '支付超时', 'bob@example.org',
   NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO app.customers VALUES (1, 'gold', 'k-111', 'eu'), (2, 'basic', 'k-222', 'us');
INSERT INTO archive.orders VALUES (1, 'OLD');
INSERT INTO app.Ledger VALUES (1, 0.1);
INSERT INTO app.hidden_audit VALUES (1, 'root');
"""
ALLOWLIST = {"app.orders": ["*"], "app.customers": ["id", "tier", "api_key", "region"], "archive.orders": ["*"]}
OFFER = Offer(ALLOWLIST, {"app.customers": ["region"]})


class WallClock:
    """Real time."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return monotonic()


def postgres_at(server: Server, **changes: object) -> SqlServer:
    """The server as its superuser, who is as able to harm as anybody."""
    given = {"host": server.host, "port": server.port, "database": "postgres", "user": "postgres", "tls": "off"}
    return SqlServer(name="shop", **{**given, **changes})  # type: ignore[arg-type]


def mysql_at(server: Server, **changes: object) -> SqlServer:
    given = {"host": server.host, "port": server.port, "database": "app", "user": "root", "tls": "off"}
    return SqlServer(name="shop", **{**given, **changes})  # type: ignore[arg-type]


def _superuser(server: Server, database: str) -> psycopg.Connection[tuple[object, ...]]:
    """A connection, waiting for a server that listens already but is not yet ready."""
    end = monotonic() + 20
    while True:
        try:
            return psycopg.connect(
                host=server.host, port=server.port, dbname=database, user="postgres", autocommit=True
            )
        except psycopg.OperationalError:
            if monotonic() > end:
                raise
            time.sleep(0.1)


def as_postgres(server: Server, sql: str, *, database: str = "postgres") -> list[tuple[object, ...]]:
    """What the superuser is answered to the last statement."""
    with _superuser(server, database) as connection:
        cursor = connection.execute(sql.encode())
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []


def as_root(server: Server, sql: str) -> list[tuple[object, ...]]:
    """What root is answered to the last statement."""
    with (
        pymysql.connect(
            host=server.host, port=server.port, user="root", autocommit=True, client_flag=65536, ssl_disabled=True
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
        while cursor.nextset():
            pass
        return list(cursor.fetchall())


def accepted(sql: str, *params: Scalar, catalogue: Catalogue) -> ValidSql:
    found = validate(sql, params, catalogue)
    assert isinstance(found, ValidSql), found
    return found


async def ask(source: SqlSource, sql: str, *params: Scalar, timeout_s: float = 20.0, row_cap: int = 100) -> RowSet:
    valid = accepted(sql, *params, catalogue=source.catalogue)
    return await source.run(valid, timeout_s=timeout_s, row_cap=row_cap)


async def until(holds: Callable[[], bool]) -> None:
    """Return once it holds; the test's own timeout ends a wait in vain."""
    end = time.monotonic() + 30
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.05)
