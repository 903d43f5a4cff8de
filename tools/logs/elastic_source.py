"""An Elasticsearch or OpenSearch cluster as a log source."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Window
from state.ports import Clock
from tools.http_api import HttpApi, HttpEndpoint
from tools.logs.elastic_client import ElasticClient
from tools.logs.elastic_fields import ElasticView, Fields
from tools.logs.elastic_query import Clauses, Json
from tools.logs.elastic_reader import ElasticReader
from tools.logs.elastic_reply import Hits, changed
from tools.logs.elastic_session import ElasticSession
from tools.logs.levels import DEFAULT_LEVEL, parse_level
from tools.logs.port import Holdings, LogPage, LogQuery
from tools.logs.remote_allowance import Allowance
from tools.logs.remote_holdings import Collected
from tools.logs.remote_needle import UNKNOWN_SERVICE, shown_service
from tools.logs.remote_reading import PAGE_RECORDS, Span, nanoseconds
from tools.logs.remote_search import search_server
from tools.logs.stamps import Reference

MAX_CATALOGUED = 500
"""Services of the catalogue, by name."""
_CATALOGUED = timedelta(hours=24)
_MAX_LEVELS = 50


class ElasticLogSource:
    """Implements ``LogSource`` over one index, alias or pattern."""

    def __init__(
        self, name: str, endpoint: HttpEndpoint, view: ElasticView, *, time_zone: str, timeout_s: float, clock: Clock
    ) -> None:
        """``time_zone`` reads stamps without offset; ``timeout_s`` bounds one call with all its requests."""
        self.name = name
        self._api = HttpApi(endpoint)
        self._view = view
        self._zone = ZoneInfo(time_zone)
        self._timeout_s = timeout_s
        self._clock = clock

    async def search(self, query: LogQuery) -> LogPage:
        """All matches, or an even selection of about 5000 documents if there are more.

        Raises ToolFailed: TOOL_TIMEOUT, RESULT_TOO_LARGE (one reply above 20 MiB), else TOOL_EXECUTION_ERROR.
        A cancelled search closes its connection, at which the cluster cancels it.
        """
        return await search_server(ElasticSession(self._client(), self._reference()), query, self._clock.now())

    async def holdings(self) -> Holdings:
        """Services, levels and times of the last 24 hours; what of it could not be searched is named.

        Where the service is not mapped as a keyword they are those of the last 1000 records.
        Raises ToolFailed as ``search``.
        """
        client = self._client()
        now = self._clock.now()
        window = Window(start=now - _CATALOGUED, end=now + timedelta(microseconds=1))
        span = Span(nanoseconds(window.start), nanoseconds(window.end))
        fields = await client.fields()
        service = fields.keyword(self._view.service_field)
        if service is None:
            return await self._sampled(client, window, span)
        asked = {"aggs": {"services": _grouped(service, fields, self._view)}}
        found = await client.search(Clauses(), span, size=0, changes=asked)
        return Holdings(_collected(found).holdings() if found.total else (), unread=found.unread)

    async def aclose(self) -> None:
        """Close the connections; idempotent."""
        await self._api.aclose()

    def _client(self) -> ElasticClient:
        return ElasticClient(self._api, self._view, Allowance(self._timeout_s))

    def _reference(self) -> Reference:
        return Reference(self._zone, self._clock.now())

    async def _sampled(self, client: ElasticClient, window: Window, span: Span) -> Holdings:
        reader = ElasticReader(client, Clauses(), LogQuery(window=window), self._reference())
        batch = await reader.read(span, PAGE_RECORDS, None)
        collected = Collected()
        collected.look_at(batch.events)
        for event in batch.events:
            collected.of(event.service).lines += 1
        return Holdings(collected.holdings(), unread=batch.unread)


def _grouped(service: str, fields: Fields, view: ElasticView) -> Json:
    time = {"field": view.time_field}
    inside: Json = {"oldest": {"min": time}, "newest": {"max": time}}
    level = fields.keyword(view.level_field) or view.level_field
    if fields.of(level).is_aggregatable:
        inside["levels"] = {"terms": {"field": level, "size": _MAX_LEVELS}}
    by_service = {"service": {"terms": {"field": service, "missing_bucket": True}}}
    return {"composite": {"size": MAX_CATALOGUED, "sources": [by_service]}, "aggs": inside}


def _collected(found: Hits) -> Collected:
    """The services of the reply.

    Raises:
        ToolFailed: it has another shape.
    """
    collected = Collected()
    try:
        for bucket in found.aggregations["services"]["buckets"]:
            _add(bucket, collected)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=changed(error)) from None
    return collected


def _add(bucket: Mapping[str, Any], into: Collected) -> None:
    key = bucket["key"]["service"]
    held = into.of(shown_service(UNKNOWN_SERVICE if key is None else str(key)))
    held.lines += int(bucket["doc_count"])
    n_named = 0
    for one in bucket.get("levels", {}).get("buckets", []):
        level = parse_level(one["key"])
        if level is not None:
            held.levels.add(level)
            n_named += int(one["doc_count"])
    if n_named < int(bucket["doc_count"]):
        held.levels.add(DEFAULT_LEVEL)
    for end in ("oldest", "newest"):
        held.saw(int(bucket[end]["value"]) * 10**6)
