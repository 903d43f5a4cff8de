"""One call's requests to a Loki server: pages of records, counts and probes. Only reads.

Pages go backwards in time and ask for no categorised labels: servers up to 3.7 lose records of a page that is read
forwards with them.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from tools.http_api import HttpApi
from tools.logs.json_lines import MAX_VALUE_CHARS, render_extra
from tools.logs.levels import DEFAULT_LEVEL, parse_level
from tools.logs.loki_logql import (
    LokiView,
    count_query,
    log_queries,
    selector,
    unnamed_level_query,
)
from tools.logs.loki_reply import Entry, Streams, parse_streams, parse_vector
from tools.logs.port import LogEvent, LogQuery, Unread
from tools.logs.remote_allowance import MAX_REPLY_BYTES, Allowance
from tools.logs.remote_line import MAX_EXTRA_CHARS, bounded, bounded_message, read_line, storable
from tools.logs.remote_needle import UNKNOWN_SERVICE, shown_service
from tools.logs.remote_reading import Batch, Span, instant
from tools.logs.stamps import Reference

MAX_SPAN_NS = 30 * 24 * 3600 * 10**9
"""Of one request: servers refuse more than 30 days unless told otherwise."""
MS = 10**6
"""The smallest unit of a range of LogQL, in nanoseconds."""
MOST_ENTRIES = 5000
"""That a server gives at once unless told otherwise; asked for only where so many have the same time."""
_RANGE, _INSTANT = "/loki/api/v1/query_range", "/loki/api/v1/query"


class LokiSession:
    """Implements ``LogServer`` within one allowance."""

    memory = timedelta(days=7)

    def __init__(self, api: HttpApi, view: LokiView, reference: Reference, allowance: Allowance) -> None:
        self._api = api
        self.view = view
        self._reference = reference
        self._allowance = allowance

    async def reader(self, query: LogQuery) -> "LokiReader":
        """Reads the matches of the query and, where Loki cannot decide, more."""
        return LokiReader(self, log_queries(self.view, query), query.contains)

    async def is_exact(self, query: LogQuery, span: Span) -> bool:
        """False for a text; for a level, true if every record names its own in the label."""
        if query.contains:
            return False
        return query.level is None or await self.count(unnamed_level_query(self.view, query), span) == 0

    async def earliest(self, span: Span, service: str | None) -> int | None:
        """Time of the first record of the span."""
        for part in parts_of(span):
            found = await self.entries(selector(self.view, service), part, limit=1, direction="forward")
            if found.entries:
                return found.entries[0].at_ns
        return None

    def unsearched(self, query: LogQuery) -> tuple[Unread, ...]:
        """Nothing: what Loki cannot decide is read."""
        return ()

    async def entries(self, log_query: str, span: Span, *, limit: int, direction: str = "backward") -> Streams:
        """At most ``limit`` records of the span, the last ones or, forward, the first ones."""
        params = (
            ("query", log_query),
            ("start", str(span.start_ns)),
            ("end", str(span.end_ns)),
            ("limit", str(limit)),
            ("direction", direction),
        )
        reply = await self._api.get(_RANGE, params, timeout_s=self._allowance.left_s(), cap_bytes=MAX_REPLY_BYTES)
        return await asyncio.to_thread(parse_streams, reply)

    async def count(self, log_query: str, span: Span) -> int | None:
        """Number of records of the span; None if the server warns, or cannot measure the span."""
        if (span.end_ns - span.start_ns) % MS:
            return None
        total = 0
        for part in parts_of(span):
            rows, has_warnings = await self.counts(log_query, part)
            if has_warnings:
                return None
            total += sum(value for _, value in rows)
        return total

    async def counts(
        self, log_query: str, span: Span, by: tuple[str, ...] = ()
    ) -> tuple[list[tuple[dict[str, str], int]], bool]:
        """Numbers of records by labels, and whether the server warns; the span is of whole milliseconds."""
        # A range ends at the time of evaluation and holds it; the span does not hold its end.
        expression = count_query(log_query, span_ms=(span.end_ns - span.start_ns) // MS, by=by)
        params = (("query", expression), ("time", str(span.end_ns - 1)))
        reply = await self._api.get(_INSTANT, params, timeout_s=self._allowance.left_s(), cap_bytes=MAX_REPLY_BYTES)
        return parse_vector(reply)

    def events(self, entries: Sequence[Entry], needle: str | None) -> list[LogEvent]:
        """The records, decoded."""
        return [self._event(entry, needle) for entry in entries]

    def _event(self, entry: Entry, needle: str | None) -> LogEvent:
        view, labels = self.view, entry.labels
        at = instant(entry.at_ns)
        found = read_line(entry.line, at, self._reference)
        shown = {name: storable(labels[name])[:MAX_VALUE_CHARS] for name in view.shown_labels if labels.get(name)}
        level = parse_level(labels.get(view.level_label, "")) or found.level
        return LogEvent(
            at,
            shown_service(labels.get(view.service_label) or UNKNOWN_SERVICE),
            level or parse_level(labels.get("detected_level", "")) or DEFAULT_LEVEL,
            bounded_message(found.message, needle),
            bounded(render_extra({**found.fields, **shown}), MAX_EXTRA_CHARS, needle),
            origin_of(entry),
        )


class LokiReader:
    """Reads several queries one after the other, each from the end of the span to its start."""

    def __init__(self, session: LokiSession, queries: tuple[str, ...], needle: str | None) -> None:
        self._session = session
        self._queries = queries
        self._needle = needle

    async def read(self, span: Span, limit: int, after: object | None) -> Batch:
        """The next at most ``limit`` records; ``after`` is a list of what is still to be read.

        Raises:
            ToolFailed: as ``LokiSession.entries``.
        """
        todo = after if isinstance(after, list) else self._whole(span)
        entries: list[Entry] = []
        unread: list[Unread] = []
        while todo and len(entries) < limit:
            (query, part), *rest = todo
            page = await self._page(query, part, limit - len(entries))
            entries += page.entries
            unread += page.unread
            todo = [(query, page.left), *rest] if page.left else rest
        events = await asyncio.to_thread(self._session.events, entries, self._needle)
        return Batch(events, todo or None, tuple(unread))

    async def count(self, span: Span) -> int | None:
        """Records in all; None where two queries may find the same record."""
        return await self._session.count(self._queries[0], span) if len(self._queries) == 1 else None

    async def aclose(self) -> None:
        """Nothing is held at the server."""

    def _whole(self, span: Span) -> list[tuple[str, Span]]:
        return [(query, part) for query in self._queries for part in reversed(parts_of(span))]

    async def _page(self, query: str, span: Span, limit: int) -> "_Page":
        found = await self._session.entries(query, span, limit=limit)
        unread = (Unread(name="server", why="server_warning"),) if found.has_warnings else ()
        if len(found.entries) < limit:
            return _Page(found.entries, None, unread)
        last_ns = min(entry.at_ns for entry in found.entries)
        if last_ns + 1 < span.end_ns:
            return _Page(found.entries, Span(span.start_ns, last_ns + 1), unread)
        return await self._page_of_one_time(query, span, unread)

    async def _page_of_one_time(self, query: str, span: Span, unread: tuple[Unread, ...]) -> "_Page":
        """Records that all have the last time of the span: asked for at once, as there is no place between them."""
        at = Span(span.end_ns - 1, span.end_ns)
        found = await self._session.entries(query, at, limit=MOST_ENTRIES)
        if len(found.entries) >= MOST_ENTRIES:
            unread += (Unread(name=f"further records of {instant(at.start_ns).isoformat()}", why="too_many"),)
        left = Span(span.start_ns, at.start_ns)
        return _Page(found.entries, left if left.start_ns < left.end_ns else None, unread)


class _Page:
    def __init__(self, entries: list[Entry], left: Span | None, unread: tuple[Unread, ...]) -> None:
        self.entries, self.left, self.unread = entries, left, unread


def parts_of(span: Span) -> list[Span]:
    """The span in parts that a server admits, in time order."""
    starts = range(span.start_ns, span.end_ns, MAX_SPAN_NS)
    return [Span(at, min(at + MAX_SPAN_NS, span.end_ns)) for at in starts]


def origin_of(entry: Entry) -> str:
    """Stream, time and line: the same record always has the same."""
    stream = "\n".join(f"{name}={value}" for name, value in sorted(entry.labels.items()))
    digests = (sha256(text.encode(errors="replace")).hexdigest()[:12] for text in (stream, entry.line))
    return f"{next(digests)}:{entry.at_ns}:{next(digests)}"
