"""The tables behind the corpus: as scripts for each database, and as the catalogues their sources must read from them."""

import re
from dataclasses import replace

from tools.sql.catalogue import Catalogue, Column, Dialect, Table

ALLOWLIST = {
    "orders": ["id", "customer_id", "status", "total", "created_at", "booked_on", "note", "email"],
    "customers": ["id", "tier", "api_key"],
    "deploys": ["id", "service", "version", "deployed_at", "succeeded"],
    "pool_samples": ["pool", "taken_at", "active", "waiting"],
    "订单": ["编号", "状态"],
    "Ledger": ["Entry", "Amount", "order", "group"],
}
_SCHEMAS = {Dialect.SQLITE: "main", Dialect.MYSQL: "app", Dialect.POSTGRES: "app"}
_TYPES: dict[str, tuple[str, str, str]] = {
    "big": ("BIGINT", "bigint", "bigint"),
    "int": ("INTEGER", "int", "integer"),
    "text": ("TEXT", "varchar", "text"),
    "money": ("NUMERIC(12,2)", "decimal", "numeric(12,2)"),
    "real": ("REAL", "double", "double"),
    "instant": ("TEXT", "timestamp", "timestamptz"),
    "local": ("TEXT", "datetime", "timestamp"),
}
"""Of each kind of column, its type as the catalogues of SQLite, MySQL and PostgreSQL name it."""
_ORDER = (Dialect.SQLITE, Dialect.MYSQL, Dialect.POSTGRES)
_TABLES: dict[str, tuple[str, ...]] = {
    "orders": ("big", "int", "text", "money", "instant", "local", "text", "text"),
    "customers": ("int", "text", "text"),
    "deploys": ("int", "text", "text", "instant", "int"),
    "pool_samples": ("text", "instant", "int", "real"),
    "订单": ("int", "text"),
    "Ledger": ("int", "money", "int", "text"),
}
_KEYS = {
    "orders": ("id",),
    "customers": ("id",),
    "deploys": ("id",),
    "pool_samples": ("pool", "taken_at"),
    "订单": ("编号",),
    "Ledger": ("Entry",),
}
_MASKED = frozenset({"email", "api_key"})
_RANGES = {
    "created_at": ("2026-03-01T10:00:00Z", "2026-03-02T00:00:00Z"),
    "booked_on": ("2026-03-01 18:00:00", "2026-03-02 08:00:00"),
    "deployed_at": ("2026-02-27T08:00:00Z", "2026-03-01T10:04:00Z"),
    "taken_at": ("2026-03-01T10:00:00Z", "2026-03-01T10:04:00Z"),
}
"""Earliest and latest of the rows below."""


def catalogue(dialect: Dialect) -> Catalogue:
    """What a source over the tables offers."""
    return Catalogue(dialect, tuple(_table(name, dialect) for name in ALLOWLIST))


def _table(name: str, dialect: Dialect) -> Table:
    kinds = zip(ALLOWLIST[name], _TABLES[name], strict=True)
    columns = tuple(_column(column, kind, dialect) for column, kind in kinds)
    return Table(name, columns, _KEYS[name], schema=_SCHEMAS[dialect])


def _column(name: str, kind: str, dialect: Dialect) -> Column:
    type_ = _TYPES[kind][_ORDER.index(dialect)]
    type_ = "text" if (dialect, name) == (Dialect.MYSQL, "note") else type_
    plain = Column(name, type_, sensitive=name in _MASKED)
    if not plain.is_time:
        return plain
    earliest, latest = _RANGES[name]
    as_text = dialect is Dialect.SQLITE
    return replace(
        plain, earliest=earliest, latest=latest, text_times=as_text, zoned=None if as_text else kind == "instant"
    )


def script(dialect: Dialect) -> str:
    """Makes the tables and fills them, in the schema that is current; in a session whose time is UTC."""
    rows = _ROWS.replace("{q}", _quote(dialect))
    if dialect is Dialect.MYSQL:
        rows = re.sub(r"'(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z'", r"'\1 \2'", rows)
    return "\n".join(_created(dialect)) + rows


def _quote(dialect: Dialect) -> str:
    return "`" if dialect is Dialect.MYSQL else '"'


