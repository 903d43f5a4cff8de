"""One small shop database, as catalogue and as a real file, for the SQL tests."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from state.model.evidence import Scalar
from tools.sql.catalogue import Catalogue, Column, Dialect, Table
from tools.sql.statement import ColumnRef, Query, Relation
from tools.sql.validator import ValidSql, validate

SCRIPT = """
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, total_cents INTEGER, created_at TEXT, note TEXT, email TEXT,
  receipt BLOB
);
CREATE TABLE customers (id INTEGER PRIMARY KEY, tier TEXT, api_key TEXT);
CREATE TABLE pool_samples (pool TEXT, taken_at TEXT, active INTEGER, waiting REAL, PRIMARY KEY (pool, taken_at));
CREATE TABLE 订单 (编号 INTEGER PRIMARY KEY, 状态 TEXT);
CREATE TABLE hidden_audit (id INTEGER PRIMARY KEY, who TEXT);
INSERT INTO orders VALUES
  (1, 1, 'PAID', 1250, '2026-03-01 10:00:00', NULL, 'ann@example.org', x'0102'),
  (2, 1, 'FAILED', 990, '2026-03-01 10:05:00', 'connection refused, host db-1', 'ann@example.org', NULL),
  (3, 2, 'FAILED', 4000, '2026-03-01 10:06:30', '支付超时', 'bob@example.org', NULL);
INSERT INTO customers VALUES (1, 'gold', 'k-111'), (2, 'basic', 'k-222');
INSERT INTO pool_samples VALUES ('main', '2026-03-01T10:00:00Z', 10, 0.5), ('main', '2026-03-01T10:01:00Z', 20, 7.25);
INSERT INTO 订单 VALUES (1, '失败');
INSERT INTO hidden_audit VALUES (1, 'root');
"""
ALLOWLIST = {
    "orders": ["id", "customer_id", "status", "total_cents", "created_at", "note", "email", "receipt"],
    "customers": ["id", "tier", "api_key"],
    "pool_samples": ["pool", "taken_at", "active", "waiting"],
    "订单": ["编号", "状态"],
}
_SCHEMAS = {Dialect.SQLITE: "main", Dialect.MYSQL: "shop", Dialect.POSTGRES: "public"}
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
"""Needs more than the sandbox gives (a recursive statement): for connections without an authorizer."""


class WallClock:
    """Real time."""

    def now(self) -> datetime:
        """Current UTC instant."""
        return datetime.fromtimestamp(0, UTC)

    def monotonic(self) -> float:
        """Seconds that really pass."""
        return monotonic()


@dataclass
class SteppingClock:
    """Time that passes only when looked at: each look takes ``step_s``."""

    step_s: float
    at_s: float = 0.0

    def now(self) -> datetime:
        """A fixed instant."""
        return datetime.fromtimestamp(0, UTC)

    def monotonic(self) -> float:
        """Later than at the last look."""
        self.at_s += self.step_s
        return self.at_s


def shop(dialect: Dialect = Dialect.SQLITE) -> Catalogue:
    """What the sources say of the shop database."""
    tables = (
        Table(
            "orders",
            (
                Column("id", "INTEGER"),
                Column("customer_id", "INTEGER"),
                Column("status", "TEXT"),
                Column("total_cents", "INTEGER"),
                Column("created_at", "TEXT", earliest="2026-03-01 10:00:00", latest="2026-03-01 10:06:30"),
                Column("note", "TEXT"),
                Column("email", "TEXT", sensitive=True),
                Column("receipt", "BLOB"),
            ),
            ("id",),
        ),
        Table(
            "customers",
            (Column("id", "INTEGER"), Column("tier", "TEXT"), Column("api_key", "TEXT", sensitive=True)),
            ("id",),
        ),
        Table(
            "pool_samples",
            (
                Column("pool", "TEXT"),
                Column("taken_at", "TEXT", earliest="2026-03-01T10:00:00Z", latest="2026-03-01T10:01:00Z"),
                Column("active", "INTEGER"),
                Column("waiting", "REAL"),
            ),
            ("pool", "taken_at"),
        ),
        Table("订单", (Column("编号", "INTEGER"), Column("状态", "TEXT")), ("编号",)),
    )
    placed = tuple(_placed(table, dialect) for table in tables)
    return Catalogue(dialect, placed)


def _placed(table: Table, dialect: Dialect) -> Table:
    as_text = dialect is Dialect.SQLITE
    columns = tuple(replace(column, text_times=as_text and column.earliest is not None) for column in table.columns)
    return replace(table, schema=_SCHEMAS[dialect], columns=columns)


def shop_file(folder: Path, script: str = SCRIPT) -> Path:
    """A real database file."""
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"BEGIN; {script} COMMIT;")
    return path


def valid(sql: str, *params: Scalar, catalogue: Catalogue | None = None) -> ValidSql:
    """The accepted statement; fails the test if it is refused."""
    found = validate(sql, params, catalogue or shop())
    assert isinstance(found, ValidSql), found
    return found


def unchecked(sql: str, *params: str | int | float) -> ValidSql:
    """A statement as if the validator had let it through: the validator is off."""
    table = shop().tables[0]
    nothing = Query(Relation(0, table), (), (ColumnRef(0, table.columns[0]),), None, (), None, (), None)
    return ValidSql(sql, params, (), (), "", None, nothing, ("x",))
