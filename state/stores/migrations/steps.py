"""What a revision may do: each operation leaves its result, or finds it there. Works inside a running migration."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, ColumnElement, Integer, String, Text, false, inspect
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.engine.reflection import Inspector
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

COMPONENTS = "rootproof_components"
"""Attribute of the migration: names of the stores whose tables the database holds."""

ColumnType = TypeEngine[Any]
ColumnDefault = ColumnElement[Any] | None
TEXT = Text().with_variant(LONGTEXT(), "mysql")
WHOLE = BigInteger().with_variant(Integer(), "sqlite")
INSTANT = BigInteger()
SMALL = Integer()
YES_NO = Boolean()
NO = false()

_OPTIONS: dict[str, Any] = {"mysql_engine": "InnoDB", "mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin"}


def run_steps(steps: Mapping[str, Callable[[], None]]) -> None:
    """Run the steps of the stores that this database holds."""
    config = op.get_context().config
    assert config is not None
    held = config.attributes[COMPONENTS]
    for component, step in steps.items():
        if component in held:
            step()


def needed(name: str, type_: ColumnType | int, *, key: bool = False, default: ColumnDefault = None) -> Column[Any]:
    """A column that always has a value; a whole number as type stands for text of at most that many characters.

    ``default``: what rows that are there already get; a column that is added to a table needs it.
    """
    return Column(name, _type(type_), primary_key=key, nullable=False, server_default=default)


def optional(name: str, type_: ColumnType | int) -> Column[Any]:
    """A column that may be empty."""
    return Column(name, _type(type_), nullable=True)


def create_table(name: str, *items: SchemaItem) -> None:
    """The table, unless there is one of that name."""
    if not _database().has_table(name):
        op.create_table(name, *items, **_OPTIONS)


def add_column(table: str, column: Column[Any]) -> None:
    """The column, unless the table has one of that name."""
    if column.name not in {found["name"] for found in _database().get_columns(table)}:
        op.add_column(table, column)


def create_index(name: str, table: str, columns: Sequence[str]) -> None:
    """The index, unless the table has one of that name."""
    if name not in {index["name"] for index in _database().get_indexes(table)}:
        op.create_index(name, table, list(columns))


def _type(type_: ColumnType | int) -> ColumnType:
    return String(type_) if isinstance(type_, int) else type_


def _database() -> Inspector:
    """What is there now: an inspector remembers, so each question gets a new one."""
    return inspect(op.get_bind())
