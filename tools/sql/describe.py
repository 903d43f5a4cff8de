"""What the model is told about this tool: the allowed language, and a bounded catalogue of what can be asked. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from state.model.redaction import is_clean, redact_text
from tools.sql.catalogue import Catalogue, Column, Table

MAX_DESCRIPTION_BYTES = 4 * 1024

LANGUAGE = """\
Read rows or aggregates of one datasource with one plain SELECT.
Allowed: columns; COUNT(*), COUNT(DISTINCT c), and COUNT, SUM, AVG, MIN, MAX of a column; JOIN or LEFT JOIN with \
ON a.x = b.x; WHERE with = <> < <= > >= IN BETWEEN LIKE IS [NOT] NULL AND OR NOT; GROUP BY columns; HAVING; \
ORDER BY columns or selected aggregates; aliases; ? with params (at most 50, not null); strings and numbers in \
comparisons; LIMIT 1 to 100.
Refused: everything else, such as * or DISTINCT in the select list, WITH, subqueries, UNION, windows, CASE, other \
functions, arithmetic, casts, INTERVAL, OFFSET, ORDER BY 1, USING, comments, variables, a second statement.
At most 100 rows come back; if there are more, coverage is PARTIAL. Results name columns by their own names, never by \
aliases. A masked column may only be selected and shows [MASKED]. Write times in the form of the range in brackets.
Datasources, their tables and columns:
"""


@dataclass(frozen=True)
class _Detail:
    types: bool = True
    ranges: bool = True
    columns: bool = True


_DETAILS = (_Detail(), _Detail(types=False), _Detail(types=False, ranges=False), _Detail(columns=False))


def describe(catalogues: Mapping[str, Catalogue]) -> str:
    """The description, at most 4 KiB.

    What does not fit is left out in a fixed order: types, ranges, columns, then the last tables; it says so.
    """
    for detail in _DETAILS:
        text = LANGUAGE + "\n".join(_lines(catalogues, detail))
        if _fits(text):
            return text
    return _cut_lines(_lines(catalogues, _DETAILS[-1]))


def catalogue_terms(catalogues: Mapping[str, Catalogue]) -> tuple[str, ...]:
    """Every name the catalogues vouch for, once: datasources, tables, columns; none that holds a secret."""
    labels = [catalogue.label(table) for catalogue in catalogues.values() for table in catalogue.tables]
    tables = [table for catalogue in catalogues.values() for table in catalogue.tables]
    columns = [column.name for table in tables for column in table.columns]
    names = [*catalogues, *labels, *(table.name for table in tables), *columns]
    return tuple(dict.fromkeys(name for name in names if is_clean(name)))


def _lines(catalogues: Mapping[str, Catalogue], detail: _Detail) -> list[str]:
    lines = []
    for name, catalogue in catalogues.items():
        lines.append(f"{redact_text(name)} ({catalogue.dialect.value}):")
        lines.extend(f"- {_table(table, catalogue, detail)}" for table in catalogue.tables)
    return lines


def _table(table: Table, catalogue: Catalogue, detail: _Detail) -> str:
    name = redact_text(catalogue.label(table))
    if not detail.columns:
        return name
    return f"{name}({', '.join(_column(column, table, detail) for column in table.columns)})"


def _column(column: Column, table: Table, detail: _Detail) -> str:
    parts = [redact_text(column.name)]
    if detail.types and column.type:
        parts.append(column.type)
    if column.name in table.primary_key:
        parts.append("key")
    if column.sensitive:
        parts.append("masked")
    if detail.ranges and column.earliest is not None:
        parts.append(redact_text(f"[{column.earliest} to {column.latest}]"))
    return " ".join(parts)


def _cut_lines(lines: list[str]) -> str:
    kept = len(lines)
    while kept and not _fits(_with_rest(lines, kept)):
        kept -= 1
    return _with_rest(lines, kept)


def _with_rest(lines: list[str], kept: int) -> str:
    return LANGUAGE + "\n".join([*lines[:kept], f"and {len(lines) - kept} more, not listed here"])


def _fits(text: str) -> bool:
    return len(text.encode()) <= MAX_DESCRIPTION_BYTES
