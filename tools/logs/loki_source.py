"""A Grafana Loki server as a log source."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from state.model.errors import ToolFailed
from state.ports import Clock
from tools.http_api import HttpApi, HttpEndpoint
from tools.logs.levels import parse_level
from tools.logs.loki_logql import LokiView, selector
from tools.logs.loki_session import MS, LokiSession
from tools.logs.port import Holdings, LogPage, LogQuery
from tools.logs.remote_allowance import Allowance
from tools.logs.remote_holdings import Collected, Found
from tools.logs.remote_needle import UNKNOWN_SERVICE, shown_service
from tools.logs.remote_reading import AT_ONCE, PAGE_RECORDS, Span, nanoseconds
from tools.logs.remote_search import search_server
from tools.logs.stamps import Reference
from tools.together import together

MAX_CATALOGUED = 100
"""Services of the catalogue, those with most records first."""
_CATALOGUED = (timedelta(hours=24), timedelta(hours=1))
"""Looked back for the catalogue; the shorter one if the server cannot count the longer one in time."""


class LokiLogSource:
    """Implements ``LogSource`` over the streams of one selector."""

    def __init__(
        self, name: str, endpoint: HttpEndpoint, view: LokiView, *, time_zone: str, timeout_s: float, clock: Clock
    ) -> None:
        """``time_zone`` reads stamps without offset; ``timeout_s`` bounds one call with all its requests."""
        tenant = {"X-Scope-OrgID": view.tenant} if view.tenant else {}
        self.name = name
        self._api = HttpApi(replace(endpoint, headers={**endpoint.headers, **tenant}))
        self._view = view
        self._zone = ZoneInfo(time_zone)
        self._timeout_s = timeout_s
        self._clock = clock

    async def search(self, query: LogQuery) -> LogPage:
        """All matches, or an even selection of about 5000 records if there are more.

        Raises ToolFailed: TOOL_TIMEOUT, RESULT_TOO_LARGE (one reply above 20 MiB), else TOOL_EXECUTION_ERROR.
        A cancelled search closes its connection, at which Loki ends the query.
        """
        return await search_server(self._session(self._timeout_s), query, self._clock.now())

    async def holdings(self) -> Holdings:
        """Services, levels and times of the last 24 hours, or of the last hour if more cannot be counted in time.

        Levels that are not in the configured label are those of the first and last 1000 records.
        Raises ToolFailed as ``search``.
        """
        *longer, last = _CATALOGUED
        for back in longer:
            try:
                return await self._holdings(back, self._timeout_s / 2)
            except ToolFailed:
                continue
        return await self._holdings(last, self._timeout_s / 2)

    async def aclose(self) -> None:
        """Close the connections; idempotent."""
        await self._api.aclose()

    def _session(self, timeout_s: float) -> LokiSession:
        return LokiSession(self._api, self._view, Reference(self._zone, self._clock.now()), Allowance(timeout_s))

    async def _holdings(self, back: timedelta, timeout_s: float) -> Holdings:
        """What the last ``back`` holds.

        Raises:
            ToolFailed: as ``search``.
        """
        session = self._session(timeout_s)
        now = self._clock.now()
        end_ns = (nanoseconds(now) // MS + 1) * MS
        span = Span(nanoseconds(now - back) // MS * MS, end_ns)
        collected = Collected()
        await self._count(session, span, collected)
        for direction in ("forward", "backward"):
            found = await session.entries(selector(self._view), span, limit=PAGE_RECORDS, direction=direction)
            collected.look_at(await asyncio.to_thread(session.events, found.entries, None))
        looked_up = (self._look_up(session, span, name, found) for name, found in collected.services.items())
        await together(looked_up, at_once=AT_ONCE)
        return Holdings(collected.holdings())

    async def _count(self, session: LokiSession, span: Span, into: Collected) -> None:
        """Lines and named levels of the services with most records."""
        labels = (self._view.service_label, self._view.level_label)
        rows, _ = await session.counts(selector(self._view), span, by=labels)
        for row, count in sorted(rows, key=lambda pair: -pair[1]):
            name = shown_service(row.get(self._view.service_label) or UNKNOWN_SERVICE)
            if name not in into.services and len(into.services) >= MAX_CATALOGUED:
                continue
            found = into.of(name)
            found.lines += count
            level = parse_level(row.get(self._view.level_label, ""))
            found.levels |= {level} if level else set()

    async def _look_up(self, session: LokiSession, span: Span, name: str, found: Found) -> None:
        """First and last record of a service; those seen among the first and last of all may not be its own."""
        for direction in ("forward", "backward"):
            page = await session.entries(selector(self._view, name), span, limit=1, direction=direction)
            for entry in page.entries:
                found.saw(entry.at_ns)
