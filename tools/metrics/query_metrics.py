"""The evidence tool ``query_metrics``: asks one metric source, compares with the time before, projects the answer."""

import asyncio
from collections.abc import Mapping, Sequence

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, Window, scope8, scope_key
from state.model.ids import ToolCallId
from state.model.redaction import redact_text
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.fitting import SHOWN_BYTES
from tools.metrics.digest import Json, digest_page
from tools.metrics.durations import duration_text
from tools.metrics.port import MetricSource, SeriesPage, SeriesQuery
from tools.metrics.projecting import project_items
from tools.metrics.request import QueryMetricsInput, normalised_request, query_of
from tools.metrics.units import declared_unit
from tools.source_choice import chosen_source, scope_in


class QueryMetrics:
    """Implements ``EvidenceTool`` over the configured metric sources."""

    name = "query_metrics"
    input_model: type[ToolInput] = QueryMetricsInput
    raw_cap_bytes = 256 * 1024
    projection_cap_bytes = 16 * 1024

    def __init__(
        self,
        sources: Mapping[str, MetricSource],
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

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The normalised request; PromQL is parsed and written anew, the end of the window is at most ``now``. Pure.

        Raises:
            InvalidToolInput: unknown source, or what ``normalised_request`` refuses.
        """
        assert isinstance(arguments, QueryMetricsInput), "the boundary validates against input_model"
        source = self._sources[chosen_source(self._sources, arguments.source)]
        scope, size = normalised_request(arguments, source, context)
        return Prepared(normalised=scope | size, scope_key=scope_key(self.name, scope))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """Search the window together with the equally long one before it.

        Raises:
            ToolFailed: INCOMPLETE_SEARCH if nothing was found but not everything was searched, the metric or its
                labels are unknown, or the source holds nothing there; OBSERVATION_CONTRACT_MISMATCH if a series is not
                of the asked labels; else as ``MetricSource.search``.
        """
        query = query_of(prepared.normalised)
        page = await self._sources[str(prepared.normalised["source"])].search(_with_time_before(query))
        window = _effective(query.window, page)
        selector = query.expression.selector
        if selector is not None and selector.is_plain and not all(selector.accepts(one.labels) for one in page.series):
            raise ToolFailed(ToolCode.OBSERVATION_CONTRACT_MISMATCH, log_detail="series of other labels")
        payload = await asyncio.to_thread(
            digest_page,
            page,
            window,
            metric=selector.metric if selector else "",
            unit=(declared_unit(page.declared_unit) if selector else "") or query.expression.unit,
            step_ms=query.step_ms,
            time_zone=context.time_zone,
        )
        coverage = _coverage(page, is_found=bool(payload["n_series"]))
        if not payload["n_series"] and coverage is not Coverage.COMPLETE:
            raise ToolFailed(ToolCode.INCOMPLETE_SEARCH, log_detail=_why_incomplete(page))
        payload["scope"] = _payload_scope(query, window, page)
        payload["computed_from"] = _metrics_of(query) if selector is None and page.is_known else []
        return RawResult(payload=payload, coverage=coverage)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """Series that changed most first, as many as the room admits; ``total_matches`` counts them all.

        Raises:
            ToolFailed: PROJECTION_ERROR if series were found but not one fits.
        """
        payload = raw.payload
        n_series = payload["n_series"]
        assert isinstance(n_series, int), "the digest puts a number there"
        shell = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=scope_in(payload, str(prepared.normalised["source"])),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if n_series else EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=n_series,
        )
        if not n_series:
            return shell
        fitted = self._fitted(payload, shell, scope8(prepared.scope_key))
        return shell.model_copy(update=fitted)

    def _fitted(self, payload: Json, shell: Projection, scope_id: str) -> Json:
        """Items that one observation shows whole; the cap of the projection only where not even one fits otherwise.

        Raises:
            ToolFailed: PROJECTION_ERROR: not one fits.
        """
        shell_bytes = len(shell.model_dump_json().encode())
        for room in (SHOWN_BYTES, self.projection_cap_bytes):
            fitted = project_items(payload, scope_id, room_bytes=room - shell_bytes)
            if fitted.items:
                return {"items": fitted.items, "truncated": fitted.is_cut}
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="not one series fits the projection")


def _with_time_before(query: SeriesQuery) -> SeriesQuery:
    start, end = query.window.start, query.window.end
    return SeriesQuery(query.expression, Window(start=start - (end - start), end=end), query.step_ms)


def _metrics_of(query: SeriesQuery) -> list[str]:
    """Names of the metrics that are read, each once."""
    return list(dict.fromkeys(redact_text(one.metric) for one in query.expression.selectors))


def _effective(asked: Window, page: SeriesPage) -> Window:
    """Asked ∩ held; its end is already at most now."""
    start = max(asked.start, page.oldest) if page.oldest is not None and page.oldest < asked.end else asked.start
    return Window(start=start, end=asked.end)


def _coverage(page: SeriesPage, *, is_found: bool) -> Coverage:
    if not is_found and not (page.is_known and page.holds_window):
        return Coverage.NO_DATA
    return Coverage.PARTIAL if page.unread or not page.is_known else Coverage.COMPLETE


def _why_incomplete(page: SeriesPage) -> str:
    unread = ", ".join(f"{one.name} ({one.why})" for one in page.unread[:10])
    return f"is_known={page.is_known} holds_window={page.holds_window} unread={unread or 'none'}"


def _payload_scope(query: SeriesQuery, window: Window, page: SeriesPage) -> Json:
    """The scope as part of the payload, so that it is cleaned and masked with it."""
    step = {} if page.is_exact else {"step": duration_text(query.step)}
    return {
        "window": {"start": window.start.isoformat(), "end": window.end.isoformat()},
        "filters": step,
        "query": redact_text(query.expression.text),
    }
