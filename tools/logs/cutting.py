"""Cuts a large file into blocks that begin where a record begins, and surveys each. Holds one block at a time."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from tools.logs.block import Block, Contents
from tools.logs.decode import decode_line
from tools.logs.read_file import Gap, ReadingStopped, is_json_file, may_continue, record_on
from tools.logs.stamps import Reference
from tools.logs.survey import survey

BLOCK_BYTES = 1024 * 1024
"""Usual size of a block: what one step of a search holds in memory and reads at least."""
_GROWTH = 8
"""A record longer than this many blocks loses its tail, which is beyond the bound of a message anyway."""

Read = Callable[[int, int], bytes]
"""Bytes from a start to an end offset; fewer only at the end of the file."""


@dataclass(frozen=True)
class Cutter:
    """What all blocks of one file share."""

    read: Read
    size: int
    path: PurePosixPath
    reference: Reference
    is_cancelled: Callable[[], bool]

    def blocks(self, start: int, first_line: int) -> Iterator[Block]:
        """The blocks from a record start on, one after the other.

        Raises:
            ReadingStopped: the search was cancelled.
        """
        while start < self.size:
            data = self._next(start)
            block = self._block(data, start, first_line)
            yield block
            start, first_line = block.end, block.next_line
            if start < self.size and is_endless(block):
                skipped, n_lines = self._skip(start)
                start, first_line = start + skipped, first_line + n_lines

    def _block(self, data: bytes, start: int, first_line: int) -> Block:
        text = data.removeprefix(b"\xef\xbb\xbf") if start == 0 else data
        contents = survey(text, self.path, self.reference, is_cancelled=self.is_cancelled)
        if is_json_file(self.path) and len(data) >= BLOCK_BYTES * _GROWTH:
            contents = _with_lost(contents)
        end = start + len(data)
        return Block(start, end, first_line, first_line + data.count(b"\n"), contents, zlib.crc32(data))

    def _next(self, start: int) -> bytes:
        """From ``start`` to a later record start, or to the end of the file."""
        for growth in (1, 2, 4, _GROWTH):
            data = self.read(start, min(start + BLOCK_BYTES * growth, self.size))
            if start + len(data) >= self.size or not data:
                return data
            cut = last_start(data, self.reference, self.is_cancelled)
            if cut:
                return data[:cut]
        return data

    def _skip(self, start: int) -> tuple[int, int]:
        """Bytes and lines from ``start`` to the next record start or the end of the file."""
        skipped = n_lines = 0
        while start + skipped < self.size:
            data = self.read(start + skipped, min(start + skipped + BLOCK_BYTES, self.size))
            found = first_start(data, self.reference, self.is_cancelled)
            if found is not None:
                return skipped + found, n_lines + data.count(b"\n", 0, found)
            step = max(data.rfind(b"\n"), 0) or len(data)
            if not step:
                break
            skipped, n_lines = skipped + step, n_lines + data.count(b"\n", 0, step)
        return skipped, n_lines


def is_endless(block: Block) -> bool:
    """True if its last record was cut; what is left of that record is in no block."""
    return block.end - block.start >= BLOCK_BYTES * _GROWTH


def starts_record(raw: bytes, reference: Reference) -> bool:
    """True if a record begins on this line whatever stands before it."""
    text = decode_line(raw)
    stamped = record_on(text, reference) if text and text.strip() else None
    return stamped is not None and not may_continue(stamped)


def last_start(data: bytes, reference: Reference, is_cancelled: Callable[[], bool]) -> int | None:
    """Offset of the last whole line behind the first on which a record begins.

    Raises:
        ReadingStopped: the search was cancelled.
    """
    end = data.rfind(b"\n")
    while end > 0:
        start = data.rfind(b"\n", 0, end) + 1
        if start == 0:
            return None
        if starts_record(data[start:end], reference):
            return start
        _check(is_cancelled)
        end = start - 1
    return None


def first_start(data: bytes, reference: Reference, is_cancelled: Callable[[], bool]) -> int | None:
    """Offset of the first whole line behind a line break on which a record begins.

    Raises:
        ReadingStopped: the search was cancelled.
    """
    start = data.find(b"\n") + 1
    while start and (end := data.find(b"\n", start)) >= 0:
        if starts_record(data[start:end], reference):
            return start
        _check(is_cancelled)
        start = end + 1
    return None


def time_at(data: bytes, start: int, reference: Reference) -> datetime:
    """The time of the record that begins at that offset, as ``first_start`` and ``last_start`` find it."""
    text = decode_line(data[start : data.index(b"\n", start)])
    stamped = record_on(text, reference) if text else None
    assert stamped is not None, "a record begins there"
    return stamped.at


def _check(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise ReadingStopped


def _with_lost(contents: Contents) -> Contents:
    """Broken lines behind an endless block are not counted one by one: one that may lie anywhere stands for them."""
    return replace(contents, gaps=(*contents.gaps, Gap(None, None)))
