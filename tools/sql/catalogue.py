"""What a datasource offers: allowlisted tables and columns with types, keys and time ranges. Pure.

A name that is not in the catalogue does not exist for this tool, whatever the database holds.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

SAFE_NAME = re.compile(r"[^\W\d][\w$]{0,63}")
"""Tables and columns with other names (spaces, quotes, sentences) are left out: names reach the model's prompt."""

_NUMBER_TYPE = re.compile(r"(?<!PO)INT(?!ERVAL)|NUMERIC|DECIMAL|REAL|DOUB|FLOAT|SERIAL|MONEY")
_TIME_TYPE = re.compile(r"DATE|TIME")
_TIME_NAME = re.compile(r"(?:^|_)(?:at|ts|time|date|timestamp|datetime|since|until)$|_time_|时间$|日期$", re.IGNORECASE)


class Dialect(StrEnum):
    """Grammar of a datasource; the value is the parser's name for it."""

    SQLITE = "sqlite"
    MYSQL = "mysql"
    POSTGRES = "postgres"


@dataclass(frozen=True)
class Column:
    """One allowlisted column."""

    name: str
    type: str = ""
    """As declared, bounded; empty if none was."""
    sensitive: bool = False
    """Never read: shown as a mask, and refused everywhere but in the select list."""
    earliest: str | None = None
    """Smallest value of a time column exactly as stored; None if it is no time column, or has no rows."""
    latest: str | None = None
    text_times: bool = False
    """True if its times are kept as text, so that comparing them is comparing text."""
    zoned: bool | None = None
    """True if it holds instants, False if dates with a time of day in no stated zone; None if the type is neither."""

    @cached_property
    def is_number(self) -> bool:
        """True if the declared type holds numbers."""
        type_ = self.type.upper()
        return bool(_NUMBER_TYPE.search(type_)) and not _TIME_TYPE.search(type_) and not type_.endswith("[]")

    @cached_property
    def is_time(self) -> bool:
        """True if type or name says that the column holds times or dates."""
        return bool(_TIME_TYPE.search(self.type.upper()) or _TIME_NAME.search(self.name))


@dataclass(frozen=True)
class Table:
    """One allowlisted table."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    """Column names in key order; empty if there is none or part of it is not allowlisted."""
    schema: str = ""
    """Empty where the datasource has a single, unnamed one."""

    def find(self, name: str, *, exact: bool = False) -> Column | None:
        """The column of this name; without ``exact`` its letter case does not matter."""
        return _find(self.columns, name, exact=exact)


@dataclass(frozen=True)
class Catalogue:
    """All a datasource offers."""

    dialect: Dialect
    tables: tuple[Table, ...]

    def find(self, name: str, *, schema: str = "", exact: bool = False) -> Table | None:
        """The one table of this name, in ``schema`` if it is given; None if there is none, or several."""
        offered = tuple(table for table in self.tables if not schema or table.schema.lower() == schema.lower())
        return _find(offered, name, exact=exact)

    def is_unique(self, table: Table) -> bool:
        """True if no other schema has a table of this name."""
        return sum(other.name.lower() == table.name.lower() for other in self.tables) == 1

    def label(self, table: Table) -> str:
        """What the table is called: its name, with its schema where the name alone is not unique."""
        return table.name if self.is_unique(table) else f"{table.schema}.{table.name}"


_Named = TypeVar("_Named", Column, Table)


def _find(entries: tuple[_Named, ...], name: str, *, exact: bool) -> _Named | None:
    same = [entry for entry in entries if entry.name == name]
    if len(same) != 1 and not exact:
        same = [entry for entry in entries if entry.name.lower() == name.lower()]
    return same[0] if len(same) == 1 else None
