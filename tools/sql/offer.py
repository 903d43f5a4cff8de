"""Narrows what a server holds to what the allowlist offers; a name in it that does not exist is an error. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from state.model.errors import Misconfigured
from tools.sql.catalogue import SAFE_NAME, Catalogue, Column, Dialect, Table
from tools.sql.sensitive import is_sensitive
from tools.sql.server import Offer, SqlServer

EVERY = "*"
MAX_TYPE = re.compile(r"[\w ,()\[\]]{1,40}")
_SHOWN = 3


@dataclass(frozen=True)
class HeldColumn:
    """One column a server has, as its catalogue describes it."""

    schema: str
    table: str
    name: str
    type: str
    zoned: bool | None = None
    """As of ``Column``."""
    readable: bool = True
    """False if the account has no right to read it."""
    key_place: int | None = None
    """Place in the primary key; None if it is no part of it."""


@dataclass(frozen=True)
class Held:
    """What a server has."""

    columns: Sequence[HeldColumn]
    """Of the allowlisted tables, in order."""
    tables: Sequence[str] = ()
    """``schema.table`` of every table, for near misses."""


def qualified(name: str, default_schema: str) -> str:
    """``schema.table`` of an entry of the allowlist."""
    return name if "." in name else f"{default_schema}.{name}"


def build_catalogue(server: SqlServer, offer: Offer, held: Held, *, dialect: Dialect, schema: str) -> Catalogue:
    """The catalogue, tables in the order of the allowlist. ``schema``: of tables that are named without one.

    Raises:
        Misconfigured: a table or column does not exist, is ambiguous, has an unsafe name, or cannot be read.
    """
    reader = _Reader(server, held, schema)
    masked = {reader.table(name, key="masked"): tuple(columns) for name, columns in offer.masked.items()}
    wanted = {reader.table(name, key="allowlist"): tuple(columns) for name, columns in offer.allowlist.items()}
    if len(wanted) < len(offer.allowlist):
        raise Misconfigured(f"{server.key}.allowlist", "the same table is listed twice")
    stray = next((name for name in masked if name not in wanted), None)
    if stray is not None:
        raise Misconfigured(f"{server.key}.masked", f"{stray} is not in the allowlist")
    tables = tuple(reader.offered(name, columns, masked.get(name, ())) for name, columns in wanted.items())
    return Catalogue(dialect, tables)


@dataclass(frozen=True)
class _Reader:
    server: SqlServer
    held: Held
    schema: str

    def table(self, name: str, *, key: str) -> str:
        """The one ``schema.table`` meant.

        Raises:
            Misconfigured: there is none, or more than one.
        """
        full = qualified(name, self.schema)
        names = tuple(dict.fromkeys(f"{column.schema}.{column.table}" for column in self.held.columns))
        found = _same(full, names)
        if found is None:
            raise Misconfigured(f"{self.server.key}.{key}.{name}", f"there is no table {full}" + self._near(full))
        if not all(SAFE_NAME.fullmatch(part) for part in found.split(".", 1)):
            raise Misconfigured(f"{self.server.key}.{key}.{name}", "a name with other characters cannot be offered")
        return found

    def _near(self, full: str) -> str:
        by_name = [name for name in self.held.tables if name.lower().endswith("." + full.split(".", 1)[1].lower())]
        return near_misses(full, self.held.tables, first=by_name)

    def offered(self, full: str, wanted: Sequence[str], masked: Sequence[str]) -> Table:
        """The table with the columns wanted, and those masked.

        Raises:
            Misconfigured: one of them does not exist or cannot be read, or none is left.
        """
        held = [column for column in self.held.columns if f"{column.schema}.{column.table}" == full]
        names = tuple(column.name for column in held)
        hidden = {self._column(full, name, names, key="masked") for name in masked}
        listed = {self._column(full, name, names, key="allowlist") for name in wanted if name != EVERY}
        kept = [
            column
            for column in held
            if column.name in listed | hidden or (EVERY in wanted and _is_offered_unasked(column))
        ]
        columns = tuple(self._as_column(column, hidden) for column in kept)
        if not columns:
            raise Misconfigured(f"{self.server.key}.allowlist.{full}", "no column of it can be read")
        key = tuple(column.name for column in sorted(held, key=_key_order) if column.key_place is not None)
        shown = {column.name for column in columns if not column.sensitive}
        return Table(held[0].table, columns, key if set(key) <= shown else (), schema=held[0].schema)

    def _column(self, table: str, wanted: str, names: Sequence[str], *, key: str) -> str:
        found = _same(wanted, names)
        if found is None:
            why = f"there is no column {wanted!r}" + near_misses(wanted, names)
            raise Misconfigured(f"{self.server.key}.{key}.{table}", why)
        if not SAFE_NAME.fullmatch(found):
            raise Misconfigured(f"{self.server.key}.{key}.{table}", "a name with other characters cannot be offered")
        return found

    def _as_column(self, held: HeldColumn, hidden: set[str]) -> Column:
        sensitive = held.name in hidden or is_sensitive(held.name)
        if not held.readable and not sensitive:
            where = f"{self.server.key}.allowlist.{held.schema}.{held.table}"
            raise Misconfigured(where, f"the account has no SELECT on the column {held.name}; grant it or leave it out")
        type_ = held.type if MAX_TYPE.fullmatch(held.type) else ""
        return Column(held.name, type_, sensitive=sensitive, zoned=held.zoned)


def _is_offered_unasked(column: HeldColumn) -> bool:
    return column.readable and not is_sensitive(column.name) and bool(SAFE_NAME.fullmatch(column.name))


def _key_order(column: HeldColumn) -> int:
    return -1 if column.key_place is None else column.key_place


def _same(wanted: str, names: Iterable[str]) -> str | None:
    """The name as written, else the only one that differs in letter case alone."""
    every = tuple(names)
    if wanted in every:
        return wanted
    found = [name for name in every if name.lower() == wanted.lower()]
    return found[0] if len(found) == 1 else None


def near_misses(wanted: str, names: Iterable[str], *, first: Sequence[str] = ()) -> str:
    """``; did you mean …?`` with at most three names, or nothing."""
    close = dict.fromkeys([*first, *get_close_matches(wanted, list(names), n=_SHOWN, cutoff=0.6)])
    return f"; did you mean {' or '.join(list(close)[:_SHOWN])}?" if close else ""


def with_range(table: Table, place: int, earliest: str, latest: str, *, text_times: bool) -> Table:
    """The table with the extremes of one of its columns."""
    ranged = replace(table.columns[place], earliest=earliest, latest=latest, text_times=text_times)
    return replace(table, columns=(*table.columns[:place], ranged, *table.columns[place + 1 :]))
