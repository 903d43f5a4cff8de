"""How a serving process stands: what it searches, and whether what it needs answers. Facts only."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import structlog

from config.settings import Settings
from config.sources import McpSource
from graph.served import Served
from graph.sources import OpenSources
from state.model.enums import ModelRole
from state.model.errors import RootproofError
from state.model.ids import RunId
from state.model.language import Bilingual
from state.model.world import SourceKind
from tools.alerts.list_alerts import ListAlerts
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.logs.query_logs import QueryLogs
from tools.mcp.naming import registered_name
from tools.metrics.query_metrics import QueryMetrics
from tools.sql.query_sql import QuerySql

PROBE_S = 3.0
_NOBODY = RunId("00000000-0000-4000-8000-000000000000")
_TOOL_OF = {
    SourceKind.KNOWLEDGE: LookupKnowledge.name,
    SourceKind.LOGS: QueryLogs.name,
    SourceKind.SQL: QuerySql.name,
    SourceKind.METRICS: QueryMetrics.name,
    SourceKind.ALERTS: ListAlerts.name,
}
_TOOL_OF_SYSTEM = {
    "loki": QueryLogs.name,
    "elasticsearch": QueryLogs.name,
    "opensearch": QueryLogs.name,
    "log_folder": QueryLogs.name,
    "postgres": QuerySql.name,
    "mysql": QuerySql.name,
    "mariadb": QuerySql.name,
    "sqlite": QuerySql.name,
    "prometheus": QueryMetrics.name,
    "alertmanager": ListAlerts.name,
}

log = structlog.get_logger("graph.standing")


@dataclass(frozen=True)
class SourceLine:
    """One source of evidence and a tool that searches it."""

    name: str
    tool: str
    kind: str
    """Of a world ``knowledge``, ``logs``, ``sql``, ``metrics`` or ``alerts``; else as the settings name it."""


@dataclass(frozen=True)
class Standing:
    """What this process is."""

    sources: tuple[SourceLine, ...]
    notices: tuple[Bilingual, ...]
    """Sentences that every report of it carries."""
    model: str
    """Of the agent."""
    time_zone: str
    """IANA name in which its sources give times."""
    now: datetime | None
    """The present of its sources; None: that of the clock."""


class Down(StrEnum):
    """Why something is down."""

    UNAVAILABLE = "UNAVAILABLE"
    """It cannot be read; the log has its words."""
    TIMEOUT = "TIMEOUT"
    """It did not answer in time."""
    STOPPED = "STOPPED"
    """A loop of this process has ended."""


async def describe(served: Served, settings: Settings) -> Standing:
    """What this process is, as a run that begins now would find it.

    Raises:
        TruthUnavailable: it cannot be read which runbooks there are.
    """
    deps = (await served.app.current()).deps
    return Standing(
        sources=sources_of(served.app.sources, settings),
        notices=deps.sources.notices,
        model=deps.models[ModelRole.AGENT].name,
        time_zone=deps.sources.time_zone,
        now=deps.sources.now,
    )


def sources_of(opened: OpenSources, settings: Settings) -> tuple[SourceLine, ...]:
    """What is searched, one line a source and tool; a system that did not answer at the start is none of it. Pure."""
    return tuple(_lines(opened, settings))


def _lines(opened: OpenSources, settings: Settings) -> Iterator[SourceLine]:
    for found in opened.world.sources if opened.world else ():
        yield SourceLine(found.name, _TOOL_OF[found.kind], found.kind.value)
    missing = {one.key for one in opened.unreachable}
    for name, source in settings.sources.items():
        if f"sources.{name}" in missing:
            continue
        tools = [registered_name(name, tool) for tool in source.tools] if isinstance(source, McpSource) else []
        for tool in tools or [_TOOL_OF_SYSTEM[source.kind]]:
            yield SourceLine(name, tool, source.kind)


async def probe(served: Served) -> dict[str, Down | None]:
    """What no run can do without → why it is down, None where it answers. Takes ``PROBE_S`` seconds at most."""
    stores = served.records.stores
    checkpoint = stores.checkpoints.aget_tuple({"configurable": {"thread_id": _NOBODY, "checkpoint_ns": ""}})
    found = await asyncio.gather(
        _asked("control", stores.control.get_run(_NOBODY)),
        _asked("canonical", stores.canonical.records(_NOBODY)),
        _asked("checkpoints", checkpoint),
    )
    upkeep = None if served.live.is_tending else Down.STOPPED
    return {**dict(zip(("control", "canonical", "checkpoints"), found, strict=True)), "upkeep": upkeep}


async def _asked(name: str, answer: Awaitable[object]) -> Down | None:
    try:
        async with asyncio.timeout(PROBE_S):
            await answer
    except TimeoutError:
        return Down.TIMEOUT
    except (RootproofError, sqlite3.Error, OSError, ValueError) as error:
        # ValueError: aiosqlite's word for a closed connection.
        log.warning("not ready", store=name, error=str(error))
        return Down.UNAVAILABLE
    return None
