"""Turns what MySQL and MariaDB send as text into evidence values, and values into text they cannot misread. Pure."""

from collections.abc import Callable

from state.model.evidence import Scalar
from tools.sql.cells import decode_text, exact_number
from tools.sql.statement import Constant
from tools.sql.times import utc_instant

DECIMAL, TINY, SHORT, LONG, FLOAT, DOUBLE, TIMESTAMP, LONGLONG, INT24, YEAR = 0, 1, 2, 3, 4, 5, 7, 8, 9, 13
NEWDECIMAL, TIMESTAMP2 = 246, 17
"""Numbers of column types on the wire."""

_READ: dict[int, Callable[[str], Scalar]] = {
    **dict.fromkeys((TINY, SHORT, LONG, LONGLONG, INT24, YEAR), int),
    **dict.fromkeys((FLOAT, DOUBLE), float),
    **dict.fromkeys((DECIMAL, NEWDECIMAL), exact_number),
    **dict.fromkeys((TIMESTAMP, TIMESTAMP2), utc_instant),
}


def read_cell(kind: int, sent: bytes | None) -> Scalar:
    """The value: exact numbers, instants as UTC with Z, other text as it was sent, zero dates included."""
    if sent is None:
        return None
    text = decode_text(sent)
    read = _READ.get(kind)
    return read(text) if read else text


def with_values(sql: str, values: tuple[Constant, ...]) -> str:
    """The text with each ``?`` replaced by its value; the text holds no other question mark.

    Numbers stand in digits, text in hexadecimal: there is no quote that a setting of the server, or a character set,
    could make end elsewhere.

    Raises:
        ValueError: there are more or fewer values than question marks.
    """
    parts = sql.split("?")
    if len(parts) != len(values) + 1:
        raise ValueError("the statement and its values do not match")
    pairs = zip(values, parts[1:], strict=True)
    return parts[0] + "".join(f"{_written(value)}{part}" for value, part in pairs)


def _written(value: Constant) -> str:
    return f"_utf8mb4 X'{value.encode().hex()}'" if isinstance(value, str) else repr(value)
