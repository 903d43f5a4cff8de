"""The facade for service and CLI: diagnose, resume, replay, trace, doctor. Nothing above it knows a store or a node."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from config.settings import Settings
from graph.replay import Replay, replay_run
from graph.run import OnEvent, Runner
from graph.stores import Holder, Stores, open_stores
from graph.system import SystemIds
from graph.wiring import build_deps, build_runner, owner_name
from guards.actions import quotes_document
from models.roles import build_role_models
from nodes.close_run import result_of
from nodes.open_run import check_request as check_request
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import RunState
from state.model.ids import RunId
from state.model.release import DiagnosisReport, EvidenceView, RunResult
from state.model.run import BudgetUsage, PublicEvent, RunRow
from state.model.trace import StoredTraceEvent
from tools.contract import ToolCard
from tools.world import is_world

if TYPE_CHECKING:
    from graph.sources import OpenSources
    from state.ports import Clock


@dataclass(frozen=True)
class RunTrace:
    """Everything kept about one run."""

    row: RunRow
    usage: BudgetUsage
    timeline: tuple[StoredTraceEvent, ...]
    published: tuple[PublicEvent, ...]
    evidence: tuple[EvidenceView, ...]

    @property
    def tokens_reconciled(self) -> bool | None:
        """True if the traced token counts add up to the ledger; None where no provider reported usage."""
        traced = [
            stored.event.details.get("total_tokens")
            for stored in self.timeline
            if stored.event.type == "MODEL_TOKEN_USAGE"
        ]
        known = [tokens for tokens in traced if isinstance(tokens, int)]
        if not known:
            return None
        return sum(known) == self.usage.tokens and len(known) == len(traced)


@dataclass(frozen=True)
class Records:
    """Reads of past runs; opens no source and no model."""

    settings: Settings
    stores: Stores

    async def runs(self, *, limit: int = 20) -> tuple[RunRow, ...]:
        """The newest runs first."""
        return await self.stores.control.list_runs(limit=limit)

    async def run(self, run_id: RunId) -> RunRow | None:
        """One run, or None."""
        return await self.stores.control.get_run(run_id)

    async def interrupted(self) -> tuple[RunRow, ...]:
        """Runs that were cut off and can be resumed."""
        return await self.stores.control.interrupted_runs()

    async def result(self, run_id: RunId) -> RunResult | None:
        """How an ended run ended; None if it is unknown or has not ended."""
        row = await self.stores.control.get_run(run_id)
        return None if row is None or row.run_state is RunState.RUNNING else result_of(row)

    async def trace(self, run_id: RunId) -> RunTrace | None:
        """Everything kept about one run, or None if it is unknown."""
        row = await self.stores.control.get_run(run_id)
        if row is None:
            return None
        return RunTrace(
            row=row,
            usage=await self.stores.control.usage(run_id),
            timeline=await self.stores.audit.events(run_id),
            published=await self.stores.control.public_events(run_id),
            evidence=await self.stores.control.published_evidence(run_id),
        )

    async def replay(self, run_id: RunId) -> Replay:
        """The run executed again from its recording; RunRefused if it cannot be."""
        return await replay_run(self.settings, self.stores, run_id)


@dataclass(frozen=True)
class App:
    """One process with its sources and models open."""

    records: Records
    sources: "OpenSources"
    runner: Runner

    @property
    def tools(self) -> tuple[ToolCard, ...]:
        """The registered tools as a model sees them."""
        return self.runner.deps.boundary.specs

    def new_run_id(self) -> RunId:
        """A fresh identity for the next run."""
        return RunId(SystemIds().uuid())

    async def interrupted(self) -> tuple[RunRow, ...]:
        """Runs that were cut off and can be resumed; those that are over age or asked to stop are closed first."""
        await self.runner.sweep()
        await self.records.stores.forget_old(retention_days=self.records.settings.retention_days)
        return await self.records.interrupted()

    async def diagnose(self, request: RunInput, options: RunOptions, on_event: OnEvent) -> RunResult:
        """How the run ended. Raises InvalidQuery, RunRefused, LeaseLost as ``Runner.run``."""
        return await self.runner.run(request, options, on_event=on_event)

    async def resume(self, run_id: RunId, on_event: OnEvent) -> RunResult:
        """How the run ended. Raises RunRefused, LeaseLost as ``Runner.resume``."""
        return await self.runner.resume(run_id, on_event=on_event)


def backed_actions(report: DiagnosisReport) -> tuple[bool, ...]:
    """One per action: does an analysis it rests on quote a document. The others are proposed, not verified. Pure."""
    return tuple(quotes_document(action, report.draft, report.evidence) for action in report.draft.action_plan)


def seconds_held(row: RunRow, clock: "Clock") -> int:
    """Whole seconds until another process may take the run up; 0 if it may now or the run has ended."""
    left = (row.lease_until - clock.now()).total_seconds()
    return max(0, ceil(left)) if row.run_state is RunState.RUNNING else 0


def looks_like_world(path: Path) -> bool:
    """True if the folder has one of the entries that make a world."""
    return is_world(path)


@asynccontextmanager
async def open_records(settings: Settings) -> AsyncIterator[Records]:
    """Past runs of one home folder."""
    async with open_stores(settings) as stores:
        yield Records(settings, stores)


@asynccontextmanager
async def open_app(settings: Settings, world: Path | None) -> AsyncIterator[App]:
    """A process ready to diagnose over one world folder; None: the configured one, else no source at all.

    Raises Misconfigured if a setting, the world or the knowledge base cannot be used.
    """
    models = await asyncio.to_thread(build_role_models, settings)
    open_sources = await asyncio.to_thread(_sources_opener)
    world, holder = world or settings.world, Holder()
    async with open_stores(settings, held=holder) as stores, open_sources(settings, world, stores.clock) as opened:
        owner = owner_name(SystemIds().uuid())
        deps = build_deps(settings, stores, models, opened.sources, opened.tools, owner)
        holder.follow(deps.keeper.lease_of)
        try:
            yield App(Records(settings, stores), opened, build_runner(deps, stores.checkpoints))
        finally:
            await models.aclose()


def _sources_opener() -> "Callable[[Settings, Path | None, Clock], AbstractAsyncContextManager[OpenSources]]":
    """``open_sources``, imported late: its libraries take seconds, which reading past runs must not pay. Blocking."""
    from graph.sources import open_sources

    return open_sources
