"""The search that log servers have in common: read, check every record again, and say how much was searched."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from tools.logs.port import LogEvent, LogPage, LogQuery, Unread
from tools.logs.remote_needle import matcher
from tools.logs.remote_reading import AT_ONCE, Reader, Reading, Span, instant, nanoseconds, read_bounded
from tools.together import together

MAX_COMPARED_SERVICES = 10
"""Services of a result, most frequent first, of which is asked since when the server holds them."""


class LogServer(Protocol):
    """What differs between log servers. Every method raises ToolFailed."""

    memory: timedelta
    """How far back of now the server is asked for its oldest record and for a service it may hold."""

    async def reader(self, query: LogQuery) -> Reader:
        """Reads what matches the query, and maybe more."""
        ...

    async def is_exact(self, query: LogQuery, span: Span) -> bool:
        """True if what the reader brings of the span is what matches, so that its count is the number of matches."""
        ...

    async def earliest(self, span: Span, service: str | None) -> int | None:
        """Time of the first record of the span, of that service if one is given; None if there is none."""
        ...

    def unsearched(self, query: LogQuery) -> tuple[Unread, ...]:
        """What the reader of this query could not look into."""
        ...


async def search_server(server: LogServer, query: LogQuery, now: datetime) -> LogPage:
    """The page of one search.

    Raises:
        ToolFailed: as the server.
    """
    span = Span(nanoseconds(query.window.start), nanoseconds(query.window.end))
    reading = await read_bounded(await server.reader(query), span)
    events = _matching(reading.events.values(), query)
    is_exact = reading.is_whole or await server.is_exact(query, span)
    unread = (*reading.unread.values(), *server.unsearched(query))
    past = _Past(server, query, span, nanoseconds(now))
    oldest = await past.oldest(reading, is_all=reading.is_whole and query == LogQuery(window=query.window))
    return LogPage(
        events=events,
        total=_total(reading, events, is_exact=is_exact and not unread),
        is_complete=is_exact and not unread,
        holds_window=await past.holds_window(reading, events),
        oldest=None if oldest is None else instant(oldest),
        oldest_by_service=await past.oldest_by_service(events, oldest),
        unread=unread,
    )


def _matching(events: Iterable[LogEvent], query: LogQuery) -> list[LogEvent]:
    return sorted(filter(matcher(query), events), key=lambda event: (event.at, event.origin))


def _total(reading: Reading, events: Sequence[LogEvent], *, is_exact: bool) -> int | None:
    if reading.is_whole:
        return len(events)
    return reading.counted if is_exact else None


class _Past:
    """What the server held before and beside the matches."""

    def __init__(self, server: LogServer, query: LogQuery, span: Span, now_ns: int) -> None:
        self._server = server
        self._service = query.service
        self._span = span
        memory_ns = server.memory // timedelta(microseconds=1) * 1000
        self._before_ns = span.start_ns - (span.end_ns - span.start_ns)
        """Start of the equally long window before."""
        self._known = Span(max(0, min(self._before_ns - 1, now_ns - memory_ns)), max(span.end_ns, now_ns) + 1)
        self._in_window: int | None = None

    async def oldest(self, reading: Reading, *, is_all: bool) -> int | None:
        """Oldest record the server knows of, as far back as it is asked; ``is_all``: every record of it was read."""
        before = await self._server.earliest(Span(self._known.start_ns, self._span.start_ns), None)
        if reading.events:
            self._in_window = min(nanoseconds(event.at) for event in reading.events.values())
        if not is_all and (before is None or not reading.events):
            self._in_window = await self._server.earliest(self._span, None)
        if before is not None or self._in_window is not None:
            return before if before is not None else self._in_window
        return await self._server.earliest(Span(self._span.end_ns, self._known.end_ns), None)

    async def holds_window(self, reading: Reading, events: Sequence[LogEvent]) -> bool:
        if events:
            return True
        if self._in_window is None and not reading.events:
            return False
        return self._service is None or await self._server.earliest(self._known, self._service) is not None

    async def oldest_by_service(self, events: Sequence[LogEvent], oldest: int | None) -> dict[str, datetime]:
        """Of the services found: their first record, at most as late as the first one found."""
        first: dict[str, datetime] = {}
        for event in events:
            first.setdefault(event.service, event.at)
        if oldest is None or oldest > self._before_ns:
            return first
        common = [name for name, _ in Counter(event.service for event in events).most_common(MAX_COMPARED_SERVICES)]
        before = Span(self._known.start_ns, self._span.start_ns)
        found = await together((self._server.earliest(before, name) for name in common), at_once=AT_ONCE)
        return first | {name: instant(at) for name, at in zip(common, found, strict=True) if at is not None}
