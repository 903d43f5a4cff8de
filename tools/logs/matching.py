"""Which records pass the filters of a query, and which of too many are kept. Pure."""

from collections.abc import Callable, Iterable, Iterator

from tools.logs.levels import LEVELS, rank
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import CANCEL_EVERY, ReadingStopped

MAX_KEPT = 20_000
"""Records of one answer; of more, an even selection is kept and all are counted."""


def matching(events: Iterable[LogEvent], query: LogQuery, is_cancelled: Callable[[], bool]) -> Iterator[LogEvent]:
    """The events that pass all filters but the window, in order.

    Raises:
        ReadingStopped: the search was cancelled.
    """
    passing = frozenset(LEVELS[rank(query.level) if query.level else 0 :])
    needle = query.contains.lower() if query.contains else ""
    for place, event in enumerate(events):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        if query.service is not None and event.service != query.service:
            continue
        if event.level not in passing:
            continue
        if needle and needle not in f"{event.message} {event.extra}".lower():
            continue
        yield event


class Kept:
    """Counts matches and keeps every one, then every second, fourth …, so that never more than a bound are held."""

    def __init__(self, max_kept: int = MAX_KEPT) -> None:
        self.total = 0
        self._max_kept = max_kept
        self._step = 1
        self._events: list[LogEvent] = []

    def add(self, event: LogEvent) -> None:
        """One more match, in the order of the files."""
        if self.total % self._step == 0:
            self._events.append(event)
            if len(self._events) > self._max_kept:
                self._events = self._events[::2]
                self._step *= 2
        self.total += 1

    def expect(self, at_least: int) -> None:
        """So many matches will be added at least; said before the first, it spares keeping some that must go again."""
        assert self.total == 0, "said before the first match"
        while -(-at_least // self._step) > self._max_kept:
            self._step *= 2

    def take(self, n_matches: int, read: Callable[[range], Iterable[LogEvent]]) -> None:
        """So many more matches; ``read`` is asked for those at some of their places, from 0, in that order."""
        before = self.total
        places = range(-before % self._step, n_matches, self._step)
        if places:
            for place, event in zip(places, read(places), strict=True):
                self.total = before + place
                self.add(event)
        self.total = before + n_matches

    def in_time(self) -> list[LogEvent]:
        """What is kept, in time order; records of one instant in the order of the files."""
        return sorted(self._events, key=lambda event: event.at)
