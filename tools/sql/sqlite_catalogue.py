"""Reads what a SQLite database holds: ordinary tables, their columns, keys and time ranges."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from state.model.errors import Misconfigured
from tools.sql.catalogue import SAFE_NAME, Catalogue, Column, Dialect, Table
from tools.sql.sensitive import is_sensitive

Allowlist = Mapping[str, Sequence[str]]
"""Table → columns; every other one does not exist for the tool."""

MAX_TABLES = 500
MAX_COLUMNS = 200
_TYPE = re.compile(r"[\w ,()]{1,40}")
_RANGE_CHARS = 40


def read_catalogue(connection: sqlite3.Connection, name: str, allowlist: Allowlist | None) -> Catalogue:
    """The tables in order of name, narrowed to the allowlist; views, virtual and internal tables are left out.

    Raises:
        Misconfigured: the allowlist names what is not there, or no table is left. ``name`` is the datasource.
    """
    found = {str(row[0]): _table(connection, str(row[0])) for row in connection.execute(_TABLES, (MAX_TABLES,))}
    tables = tuple(table for table in found.values() if table.columns and SAFE_NAME.fullmatch(table.name))
    catalogue = Catalogue(Dialect.SQLITE, tables)
    if allowlist is not None:
        catalogue = _narrowed(catalogue, name, allowlist)
    if not catalogue.tables:
        raise Misconfigured(name, "the database holds no table that can be queried")
    return catalogue


_TABLES = (
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%'"
    " ESCAPE '\\' ORDER BY name LIMIT ?"
)
_COLUMNS = "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid LIMIT ?"


def _table(connection: sqlite3.Connection, name: str) -> Table:
    rows = connection.execute(_COLUMNS, (name, MAX_COLUMNS)).fetchall()
    columns = tuple(_column(str(row[0]), str(row[1] or "")) for row in rows if SAFE_NAME.fullmatch(str(row[0])))
    keys = sorted((int(row[2]), str(row[0])) for row in rows if row[2])
    return Table(name, columns, _known_key(tuple(key for _, key in keys), columns), schema="main")


def _column(name: str, declared: str) -> Column:
    type_ = declared if _TYPE.fullmatch(declared) else ""
    return Column(name, type_, sensitive=is_sensitive(name))


def _known_key(key: tuple[str, ...], columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The key, if all of it can be shown; part of a key names nothing."""
    shown = {column.name for column in columns if not column.sensitive}
    return key if set(key) <= shown else ()


def _narrowed(catalogue: Catalogue, name: str, allowlist: Allowlist) -> Catalogue:
    return replace(
        catalogue, tables=tuple(_narrowed_table(catalogue, name, table, allowlist[table]) for table in allowlist)
    )


def _narrowed_table(catalogue: Catalogue, name: str, wanted: str, columns: Sequence[str]) -> Table:
    table = catalogue.find(wanted)
    if table is None:
        raise Misconfigured(f"allowlists.{name}.{wanted}", "there is no such table")
    missing = [column for column in columns if table.find(column) is None]
    if missing:
        raise Misconfigured(f"allowlists.{name}.{wanted}", f"there is no column {missing[0]!r}")
    wanted_names = {column.lower() for column in columns}
    kept = tuple(column for column in table.columns if column.name.lower() in wanted_names)
    return replace(table, columns=kept, primary_key=_known_key(table.primary_key, kept))


def with_time_ranges(connection: sqlite3.Connection, catalogue: Catalogue) -> Catalogue:
    """The catalogue with the extremes of its time columns, as far as the connection lets them be read.

    A statement that is interrupted leaves the tables from there on without ranges.
    """
    tables = list(catalogue.tables)
    for place, table in enumerate(tables):
        try:
            tables[place] = _with_ranges(connection, table)
        except sqlite3.Error:
            break
    return replace(catalogue, tables=tuple(tables))


def _with_ranges(connection: sqlite3.Connection, table: Table) -> Table:
    columns = tuple(_with_range(connection, table, column) for column in table.columns)
    return replace(table, columns=columns)


def _with_range(connection: sqlite3.Connection, table: Table, column: Column) -> Column:
    if not column.is_time or column.sensitive:
        return column
    # Two statements, so that each can be answered from an index alone. Names are catalogue names, never given ones.
    ends = [
        connection.execute(f'SELECT {function}("{column.name}") FROM main."{table.name}"').fetchone()[0]
        for function in ("MIN", "MAX")
    ]
    if not all(isinstance(end, (str, int, float)) and len(str(end)) <= _RANGE_CHARS for end in ends):
        return column
    as_text = isinstance(ends[0], str)
    return replace(column, earliest=str(ends[0]), latest=str(ends[1]), text_times=as_text)
