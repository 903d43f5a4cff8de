"""Which lines of a block have to be read for a query; all others surely hold no match. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tools.logs.block import Block
from tools.logs.level_words import words_from
from tools.logs.levels import rank
from tools.logs.literal import fragment_of
from tools.logs.port import LogQuery

_MANY = 4
"""Where one line in so many has a hit, reading the block as a whole costs less."""


@dataclass(frozen=True)
class Piece:
    """Whole records of a block."""

    data: bytes
    first_line: int


def is_out(block: Block, query: LogQuery) -> bool:
    """True if what is known of the block excludes every match."""
    if not block.may_hold(query.window.start, query.window.end):
        return True
    if query.service is not None and query.service not in block.contents.services:
        return True
    return query.level is not None and not any(rank(one) >= rank(query.level) for one in block.levels(query.service))


def pieces(data: bytes, block: Block, query: LogQuery, starts: Callable[[bytes], bool]) -> Iterator[Piece]:
    """The records that may match, in order; ``starts`` tells whether a record begins on a line."""
    found = _hits(data, block, query)
    if found is None:
        yield Piece(data, block.first_line)
        return
    line, counted = block.first_line, 0
    end = 0
    for hit in found:
        if hit < end:
            continue
        start, end = _around(data, hit, starts)
        line += data.count(b"\n", counted, start)
        counted = start
        yield Piece(data[start:end], line)


def _hits(data: bytes, block: Block, query: LogQuery) -> list[int] | None:
    """Offsets in ascending order, at least one in each record that may match; None: any record may."""
    contents = block.contents
    fragment = fragment_of(query.contains) if query.contains else None
    if fragment is not None and contents.is_faithful and (fragment.is_ascii or contents.is_unescaped):
        needles = frozenset({fragment.needle})
        data = data.lower() if fragment.is_ascii else data
    elif query.level is not None:
        words = words_from(query.level, block.levels(query.service), contents.level_words)
        if words is None:
            return None
        needles = words
    else:
        return None
    most = 1 + (block.next_line - block.first_line) // _MANY
    hits = [hit for needle in needles for hit in _every(data, needle, most + 1)]
    return None if len(hits) > most else sorted(hits)


def _every(data: bytes, needle: bytes, most: int) -> list[int]:
    """At most so many offsets, one a line."""
    hits: list[int] = []
    at = data.find(needle)
    while at >= 0 and len(hits) < most:
        hits.append(at)
        line_end = data.find(b"\n", at)
        at = data.find(needle, line_end) if line_end >= 0 else -1
    return hits


def _around(data: bytes, hit: int, starts: Callable[[bytes], bool]) -> tuple[int, int]:
    """Where the record with this byte begins and ends."""
    start = data.rfind(b"\n", 0, hit) + 1
    end = _line_end(data, hit)
    while start and not starts(_line(data, start)):
        start = data.rfind(b"\n", 0, start - 1) + 1
    while end < len(data) and not starts(_line(data, end)):
        end = _line_end(data, end)
    return start, end


def _line(data: bytes, start: int) -> bytes:
    return data[start : _line_end(data, start)].rstrip(b"\n")


def _line_end(data: bytes, at: int) -> int:
    """Offset behind the line break, or the end."""
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1
