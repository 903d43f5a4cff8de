"""What the source itself bore out of a plain SQL statement: the tables read, and instants every row must have. Pure."""

import re

_INSTANT = r"'\d{4}-\d{2}-\d{2}[T ][\d:.+Z-]{5,30}'"
_DEMANDED = re.compile(
    rf"(?:\bWHERE|\bAND)\s+[\w.]{{1,80}}\s?=\s?({_INSTANT})(?=\s+(?:AND|GROUP|ORDER|LIMIT)\b|\s*$)", re.I
)
_NOT_PLAIN = re.compile(r"\b(?:OR|NOT|CASE|UNION|EXCEPT|INTERSECT|BETWEEN|WITH|XOR)\b|''|--|/\*|[\"`\\#$;]", re.I)
_MAX_CHARS = 4_000
_TABLE = re.compile(r"\b(?:FROM|JOIN)\s+([A-Za-z_][\w.]{0,120})(?![\w.]|\s?\()", re.I | re.ASCII)
_LITERAL = re.compile(r"'[^']*'")
_MAY_NAME_ANYTHING = re.compile(r"\bWITH\b|--|/\*|[\"`\\#$;]", re.I)


def tables_read(sql: str) -> str:
    """The tables, one a line: the source would have refused others. Empty where a statement could name its own."""
    if len(sql) > _MAX_CHARS or _MAY_NAME_ANYTHING.search(sql):
        return ""
    return "\n".join(dict.fromkeys(_TABLE.findall(_LITERAL.sub("''", sql))))


def demanded_instants(sql: str) -> str:
    """The instants, one a line; empty for any statement whose condition is not a plain chain of ANDs.

    Names and numbers never: a reader takes them as found, and a time only says of when the rows are.
    """
    head, where, condition = sql[:_MAX_CHARS].rpartition("WHERE")
    is_plain = where and not _NOT_PLAIN.search(sql) and sql.upper().count("SELECT") == 1 and "(" not in condition
    if len(sql) > _MAX_CHARS or not is_plain or "WHERE" in head.upper():
        return ""
    return "\n".join(match.group(1) for match in _DEMANDED.finditer(where + condition))
