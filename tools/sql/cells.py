"""Turns what a database returns into bounded JSON values. Pure."""

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Scalar
from tools.sql.sizes import RAW_CAP_BYTES, READ_CELL_CHARS
from tools.sql.source import RowSet

_ROOM_FOR_FRAME_BYTES = 1024
_DECIMAL = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")
"""Longer numbers stay text."""


def read_rows(rows: Iterable[tuple[object, ...]], *, row_cap: int, sized: frozenset[int] = frozenset()) -> RowSet:
    """The first ``row_cap`` rows as JSON values; one more row is asked for, to know whether there is one.

    ``sized``: places at which a number of bytes stands for the bytes.

    Raises:
        ToolFailed: RESULT_TOO_LARGE, as soon as the rows so far are over the raw cap.
    """
    kept: list[tuple[Scalar, ...]] = []
    size = 0
    for row in rows:
        if len(kept) == row_cap:
            return RowSet(tuple(kept), more=True)
        cells = tuple(
            f"<{cell} bytes>" if place in sized and cell is not None else _json_cell(cell)
            for place, cell in enumerate(row)
        )
        size += len(json.dumps(cells, ensure_ascii=False).encode())
        if size > RAW_CAP_BYTES - _ROOM_FOR_FRAME_BYTES:
            raise ToolFailed(ToolCode.RESULT_TOO_LARGE)
        kept.append(cells)
    return RowSet(tuple(kept), more=False)


def _json_cell(cell: object) -> Scalar:
    if isinstance(cell, (bytes, memoryview)):
        return f"<{len(cell)} bytes>"
    if isinstance(cell, float) and not math.isfinite(cell):
        return repr(cell)
    if cell is None or isinstance(cell, (bool, int, float)):
        return cell
    return _without_surrogates(str(cell)[:READ_CELL_CHARS])


def exact_number(text: str) -> Scalar:
    """A decimal number as it was sent, without loss: an int, a float that is written the same, else the text itself.

    NaN and infinities stay text.
    """
    if not _DECIMAL.fullmatch(text):
        return text
    if "." not in text:
        return int(text)
    short = float(text)
    return short if Decimal(repr(short)) == Decimal(text) else text


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def decode_text(stored: bytes) -> str:
    """Text of a cell: UTF-8, else GB18030, else UTF-8 with replacement characters."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return stored.decode(encoding)
        except UnicodeDecodeError:
            continue
    return stored.decode("utf-8", "replace")
