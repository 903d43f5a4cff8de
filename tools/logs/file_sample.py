"""A look at both ends of a large file that has not been surveyed yet: for the catalogue, never for a search."""

from datetime import datetime
from pathlib import PurePosixPath

from tools.logs.block import Held, add_held
from tools.logs.cutting import first_start, last_start, time_at
from tools.logs.file_index import Key, OpenFile
from tools.logs.stamps import Reference
from tools.logs.survey import survey

END_BYTES = 256 * 1024
"""Read at either end for an estimate."""
_PEEK_BYTES = 32 * 1024
"""Read at either end for a time."""


def span_of(file: OpenFile, key: Key, reference: Reference) -> tuple[datetime, datetime] | None:
    """Times of records near the beginning and the end of the file, the older first; None: none was found."""
    size = key[0]
    head = b"\n" + file.read(0, min(_PEEK_BYTES, size)).removeprefix(b"\xef\xbb\xbf")
    tail = file.read(max(size - _PEEK_BYTES, 0), size)
    first = first_start(head, reference, lambda: False)
    last = last_start(tail, reference, lambda: False)
    if first is None or last is None:
        return None
    times = time_at(head, first, reference), time_at(tail, last, reference)
    return min(times), max(times)


def sampled(file: OpenFile, key: Key, path: PurePosixPath, reference: Reference) -> dict[str, Held]:
    """What the ends of the file hold of each service; ``lines`` are counted up to the size of the file."""
    size = key[0]
    head = file.read(0, min(END_BYTES, size))
    tail = file.read(max(size - END_BYTES, len(head)), size)
    ends = (head[: head.rfind(b"\n") + 1], tail[first_start(tail, reference, lambda: False) or len(tail) :])
    total: dict[str, Held] = {}
    for end in ends:
        add_held(total, survey(end, path, reference).services.items())
    n_read = max(sum(map(len, ends)), 1)
    for held in total.values():
        held.lines = round(held.lines * size / n_read)
    return total
