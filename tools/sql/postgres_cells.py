"""Turns what PostgreSQL sends as text into evidence values. Pure; total over every type, known or not."""

from collections.abc import Callable

from state.model.evidence import Scalar
from tools.sql.cells import decode_text, exact_number
from tools.sql.times import utc_instant

BOOL, BYTEA, INT8, INT2, INT4, OID = 16, 17, 20, 21, 23, 26
FLOAT4, FLOAT8, TIMESTAMPTZ, NUMERIC = 700, 701, 1184, 1700
"""Numbers of built-in types; they are the same in every server."""


def _number(text: str) -> Scalar:
    """NaN and infinity come out as ``nan``, ``inf``: they are no JSON numbers, and are shown as text."""
    return float(text)


_READ: dict[int, Callable[[str], Scalar]] = {
    BOOL: lambda text: text == "t",
    **dict.fromkeys((INT2, INT4, INT8, OID), int),
    **dict.fromkeys((FLOAT4, FLOAT8), _number),
    NUMERIC: exact_number,
    TIMESTAMPTZ: utc_instant,
    # Written in hexadecimal after \x.
    BYTEA: lambda text: f"<{(len(text) - 2) // 2} bytes>",
}


def read_cell(oid: int, sent: bytes) -> Scalar:
    """The value: exact numbers, instants as UTC with Z, other text as it was sent."""
    text = decode_text(sent)
    read = _READ.get(oid)
    return read(text) if read else text
