"""How each output is asked for, so that no cell larger than can be shown ever leaves a server. Pure.

A server sends a cell whole or not at all; the driver would keep it in memory before it can be measured. Types that
are small by nature are asked for as they are, binary ones by their size, and everything else, known or not, cut.
"""

import re
from collections.abc import Sequence
from enum import Enum

from tools.sql.catalogue import Dialect
from tools.sql.sizes import READ_CELL_CHARS
from tools.sql.statement import ColumnRef, Expression


class Shape(Enum):
    """What is asked of the server for a value."""

    PLAIN = "{0}"
    SIZE = "OCTET_LENGTH({0})"
    """Of binary content only its length is shown."""
    AS_NUMBER = "CAST({0} AS numeric)"
    """PostgreSQL writes money in the form of some country."""
    AS_INTEGER = "CAST({0} AS UNSIGNED)"
    """MySQL sends the bits themselves."""
    TEXT = f"LEFT({{0}}, {READ_CELL_CHARS})"
    CAST_TEXT = f"LEFT(CAST({{0}} AS text), {READ_CELL_CHARS})"
    CAST_CHAR = f"LEFT(CAST({{0}} AS CHAR), {READ_CELL_CHARS})"


_WORD = re.compile(r"[a-z_0-9]+")
_POSTGRES: dict[str, Shape] = {
    **dict.fromkeys(
        "smallint integer bigint int int2 int4 int8 real double float4 float8 numeric decimal boolean bool date time "
        "timetz timestamp timestamptz interval uuid inet cidr macaddr macaddr8 oid".split(),
        Shape.PLAIN,
    ),
    "bytea": Shape.SIZE,
    "money": Shape.AS_NUMBER,
}
_MYSQL: dict[str, Shape] = {
    **dict.fromkeys(
        "tinyint smallint mediumint int integer bigint decimal numeric float real double date datetime timestamp time "
        "year".split(),
        Shape.PLAIN,
    ),
    **dict.fromkeys(
        "binary varbinary tinyblob blob mediumblob longblob geometry point linestring polygon multipoint "
        "multilinestring multipolygon geometrycollection geomcollection vector".split(),
        Shape.SIZE,
    ),
    # A cast of a text larger than the server's packet gives NULL; a text needs none.
    **dict.fromkeys("char varchar tinytext text mediumtext longtext enum set".split(), Shape.TEXT),
    "bit": Shape.AS_INTEGER,
}


def shape_of(output: Expression, dialect: Dialect) -> Shape:
    """How the output is asked for; always PLAIN of SQLite, which reads its file within limits of its own."""
    if dialect is Dialect.SQLITE:
        return Shape.PLAIN
    type_ = _type_of(output)
    known, other = (_POSTGRES, Shape.CAST_TEXT) if dialect is Dialect.POSTGRES else (_MYSQL, Shape.CAST_CHAR)
    word = _WORD.match(type_)
    return known.get(word.group(), other) if word and not type_.endswith("[]") else other


def sized_outputs(outputs: Sequence[Expression], dialect: Dialect) -> frozenset[int]:
    """Places of the outputs for which the server answers with a number of bytes."""
    return frozenset(place for place, output in enumerate(outputs) if _is_sized(output, dialect))


def _is_sized(output: Expression, dialect: Dialect) -> bool:
    masked = isinstance(output, ColumnRef) and output.column.sensitive
    return not masked and shape_of(output, dialect) is Shape.SIZE


def _type_of(output: Expression) -> str:
    """Lower-case name of the type the server answers with."""
    if isinstance(output, ColumnRef):
        return output.column.type.lower()
    if output.function == "count" or output.argument is None:
        return "bigint"
    type_ = output.argument.column.type.lower()
    return type_ if output.function in ("min", "max") or type_ in ("money", "interval") else "numeric"
