"""Which lines of a block have to be read for a query; all others surely hold no match. Pure."""

from collections.abc import Callable, Iterator

from tools.logs.block import Block
from tools.logs.level_words import words_from
from tools.logs.levels import rank
from tools.logs.literal import Folded, fragments_of
from tools.logs.port import LogQuery

_MANY = 4
"""Where one line in so many has a hit, reading the block as a whole costs less."""


_FEW = 16
"""Hits in a block that are not worth the search for a rarer fragment."""


def is_out(block: Block, query: LogQuery) -> bool:
    """True if what is known of the block excludes every match."""
    if not block.may_hold(query.window.start, query.window.end):
        return True
    if query.service is not None and query.service not in block.contents.services:
        return True
    return query.level is not None and not any(rank(one) >= rank(query.level) for one in block.levels(query.service))


def pieces(
    data: bytes, block: Block, query: LogQuery, starts: Callable[[bytes], bool], *, is_json: bool
) -> Iterator[tuple[bytes, int]]:
    """The records that may match, in order, each with the number of its first line.

    ``starts`` tells whether a record begins on a line whatever stands before it.

    ``is_json``: no record has a second line.
    """
    found = _hits(data, block, query)
    if found is None:
        yield data, block.first_line
        return
    line, counted = block.first_line, 0
    end = 0
    for hit in found:
        if hit < end:
            continue
        start, end = _around(data, hit, starts, is_json=is_json)
        line += data.count(b"\n", counted, start)
        counted = start
        yield data[start:end], line


def _hits(data: bytes, block: Block, query: LogQuery) -> list[int] | None:
    """Offsets in ascending order, at least one in each record that may match; None: any record may."""
    most = 1 + (block.next_line - block.first_line) // _MANY
    found = [
        hits
        for hits in (_hits_of_text(data, block, query, most), _hits_of_level(data, block, query, most))
        if hits is not None
    ]
    return min(found, key=len, default=None)


def _hits_of_text(data: bytes, block: Block, query: LogQuery, most: int) -> list[int] | None:
    """Where a rare one of its sure fragments stands; None: all are too frequent, or there is none."""
    contents = block.contents
    if not query.contains or not contents.is_faithful:
        return None
    fragments = [one for one in fragments_of(query.contains) if one.is_ascii or contents.is_unescaped]
    one_case = Folded(data)
    for limit in (min(_FEW, most), most):
        found = (_every(data, one_case if one.is_ascii else data, one.needle, most=limit + 1) for one in fragments)
        sparse = next((hits for hits in found if len(hits) <= limit), None)
        if sparse is not None:
            return sparse
    return None


def _hits_of_level(data: bytes, block: Block, query: LogQuery, most: int) -> list[int] | None:
    if query.level is None or query.contains:
        return None
    words = words_from(query.level, block.levels(query.service), block.contents.level_words)
    if words is None:
        return None
    hits = [hit for word in words for hit in _every(data, data, word, most=most + 1)]
    return None if len(hits) > most else sorted(hits)


def _every(data: bytes, searched: bytes | Folded, needle: bytes, *, most: int) -> list[int]:
    """At most so many offsets of ``needle`` in ``searched``, one for each line of ``data``."""
    hits: list[int] = []
    at = searched.find(needle)
    while at >= 0 and len(hits) < most:
        hits.append(at)
        line_end = data.find(b"\n", at)
        at = searched.find(needle, line_end) if line_end >= 0 else -1
    return hits


def _around(data: bytes, hit: int, starts: Callable[[bytes], bool], *, is_json: bool) -> tuple[int, int]:
    """Where the record with this byte begins and ends."""
    start = data.rfind(b"\n", 0, hit) + 1
    end = _line_end(data, hit)
    if is_json and data[start : start + 1] == b"{":
        return start, end
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
