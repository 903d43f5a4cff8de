"""Lines that fit a terminal, counted in cells: Chinese breaks between characters, other scripts between words. Pure."""

import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

_CLOSING = frozenset("，。、；：！？）】》」』”’…%)]},.;:!?")
"""Never at the start of a line."""
_OPENING = frozenset("（【《「『“‘([{")
"""Never at the end of a line."""


def wrap(text: str, width: int | None) -> list[str]:
    """The lines of the text, each at most ``width`` cells (at least 2); None: only the text's own newlines break.

    Spaces at a break are dropped, nothing else. The empty text is one empty line.
    """
    lines = text.split("\n")
    if width is None:
        return lines
    return [part for line in lines for part in _fill(line, max(2, width))]


def padded(text: str, cells: int) -> str:
    """The text filled up with spaces to that many cells; a longer one stays as it is."""
    return text if cell_len(text) >= cells else set_cell_size(text, cells)


def _fill(line: str, width: int) -> Iterator[str]:
    current, used = "", 0
    for unit in _units(line):
        size = cell_len(unit)
        if used + size > width and current.strip():
            yield current.rstrip()
            current, used = "", 0
            unit = unit.lstrip()
            size = cell_len(unit)
        while size > width:
            head, unit = _chop(unit, width)
            yield head
            size = cell_len(unit)
        current, used = current + unit, used + size
    yield current.rstrip()


def _units(line: str) -> Iterator[str]:
    """Pieces between which the line may break; leading spaces belong to the piece they come before."""
    unit = ""
    for char in line:
        if unit and _may_break(unit[-1], char):
            yield unit
            unit = ""
        unit += char
    if unit:
        yield unit


def _may_break(before: str, after: str) -> bool:
    if after in _CLOSING or before in _OPENING or before == " ":
        return False
    return after == " " or _is_wide(before) or _is_wide(after)


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in {"W", "F"}


def _chop(unit: str, width: int) -> tuple[str, str]:
    used = 0
    for index, char in enumerate(unit):
        used += cell_len(char)
        if used > width:
            return unit[:index], unit[index:]
    return unit, ""
