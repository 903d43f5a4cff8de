"""What is known of one large log file: its blocks, kept up to date as the file grows.

A file that only grew is read on from its last block; one that changed otherwise is read anew. Interrupted reading goes
on where it stopped. Nothing of the text is kept.
"""

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from tools.logs.block import Block, Held, add_held
from tools.logs.cutting import Cutter, Read, is_endless
from tools.logs.read_file import Gap, ReadFile, may_lie, read_piece
from tools.logs.stamps import Reference
from tools.regular_file import open_regular

Key = tuple[int, int, int]
"""Size, modification time in nanoseconds, inode."""


class FileChanged(OSError):
    """The file is no longer the one that was read."""


class OpenFile:
    """An open log file that is read in pieces; tells how many bytes."""

    def __init__(self, path: Path, on_read: Callable[[int], None]) -> None:
        """Raises OSError if it cannot be opened or is no regular file; the caller closes it."""
        self._descriptor = open_regular(path)
        self._on_read = on_read

    def __enter__(self) -> "OpenFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def key(self) -> Key:
        """Of what is open, whatever the name leads to by now."""
        return key_of(os.fstat(self._descriptor))

    def read(self, start: int, end: int) -> bytes:
        """The bytes between two offsets; fewer at the end of the file."""
        pieces: list[bytes] = []
        while start < end and (data := os.pread(self._descriptor, end - start, start)):
            self._on_read(len(data))
            pieces.append(data)
            start += len(data)
        return b"".join(pieces)


def key_of(info: os.stat_result) -> Key:
    """Changes whenever the file does."""
    return info.st_size, info.st_mtime_ns, info.st_ino


@dataclass
class FileIndex:
    """One large file."""

    path: PurePosixPath
    """Relative to the source, as shown."""
    key: Key
    blocks: list[Block] = field(default_factory=list)
    is_whole: bool = False
    """All of the file is covered."""
    span: tuple[datetime, datetime] | None = None
    """Times near both ends of a file that is not covered yet; None: nobody looked, or none was found."""

    def cover(
        self,
        read: Read,
        reference: Reference,
        is_cancelled: Callable[[], bool],
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        """Survey what is not covered yet; what is covered stays when it is interrupted or ``is_late`` turns true.

        Raises:
            ReadingStopped: the search was cancelled.
        """
        if self.is_whole:
            return
        start, line = (self.blocks[-1].end, self.blocks[-1].next_line) if self.blocks else (0, 1)
        for block in Cutter(read, self.key[0], self.path, reference, is_cancelled).blocks(start, line):
            if self.blocks:
                self.blocks[-1] = _closed(self.blocks[-1], block.contents.first_at)
            self.blocks.append(block)
            if block.end < self.key[0] and is_late() and not is_endless(block):
                return
        self.is_whole = True

    def grown(self, key: Key, read: Read) -> "FileIndex":
        """The index to go on with for a file of that key: with all sure blocks if it only grew, else empty."""
        fresh = FileIndex(self.path, key)
        kept = self.blocks[:-1]
        is_longer = key[0] > self.key[0] and key[2] == self.key[2]
        if is_longer and kept and all(_is_same(block, read) for block in (kept[0], self.blocks[-1])):
            # The last block may have ended amid a line or a record.
            fresh.blocks = kept
        return fresh

    def as_now(self) -> "FileIndex":
        """The same, unaffected by what another search surveys meanwhile."""
        return self if self.is_whole else replace(self, blocks=list(self.blocks))

    @property
    def problem(self) -> str | None:
        """Why nothing or not everything of it could be read."""
        if any(block.contents.n_undecodable for block in self.blocks):
            return "undecodable"
        has_records = any(block.oldest for block in self.blocks)
        return (
            "no_timestamps"
            if self.is_whole and not has_records and any(block.contents.gaps for block in self.blocks)
            else None
        )

    def services(self) -> dict[str, Held]:
        """What it holds of each service."""
        total: dict[str, Held] = {}
        for block in self.blocks:
            add_held(total, block.contents.services.items())
        return total

    def broken_between(self, start: datetime, end: datetime) -> int:
        """Broken lines that may have been written in that time."""
        return sum(1 for block in self.blocks for gap in block.contents.gaps if may_lie(gap, start, end))

    def holds(self, start: datetime, end: datetime, file: "OpenFile", reference: Reference) -> bool:
        """True if a record lies in ``start`` ≤ time < ``end``; reads only blocks that reach across an end."""
        if any(block.lies_within(start, end) for block in self.blocks):
            return True
        across = (block for block in self.blocks if block.may_hold(start, end))
        return any(self.read(block, file, reference).between(start, end) for block in across)

    def read(self, block: Block, file: "OpenFile", reference: Reference) -> ReadFile:
        """All records of one block.

        Raises:
            FileChanged: the file is no longer the one that was surveyed.
        """
        return read_piece(self.bytes_of(block, file), self.path, reference, first_line=block.first_line)

    def bytes_of(self, block: Block, file: "OpenFile") -> bytes:
        """The bytes of one block.

        Raises:
            FileChanged: the file is no longer the one that was surveyed.
        """
        data = file.read(block.start, block.end)
        if len(data) != block.end - block.start:
            raise FileChanged(f"{self.path} became shorter while it was read")
        return data


def _is_same(block: Block, read: Read) -> bool:
    return zlib.crc32(read(block.start, block.end)) == block.check


def _closed(block: Block, next_at: datetime | None) -> Block:
    """Broken lines at its end lie before the first record of the next block."""
    gaps = block.contents.gaps
    if not gaps or gaps[-1].before is not None:
        return block
    after = gaps[-1].after
    closed = tuple(Gap(after, next_at) if gap == Gap(after, None) else gap for gap in gaps)
    return replace(block, contents=replace(block.contents, gaps=closed))
