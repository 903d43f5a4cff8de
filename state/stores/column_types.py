"""Column types and the database's clock, portable over SQLite, PostgreSQL and MySQL.

Instants are whole microseconds since 1970 UTC in a BIGINT: exact, comparable and addable in every dialect.
Counts are 64 bits wide everywhere. On MySQL every text is utf8mb4 and compared byte by byte: an id never equals
another one that only looks like it.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy import BigInteger, ColumnElement, Dialect, Integer, Text, literal
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

WholeNumber = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits; SQLite numbers rows itself only in a column that is called INTEGER."""

TABLE_OPTIONS = {"mysql_engine": "InnoDB", "mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin"}
"""For every table: transactions, four-byte characters, and no two ids that are equal but for case or accent."""

_LONG_TEXT = Text().with_variant(LONGTEXT(), "mysql")
"""MySQL's plain TEXT ends at 64 KiB."""

_ESCAPE, _NUL, _ESCAPED_NUL, _ESCAPED_ESCAPE = "\ue0f0", "\x00", "\ue0f00", "\ue0f01"
"""PostgreSQL keeps no NUL in a text: there it is written as a private-use character and a digit."""


class LongText(TypeDecorator[str]):
    """Unbounded text that comes back character by character, NUL included, from every dialect."""

    impl = _LONG_TEXT
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as the dialect can keep it."""
        if value is None or dialect.name != "postgresql":
            return value
        return value.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_NUL, _ESCAPED_NUL)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as it was given."""
        if value is None or dialect.name != "postgresql":
            return value
        return value.replace(_ESCAPED_NUL, _NUL).replace(_ESCAPED_ESCAPE, _ESCAPE)


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as microseconds since 1970 UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Microseconds; a datetime without zone is a TypeError, never guessed."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """The UTC instant."""
        return None if value is None else _EPOCH + value * _MICROSECOND


V = TypeVar("V", bound=BaseModel)


class ValueJson(TypeDecorator[V], Generic[V]):
    """One of our values as JSON text; unreadable text is a ValidationError."""

    impl = _LONG_TEXT
    cache_ok = True

    def __init__(self, model: type[V]) -> None:
        super().__init__()
        self.model = model

    def process_bind_param(self, value: V | None, dialect: Dialect) -> str | None:
        """JSON text of the value."""
        return None if value is None else value.model_dump_json()

    def process_result_value(self, value: str | None, dialect: Dialect) -> V | None:
        """The value, validated."""
        return None if value is None else self.model.model_validate_json(value)


class _DatabaseClock(FunctionElement[datetime]):
    type = Instant()
    inherit_cache = True


def database_now(*, plus_s: float = 0.0) -> ColumnElement[datetime]:
    """The database's clock, ``plus_s`` seconds later (negative: earlier); millisecond resolution or better."""
    return _DatabaseClock(literal(int(plus_s * 1_000_000), BigInteger))


_CLOCK = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000.0 + 0.5 AS INTEGER) * 1000",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    "mysql": "CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)",
}
"""Microseconds since 1970 UTC in each dialect: the one place that knows them."""


@compiles(_DatabaseClock)
def _render_clock(element: _DatabaseClock, compiler: SQLCompiler, **kwargs: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    offset = compiler.process(element.clauses, **kwargs)
    return f"({_CLOCK[compiler.dialect.name]} + {offset})"
