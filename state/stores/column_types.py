"""Column types and the database's clock, portable over SQLite, PostgreSQL and MySQL.

Instants are whole microseconds since 1970 UTC in a BIGINT: exact, comparable and addable in every dialect.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy import BigInteger, ColumnElement, Dialect, Text, literal
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

LongText = Text().with_variant(LONGTEXT(), "mysql")
"""Unbounded text; MySQL's plain TEXT ends at 64 KiB."""


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

    impl = LongText
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
