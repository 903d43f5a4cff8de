"""Requests to an Elasticsearch or OpenSearch cluster within one call. Only searches; a point in time is given back.

A cancelled request closes its connection, at which the cluster cancels the search and its shard tasks.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tools.http_api import HttpApi, Params
from tools.logs.elastic_fields import Dialect, ElasticView, Fields, Kind, has_plain_analyzers, parse_field_caps
from tools.logs.elastic_query import Clauses, Json, bool_query, in_span, is_searchable, text_fields
from tools.logs.elastic_reply import Hits, parse_hits
from tools.logs.remote_allowance import MAX_REPLY_BYTES, Allowance
from tools.logs.remote_reading import Span

TIME_FORMAT = "strict_date_optional_time_nanos"
KEEP_ALIVE = "30s"
"""Of a point in time between two pages, should it not be given back."""
_CLOSE_TIMEOUT_S = 1.0
_SERVER_TIME_RATIO = 0.9
"""Of the time left that the cluster may search, so that half an answer still arrives."""
_INDICES: Params = (("allow_no_indices", "true"), ("expand_wildcards", "open"))


@dataclass(frozen=True)
class KnownFields:
    """The fields of the index at the time of one call: a field that is new is searched by the next one."""

    fields: Fields
    shown: tuple[str, ...]
    """Further fields of a record that are read, shown and searched."""


class ElasticClient:
    """Asks the one index that may be seen. Every method raises ToolFailed."""

    def __init__(self, api: HttpApi, view: ElasticView, allowance: Allowance) -> None:
        self.view = view
        self._api = api
        self._is_elastic = view.dialect is Dialect.ELASTICSEARCH
        self._allowance = allowance
        self._path = f"/{quote(view.index, safe='')}"
        self._known: KnownFields | None = None

    async def known(self) -> KnownFields:
        """What the index has for fields, the same for the whole call; none if no index matches the pattern.

        Raises:
            ToolFailed: it cannot be asked, or its time field is no date.
        """
        if self._known is None:
            fields = await self._ask_fields()
            self._known = KnownFields(fields, fields.shown(self.view))
        return self._known

    async def fields(self) -> Fields:
        """The fields of ``known``."""
        return (await self.known()).fields

    async def count(self, clauses: Clauses, span: Span) -> int | None:
        """Matches of the span; None if some of it was not searched."""
        found = await self.search(clauses, span, size=0)
        return None if found.unread else found.total

    async def search(
        self, clauses: Clauses, span: Span, *, size: int, changes: Mapping[str, object] | None = None
    ) -> Hits:
        """The first documents of the span in time order; ``changes`` go into the body, a point in time among them."""
        known = await self.known()
        if not known.fields.by_name:
            return Hits([], 0, (), None, {})
        body = self._body(clauses, span, size, known) | dict(changes or {})
        is_fixed = "pit" in body
        reply = await self._post(
            "/_search" if is_fixed else f"{self._path}/_search", body, () if is_fixed else _INDICES
        )
        return await asyncio.to_thread(parse_hits, reply, self.view.time_field)

    async def open_pit(self) -> str | None:
        """A fixed view of the index for several pages; None if the cluster gives none.

        Raises:
            ToolFailed: TOOL_TIMEOUT.
        """
        path, key = ("/_pit", "id") if self._is_elastic else ("/_search/point_in_time", "pit_id")
        try:
            reply = await self._post(self._path + path, {}, (("keep_alive", KEEP_ALIVE),))
        except ToolFailed as failed:
            if failed.code is ToolCode.TOOL_TIMEOUT:
                raise
            return None
        pit = reply.get(key) if isinstance(reply, dict) else None
        return pit if isinstance(pit, str) else None

    async def close_pit(self, pit: str) -> None:
        """Give the view back; if that fails it ends by itself."""
        path, body = ("/_pit", {"id": pit}) if self._is_elastic else ("/_search/point_in_time", {"pit_id": [pit]})
        try:
            await self._api.delete(path, body, timeout_s=_CLOSE_TIMEOUT_S, cap_bytes=MAX_REPLY_BYTES)
        except ToolFailed:
            return

    async def indexes_every_word(self) -> bool:
        """True if the words of every searched text field are indexed as written; False if that cannot be told.

        Raises:
            ToolFailed: TOOL_TIMEOUT, or the fields cannot be asked for.
        """
        known = await self.known()
        searched = (self.view.message_field, *known.shown)
        if not is_searchable(searched, known.fields):
            return False
        return await self._has_plain_words(text_fields(searched, known.fields))

    async def _has_plain_words(self, names: list[str]) -> bool:
        """What mappings and settings say.

        Raises:
            ToolFailed: TOOL_TIMEOUT.
        """
        if not names:
            return True
        listed = quote(",".join(names), safe="")
        flat = (("flat_settings", "true"), *_INDICES)
        try:
            mappings = await self._get(f"{self._path}/_mapping/field/{listed}", _INDICES)
            settings = await self._get(f"{self._path}/_settings/index.analysis.analyzer.default*", flat)
        except ToolFailed as failed:
            if failed.code is ToolCode.TOOL_TIMEOUT:
                raise
            return False
        return has_plain_analyzers(mappings, settings)

    async def _ask_fields(self) -> Fields:
        """The fields of the index.

        Raises:
            ToolFailed: as ``known``.
        """
        reply = await self._get(f"{self._path}/_field_caps", (("fields", "*"), *_INDICES))
        found = await asyncio.to_thread(parse_field_caps, reply)
        if found.by_name and found.of(self.view.time_field).kinds != {Kind.DATE}:
            detail = f"time field {self.view.time_field} is not mapped as a date"
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=detail)
        return found

    async def _get(self, path: str, params: Params = ()) -> object:
        return await self._api.get(path, params, timeout_s=self._allowance.left_s(), cap_bytes=MAX_REPLY_BYTES)

    async def _post(self, path: str, body: Mapping[str, object], params: Params = ()) -> object:
        return await self._api.post(path, body, params, timeout_s=self._allowance.left_s(), cap_bytes=MAX_REPLY_BYTES)

    def _body(self, clauses: Clauses, span: Span, size: int, known: KnownFields) -> Json:
        view = self.view
        read = (view.time_field, view.service_field, view.level_field, view.message_field, *known.shown)
        order: Json = {"order": "asc", "unmapped_type": "date"}
        if known.fields.has_nanos(view.time_field):
            order["numeric_type"] = "date_nanos"
        return {
            "size": size,
            "timeout": f"{max(1, int(self._allowance.left_s() * 1000 * _SERVER_TIME_RATIO))}ms",
            "track_total_hits": True,
            "query": bool_query((in_span(view, span), *clauses.filters), clauses.must_not),
            "sort": [{view.time_field: order}],
            "_source": {"includes": list(read)},
            "docvalue_fields": [{"field": view.time_field, "format": TIME_FORMAT}, *_indexed(view, known.fields)],
        }


def _indexed(view: ElasticView, fields: Fields) -> list[Json]:
    """Service and level as indexed: an alias or a constant is not in the source of a document."""
    names = (fields.keyword(view.service_field), fields.keyword(view.level_field))
    return [{"field": name} for name in names if name is not None]
