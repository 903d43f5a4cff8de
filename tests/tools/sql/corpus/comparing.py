"""Compares the rows of evidence with those that a driver gives for the very same statement."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from tools.sql.sensitive import MASK
from tools.sql.source import RowSet
from tools.sql.statement import ColumnRef
from tools.sql.validator import ValidSql

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0+)?Z?")
Rows = list[tuple[str, ...]]


def evidence_rows(found: RowSet, sql: str) -> Rows:
    """The rows as text, sorted unless the statement orders them."""
    return _ordered((tuple(_written(cell) for cell in row) for row in found.rows), sql)


def raw_rows(rows: Iterable[Sequence[object]], valid: ValidSql, sql: str) -> Rows:
    """What evidence must be, from the driver's rows: masked columns as the mask."""
    masked = [isinstance(output, ColumnRef) and output.column.sensitive for output in valid.query.outputs]
    shown = (
        tuple(_written(MASK if hidden else cell) for cell, hidden in zip(row, masked, strict=True)) for row in rows
    )
    return _ordered(shown, sql)


def _ordered(rows: Iterable[tuple[str, ...]], sql: str) -> Rows:
    return list(rows) if "ORDER BY" in sql.upper() else sorted(rows)


def _written(cell: object) -> str:
    if isinstance(cell, datetime):
        cell = (cell.astimezone(UTC) if cell.tzinfo else cell).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(cell, float):
        cell = repr(cell)
    text = str(cell)
    time = _TIME.fullmatch(text)
    if time:
        return f"{time[1]} {time[2]}"
    try:
        return f"{Decimal(text).normalize():f}"
    except InvalidOperation:
        return repr(text)
