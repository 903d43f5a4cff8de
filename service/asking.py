"""Executes one run for a command: opens the sources, narrates, and gathers what is shown afterwards."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from config.settings import Settings
from service.backend import Backend
from service.log_file import log_path
from service.narrator import Narrator
from service.problems import NoSuchRun, Place
from service.run_view import RunView
from service.speech import Speech
from service.texts import fork as fork_texts
from service.texts import progress as texts
from service.times import zone_of
from state.model.caller import LOCAL_CALLER
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import RunState, TraceEventType
from state.model.errors import RunRefused, TruthUnavailable
from state.model.ids import RunId
from state.model.release import DiagnosisReport, RunResult
from state.model.run import RunRow

if TYPE_CHECKING:
    from graph.app import App, Records, RunTrace

MAX_NAMED = 3
"""Interrupted runs named one by one at a start."""


@dataclass(frozen=True)
class Ask:
    """A question with everything the command line said about it."""

    question: str
    world: Path | None
    session_id: str | None
    options: RunOptions


async def ask(wanted: Ask, settings: Settings, backend: Backend, narrator: Narrator, place: Place) -> RunView:
    """The ended run.

    Raises:
        InvalidQuery: the question or an option cannot open a run.
        Misconfigured: the world or a model cannot be used.
        RunRefused: the session belongs to another key.
        LeaseLost: another process took the run over.
        CancelledError: cancelled before there was a run.
    """
    narrator.busy(texts.PREPARING)
    async with backend.open_app(settings, wanted.world) as app:
        narrator.speak(narrator.say, zone_of(app.sources.sources.time_zone))
        await _name_interrupted(app, narrator)
        run_id = app.new_run_id()
        place.run_id = run_id
        request: RunInput = {"query": wanted.question, "session_id": wanted.session_id, "run_id": run_id}
        return await _ended(app, run_id, app.diagnose(request, wanted.options, narrator.on_event), settings)


async def resume(run_id: RunId, settings: Settings, backend: Backend, narrator: Narrator, place: Place) -> RunView:
    """The run as it ended: stored if it had ended, else executed on.

    Raises:
        NoSuchRun: it is unknown.
        RunRefused: another process executes it, or it was resumed too often.
        Misconfigured: its world or a model cannot be used.
        LeaseLost: another process took the run over.
        CancelledError: cancelled before it was taken up.
    """
    place.run_id = run_id
    async with backend.open_records(settings) as records:
        kept = await records.trace(run_id)
        if kept is None:
            raise NoSuchRun(run_id)
        narrator.speak(Speech(kept.row.language), zone_of(kept.row.facts.time_zone))
        narrator.note(texts.RESUMING, run_id=run_id, question=kept.row.query)
        result = await records.result(run_id)
        if result is not None and _is_closed_whole(kept):
            return _view(result, kept, settings)
        _check_free(kept.row, records)
    narrator.busy(texts.PREPARING)
    async with backend.open_app(settings, _folder(kept.row.world)) as app:
        return await _ended(app, run_id, app.resume(run_id, narrator.on_event), settings)


async def fork(
    run_id: RunId, at: str, settings: Settings, backend: Backend, narrator: Narrator, place: Place
) -> RunView:
    """The ended run that went on from a step of this one, over the same world.

    Raises:
        NoSuchRun: it is unknown.
        RunRefused: it is another key's, has no such step, or cannot be gone on from.
        Misconfigured: its world or a model cannot be used.
        LeaseLost: another process took the new run over.
        CancelledError: cancelled before there was a new run.
    """
    from graph.app import ForkOrder

    place.run_id = run_id
    async with backend.open_records(settings) as records:
        row = await records.run(run_id)
        if row is None:
            raise NoSuchRun(run_id)
        if row.owner_key != LOCAL_CALLER.name:
            raise RunRefused(run_id, "it belongs to another key")
        step = await records.find_step(row, at)
    narrator.speak(Speech(row.language), zone_of(row.facts.time_zone))
    narrator.note(fork_texts.FORKING, run_id=run_id, number=step.number, node=step.node, question=row.query)
    narrator.busy(texts.PREPARING)
    async with backend.open_app(settings, _folder(row.world)) as app:
        new_id, owner = app.new_run_id(), LOCAL_CALLER.name
        order = ForkOrder(parent_run_id=run_id, at=step.checkpoint_id, run_id=new_id, owner_key=owner)
        place.run_id = order.run_id
        return await _ended(app, order.run_id, app.fork(order, narrator.on_event), settings)


async def _ended(app: "App", run_id: RunId, running: Awaitable[RunResult], settings: Settings) -> RunView:
    try:
        result = await running
    except asyncio.CancelledError:
        closed = await app.records.result(run_id)
        if closed is None:
            raise
        result = closed
    return _view(result, await _kept(app.records, result), settings)


async def _kept(records: "Records", result: RunResult) -> "RunTrace | None":
    """What the records hold; None where they cannot be read, which must not hide the result."""
    if not result.persisted:
        return None
    try:
        return await records.trace(RunId(result.run_id))
    except TruthUnavailable:
        return None


def _view(result: RunResult, kept: "RunTrace | None", settings: Settings) -> RunView:
    from graph.app import backed_actions

    content = result.content
    backed = backed_actions(content) if isinstance(content, DiagnosisReport) else ()
    world = kept.row.world if kept else None
    return RunView(
        result, kept, backed, elsewhere=_elsewhere(world, settings, Path.cwd()), log_file=str(log_path(settings))
    )


def _elsewhere(world: str | None, settings: Settings, current: Path) -> str:
    """The world of the run, if leaving out ``--world`` would search another one or none."""
    default = settings.world or current
    return world if world and Path(world).resolve() != default.resolve() else ""


def _is_closed_whole(kept: "RunTrace") -> bool:
    """True if the run has ended and its trace says so; a crash in between is mended by resuming."""
    finished = any(stored.event.type is TraceEventType.RUN_FINISHED for stored in kept.timeline)
    return kept.row.run_state is not RunState.RUNNING and finished


def _check_free(row: RunRow, records: "Records") -> None:
    """Before sources are prepared for a run that cannot be taken up.

    Raises:
        RunRefused: a process executes it, or was killed so lately that it still holds it.
    """
    from graph.app import seconds_held

    seconds = seconds_held(row, records.stores.clock)
    if seconds:
        raise RunRefused(
            row.run_id, f"another process executes it; if that one was killed, it can be resumed in {seconds} s"
        )


def _folder(world: str | None) -> Path | None:
    """The world of an earlier run, if it is a folder that is still there."""
    return Path(world) if world and Path(world).is_dir() else None


async def _name_interrupted(app: "App", narrator: Narrator) -> None:
    rows = await app.interrupted()
    for row in rows[:MAX_NAMED]:
        narrator.note(texts.INTERRUPTED, run_id=row.run_id)
    if len(rows) > MAX_NAMED:
        narrator.note(texts.INTERRUPTED_MORE, n=len(rows) - MAX_NAMED)
