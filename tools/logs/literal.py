"""Which bytes must stand in a line for a record of it to contain a text, whatever the case. Pure.

The text of a record is put together from pieces of its lines; only runs of characters that no such piece boundary,
escape or inserted remark can make or break may be searched for in the bytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from state.model.secret_rules import SECRET_RULES

_RUN = re.compile(r"[a-z0-9_.\-]+|[^\x00-\x7f]+")
_MIN_CHARS = 3
_SURE_DIGITS = 5
"""Fewer may be the count in the remark about dropped frames."""
_REDACTIONS = " ".join(["[redacted:key]", *(f"[redacted:{rule.name}]" for rule in SECRET_RULES)]).lower()
_FRAMES = "frames dropped"
_OTHERS = "[cut] infinity nan"
"""Everything that reading may add to the text of a record."""


class Remark(Enum):
    """What reading may add to the text of a record."""

    REDACTION = "redaction"
    """That a secret was removed."""
    FRAMES = "frames"
    """How many frames of a stack were dropped."""


@dataclass(frozen=True)
class Fragment:
    """Bytes that stand in every record that contains the text, whatever the case of their ASCII letters."""

    needle: bytes
    """In lower case."""
    is_ascii: bool
    remarks: frozenset[Remark] = frozenset()
    """They may be part of these, and where one is added need not stand in the bytes of the record."""


@lru_cache(maxsize=64)
def fragments_of(contains: str) -> tuple[Fragment, ...]:
    """All such runs of the text, those of no remark first, then the longest; empty: none is worth a search."""
    runs = [run for run in map(_fragment, _RUN.findall(contains.lower())) if run is not None]
    return tuple(sorted(dict.fromkeys(runs), key=lambda run: (len(run.remarks), -len(run.needle))))


def _fragment(run: str) -> Fragment | None:
    if not run.isascii():
        same = "".join(char if char.isalpha() and char.lower() == char.upper() else " " for char in run)
        longest = max(same.split(), key=len, default="")
        return Fragment(longest.encode(), is_ascii=False) if longest else None
    run = run.strip(".-_")
    if len(run) < _MIN_CHARS or run in _OTHERS:
        return None
    return Fragment(run.encode(), is_ascii=True, remarks=frozenset(_remarks_with(run)))


def _remarks_with(run: str) -> Iterator[Remark]:
    is_short_number = len(run) < _SURE_DIGITS and not any(char.isalpha() for char in run)
    if is_short_number or run in _FRAMES:
        yield Remark.FRAMES
    if run in _REDACTIONS:
        yield Remark.REDACTION
