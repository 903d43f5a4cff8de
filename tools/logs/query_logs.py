"""The evidence tool ``query_logs``: validates a request, asks one log source, condenses and projects the answer."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import Field

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, ToolCode
from state.model.errors import InvalidToolInput, ToolFailed
from state.model.evidence import Item, Projection, Scalar, Scope, Window, scope8, scope_key
from state.model.ids import ToolCallId
from state.model.timewords import parse_instant
from tools.contract import CallContext, NormalValue, Prepared, RawResult, ToolInput
from tools.logs.describe import describe, terms
from tools.logs.digest import Json, Preceding, digest_page
from tools.logs.levels import LEVELS, parse_level
from tools.logs.port import LogPage, LogQuery, LogSource
from tools.logs.projecting import project_items

DEFAULT_LIMIT = 20
MAX_LIMIT = 50
MAX_WINDOW = timedelta(days=366)


class QueryLogsInput(ToolInput):
    """Arguments of ``query_logs``."""

    source: str = Field(min_length=1, max_length=64)
    """Name of a log source of the catalogue."""
    service: str | None = Field(None, min_length=1, max_length=200)
    """Exact name; leave out to search all."""
    level: str | None = Field(None, min_length=1, max_length=20)
    """At least this level: TRACE, DEBUG, INFO, WARN, ERROR or FATAL."""
    contains: str | None = Field(None, min_length=1, max_length=500)
    """Text that must occur in the record."""
    start: str | None = Field(None, max_length=64)
    """ISO 8601; without offset in the stated time zone."""
    end: str | None = Field(None, max_length=64)
    """ISO 8601, exclusive."""
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    """Most sample records to return."""


class QueryLogs:
    """Implements ``EvidenceTool`` over the configured log sources."""

    name = "query_logs"
    input_model: type[ToolInput] = QueryLogsInput
    timeout_s = 20.0
    raw_cap_bytes = 256 * 1024
    projection_cap_bytes = 16 * 1024

    def __init__(self, sources: Mapping[str, LogSource], *, description: str, catalogue_terms: Sequence[str]) -> None:
        """Sources by name; the description carries their catalogue."""
        self._sources = dict(sources)
        self.description = description
        self.catalogue_terms = tuple(catalogue_terms)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The normalised request; the end of its window is at most ``now``.

        Raises:
            InvalidToolInput: unknown source or level, a time that is none, an empty, future or endless window.
        """
        assert isinstance(arguments, QueryLogsInput), "the boundary validates against input_model"
        if arguments.source not in self._sources:
            raise _invalid(f"source: unknown; the sources are {', '.join(self._sources)[:200]}")
        window = _window(arguments, context)
        scope: dict[str, NormalValue] = {
            "source": arguments.source,
            "service": arguments.service,
            "level": _level(arguments.level),
            "contains": arguments.contains,
            "start": window.start.isoformat(),
            "end": window.end.isoformat(),
        }
        return Prepared(normalised=scope | {"limit": arguments.limit}, scope_key=scope_key(self.name, scope))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """Search the source in the window and, for comparison, in the equally long one before it.

        Raises:
            ToolFailed: INCOMPLETE_SEARCH if nothing was found but not everything was searched, or the source holds
                nothing there; TOOL_EXECUTION_ERROR if it cannot be searched at all.
        """
        query = _query(prepared)
        source = self._sources[str(prepared.normalised["source"])]
        page = await source.search(query)
        coverage = _coverage(page)
        if not page.events and coverage is not Coverage.COMPLETE:
            raise ToolFailed(ToolCode.INCOMPLETE_SEARCH, log_detail=_why_incomplete(page))
        window = _effective(query.window, page.oldest)
        before = await _preceding(source, query, window)
        limit = int(str(prepared.normalised["limit"]))
        payload = digest_page(page, before, limit=limit, time_zone=context.time_zone)
        payload["window"] = {"start": window.start.isoformat(), "end": window.end.isoformat()}
        return RawResult(payload=payload, coverage=coverage)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """Patterns first, then sample records in time order, as many as the cap admits.

        Raises:
            ToolFailed: PROJECTION_ERROR if records were found but not one fits.
        """
        payload = raw.payload
        scope = _scope(prepared, payload)
        total = payload["total"]
        n_found = int(str(payload["n_events"]))
        limit = int(str(prepared.normalised["limit"]))
        shell = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=scope,
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if n_found else EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=total if isinstance(total, int) else None,
        )
        if not n_found:
            return shell
        room = (self.projection_cap_bytes if limit > DEFAULT_LIMIT else SHOWN_BYTES) - _size(shell)
        fitted = project_items(payload, scope.source, scope8(prepared.scope_key), room_bytes=room)
        if not fitted.items:
            raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="no item fits the projection")
        is_everything = fitted.is_everything and fitted.n_events == n_found
        return shell.model_copy(update={"items": fitted.items, "truncated": not is_everything})


SHOWN_BYTES = 7600
"""Bytes of a projection that an observation of 8 KiB surely shows whole."""


async def open_query_logs(sources: Mapping[str, LogSource], *, time_zone: str) -> QueryLogs:
    """The tool with a catalogue of what its sources hold now.

    Raises:
        ToolFailed: a source cannot be searched at all.
    """
    holdings = {name: await source.holdings() for name, source in sources.items()}
    return QueryLogs(sources, description=describe(holdings, time_zone), catalogue_terms=terms(holdings))
