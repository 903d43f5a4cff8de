"""The facade for service and CLI: diagnose, resume, fork, replay, trace. Nothing above it knows a store or a node."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, cast

import structlog

from config.settings import Settings
from graph.audit_check import AuditCheck, check_audit
from graph.executing import RunnerNow
from graph.export import ExportedRun, export_run
from graph.fork import ForkOrder as ForkOrder
from graph.fork import ForkStep as ForkStep
from graph.fork import find_step, fork_run, steps_of
from graph.opening import OnOpening, Opening, untold
from graph.replay import Replay, replay_run
from graph.run import Graph, OnEvent, Runner
from graph.run_trace import EvidenceDetail, KeptCall, TraceDetail, read_detail, read_evidence
from graph.run_trace import RunTrace as RunTrace
from graph.stores import Holder, Stores, open_stores
from graph.system import SystemIds
from graph.wiring import build_deps, build_raws, build_runner, compile_graph, owner_name
from guards.actions import quotes_document
from models.roles import build_role_models
from nodes.close_run import result_of
from nodes.deps import Deps
from nodes.open_run import check_request as check_request
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import RunState
from state.model.errors import TruthUnavailable
from state.model.evidence import CanonicalRecord, Projection, parse_projection
from state.model.ids import RunId, ToolCallId
from state.model.placeholders import PlaceholderMap, unmask_json
from state.model.release import DiagnosisReport, RunResult
from state.model.run import RunRow
from tools.contract import ToolCard
from tools.world import is_world

if TYPE_CHECKING:
    from graph.replay_steps import StepReplay
    from graph.sources import OpenSources
    from state.ports import Clock

    _OpenSources = Callable[[Settings, Path | None, Clock, OnOpening], AbstractAsyncContextManager[OpenSources]]

log = structlog.get_logger("graph.app")


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

    async def verify(self, run_id: RunId) -> AuditCheck:
        """Whether the audit of the run is still what it was when the run ended.

        Raises:
            TruthUnavailable: a store cannot be read.
        """
        recorded = await self.stores.control.audit_digest(run_id)
        return check_audit(recorded, await self.stores.audit.rows(run_id))

    async def detail(self, kept: RunTrace) -> TraceDetail:
        """What is derived from everything kept; scopes of uncited calls are missing where evidence cannot be read.

        Raises:
            TruthUnavailable: the ledger cannot be read.
        """
        entries = await self.stores.control.entries(kept.row.run_id)
        try:
            calls = await self._calls(kept.row.run_id)
        except TruthUnavailable as error:
            log.warning("trace without its evidence", run_id=kept.row.run_id, error=str(error))
            calls = {}
        return read_detail(kept, entries, calls)

    async def evidence(self, run_id: RunId, tool_call_id: ToolCallId) -> EvidenceDetail | None:
        """One result, whole while it is kept; None if the run made no such call.

        Raises:
            TruthUnavailable: a store cannot be read.
        """
        kept = await self.trace(run_id)
        return (
            None if kept is None else read_evidence(kept, tool_call_id, (await self._calls(run_id)).get(tool_call_id))
        )

    async def raw_evidence(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """The raw result as stored, without secrets; None: there is none, or it has expired.

        Where the recording is full, it outlives the record of the call by days.

        Raises:
            TruthUnavailable: the store cannot be read.
        """
        raw = await self.stores.canonical.raw(run_id, tool_call_id)
        kept = build_raws(self.settings, self.stores) if raw is None else None
        return await kept.get(run_id, tool_call_id) if kept else raw

    async def steps(self, row: RunRow) -> tuple[ForkStep, ...]:
        """The steps from which another run can go on; empty once its checkpoints are gone.

        Raises:
            TruthUnavailable: the checkpoints cannot be read.
        """
        return await steps_of(self._read_only_graph, row)

    async def find_step(self, row: RunRow, at: str) -> ForkStep:
        """The step that ``at`` names, as in ``ForkOrder``.

        Raises:
            RunRefused: none is kept, or none is called so.
            TruthUnavailable: the checkpoints cannot be read.
        """
        return await find_step(self._read_only_graph, row, at)

    @property
    def _read_only_graph(self) -> Graph:
        """The graph without anything live: it reads states and executes nothing."""
        return compile_graph(cast(Deps, None), self.stores.checkpoints)

    async def _calls(self, run_id: RunId) -> dict[str, KeptCall]:
        known = PlaceholderMap(entries=await self.stores.canonical.placeholders(run_id))
        records = await self.stores.canonical.records(run_id)
        return {record.tool_call_id: KeptCall(record, _shown(record, known)) for record in records}

    async def export(self, run_id: RunId) -> ExportedRun | None:
        """The ended run as one object that another machine can replay; None if its recording is gone.

        Raises:
            RunRefused: the run is unknown or has not ended.
            TruthUnavailable: a store cannot be read.
        """
        return await export_run(self.stores, run_id)

    async def replay_steps(self, run_id: RunId, *, as_configured: bool) -> "tuple[StepReplay, ...]":
        """The run executed on from each of its steps; RunRefused if it cannot be. Empty: its steps are gone."""
        from graph.replay_steps import replay_steps

        return await replay_steps(self.settings, self.stores, run_id, as_configured=as_configured)

    async def replay(self, run_id: RunId, *, as_configured: bool = False) -> Replay:
        """The run executed again from its recording; RunRefused if it cannot be."""
        return await replay_run(self.settings, self.stores, run_id, as_configured=as_configured)


@dataclass(frozen=True)
class App:
    """One process with its sources and models open."""

    records: Records
    sources: "OpenSources"
    """As they were when the process started."""
    runner: Runner
    """What executed the first run."""
    now: RunnerNow | None = None
    """What executes the next one; None: always ``runner``."""

    async def current(self) -> Runner:
        """What executes a run that begins now, over the runbooks as they are.

        Raises:
            TruthUnavailable: it cannot be read which runbooks there are.
        """
        return await self.now() if self.now is not None else self.runner

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

    async def fork(self, order: ForkOrder, on_event: OnEvent) -> RunResult:
        """How the fork ended. Raises RunRefused, ResultsGone, LeaseLost, TruthUnavailable as ``fork_run``."""
        return await fork_run(self.runner, order, on_event=on_event)


def _shown(record: CanonicalRecord, known: PlaceholderMap) -> Projection | None:
    """The projection as the session's owner may see it: placeholders looked up."""
    projection = parse_projection(record.projection_json)
    if projection is None or not known.entries:
        return projection
    return Projection.model_validate(unmask_json(projection.model_dump(mode="json"), known))


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
async def open_app(settings: Settings, world: Path | None, on_opening: OnOpening = untold) -> AsyncIterator[App]:
    """A process ready to diagnose over one world folder; None: the configured one, else no source at all.

    ``on_opening`` hears what is opened next. Raises Misconfigured if a setting, the world or the knowledge base
    cannot be used.
    """
    models = await asyncio.to_thread(build_role_models, settings)
    open_sources = await asyncio.to_thread(_sources_opener)
    world, holder = world or settings.world, Holder()
    on_opening(Opening.STORES)
    async with (
        open_stores(settings, held=holder) as stores,
        open_sources(settings, world, stores.clock, on_opening) as opened,
    ):
        owner = owner_name(SystemIds().uuid())
        deps = build_deps(settings, stores, models, opened.sources, opened.tools, owner)
        holder.follow(deps.keeper.lease_of)
        runner = build_runner(deps, stores.checkpoints)
        current = _current(settings, opened, runner, stores)
        try:
            yield App(Records(settings, stores), opened, runner, current)
        finally:
            await models.aclose()


def _current(settings: Settings, opened: "OpenSources", runner: Runner, stores: Stores) -> RunnerNow:
    """Imported late, as the sources are."""
    from graph.current import CurrentRunner

    return CurrentRunner(settings, opened, runner, stores.checkpoints).runner


def _sources_opener() -> "_OpenSources":
    """``open_sources``, imported late: its libraries take seconds, which reading past runs must not pay. Blocking."""
    from graph.sources import open_sources

    return open_sources
