"""A look at the part of a large file that should hold a window, while the file is not surveyed to its end.

Found by bisection, so only if its records stand in time order; the answer of a search stays partial.
"""

from collections.abc import Callable
from datetime import datetime

from state.model.evidence import Window
from tools.logs import cutting
from tools.logs.cutting import Cutter, Read, first_start, time_at
from tools.logs.file_index import FileIndex
from tools.logs.read_file import ReadingStopped
from tools.logs.stamps import Reference

_PROBE_BYTES = 128 * 1024
_GOING_ON = 2
"""Blocks where the window begins with what comes next in the survey, which will read them anyway."""


def glimpse(
    index: FileIndex,
    read: Read,
    window: Window,
    reference: Reference,
    is_cancelled: Callable[[], bool],
    is_late: Callable[[], bool],
) -> FileIndex:
    """Blocks behind those of ``index`` around the window; none if ``is_late`` turned true too early.

    Raises:
        ReadingStopped: the search was cancelled.
    """
    seen = FileIndex(index.path, index.key)
    covered, first_line = (index.blocks[-1].end, index.blocks[-1].next_line) if index.blocks else (0, 1)
    size = index.key[0]
    start = _before(read, covered, size, window.start, reference)
    for at in range(covered, start, cutting.BLOCK_BYTES):
        if is_cancelled():
            raise ReadingStopped
        if is_late():
            return seen
        first_line += read(at, min(at + cutting.BLOCK_BYTES, start)).count(b"\n")
    if is_late():
        return seen
    most = _GOING_ON if start == covered else size
    for block in Cutter(read, size, index.path, reference, is_cancelled).blocks(start, first_line):
        seen.blocks.append(block)
        if (
            len(seen.blocks) >= most
            or is_late()
            or (block.contents.first_at is not None and block.contents.first_at >= window.end)
        ):
            break
    return seen


def _before(read: Read, low: int, high: int, instant: datetime, reference: Reference) -> int:
    """Offset of a record start at most about a block before the first record at or after ``instant``."""
    while high - low > cutting.BLOCK_BYTES:
        middle = (low + high) // 2
        data = read(middle, min(middle + _PROBE_BYTES, high))
        found = first_start(data, reference, lambda: False)
        if found is not None and time_at(data, found, reference) < instant:
            low = middle + found
        else:
            high = middle
    return low
