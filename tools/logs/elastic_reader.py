"""Reads the pages of one search in time order.

Behind the first page stands a point in time, where the cluster gives one, so that no page is shifted by what is
written meanwhile. Where its pages carry a tie-breaker the next one goes on behind the last document; else it begins
again at the last document's millisecond, and what comes twice is dropped by its origin.
"""

from dataclasses import dataclass

from tools.logs.elastic_client import KEEP_ALIVE, ElasticClient
from tools.logs.elastic_decode import decode_hits
from tools.logs.elastic_query import Clauses, Json
from tools.logs.elastic_reply import Hits
from tools.logs.port import LogEvent, LogQuery, Unread
from tools.logs.remote_reading import Batch, Span, instant
from tools.logs.stamps import Reference

MAX_WINDOW = 10_000
"""Documents that a cluster gives at once unless told otherwise."""
_MS = 10**6


@dataclass(frozen=True)
class _Place:
    """Where the next page begins."""

    from_ns: int
    behind: tuple[object, ...] = ()
    """Sort values of the last document, tie-breaker included."""


class ElasticReader:
    """Implements ``Reader``."""

    def __init__(self, client: ElasticClient, clauses: Clauses, query: LogQuery, reference: Reference) -> None:
        self._client = client
        self._clauses = clauses
        self._query = query
        self._reference = reference
        self._pit: str | None = None
        self._has_asked_pit = False

    async def read(self, span: Span, limit: int, after: object | None) -> Batch:
        """The next at most ``limit`` documents of the span.

        Raises:
            ToolFailed: as the client.
        """
        if not isinstance(after, _Place):
            hits = await self._client.search(self._clauses, span, size=limit)
            return await self._batch(hits, await self._next(hits, limit, _Place(span.start_ns)))
        await self._open()
        rest = Span(after.from_ns, span.end_ns)
        hits = await self._page(rest, limit, after)
        place = await self._next(hits, limit, after)
        if place is None or place.behind or place.from_ns > after.from_ns:
            return await self._batch(hits, place)
        return await self._one_millisecond(rest)

    async def count(self, span: Span) -> int | None:
        """Documents in all."""
        return await self._client.count(self._clauses, span)

    async def aclose(self) -> None:
        """Give back the point in time."""
        if self._pit is not None:
            pit, self._pit = self._pit, None
            await self._client.close_pit(pit)

    async def _open(self) -> None:
        if not self._has_asked_pit:
            self._has_asked_pit = True
            self._pit = await self._client.open_pit()

    async def _page(self, span: Span, size: int, place: _Place) -> Hits:
        changes: Json = {}
        if self._pit is not None:
            changes["pit"] = {"id": self._pit, "keep_alive": KEEP_ALIVE}
        if place.behind:
            changes["search_after"] = list(place.behind)
        hits = await self._client.search(self._clauses, span, size=size, changes=changes)
        if self._pit is not None and hits.pit is not None:
            self._pit = hits.pit
        return hits

    async def _next(self, hits: Hits, limit: int, place: _Place) -> _Place | None:
        if len(hits.hits) < limit:
            return None
        last = hits.hits[-1].sort
        if self._pit is not None and len(last) > 1:
            return _Place(place.from_ns, last)
        return _Place(max(place.from_ns, await self._sorted_ns(last)))

    async def _sorted_ns(self, sort: tuple[object, ...]) -> int:
        """Start of the millisecond by which a document was sorted; 0 if the reply does not say."""
        if not sort or not isinstance(sort[0], int):
            return 0
        fields = await self._client.fields()
        unit = 1 if fields.has_nanos(self._client.view.time_field) else _MS
        return sort[0] * unit // _MS * _MS

    async def _one_millisecond(self, span: Span) -> Batch:
        """More documents of one millisecond than a page holds, without tie-breaker: all of them at once."""
        at = span.start_ns // _MS * _MS
        first = Span(span.start_ns, min(at + _MS, span.end_ns))
        hits = await self._page(first, MAX_WINDOW, _Place(first.start_ns))
        unread: tuple[Unread, ...] = ()
        if len(hits.hits) >= MAX_WINDOW:
            unread = (Unread(name=f"further records of {instant(at).isoformat()}", why="too_many"),)
        return await self._batch(hits, _Place(first.end_ns) if first.end_ns < span.end_ns else None, unread)

    async def _batch(self, hits: Hits, place: _Place | None, unread: tuple[Unread, ...] = ()) -> Batch:
        return Batch(await self._events(hits), place, (*hits.unread, *unread))

    async def _events(self, hits: Hits) -> list[LogEvent]:
        shown = (await self._client.known()).shown
        return await decode_hits(hits.hits, self._client.view, shown, self._query, self._reference)
