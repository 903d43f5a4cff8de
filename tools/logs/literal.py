"""Which bytes must stand in a line for a record of it to contain a text, whatever the case. Pure.

The text of a record is put together from pieces of its lines; only runs of characters that no such piece boundary,
escape or inserted remark can make or break may be searched for in the bytes.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from state.model.secret_rules import SECRET_RULES

_RUN = re.compile(r"[a-z0-9_.\-]+|[^\x00-\x7f]+")
_CASE_BIT = np.uint8(0x20)
_FOLDED_BYTES = 32 * 1024
"""Folded at once: so few that they stay near the processor."""
_MIN_CHARS = 3
_SURE_DIGITS = 5
"""Fewer may be the count in the remark about dropped frames."""
_INSERTED = " ".join(
    [
        "[redacted:key]",
        "frames dropped",
        "[cut]",
        "infinity nan",
        "...",
        *(f"[redacted:{rule.name}]" for rule in SECRET_RULES),
    ]
).lower()
"""Everything that reading may add to the text of a record."""


@dataclass(frozen=True)
class Fragment:
    """Bytes that stand in every record that contains the text: folded ones if it is ASCII, else as they are."""

    needle: bytes
    is_ascii: bool


def folded(data: bytes) -> bytes:
    """The bytes with upper and lower case made one; some other bytes become the same too. Offsets stay."""
    return np.bitwise_or(np.frombuffer(data, np.uint8), _CASE_BIT).tobytes()


class Folded:
    """Bytes that are searched with upper and lower case made one, and made so piece by piece."""

    def __init__(self, data: bytes) -> None:
        self._data = np.frombuffer(data, np.uint8)
        self._piece = (-1, 0, b"")

    def find(self, needle: bytes, start: int = 0) -> int:
        """Offset of the first occurrence of the folded ``needle`` at or behind ``start``; -1 if there is none."""
        while start < len(self._data):
            begin = start - start % _FOLDED_BYTES
            found = self._folded(begin, len(needle)).find(needle, start - begin)
            if found >= 0:
                return begin + found
            start = begin + _FOLDED_BYTES
        return -1

    def _folded(self, begin: int, overlap: int) -> bytes:
        known_begin, known_overlap, piece = self._piece
        if (known_begin, known_overlap) != (begin, overlap):
            piece = np.bitwise_or(self._data[begin : begin + _FOLDED_BYTES + overlap], _CASE_BIT).tobytes()
            self._piece = begin, overlap, piece
        return piece


@lru_cache(maxsize=64)
def fragments_of(contains: str) -> tuple[Fragment, ...]:
    """All such runs of the text, the longest first; empty: none is long enough to be worth it."""
    runs = [run for run in map(_sure, _RUN.findall(contains.lower())) if run is not None]
    return tuple(sorted(dict.fromkeys(runs), key=lambda run: -len(run.needle)))


def _sure(run: str) -> Fragment | None:
    if not run.isascii():
        same = "".join(char if char.isalpha() and char.lower() == char.upper() else " " for char in run)
        longest = max(same.split(), key=len, default="")
        return Fragment(longest.encode(), is_ascii=False) if longest else None
    run = run.strip(".-_")
    has_letter = any(char.isalpha() for char in run)
    if len(run) < (_MIN_CHARS if has_letter else _SURE_DIGITS) or run in _INSERTED:
        return None
    return Fragment(folded(run.encode()), is_ascii=True)
