"""The embedded sources of one world folder, opened as evidence tools: runbooks, logs, databases.

A source that is there but unusable is Misconfigured, never left out silently; one that is not there registers no tool.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from config.settings import Settings
from graph.knowledge import KB_SCOPE, build_lookup, open_knowledge
from nodes.deps import Sources
from state.model.errors import ModelFailed
from state.model.language import Bilingual
from state.model.world import SourceKind, World, settle_now
from state.ports import Clock
from tools.contract import EvidenceTool
from tools.knowledge.ingest import IngestSummary
from tools.knowledge.library import KnowledgeBase
from tools.logs import describe as log_catalogue
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import Holdings
from tools.logs.query_logs import QueryLogs
from tools.sql.query_sql import QuerySql
from tools.sql.source import SqlSource
from tools.sql.sqlite_source import open_sql_script, open_sqlite_file
from tools.world import read_world

WARM_UP = "预热 warm-up"
"""In both scripts, so that model and Chinese dictionary are loaded."""

BUNDLED_LIBRARY = Bilingual(
    en="The folder has no knowledge/ of its own; the bundled runbook library was used.",
    zh="该文件夹没有自己的 knowledge/；使用了内置的运维手册库。",
)
NOW_FROM_DATA = Bilingual(
    en="The folder names no time; the latest telemetry was taken as the present.",
    zh="该文件夹没有声明当前时间；以最新的遥测时间作为当前时间。",
)
LINKS_IGNORED = Bilingual(
    en="Links that lead out of the folder were not followed: {names}.",
    zh="未跟随指向文件夹之外的链接：{names}。",
)


@dataclass(frozen=True)
class OpenSources:
    """What is open, for the graph and for ``doctor``."""

    sources: Sources
    tools: Mapping[str, EvidenceTool]
    world: World | None
    knowledge: IngestSummary | None
    """What opening the knowledge base did; None without one."""


@asynccontextmanager
async def open_sources(settings: Settings, path: Path | None, clock: Clock) -> AsyncIterator[OpenSources]:
    """The sources of the folder; without a folder none. Everything blocking runs in threads.

    Raises:
        Misconfigured: the folder, one of its sources or the embedding model cannot be used.
    """
    if path is None:
        yield OpenSources(_without_world(settings), {}, None, None)
        return
    with ExitStack() as opened:
        found, knowledge = await _open(settings, await asyncio.to_thread(read_world, path), clock, opened)
        warming = asyncio.create_task(asyncio.to_thread(_warm, knowledge))
        try:
            yield found
        finally:
            await warming


def _warm(knowledge: KnowledgeBase) -> None:
    """Load what the first search would wait for; what fails here fails there with its own name."""
    with suppress(ModelFailed):
        knowledge.warm(WARM_UP)


async def _open(settings: Settings, world: World, clock: Clock, opened: ExitStack) -> tuple[OpenSources, KnowledgeBase]:
    zone = settings.time_zone or world.time_zone
    logs = _log_sources(world, zone, world.now or clock.now())
    holdings = {name: await source.holdings() for name, source in logs.items()}
    now, from_data = settle_now(world, _newest(holdings), clock.now())
    databases = await asyncio.to_thread(_sql_sources, world, clock)
    knowledge, summary = await asyncio.to_thread(open_knowledge, settings, world, clock, opened)
    lookup = await asyncio.to_thread(build_lookup, settings, knowledge)
    tools: dict[str, EvidenceTool] = {lookup.name: lookup}
    if logs:
        described = log_catalogue.describe(holdings, zone)
        tools[QueryLogs.name] = QueryLogs(logs, description=described, catalogue_terms=log_catalogue.terms(holdings))
    if databases:
        tools[QuerySql.name] = QuerySql(databases)
    sources = Sources(
        name=str(world.path),
        now=now,
        time_zone=zone,
        kb_scope=KB_SCOPE,
        notices=(*_notices(world, from_data=from_data), *knowledge.notices),
        documents=tuple(record.title for record in await asyncio.to_thread(knowledge.records.documents, KB_SCOPE)),
    )
    return OpenSources(sources, tools, world, summary), knowledge


def _without_world(settings: Settings) -> Sources:
    return Sources(
        name=None,
        now=None,
        time_zone=settings.time_zone or "UTC",
        kb_scope=KB_SCOPE,
        notices=(),
        documents=(),
    )


def _notices(world: World, *, from_data: bool) -> tuple[Bilingual, ...]:
    notices = [] if world.has_runbooks else [BUNDLED_LIBRARY]
    if from_data:
        notices.append(NOW_FROM_DATA)
    if world.ignored:
        names = ", ".join(world.ignored)[:300].replace("{", "{{").replace("}", "}}")
        notices.append(Bilingual(en=LINKS_IGNORED.en.format(names=names), zh=LINKS_IGNORED.zh.format(names=names)))
    return tuple(notices)


def _log_sources(world: World, zone: str, now: datetime) -> dict[str, FolderLogSource]:
    return {
        source.name: FolderLogSource(source.name, source.path, time_zone=zone, now=now)
        for source in world.of_kind(SourceKind.LOGS)
    }


def _newest(holdings: Mapping[str, Holdings]) -> datetime | None:
    return max((held.newest for held in holdings.values() if held.newest is not None), default=None)


def _sql_sources(world: World, clock: Clock) -> dict[str, SqlSource]:
    found: dict[str, SqlSource] = {}
    for source in world.of_kind(SourceKind.SQL):
        opener = open_sql_script if source.path.suffix == ".sql" else open_sqlite_file
        found[source.name] = opener(source.path, clock=clock, allowlist=world.allowlists.get(source.name))
    return found
