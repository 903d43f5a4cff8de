"""Literals and parameters: which values may be bound, and which comparisons of them make sense. Pure."""

import math
import re

from sqlglot import exp

from state.model.evidence import Scalar
from tools.sql.catalogue import Column, Dialect
from tools.sql.refusal import Refused
from tools.sql.statement import Aggregate, Bound, ColumnRef, Constant, Expression
from tools.sql.times import time_problem, utc_text
from tools.sql.tokens import first_forbidden

MAX_PARAMS = 50
MAX_TEXT_CHARS = 2000
MAX_PATTERN_CHARS = 200
MAX_WILDCARDS = 8
"""Of ``%`` and ``_`` runs in a pattern: each more multiplies the work of matching a long text."""
_INT64 = 2**63
_NUMBER = re.compile(r"(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?")
_INTEGER = re.compile(r"\d{1,40}")


def check_params(params: tuple[Scalar, ...], dialect: Dialect) -> tuple[Constant, ...]:
    """The parameters as they will be bound.

    Raises:
        Refused: too many, NULL, a number out of range or not finite, or text with control characters.
    """
    if len(params) > MAX_PARAMS:
        raise Refused(f"At most {MAX_PARAMS} params are allowed.")
    return tuple(_param(value, dialect) for value in params)


def _param(value: Scalar, dialect: Dialect) -> Constant:
    if value is None:
        raise Refused("A parameter must not be null: nothing equals NULL; use IS NULL or IS NOT NULL.")
    if isinstance(value, bool):
        return str(value).lower() if dialect is Dialect.POSTGRES else int(value)
    return _checked(value)


def literal(node: exp.Literal) -> Constant:
    """The value of a string or number literal.

    Raises:
        Refused: it cannot be bound.
    """
    text = str(node.this)
    if node.is_string:
        return _checked(text)
    if _INTEGER.fullmatch(text):
        return _checked(int(text))
    if _NUMBER.fullmatch(text):
        return _checked(float(text))
    raise Refused("A number must be written in plain decimal digits.")


def negative(node: exp.Neg) -> Constant:
    """The value of a minus sign before a number.

    Raises:
        Refused: the sign stands before anything else.
    """
    if not isinstance(node.this, exp.Literal) or node.this.is_string:
        raise Refused("A minus sign may only stand before a number; arithmetic is not allowed.")
    value = literal(node.this)
    return -value if isinstance(value, (int, float)) else value


def _checked(value: Constant) -> Constant:
    if isinstance(value, str):
        return _checked_text(value)
    if isinstance(value, int) and not -_INT64 < value < _INT64:
        raise Refused("An integer must fit in 64 bits.")
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused("A number must be finite.")
    return value


def _checked_text(value: str) -> str:
    if len(value) > MAX_TEXT_CHARS:
        raise Refused(f"A text value is longer than {MAX_TEXT_CHARS} characters.")
    bad = first_forbidden(value)
    if bad is not None:
        raise Refused(f"A text value holds the character U+{ord(bad):04X}, which is not allowed.")
    return value


def bound_for(value: Constant, against: object, dialect: Dialect) -> Constant:
    """The value in the form in which the server compares it with ``against`` as it is meant.

    Servers turn text into numbers where one side is a number (MySQL finds 'abc' = 0), or refuse to compare; and MySQL
    compares instants in the time zone of the session, which is UTC.
    """
    column = _column_behind(against)
    if dialect is Dialect.SQLITE or column is None:
        return value
    if not isinstance(value, str):
        return value if column.is_number and not column.type.lower().startswith("money") else str(value)
    return utc_text(value) if dialect is Dialect.MYSQL and column.zoned else value


def _column_behind(operand: object) -> Column | None:
    """The column whose values are compared; None where a number is, or nothing of a table."""
    if isinstance(operand, Aggregate):
        return operand.argument.column if operand.argument and operand.function in ("min", "max") else None
    return operand.column if isinstance(operand, ColumnRef) else None


def check_pattern(bound: Bound) -> None:
    """Nothing, if the value can be a LIKE pattern.

    Raises:
        Refused: it is no text, too long, or has too many wildcards.
    """
    if not isinstance(bound.value, str):
        raise Refused("LIKE needs a text pattern.")
    wildcards = len(re.findall(r"%+|_+", bound.value))
    if len(bound.value) > MAX_PATTERN_CHARS or wildcards > MAX_WILDCARDS:
        raise Refused(f"A LIKE pattern is limited to {MAX_PATTERN_CHARS} characters and {MAX_WILDCARDS} wildcards.")


def check_summable(ref: ColumnRef, dialect: Dialect) -> None:
    """Nothing, if SUM and AVG of the column mean something. SQLite's declared types promise nothing, so they pass.

    Raises:
        Refused: it holds no numbers; PostgreSQL would refuse, and MySQL would read text as numbers.
    """
    column = ref.column
    summable = column.is_number or (dialect is Dialect.POSTGRES and column.type == "interval")
    if dialect is not Dialect.SQLITE and not summable:
        raise Refused(f"{column.name} holds no numbers; SUM and AVG take a column of numbers.")


def check_comparable(left: Expression, bound: Bound, *, whole: bool) -> None:
    """Nothing, if comparing the two can tell something.

    ``whole``: the comparison is for equality.

    Raises:
        Refused: a number against text, or a time in another form than it is stored in.
    """
    column = left if isinstance(left, ColumnRef) else left.argument
    counts = isinstance(left, Aggregate) and left.function in ("count", "sum", "avg")
    if isinstance(bound.value, str):
        _check_text_against(column, bound.value, numeric=counts, whole=whole)
        # An aggregate has no affinity: SQLite would sort the text after every number.
        if isinstance(left, Aggregate) and (counts or (column and column.column.is_number)):
            raise Refused("Compare COUNT, SUM, AVG, MIN and MAX of numbers with a number, without quotes.")
    elif column and not counts and (problem := time_problem(column.column, "", whole=whole)):
        raise Refused(problem)


def _check_text_against(column: ColumnRef | None, value: str, *, numeric: bool, whole: bool) -> None:
    if column is None or numeric:
        return
    if column.column.is_number and not _NUMBER.fullmatch(value.strip().lstrip("+-")):
        raise Refused(f"{column.column.name} holds numbers ({column.column.type}); compare it with a number.")
    problem = time_problem(column.column, value, whole=whole)
    if problem:
        raise Refused(problem)
