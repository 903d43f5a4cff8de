"""The matches of one search: counts all of them and keeps an even selection, read only once it is known. Pure."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from tools.logs.port import LogEvent
from tools.logs.read_file import ReadFile

MAX_KEPT = 20_000
"""Records of one answer; of more, an even selection is kept and all are counted."""

Read = Callable[[Iterable[tuple[bytes, int]]], ReadFile]
"""Parses records, each given by its bytes and the number of its first line."""


class Unparsed(NamedTuple):
    """A match of which only the bytes are held: most are dropped again for an even selection."""

    data: bytes
    line: int
    """Number of its first line."""
    read: Read
    """The same for all records of one file."""
    name: str
    """Of the file, as shown."""


Match = LogEvent | Unparsed


class Kept:
    """Counts matches and keeps every one, then every second, fourth …, so that never more than a bound are held."""

    def __init__(self, max_kept: int = MAX_KEPT) -> None:
        self.total = 0
        self.changed: list[str] = []
        """Files of which bytes that were kept turned out to be no records: they were rewritten while they were read."""
        self._max_kept = max_kept
        self._step = 1
        self._matches: list[Match] = []

    def add(self, match: Match) -> None:
        """One more match, in the order of the files."""
        if self.total % self._step == 0:
            self._matches.append(match)
            self._thin()
        self.total += 1

    def expect(self, at_least: int) -> None:
        """So many matches will be added at least; said before the first, it spares keeping some that must go again."""
        assert self.total == 0, "said before the first match"
        while -(-at_least // self._step) > self._max_kept:
            self._step *= 2

    def take(self, n_matches: int, read: Callable[[range], Iterable[Match]]) -> None:
        """So many more matches; ``read`` is asked for those at some of their places, from 0, in that order."""
        places = range(-self.total % self._step, n_matches, self._step)
        if places:
            self._matches += read(places)
            self._thin()
        self.total += n_matches

    def in_time(self) -> list[LogEvent]:
        """What is kept, in time order; records of one instant in the order of the files.

        Raises:
            ReadingStopped: the search was cancelled.
        """
        return sorted(self._parsed(), key=lambda event: event.at)

    def _parsed(self) -> Iterator[LogEvent]:
        """What is kept, parsed: the records of one file that follow each other at once."""
        for read, run in groupby(self._matches, key=lambda match: None if isinstance(match, LogEvent) else match.read):
            if read is None:
                yield from (match for match in run if isinstance(match, LogEvent))
                continue
            waiting = [match for match in run if isinstance(match, Unparsed)]
            events = read((one.data, one.line) for one in waiting).events
            if len(events) != len(waiting):
                self.changed.append(waiting[0].name)
            yield from events

    def _thin(self) -> None:
        while len(self._matches) > self._max_kept:
            self._matches = self._matches[::2]
            self._step *= 2
