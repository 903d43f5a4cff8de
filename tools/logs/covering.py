"""Which large files are surveyed when: the survey of a folder takes longer than one search may.

A search surveys what should hold its window first, and stops in time; what is left is named in its answer, and the next
search goes on with it.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from state.model.evidence import Window
from tools.logs import cutting
from tools.logs.file_index import FileIndex, OpenFile
from tools.logs.file_sample import span_of
from tools.logs.large_search import refuse_changed
from tools.logs.port import Unread
from tools.logs.read_file import ReadFile
from tools.logs.stamps import Reference
from tools.logs.stored_file import Stored

SURVEY_S = 6.0
"""Of one search, for surveying; with the rest of the search well below the timeout of the tool."""
GLIMPSE_S = 3.0
"""Of one search, for looking at the window in files that are not surveyed to their end."""

_WORTH_A_LOOK = 8
"""Blocks: a smaller rest of a file is surveyed without looking at its ends before."""


class Timer:
    """Tells when some seconds have passed."""

    def __init__(self, monotonic: Callable[[], float], seconds: float) -> None:
        self._monotonic = monotonic
        self._until = monotonic() + seconds

    def is_late(self) -> bool:
        """They have passed."""
        return self._monotonic() >= self._until


class Surveying:
    """Surveys large files of one folder."""

    def __init__(
        self, open_file: Callable[[Stored], OpenFile], reference: Reference, is_cancelled: Callable[[], bool]
    ) -> None:
        self._open = open_file
        self._reference = reference
        self._is_cancelled = is_cancelled

    def cover(
        self, stored: dict[str, Stored], chosen: Iterable[Stored], is_late: Callable[[], bool] = lambda: False
    ) -> None:
        """Survey the chosen files in that order; one that cannot be read is replaced in ``stored``.

        Raises:
            ReadingStopped: the search was cancelled.
        """
        for one in chosen:
            if is_late():
                return
            assert one.index is not None, "only large files are chosen"
            try:
                with self._open(one) as file:
                    refuse_changed(one.index, file)
                    one.index.cover(file.read, self._reference, self._is_cancelled, is_late)
            except OSError:
                stored[one.name] = Stored(one.name, (-1, -1, -1), ReadFile(problem="unreadable"))

    def for_window(self, stored: dict[str, Stored], window: Window) -> list[Stored]:
        """What is not surveyed yet: files that should hold the window first, of them the newest first."""
        waiting = list(_waiting(stored.values()))
        for one in waiting:
            assert one.index is not None, "only large files wait"
            left = one.index.key[0] - (one.index.blocks[-1].end if one.index.blocks else 0)
            if one.index.span is None and left > _WORTH_A_LOOK * cutting.BLOCK_BYTES:
                self._look(one, one.index)
        return sorted(waiting, key=lambda one: (not may_span(one.index, window.start, window.end), *_age(one)))

    def _look(self, one: Stored, index: FileIndex) -> None:
        try:
            with self._open(one) as file:
                index.span = span_of(file, index.key, self._reference)
        except OSError:
            return  # Told when it is to be surveyed.


def newest_within(stored: dict[str, Stored], max_bytes: int) -> Iterator[Stored]:
    """What is not surveyed yet, newest files first, as many as have together no more bytes."""
    for one in sorted(_waiting(stored.values()), key=_age):
        if one.key[0] <= max_bytes:
            max_bytes -= one.key[0]
            yield one


def may_span(index: FileIndex | None, start: datetime, end: datetime) -> bool:
    """False: going by both its ends, the file holds no record in ``start`` ≤ time < ``end``."""
    span = index.span if index is not None else None
    return span is None or (span[0] < end and span[1] >= start)


def late_of(files: Iterable[Stored]) -> tuple[Unread, ...]:
    """The files that are not surveyed to their end."""
    return tuple(Unread(name=one.shown, why="timed_out") for one in _waiting(files))


def _waiting(files: Iterable[Stored]) -> Iterator[Stored]:
    return (one for one in files if one.index is not None and not one.index.is_whole)


def _age(one: Stored) -> tuple[int, str]:
    return -one.key[1], one.name