def _created(dialect: Dialect) -> list[str]:
    quote = _quote(dialect)
    long, short = {
        Dialect.SQLITE: ("BLOB", "TEXT"),
        Dialect.MYSQL: ("BLOB", "VARCHAR(60)"),
        Dialect.POSTGRES: ("bytea", "text"),
    }[dialect]
    made = []
    for name, columns in ALLOWLIST.items():
        kinds = zip(columns, _TABLES[name], strict=True)
        parts = [f"{quote}{column}{quote} {_sql_type(kind, column, dialect)}" for column, kind in kinds]
        parts += [f"receipt {long}", f"internal_note {short}"] if name == "orders" else []
        parts += [f"region {short}"] if name == "customers" else []
        key = ", ".join(f"{quote}{part}{quote}" for part in _KEYS[name])
        charset = " DEFAULT CHARSET utf8mb4" if dialect is Dialect.MYSQL else ""
        made.append(f"CREATE TABLE {quote}{name}{quote} ({', '.join(parts)}, PRIMARY KEY ({key})){charset};")
    made.append(f"CREATE TABLE hidden_audit (id INT PRIMARY KEY, who {short});")
    return made


def _sql_type(kind: str, column: str, dialect: Dialect) -> str:
    if dialect is Dialect.MYSQL:
        special = {"text": "VARCHAR(60)", "money": "DECIMAL(12,2)", "instant": "TIMESTAMP NULL"}
        return "TEXT" if column == "note" else special.get(kind, _TYPES[kind][1])
    if dialect is Dialect.POSTGRES:
        return "double precision" if kind == "real" else _TYPES[kind][2]
    return _TYPES[kind][0]


_ROWS = r"""
INSERT INTO customers VALUES (1, 'gold', 'k-111', 'eu'), (2, 'basic', 'k-222', 'us'), (3, 'basic', NULL, 'eu'),
  (4, 'trial', 'k-444', NULL);
INSERT INTO orders VALUES
  (1, 1, 'PAID', 12.50, '2026-03-01T10:00:00Z', '2026-03-01 18:00:00', NULL, 'ann@example.org', NULL, 'vip'),
  (2, 1, 'FAILED', 9.90, '2026-03-01T10:05:00Z', '2026-03-01 18:05:00', 'connection refused, host db-1', 'ann@example.org', NULL, NULL),
  (3, 2, 'FAILED', 40.00, '2026-03-01T10:06:30Z', '2026-03-01 18:06:30', '支付超时', 'bob@example.org', NULL, 'fraud?'),
  (4, 2, 'PAID', 0.01, '2026-03-01T10:07:00Z', '2026-03-01 18:07:00', 'it''s -- not /* a */ comment; # really', NULL, NULL, NULL),
  (5, 3, 'REFUNDED', 100.00, '2026-03-01T11:00:00Z', '2026-03-01 19:00:00', 'DROP TABLE orders; SELECT 1', 'cy@example.org', NULL, NULL),
  (6, 3, 'PAID', 55.55, '2026-03-01T11:30:00Z', '2026-03-01 19:30:00', '100% sure_thing', 'cy@example.org', NULL, NULL),
  (7, NULL, 'FAILED', 7.00, '2026-03-01T12:00:00Z', '2026-03-01 20:00:00', 'timeout after 30s', NULL, NULL, NULL),
  (8, 9, 'PENDING', NULL, NULL, NULL, '', NULL, NULL, NULL),
  (9, 1, 'paid', 1.00, '2026-03-01T12:30:00Z', '2026-03-01 20:30:00', 'lower "case" `paid` [x] ? %s :a @b $1', NULL, NULL, NULL),
  (10, 2, 'FAILED', 9.90, '2026-03-02T00:00:00Z', '2026-03-02 08:00:00', 'Connection refused, host db-2', 'bob@example.org', NULL, NULL);
INSERT INTO deploys VALUES (1, 'payments', '1.4.0', '2026-02-27T08:00:00Z', 1), (2, 'payments', '1.4.1', '2026-03-01T09:58:00Z', 0),
  (3, 'checkout', '2.0.0', '2026-03-01T09:59:00Z', 1), (4, 'payments', '1.4.1', '2026-03-01T10:04:00Z', 1), (5, 'search', '0.9', NULL, NULL);
INSERT INTO pool_samples VALUES ('main', '2026-03-01T10:00:00Z', 10, 0.5), ('main', '2026-03-01T10:01:00Z', 20, 7.25),
  ('main', '2026-03-01T10:02:00Z', 20, 31.5), ('batch', '2026-03-01T10:00:00Z', 0, 0), ('batch', '2026-03-01T10:04:00Z', 1, NULL);
INSERT INTO {q}订单{q} VALUES (1, '失败'), (2, '成功'), (3, '失败'), (4, NULL);
INSERT INTO {q}Ledger{q} VALUES (1, 10.00, 3, 'a'), (2, -4.50, 2, 'b'), (3, 0.10, 1, 'a');
INSERT INTO hidden_audit VALUES (1, 'root'), (2, 'mallory');
"""
