"""The evidence tools of the product over a small folder of evidence, with a fault between a tool and its source."""

import asyncio
import copy
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcp_types import CallToolResult, ImageContent, TextContent

from config.settings import Settings
from graph.knowledge import KB_SCOPE, build_lookup, open_base
from graph.telemetry import Telemetry, ask_holdings, build_tools
from graph.world_sources import open_world_sources
from state.model.enums import EvidenceKind, ToolCode
from state.model.errors import ToolFailed
from tests.fakes import ManualClock
from tests.faults.dimensions import Kind, Part
from tests.faults.strike import INTERNALS, SLOW_S, Strike, bug, forever
from tests.faults.world import write_world
from tools.alerts.port import AlertPage
from tools.alerts.port import Unread as UnreadAlerts
from tools.contract import EvidenceTool
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase
from tools.logs.port import LogPage
from tools.logs.port import Unread as UnreadLogs
from tools.mcp.definition import PinnedTool
from tools.mcp.evidence_tool import McpEvidenceTool
from tools.metrics.port import SeriesPage
from tools.metrics.port import Unread as UnreadMetrics
from tools.sql.source import RowSet
from tools.world import read_world

PATIENCE_S = 0.15
"""How long a tool waits for its source where that hangs."""
ASKED: dict[Part, tuple[str, dict[str, object]]] = {
    Part.KNOWLEDGE: ("lookup_knowledge", {"query": "connection pool exhausted"}),
    Part.LOGS: ("query_logs", {"source": "logs", "service": "payments"}),
    Part.SQL: ("query_sql", {"datasource": "shop", "sql": "SELECT id, state FROM orders"}),
    Part.METRICS: ("query_metrics", {"metric": "pool_active", "labels": {"service": "payments"}}),
    Part.ALERTS: ("list_alerts", {}),
    Part.MCP: ("mcp__ops__deploys", {"service": "payments"}),
}
"""Tool and arguments that reach each source."""
_SERVED = {"type": "object", "properties": {"service": {"type": "string"}}}
_DEPLOYS = '[{"version": "4.2.1", "at": "2026-03-02T14:04:00Z"}, {"version": "4.2.0", "at": "2026-03-01T09:00:00Z"}]'


@dataclass(frozen=True)
class Evidence:
    """Everything open; tools are made anew for every fault."""

    telemetry: Telemetry
    base: KnowledgeBase
    settings: Settings

    def tools(self, strike: Strike) -> Mapping[str, EvidenceTool]:
        """The tool of the struck source alone, as the product builds it."""
        faulty = replace(
            self.telemetry,
            logs=_between(self.telemetry.logs, Part.LOGS, strike),
            databases=_between(self.telemetry.databases, Part.SQL, strike),
            metrics=_between(self.telemetry.metrics, Part.METRICS, strike),
            alerts=_between(self.telemetry.alerts, Part.ALERTS, strike),
        )
        tools = build_tools(faulty, _asked(faulty), time_zone="UTC")
        base = copy.copy(self.base)
        base.index = FaultyIndex(self.base.index, strike)  # type: ignore[assignment]
        lookup = build_lookup(self.settings, base)
        pinned = PinnedTool("ops", "deploys", "0" * 64, "Lists deploys.", _SERVED, EvidenceKind.TELEMETRY)
        served = McpEvidenceTool("mcp__ops__deploys", pinned, Server(strike), timeout_s=PATIENCE_S)
        found = {lookup.name: lookup, served.name: served, **tools}
        name = ASKED[strike.part][0]
        if strike.kind is Kind.HANG:
            found[name].timeout_s = PATIENCE_S
        return {name: found[name]}


def open_evidence(folder: Path, home: Path, opened: ExitStack) -> Evidence:
    """The world of ``write_world``, opened as the product opens it. Blocking."""
    settings, clock = Settings(home=home), ManualClock()
    world = read_world(write_world(folder))
    base = open_base(settings, "runbooks", clock, opened)
    ingest_folder(base, folder / "knowledge", kb_scope=KB_SCOPE)
    return Evidence(open_world_sources(world, "UTC", clock), base, settings)


