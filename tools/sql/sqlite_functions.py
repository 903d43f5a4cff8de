"""What functions an SQL script may call, and quick forms of those that SQLite computes place by place. Pure.

SQLite looks at the time between steps, never inside one: a function whose work grows with the product of two
arguments would run for hours in a single step.
"""

import sqlite3
from collections.abc import Callable

FUNCTIONS = frozenset(
    "abs avg changes char coalesce count current_date current_time current_timestamp date datetime format glob "
    "group_concat hex ifnull iif instr json json_array json_extract json_object json_quote json_type json_valid "
    "julianday last_insert_rowid length like lower ltrim max min nullif octet_length printf quote random "
    "randomblob replace round rtrim sign strftime substr substring sum time total total_changes trim typeof unhex "
    "unicode unistr unixepoch upper zeroblob -> ->>".split()
)
"""What dumps and fixtures use; every other one is refused."""
_MAX_CHARS = 4 * 1024 * 1024
_MAX_TRIMMED = 256


def replace_slow_functions(connection: sqlite3.Connection) -> None:
    """Give the connection ``instr``, ``replace`` and the trims with a set of characters, each linear in its text."""
    connection.create_function("instr", 2, _instr, deterministic=True)
    connection.create_function("replace", 3, _replace, deterministic=True)
    for name, strip in (("trim", str.strip), ("ltrim", str.lstrip), ("rtrim", str.rstrip)):
        connection.create_function(name, 2, _trimmer(strip), deterministic=True)


def _instr(text: object, part: object) -> int | None:
    return None if text is None or part is None else _text(text).find(_text(part)) + 1


def _replace(text: object, old: object, new: object) -> str | None:
    if text is None or old is None or new is None:
        return None
    whole, old_text, new_text = _text(text), _text(old), _text(new)
    if not old_text:
        return whole
    if whole.count(old_text) * len(new_text) > _MAX_CHARS:
        raise ValueError("the text would grow too long")
    return whole.replace(old_text, new_text)


def _trimmer(strip: Callable[[str, str], str]) -> Callable[[object, object], str | None]:
    def trim(text: object, chars: object) -> str | None:
        if text is None or chars is None:
            return None
        distinct = set(_text(chars))
        if len(distinct) > _MAX_TRIMMED:
            raise ValueError("too many characters to trim")
        return strip(_text(text), "".join(distinct))

    return trim


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
