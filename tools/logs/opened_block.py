"""The records of one block of which the layout is known: finds and reads few of them without parsing the others."""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import PurePath

import numpy as np

from tools.logs.block import Block
from tools.logs.block_lines import BlockLines, Mask, Places
from tools.logs.file_index import FileChanged
from tools.logs.judging import judge
from tools.logs.kept import Match, Read, Unparsed
from tools.logs.literal import Fragment
from tools.logs.matching import matching
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import MAX_MESSAGE_CHARS, is_json_file
from tools.logs.text_hits import sought


class OpenedBlock:
    """One block, for one query."""

    def __init__(
        self, block: Block, lines: BlockLines, query: LogQuery, fragment: Fragment | None, *, read: Read, path: PurePath
    ) -> None:
        """``read`` parses records of the file, ``path`` is its name as shown.

        ``fragment`` stands in the bytes of each record that contains the text of the query; None: there is no such, or
        no text is asked for.
        """
        self._block = block
        self._lines = lines
        self._query = query
        self._fragment = fragment
        self._read = read
        self._path = path
        self._known: dict[int, LogEvent] = {}

    @cached_property
    def matches(self) -> Places:
        """The records that match the query, in the order of the file.

        Raises:
            FileChanged: the bytes are no longer those of which the layout was made.
            ReadingStopped: the search was cancelled.
        """
        wanted = self._lines.wanted(self._query.service, self._query.level) & self._is_near()
        is_sure, is_doubtful = self._told(wanted)
        if not (self._block.contents.is_ordered or self._lies_within):
            is_sure, is_doubtful = np.zeros_like(wanted), is_sure | is_doubtful
        is_sure[self._read_of(np.flatnonzero(is_doubtful))] = True
        return np.flatnonzero(is_sure)

    def found(self, places: Places) -> Iterator[Match]:
        """These matches, parsed only as far as they have been, or if they are long.

        Raises:
            FileChanged: as ``matches``.
        """
        name = str(self._path)
        pieces = self._lines.pieces(places)
        for place, (data, line) in zip(places.tolist(), pieces, strict=True):
            if place in self._known:
                yield self._known[place]
            elif len(data) > MAX_MESSAGE_CHARS:
                yield self._events(np.array([place]))[0]
            else:
                yield Unparsed(data, line, self._read, name)

    @cached_property
    def _lies_within(self) -> bool:
        return self._block.lies_within(self._query.window.start, self._query.window.end)

    def _told(self, wanted: Mask) -> tuple[Mask, Mask]:
        """Which of the wanted records surely contain the text, and which may."""
        if not self._query.contains:
            return wanted, np.zeros_like(wanted)
        if self._fragment is None:
            return np.zeros_like(wanted), wanted
        text = sought(self._query.contains, self._fragment)
        judged = judge(self._lines, text, self._block.contents.writing, wanted, is_json=is_json_file(self._path))
        return judged.is_sure, judged.is_doubtful

    def _is_near(self) -> Mask:
        """Of each record, whether it lies in the window as far as the order of the block tells."""
        n_records = len(self._lines.firsts)
        is_near = np.ones(n_records, np.bool_)
        if self._block.contents.is_ordered and not self._lies_within:
            places = range(n_records)
            is_near[: bisect_left(places, self._query.window.start, key=self._time)] = False
            is_near[bisect_left(places, self._query.window.end, key=self._time) :] = False
        return is_near

    def _time(self, place: int) -> datetime:
        return self._events(np.array([place]))[0].at

    def _read_of(self, places: Places) -> Places:
        """Those of these records that match, known by reading them."""
        window = self._query.window
        events = (event for event in self._events(places) if window.start <= event.at < window.end)
        # The search was looked at for being cancelled while they were parsed.
        for event in matching(events, self._query, lambda: False):
            line = int(event.origin.rpartition(":")[2]) - self._lines.first_line
            self._known[int(self._lines.records[line])] = event
        return np.array(sorted(self._known), np.intp)

    def _events(self, places: Places) -> list[LogEvent]:
        """These records, each parsed alone; in time order.

        Raises:
            FileChanged: the bytes are no longer those of which the layout was made.
        """
        if not len(places):
            return []
        found = self._read(self._lines.pieces(places)).events
        if len(found) != len(places):
            raise FileChanged("a block was rewritten after it was surveyed")
        return found
