"""Which lines of a block have to be read for a query; all others surely hold no match. Pure."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tools.logs.block import Block
from tools.logs.levels import rank
from tools.logs.literal import Fragment, Remark, fragments_of
from tools.logs.port import LogQuery
from tools.logs.text_hits import fragment_hits

_MANY = 4
"""Where one line in so many has a hit, reading the block as a whole costs less."""
_FEW = 16
"""Hits in a block that cost less to read than to judge."""


def is_out(block: Block, query: LogQuery) -> bool:
    """True if what is known of the block excludes every match."""
    if not block.may_hold(query.window.start, query.window.end):
        return True
    if query.service is not None and query.service not in block.contents.services:
        return True
    return query.level is not None and not any(rank(one) >= rank(query.level) for one in block.levels(query.service))


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look for a text in a block has told."""

    hits: Sequence[int] | None
    """Offsets in ascending order, at least one in each record that may match; None: they are many."""
    rarest: Fragment | None
    """Of the fragments of the text, as far as was looked; None: there is none, any record may match."""


def look(data: bytes, block: Block, contains: str) -> Looked:
    """Where few records of the block may contain the text, where they stand."""
    # Without a layout many hits cannot be judged, only read.
    most = _FEW if block.contents.layout is not None else (block.next_line - block.first_line) // _MANY
    rarest, least = None, math.inf
    for one in _fragments_in(block, contains):
        hits = _first_hits(data, one, most + 1)
        if len(hits) <= most and Remark.FRAMES not in one.remarks:
            return Looked(hits, one)
        often = len(hits) / (hits[-1] + 1) if hits else 0.0
        if often < least:
            rarest, least = one, often
    return Looked(None, rarest)


def pieces(
    data: bytes, first_line: int, hits: Iterable[int], starts: Callable[[bytes], bool], *, is_json: bool
) -> Iterator[tuple[bytes, int]]:
    """The records of a block with these bytes, in order, each with the number of its first line.

    ``starts`` tells whether a record begins on a line whatever stands before it.

    ``is_json``: no record has a second line.
    """
    line, counted, end = first_line, 0, 0
    for hit in hits:
        if hit < end:
            continue
        start, behind = _around(data, hit, starts, is_json=is_json)
        if start < end:
            # A line behind a record that has no second line: it belongs to none.
            continue
        line += data.count(b"\n", counted, start)
        counted, end = start, behind
        yield data[start:end], line


def _fragments_in(block: Block, contains: str) -> Sequence[Fragment]:
    """The fragments of the text that stand in the bytes of every record of the block that contains it.

    Those of the remark about dropped frames do only where no such was added, which the layout tells of each record.
    """
    contents = block.contents
    if not contents.is_faithful:
        return ()
    return [
        one
        for one in fragments_of(contains)
        if (one.is_ascii or contents.is_unescaped)
        and not (Remark.REDACTION in one.remarks and contents.writing.may_redact)
        and not (Remark.FRAMES in one.remarks and contents.layout is None)
    ]


def _first_hits(data: bytes, fragment: Fragment, n_wanted: int) -> list[int]:
    """Offsets in ascending order: all, or of many at least so many."""
    hits: list[int] = []
    for some in fragment_hits(np.frombuffer(data, np.uint8), fragment):
        hits += some.tolist()
        if len(hits) >= n_wanted:
            break
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
