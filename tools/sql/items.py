"""Turns rows into citable items: stable ids, quotable text, typed fields. Pure and deterministic."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from state.model.enums import EvidenceKind
from state.model.evidence import Item, Scalar
from tools.sql.sensitive import MASK
from tools.sql.sizes import MAX_CELL_CHARS
from tools.sql.statement import Aggregate, ColumnRef, Expression
from tools.sql.times import instant_of
from tools.sql.validator import ValidSql

Row = Sequence[Scalar]

CUT_MARK = "…"
MAX_KEY_CHARS = 160
_BLOB = re.compile(r"<\d+ bytes>")
_UNSAFE_IN_KEY = re.compile(r"[%,\s\x00-\x1f\x7f]")


@dataclass(frozen=True)
class ItemBuilder:
    """Builds the items of one result."""

    valid: ValidSql
    table_label: str
    """How ids name the table of a statement over one table."""
    scope8: str
    zone: ZoneInfo
    """In which stored times without offset are read."""

    def build(self, rows: Sequence[Row], *, cell_chars: int = MAX_CELL_CHARS) -> tuple[Item, ...]:
        """One item a row, in order. Text cells longer than ``cell_chars`` are cut and marked."""
        keys = [self._key(row) for row in rows]
        repeated = {key for key, times in Counter(keys).items() if times > 1}
        return tuple(
            self._item(place, row, None if key in repeated else key, cell_chars)
            for place, (row, key) in enumerate(zip(rows, keys, strict=True), start=1)
        )

    def _item(self, place: int, row: Row, key: str | None, cell_chars: int) -> Item:
        shown = [_cut(cell, cell_chars) for cell in row]
        named = list(zip(self.valid.outputs, self.valid.query.outputs, shown, strict=True))
        return Item(
            item_id=f"row:{self.table_label}:{key}" if key else f"row:{self.scope8}:{place}",
            kind=EvidenceKind.TELEMETRY,
            text=", ".join(f"{name}={render_cell(cell)}" for name, _, cell in named),
            fields={name: self._field(output, cell) for name, output, cell in named},
            identified=key is not None,
        )

    def _field(self, output: Expression, cell: Scalar) -> Scalar:
        if isinstance(cell, str) and _holds_time(output):
            return instant_of(cell, self.zone) or cell
        return cell

    def _key(self, row: Row) -> str | None:
        """The row's primary key as text; None if the result does not carry all of it, or a part is unusable."""
        places = key_places(self.valid)
        values = [row[place] for place in places]
        if not values or any(not _can_be_key(value) for value in values):
            return None
        key = ",".join(_UNSAFE_IN_KEY.sub(_percent, str(value)) for value in values)
        return key if len(key) <= MAX_KEY_CHARS else None


def key_places(valid: ValidSql) -> tuple[int, ...]:
    """Where the outputs hold the primary key; empty unless the statement lists rows of exactly one table."""
    query = valid.query
    key = query.first.table.primary_key
    if query.joins or query.is_aggregated:
        return ()
    places = {output.column.name: place for place, output in enumerate(query.outputs) if isinstance(output, ColumnRef)}
    return tuple(places[name] for name in key) if set(key) <= set(places) else ()


def has_cut_cell(rows: Sequence[Row], *, cell_chars: int) -> bool:
    """True if some cell does not fit."""
    return any(_cut(cell, cell_chars) != cell for row in rows for cell in row)


def render_cell(cell: Scalar) -> str:
    """A cell as it stands in an item's text: text and times as stored, numbers in shortest exact form."""
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return str(cell).lower()
    return repr(cell) if isinstance(cell, float) else str(cell)


def _holds_time(output: Expression) -> bool:
    if isinstance(output, Aggregate):
        return output.function in ("min", "max") and output.argument is not None and output.argument.column.is_time
    return output.column.is_time


def _can_be_key(value: Scalar) -> bool:
    return value is not None and not (isinstance(value, str) and (value == MASK or _BLOB.fullmatch(value)))


def _cut(cell: Scalar, chars: int) -> Scalar:
    return cell[:chars] + CUT_MARK if isinstance(cell, str) and len(cell) > chars else cell


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())
