"""The evidence tool ``query_logs``: asks one log source, condenses and projects the answer."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, Window, scope8, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.fitting import SHOWN_BYTES
from tools.logs.digest import Json, Preceding, digest_page
from tools.logs.port import LogPage, LogQuery, LogSource, Unread
from tools.logs.projecting import project_items
from tools.logs.request import DEFAULT_LIMIT, QueryLogsInput, normalised_scope, query_of
from tools.source_choice import known_source, scope_in


class QueryLogs:
    """Implements ``EvidenceTool`` over the configured log sources."""

    name = "query_logs"
    input_model: type[ToolInput] = QueryLogsInput
    raw_cap_bytes = 256 * 1024
    projection_cap_bytes = 16 * 1024

    def __init__(
        self,
        sources: Mapping[str, LogSource],
        *,
        description: str,
        catalogue_terms: Sequence[str],
        timeout_s: float = 20.0,
    ) -> None:
        """Sources by name; the description carries their catalogue; ``timeout_s`` bounds one call."""
        self._sources = dict(sources)
        self.description = description
        self.catalogue_terms = tuple(catalogue_terms)
        self.timeout_s = timeout_s

    async def unread(self) -> tuple[tuple[str, Unread], ...]:
        """What of which source cannot be searched, by source; one that is gone counts as having none."""
        found: list[tuple[str, Unread]] = []
        for name, source in self._sources.items():
            with suppress(ToolFailed):
                found += [(name, one) for one in (await source.holdings()).unread]
        return tuple(found)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The normalised request; the end of its window is at most ``now``.

        Raises:
            InvalidToolInput: unknown source or level, a time that is none, an empty, future or endless window.
        """
        assert isinstance(arguments, QueryLogsInput), "the boundary validates against input_model"
        known_source(self._sources, arguments.source)
        scope = normalised_scope(arguments, context)
        return Prepared(normalised=scope | {"limit": arguments.limit}, scope_key=scope_key(self.name, scope))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """Search the source in the window and, for comparison, in the equally long one before it.

        Raises:
            ToolFailed: INCOMPLETE_SEARCH if nothing was found but not everything was searched, or the source holds
                nothing there; OBSERVATION_CONTRACT_MISMATCH if it answers another question; TOOL_EXECUTION_ERROR if it
                cannot be searched at all.
        """
        query = query_of(prepared.normalised)
        source = self._sources[str(prepared.normalised["source"])]
        page = await source.search(query)
        if not _answers(page, query):
            raise ToolFailed(ToolCode.OBSERVATION_CONTRACT_MISMATCH, log_detail="records of another service or time")
        coverage = _coverage(page)
        if not page.events and coverage is not Coverage.COMPLETE:
            raise ToolFailed(ToolCode.INCOMPLETE_SEARCH, log_detail=_why_incomplete(page))
        window = _effective(query.window, page)
        before = await _preceding(source, query, page, window)
        limit, zone = _limit(prepared), context.time_zone
        payload = await asyncio.to_thread(digest_page, page, before, window, limit=limit, time_zone=zone)
        payload["scope"] = _payload_scope(query, window)
        return RawResult(payload=payload, coverage=coverage)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """Patterns first, then sample records in time order, as many as the cap admits.

        Raises:
            ToolFailed: PROJECTION_ERROR if records were found but not one fits.
        """
        payload = raw.payload
        source, limit = str(prepared.normalised["source"]), _limit(prepared)
        n_found, total = payload["n_events"], payload["total"]
        shell = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=scope_in(payload, source),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if n_found else EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=total if isinstance(total, int) else None,
        )
        if not n_found:
            return shell
        room = SHOWN_BYTES if limit <= DEFAULT_LIMIT else self.projection_cap_bytes
        fitted = project_items(
            payload, source, scope8(prepared.scope_key), room_bytes=room - len(shell.model_dump_json().encode())
        )
        if not fitted.items:
            raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="no item fits the projection")
        return shell.model_copy(update={"items": fitted.items, "truncated": fitted.is_cut or total != n_found})


def _limit(prepared: Prepared) -> int:
    limit = prepared.normalised["limit"]
    assert isinstance(limit, int), "prepare puts a number there"
    return limit


def _answers(page: LogPage, query: LogQuery) -> bool:
    """True if every record is of the asked service and time: evidence must not stand under a scope it is not of."""
    start, end, service = query.window.start, query.window.end, query.service
    return all(start <= one.at < end and service in {None, one.service} for one in page.events)


def _coverage(page: LogPage) -> Coverage:
    if not page.holds_window:
        return Coverage.NO_DATA
    return Coverage.COMPLETE if page.is_complete else Coverage.PARTIAL


def _why_incomplete(page: LogPage) -> str:
    unread = ", ".join(f"{unread.name} ({unread.why})" for unread in page.unread[:10])
    return f"holds_window={page.holds_window} unparsed={page.unparsed} unread={unread or 'none'}"


def _effective(asked: Window, page: LogPage) -> Window:
    """Asked ∩ held; its end is already at most now."""
    start = max(asked.start, page.oldest) if page.oldest is not None and page.oldest < asked.end else asked.start
    return Window(start=start, end=asked.end)


async def _preceding(source: LogSource, query: LogQuery, page: LogPage, window: Window) -> Preceding | None:
    """What the equally long window before held; None if that was not held or not searched completely."""
    if not page.events or not page.is_complete or page.oldest is None:
        return None
    start = window.start - (window.end - window.start)
    if page.oldest > start:
        return None
    try:
        before = await source.search(query.model_copy(update={"window": Window(start=start, end=window.start)}))
    except ToolFailed:
        return None
    return Preceding(start, before.events) if before.is_complete and before.total == len(before.events) else None


def _payload_scope(query: LogQuery, window: Window) -> Json:
    """The scope as part of the payload, so that it is cleaned and masked with it."""
    filters = {"service": query.service, "level": query.level, "contains": query.contains}
    return {
        "window": {"start": window.start.isoformat(), "end": window.end.isoformat()},
        "filters": {name: value for name, value in filters.items() if value is not None},
    }
