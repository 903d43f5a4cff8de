"""Everything a process can ask for evidence, opened as tools: a world folder, the configured systems, and runbooks.

A source of the folder that is there but unusable is Misconfigured, never left out silently; a configured system that
does not answer is named in every report; what is not there registers no tool.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from config.settings import Settings
from graph.configured_sources import Configured, open_configured
from graph.knowledge import KB_SCOPE, build_lookup
from graph.opening import OnOpening, Opening, untold
from graph.runbooks import Edition, Runbooks
from graph.telemetry import Held, Telemetry, ask_holdings, build_tools
from graph.world_sources import open_world_sources
from nodes.deps import Sources
from state.model.errors import ModelFailed, SourceUnreachable
from state.model.language import Bilingual
from state.model.world import World, settle_now
from state.ports import Clock
from tools.contract import EvidenceTool
from tools.knowledge.ingest import IngestSummary
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.world import read_world

WARM_UP = "预热 warm-up"
"""In both scripts, so that model and Chinese dictionary are loaded."""

BUNDLED_LIBRARY = Bilingual(
    en="No runbooks were given; the bundled runbook library was used.",
    zh="没有提供运维手册；使用了内置的运维手册库。",
)
NOW_FROM_DATA = Bilingual(
    en="The folder names no time; the latest telemetry was taken as the present.",
    zh="该文件夹没有声明当前时间；以最新的遥测时间作为当前时间。",
)
LINKS_IGNORED = Bilingual(
    en="Links that lead out of the folder were not followed: {names}.",
    zh="未跟随指向文件夹之外的链接：{names}。",
)
UNREACHABLE = Bilingual(
    en="These sources did not answer when the process started, and may not have been searched: {names}.",
    zh="以下来源在进程启动时没有应答，可能未被检索：{names}。",
)


@dataclass(frozen=True)
class OpenSources:
    """What is open, for the graph and for ``doctor``."""

    sources: Sources
    tools: Mapping[str, EvidenceTool]
    world: World | None
    knowledge: IngestSummary | None
    """What opening the knowledge base did; None without one."""
    unreachable: tuple[SourceUnreachable, ...] = ()
    """Configured systems of which nothing is registered."""
    silent: tuple[str, ...] = ()
    """Sources that are registered, but did not say what they hold."""
    runbooks: Runbooks | None = None
    """What is searched from run to run, for others of this process to share; None: this process has no sources."""
    edition: Edition | None = None
    """The runbooks that sources and tools are over; None without any."""


@asynccontextmanager
async def open_sources(
    settings: Settings, path: Path | None, clock: Clock, on_opening: OnOpening = untold
) -> AsyncIterator[OpenSources]:
    """The sources of folder and settings; without either none. Everything blocking runs in threads.

    ``on_opening`` hears what is opened next; nothing where there is no source.

    Raises:
        Misconfigured: the folder, a source or the embedding model cannot be used.
    """
    if path is None and not settings.sources:
        async with _nothing_else(settings, clock) as found:
            yield found
        return
    on_opening(Opening.SOURCES)
    world = await asyncio.to_thread(read_world, path) if path else None
    zone = settings.time_zone or (world.time_zone if world else "UTC")
    async with open_configured(settings, zone, clock) as configured:
        with ExitStack() as opened:
            found = await _open(settings, world, configured, _Around(clock, opened, on_opening))
            async with _warming(found):
                yield found


@asynccontextmanager
async def _nothing_else(settings: Settings, clock: Clock) -> AsyncIterator[OpenSources]:
    """The documents people added, where there is no other source."""
    with ExitStack() as opened:
        runbooks = Runbooks(settings, None, clock, opened, has_sources=False)
        bare = OpenSources(_nowhere(settings), {}, None, None, runbooks=runbooks)
        found = await over_edition(bare, settings, await asyncio.to_thread(runbooks.now))
        async with _warming(found):
            yield found


@asynccontextmanager
async def _warming(opened: OpenSources) -> AsyncIterator[None]:
    """Meanwhile what the first search would wait for is loaded; what fails here fails there with its own name."""
    if opened.edition is None:
        yield
        return
    warming = asyncio.create_task(asyncio.to_thread(_warm, opened.edition.base))
    try:
        yield
    finally:
        await warming


def _warm(knowledge: KnowledgeBase) -> None:
    with suppress(ModelFailed):
        knowledge.warm(WARM_UP)


@dataclass(frozen=True)
class _Around:
    """What is needed to open a source, whichever it is."""

    clock: Clock
    opened: ExitStack
    on_opening: OnOpening


async def over_edition(opened: OpenSources, settings: Settings, edition: Edition | None) -> OpenSources:
    """The same sources over these runbooks: tool, titles and notices are theirs."""
    tools = {name: tool for name, tool in opened.tools.items() if name != LookupKnowledge.name}
    if edition is not None:
        lookup = await asyncio.to_thread(build_lookup, settings, edition.base)
        tools = {lookup.name: lookup, **tools}
    sources = replace(
        opened.sources,
        notices=_with_runbooks(opened, edition),
        documents=edition.titles if edition else (),
    )
    summary = edition.summary if edition else None
    return replace(opened, sources=sources, tools=tools, knowledge=summary, edition=edition)


def _with_runbooks(opened: OpenSources, edition: Edition | None) -> tuple[Bilingual, ...]:
    """The notices, those of the runbooks in place of the ones before."""
    before = opened.edition.base.notices if opened.edition else ()
    others = [notice for notice in opened.sources.notices if notice != BUNDLED_LIBRARY and notice not in before]
    if edition is None:
        return tuple(others)
    return (*((BUNDLED_LIBRARY,) if edition.is_bundled else ()), *others, *edition.base.notices)


async def _open(settings: Settings, world: World | None, configured: Configured, around: _Around) -> OpenSources:
    clock = around.clock
    zone = settings.time_zone or (world.time_zone if world else "UTC")
    recorded = await asyncio.to_thread(open_world_sources, world, zone, clock) if world else Telemetry()
    telemetry = recorded.joined(configured.telemetry)
    held = await ask_holdings(telemetry)
    now, from_data = _settled(world, configured, held, clock)
    around.on_opening(Opening.RUNBOOKS)
    runbooks = Runbooks(settings, world, clock, around.opened)
    edition = await asyncio.to_thread(runbooks.now)
    tools = {**build_tools(telemetry, held, time_zone=zone), **configured.mcp_tools}
    missing = (*(one.key.removeprefix("sources.") for one in configured.unreachable), *held.silent)
    sources = Sources(
        name=str(world.path) if world else None,
        now=now,
        time_zone=zone,
        kb_scope=KB_SCOPE,
        notices=_notices(world, from_data=from_data, missing=missing),
        documents=(),
    )
    bare = OpenSources(sources, tools, world, None, configured.unreachable, held.silent, runbooks)
    return await over_edition(bare, settings, edition)


def _settled(world: World | None, configured: Configured, held: Held, clock: Clock) -> tuple[datetime | None, bool]:
    """The fixed present of the sources (None: the clock's), and whether it was taken from the data."""
    if world is None:
        return None, False
    if configured.telemetry and world.now is None:
        return None, False
    return settle_now(world, held.newest, clock.now())


def _nowhere(settings: Settings) -> Sources:
    return Sources(
        name=None,
        now=None,
        time_zone=settings.time_zone or "UTC",
        kb_scope=KB_SCOPE,
        notices=(),
        documents=(),
    )


def _notices(world: World | None, *, from_data: bool, missing: tuple[str, ...]) -> tuple[Bilingual, ...]:
    notices = []
    if from_data:
        notices.append(NOW_FROM_DATA)
    if world is not None and world.ignored:
        notices.append(_naming(LINKS_IGNORED, world.ignored))
    if missing:
        notices.append(_naming(UNREACHABLE, missing))
    return tuple(notices)


def _naming(notice: Bilingual, names: tuple[str, ...]) -> Bilingual:
    return notice.filled(names=", ".join(names)[:300])