def _asked(telemetry: Telemetry) -> Any:
    """What the sources hold; from a thread, for a loop may be running here."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(ask_holdings(telemetry))))
    thread.start()
    thread.join()
    return found[0]


def _between(sources: Mapping[str, Any], part: Part, strike: Strike) -> dict[str, Any]:
    return {name: FaultySource(source, part, strike) for name, source in sources.items()}


class FaultySource:
    """A source in front of whose search the strike stands."""

    def __init__(self, inner: Any, part: Part, strike: Strike) -> None:
        self._inner = inner
        self._part = part
        self._strike = strike

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in {"search", "run", "alerts"}:
            return found

        async def call(*args: Any, **kwargs: Any) -> Any:
            return await faulty(self._strike, self._part, lambda: found(*args, **kwargs))

        return call


class Server:
    """An MCP server of one tool."""

    def __init__(self, strike: Strike) -> None:
        self._strike = strike

    async def call(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        async def answer() -> CallToolResult:
            return CallToolResult(content=[TextContent(type="text", text=_DEPLOYS)])

        found: CallToolResult = await faulty(self._strike, Part.MCP, answer)
        return found


async def faulty(strike: Strike, part: Part, ask: Callable[[], Any]) -> Any:
    """What the source answers, or what becomes of it."""
    if not strike.is_due(part):
        return await ask()
    match strike.kind:
        case Kind.EXCEPTION:
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=INTERNALS)
        case Kind.BUG:
            raise bug()
        case Kind.HANG:
            await forever()
        case Kind.SLOW:
            await asyncio.sleep(SLOW_S)
    answer = await ask()
    change = {Kind.PARTIAL: _cut, Kind.WRONG: _wrong}.get(strike.kind)
    return change(answer) if change else answer


def _cut(answer: Any) -> Any:
    """The answer without its end, as its source says so."""
    match answer:
        case LogPage():
            unread = (UnreadLogs(name="b.log", why="timed_out"),)
            return replace(answer, events=answer.events[:2], total=None, is_complete=False, unread=unread)
        case RowSet():
            return RowSet(answer.rows[:1], more=True)
        case SeriesPage():
            return replace(answer, unread=(UnreadMetrics(name="server", why="cut"),))
        case AlertPage():
            return AlertPage(answer.alerts, (UnreadAlerts(name="alerts", why="warned"),))
        case CallToolResult():
            return CallToolResult(content=[TextContent(type="text", text=_DEPLOYS[:50])])
    raise AssertionError(answer)


def _wrong(answer: Any) -> Any:
    """An answer to another question, or of impossible values."""
    match answer:
        case LogPage(events=events):
            return replace(answer, events=[replace(event, service="another-service") for event in events])
        case RowSet(rows=rows):
            return RowSet(tuple(row[:1] for row in rows), more=False)
        case SeriesPage(series=series):
            return replace(answer, series=[replace(one, labels={"service": "another-service"}) for one in series])
        case AlertPage(alerts=alerts):
            return AlertPage((*alerts, *alerts))
        case CallToolResult():
            return CallToolResult(content=[ImageContent(type="image", data="AAAA", mimeType="image/png")])
    raise AssertionError(answer)


class FaultyIndex:
    """The index of a knowledge base, which keeps its own time limits and is asked in threads."""

    def __init__(self, inner: Any, strike: Strike) -> None:
        self._inner = inner
        self._strike = strike

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def ranked(self, query: Any) -> Any:
        if not self._strike.is_due(Part.KNOWLEDGE):
            return self._inner.ranked(query)
        match self._strike.kind:
            case Kind.EXCEPTION:
                raise IndexUnavailable("search", detail=INTERNALS)
            case Kind.BUG:
                raise bug()
            case Kind.HANG:
                threading.Event().wait(PATIENCE_S)
                raise IndexUnavailable("search", timed_out=True, detail=INTERNALS)
            case Kind.SLOW:
                threading.Event().wait(SLOW_S)
        found = self._inner.ranked(query)
        match self._strike.kind:
            case Kind.PARTIAL:
                return replace(found, nearest=found.nearest[:1], matching=())
            case Kind.WRONG:
                alien = tuple(replace(hit, cosine=float("nan"), fused_score=float("nan")) for hit in found.nearest)
                return replace(found, nearest=alien, matching=alien)
        return found
