"""Which records pass the filters of a query. Pure."""

from collections.abc import Callable, Iterable, Iterator

from tools.logs.levels import LEVELS, rank
from tools.logs.port import LogEvent, LogQuery
from tools.logs.read_file import CANCEL_EVERY, ReadingStopped


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
