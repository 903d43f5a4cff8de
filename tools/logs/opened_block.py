"""The records of one block of which the layout is known: finds and reads few of them without parsing the others."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tools.logs.block import Block
from tools.logs.file_index import FileChanged
from tools.logs.layout import Layout
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import ReadFile

Places = npt.NDArray[np.intp]
"""Of records among all of the block, from 0, in the order of the file."""
_BREAK = ord("\n")


class OpenedBlock:
    """One block whose records stand in time order."""

    def __init__(
        self,
        block: Block,
        layout: Layout,
        load: Callable[[], bytes],
        read: Callable[[Iterable[tuple[bytes, int]]], ReadFile],
    ) -> None:
        """``load`` gives the bytes of the block, asked for at most once; ``read`` parses pieces of them."""
        self._block = block
        self._layout = layout
        self._load = load
        self._read = read
        self._found: Places | None = None

    def matches(self, query: LogQuery) -> Places:
        """The records that pass all filters of ``query`` but its text; asked for one query only."""
        if self._found is None:
            first, end = self._between(query.window.start, query.window.end)
            wanted = self._layout.is_wanted(query.service, query.level)
            self._found = np.flatnonzero(wanted[self._lines[self._starts[first:end]]]) + first
        return self._found

    def events(self, places: Places) -> list[LogEvent]:
        """These records, each read alone.

        Raises:
            FileChanged: the bytes are no longer those of which the layout was made.
        """
        found = self._read(self._pieces(places)).events
        if len(found) != len(places):
            raise FileChanged("a block was rewritten after it was surveyed")
        return found

    def _between(self, start: datetime, end: datetime) -> tuple[int, int]:
        n_records = len(self._starts)
        if self._block.lies_within(start, end):
            return 0, n_records
        places = range(n_records)
        return bisect_left(places, start, key=self._time), bisect_left(places, end, key=self._time)

    def _time(self, place: int) -> datetime:
        return self.events(np.array([place]))[0].at

    def _pieces(self, places: Places) -> Iterator[tuple[bytes, int]]:
        """The bytes of each of the records with the number of its first line.

        Raises:
            FileChanged: as ``events``.
        """
        if len(self._line_starts) != len(self._lines) + 1:
            raise FileChanged("a block was rewritten after it was surveyed")
        firsts = self._starts[places]
        ends = np.append(self._starts[1:], len(self._line_starts) - 1)[places]
        begins, stops = self._line_starts[firsts].tolist(), self._line_starts[ends].tolist()
        for line, begin, stop in zip(firsts.tolist(), begins, stops, strict=True):
            yield self._data[begin:stop], self._block.first_line + line

    @cached_property
    def _data(self) -> bytes:
        return self._load()

    @cached_property
    def _lines(self) -> npt.NDArray[np.uint8]:
        return self._layout.lines()

    @cached_property
    def _starts(self) -> Places:
        """The first line of each record, from 0."""
        return np.flatnonzero(self._lines)

    @cached_property
    def _line_starts(self) -> Places:
        """Where each line begins, and the end of the block."""
        breaks = np.flatnonzero(np.frombuffer(self._data, np.uint8) == _BREAK)
        return np.concatenate(([0], breaks + 1, [len(self._data)]))
