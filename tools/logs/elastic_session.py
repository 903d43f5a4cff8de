"""What a search asks of an Elasticsearch or OpenSearch cluster."""

from datetime import timedelta

from tools.logs.elastic_client import ElasticClient
from tools.logs.elastic_decode import service_of
from tools.logs.elastic_fields import Fields, Kind
from tools.logs.elastic_query import Clauses, below_level, holding_text, names_level, of_service
from tools.logs.elastic_reader import ElasticReader
from tools.logs.port import LogQuery, Unread
from tools.logs.remote_reading import MAX_RECORDS, Reader, Span, nanoseconds
from tools.logs.stamps import Reference

_N_TRIED = 50
"""Documents looked at for the first one of a service whose name cannot be asked for exactly."""


class ElasticSession:
    """Implements ``LogServer`` within one call."""

    memory = timedelta(days=365 * 50)

    def __init__(self, client: ElasticClient, reference: Reference) -> None:
        self._client = client
        self._view = client.view
        self._reference = reference
        self._not_searched: tuple[Unread, ...] = ()

    async def reader(self, query: LogQuery) -> Reader:
        """Reads the matches and, where the cluster cannot decide, more; remembers what it cannot look into."""
        fields = await self._client.fields()
        base = Clauses(self._of_service(query, fields), tuple(below_level(self._view, fields, query.level)))
        clauses = await self._with_text(base, query, fields) if query.contains else base
        return ElasticReader(self._client, clauses, query, self._reference)

    async def is_exact(self, query: LogQuery, span: Span) -> bool:
        """True if the cluster decides service and level alone; never for a text."""
        fields = await self._client.fields()
        is_named = query.service is None or fields.of(self._view.service_field).kinds == {Kind.KEYWORD}
        if query.contains or not is_named:
            return False
        if query.level is None:
            return True
        named = names_level(self._view, fields)
        if named is None:
            return False
        return await self._client.count(Clauses(self._of_service(query, fields), (named,)), span) == 0

    async def earliest(self, span: Span, service: str | None) -> int | None:
        """Time of the first document of the span."""
        if span.start_ns >= span.end_ns:
            return None
        fields = await self._client.fields()
        clauses = Clauses((of_service(self._view, fields, service),) if service is not None else ())
        found = await self._client.search(clauses, span, size=1 if service is None else _N_TRIED)
        of_it = [hit for hit in found.hits if service is None or service_of(hit, self._view, service) == service]
        inside = (at for hit in of_it for at in hit.times_ns if span.start_ns <= at < span.end_ns)
        return min(inside, default=None)

    def unsearched(self, query: LogQuery) -> tuple[Unread, ...]:
        """Fields whose text the mapping hides from the reader of this query."""
        return self._not_searched

    def _of_service(self, query: LogQuery, fields: Fields) -> tuple[dict[str, object], ...]:
        return () if query.service is None else (of_service(self._view, fields, query.service),)

    async def _with_text(self, base: Clauses, query: LogQuery, fields: Fields) -> Clauses:
        """Clauses that lose nothing, if they bring few enough documents; else narrower ones, and what they lose."""
        assert query.contains
        searched = (self._view.message_field, *(await self._client.known()).shown)
        wide = base.plus(holding_text(query.contains, searched, fields, is_wide=True))
        lossless = wide if await self._client.indexes_every_word() else base
        span = Span(nanoseconds(query.window.start), nanoseconds(query.window.end))
        total = await self._client.count(lossless, span)
        if total is not None and total <= MAX_RECORDS:
            return lossless
        narrow = base.plus(holding_text(query.contains, searched, fields, is_wide=False))
        if narrow != lossless:
            self._not_searched = (Unread(name="fields that are not indexed word by word", why="not_searchable"),)
        return narrow
