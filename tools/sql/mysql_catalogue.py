"""Asks MySQL or MariaDB which columns the allowlisted tables have. Reads information_schema only."""

from collections.abc import Callable, Sequence

from tools.sql.offer import Held, HeldColumn, qualified
from tools.sql.server import Offer
from tools.sql.session import Session

_COLUMNS = """
SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, c.PRIVILEGES, k.ORDINAL_POSITION
FROM information_schema.COLUMNS c
LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME
  AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
WHERE LOWER(CONCAT(c.TABLE_SCHEMA, '.', c.TABLE_NAME)) IN ({names})
ORDER BY c.TABLE_SCHEMA, c.TABLE_NAME, c.ORDINAL_POSITION LIMIT 20000
"""
_TABLES = """
SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES
WHERE TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY 1 LIMIT 2000
"""


def reader_for(database: str) -> Callable[[Session, Offer], Held]:
    """Reads what the server has of the allowlisted tables; one named without schema is in ``database``."""

    def read_held(session: Session, offer: Offer) -> Held:
        names = sorted({qualified(name, database).lower() for name in (*offer.allowlist, *offer.masked)})
        rows = session.ask(_COLUMNS.format(names=", ".join("?" * len(names))), names)
        columns = [held_column(row) for row in rows]
        return Held(columns, [str(row[0]) for row in session.ask(_TABLES)])

    return read_held


def held_column(row: Sequence[object]) -> HeldColumn:
    """One column from its row of information_schema. Pure."""
    schema, table, name, declared, rights, place = row
    type_ = str(declared).lower()
    zoned = {"timestamp": True, "datetime": False}.get(type_)
    readable = "select" in str(rights).lower().split(",")
    return HeldColumn(
        str(schema), str(table), str(name), type_, zoned, readable, place if isinstance(place, int) else None
    )
