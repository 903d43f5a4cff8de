"""Asks PostgreSQL which columns the allowlisted tables have. Reads the system catalogue only."""

from collections.abc import Sequence

from tools.sql.offer import Held, HeldColumn, qualified
from tools.sql.server import Offer
from tools.sql.session import Session

DEFAULT_SCHEMA = "public"

# Ordinary and partitioned tables, views and materialised views; a foreign table may run anything when it is read.
_COLUMNS = """
SELECT n.nspname, c.relname, a.attname,
  CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod)
    ELSE format_type(a.atttypid, a.atttypmod) END,
  has_column_privilege(c.oid, a.attnum, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE'),
  array_position(i.indkey::int2[], a.attnum)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind IN ('r', 'p', 'v', 'm')
  AND lower(n.nspname || '.' || c.relname) = ANY (string_to_array(lower(?), chr(10)))
ORDER BY n.nspname, c.relname, a.attnum LIMIT 20000
"""
_TABLES = """
SELECT n.nspname || '.' || c.relname
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY 1 LIMIT 2000
"""
_SHORT = {
    "timestamp with time zone": "timestamptz",
    "timestamp without time zone": "timestamp",
    "time with time zone": "timetz",
    "time without time zone": "time",
    "character varying": "varchar",
    "character": "char",
    "double precision": "double",
}


def read_held(session: Session, offer: Offer) -> Held:
    """What the server has of the allowlisted tables."""
    names = sorted({qualified(name, DEFAULT_SCHEMA) for name in (*offer.allowlist, *offer.masked)})
    columns = [held_column(row) for row in session.ask(_COLUMNS, ["\n".join(names)])]
    return Held(columns, [str(row[0]) for row in session.ask(_TABLES)])


def held_column(row: Sequence[object]) -> HeldColumn:
    """One column from its row of the system catalogue. Pure."""
    schema, table, name, declared, readable, place = row
    type_ = short_type(str(declared))
    zoned = {"timestamptz": True, "timestamp": False}.get(type_.partition("(")[0])
    key_place = place if isinstance(place, int) else None
    return HeldColumn(str(schema), str(table), str(name), type_, zoned, readable is True, key_place)


def short_type(declared: str) -> str:
    """The type's usual short name, its precision behind it: ``timestamptz(3)``. Pure."""
    # The precision may stand inside: timestamp(3) with time zone.
    head, bracket, tail = declared.removesuffix("[]").partition("(")
    precision, _, after = tail.partition(")")
    plain = head.strip() + after
    marks = (f"({precision})" if bracket else "") + ("[]" if declared.endswith("[]") else "")
    return _SHORT.get(plain, plain) + marks
