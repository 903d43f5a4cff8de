"""The commands that read what is kept: ``trace``, ``trace --verify``, ``replay``, ``doctor``, the bundled worlds."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import worlds
from config.settings import Settings
from service.commands import parse_run_id
from service.desk import Desk
from service.doctor_json import doctor_json
from service.doctor_page import doctor_page
from service.exit_codes import ExitCode
from service.invocation import step
from service.json_result import Json
from service.log_file import log_path
from service.narrator import Narrator
from service.page import Block, Entry, Heading, Page, Source
from service.problems import NoSuchRun, UnusableCommand
from service.run_view import RunView
from service.speech import Speech
from service.texts import progress
from service.texts import trace as texts
from service.trace_json import cut_off_json, replay_json, runs_json, trace_json, verification_json
from service.trace_page import CUT_OFF, cut_off_page, replay_page, runs_page, trace_page
from service.verification_page import EXIT_OF_VERDICT, verification_page
from service.world_choice import choose_world
from state.model.enums import Language, ReleaseOutcome
from state.model.ids import RunId
from state.model.release import RunResult

if TYPE_CHECKING:
    from graph.app import Records, RunTrace
    from graph.replay_steps import StepReplay
    from state.model.run import RunRow

MAX_RUNS = 20


async def trace(run_id: str | None, desk: Desk, settings: Settings) -> ExitCode:
    """The last runs, or one.

    Raises:
        NoSuchRun: the id is unknown.
    """
    async with desk.backend.open_records(settings) as records:
        if run_id is None:
            rows = await records.runs(limit=MAX_RUNS)
            desk.show(runs_page(rows, desk.say), runs_json(rows))
            return ExitCode.SUCCESS
        kept = await _known(records, parse_run_id(run_id))
        view = await _view(records, kept, settings)
    desk.show(trace_page(view, kept, desk.say), trace_json(kept))
    return ExitCode.SUCCESS


async def verify(run_id: str | None, desk: Desk, settings: Settings) -> ExitCode:
    """Whether the audit of one run was changed: FAILED if it was, FALLBACK if there is nothing to compare.

    Raises:
        UnusableCommand: no run is named.
        NoSuchRun: the id is unknown.
        TruthUnavailable: a store cannot be read.
    """
    if run_id is None:
        raise UnusableCommand(texts.VERIFY_NEEDS_RUN)
    wanted = parse_run_id(run_id)
    async with desk.backend.open_records(settings) as records:
        row = await records.run(wanted)
        if row is None:
            raise NoSuchRun(wanted)
        check = await records.verify(wanted)
    desk.show(verification_page(row, check, desk.say), {"run_id": wanted, **verification_json(check)})
    return EXIT_OF_VERDICT[check.verdict]


@dataclass(frozen=True)
class ReplayWords:
    """What was typed after ``replay``."""

    run_id: str | None
    file: Path | None
    every_step: bool = False
    as_configured: bool = False


async def replay_one(words: ReplayWords, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Replay the named run, or that of the file.

    Raises:
        UnusableCommand: not exactly one of the two is given, the file is no exported run, or an option does not fit it.
        NoSuchRun: the id is unknown.
        RunRefused: it has not ended, or its recording is gone.
    """
    if words.run_id is not None and words.file is None:
        return await replay(words, desk, settings, narrator)
    if words.file is not None and words.run_id is None:
        if words.every_step or words.as_configured:
            raise UnusableCommand(texts.FILE_FROM_START)
        return await replay_file(words.file, desk, settings, narrator)
    raise UnusableCommand(texts.ONE_RUN)


async def replay(words: ReplayWords, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Execute a recorded run again; FAILED if it comes out differently, FALLBACK if there is nothing to compare.

    Raises:
        NoSuchRun: the id is unknown.
        RunRefused: it has not ended, or its recording is gone.
    """
    wanted = parse_run_id(words.run_id or "")
    async with desk.backend.open_records(settings) as records:
        row = await records.run(wanted)
        if row is None:
            raise NoSuchRun(wanted)
        if row.failure_code in CUT_OFF:
            desk.show(cut_off_page(row, desk.say), cut_off_json(row))
            return ExitCode.FALLBACK
        narrator.busy(progress.REPLAYING, run_id=wanted)
        if words.every_step:
            return _show_steps(row, await records.replay_steps(wanted, as_configured=words.as_configured), desk)
        replayed = await records.replay(wanted, as_configured=words.as_configured)
    narrator.quiet()
    desk.show(replay_page(replayed, desk.say), replay_json(replayed))
    return ExitCode.SUCCESS if replayed.identical else ExitCode.FAILED


def _show_steps(row: "RunRow", steps: "tuple[StepReplay, ...]", desk: Desk) -> ExitCode:
    """Whether the run came out the same from each of its steps; FALLBACK if none is kept."""
    from service.replay_steps_page import steps_json, steps_page

    desk.show(steps_page(row, steps, desk.say), steps_json(row, steps))
    if not steps:
        return ExitCode.FALLBACK
    return ExitCode.SUCCESS if all(one.replay.identical for one in steps) else ExitCode.FAILED


async def replay_file(path: Path, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Execute an exported run again, wherever it was made; the exit codes of ``replay``.

    Raises:
        UnusableCommand: the file is no exported run, or is damaged.
        RunRefused: its recording is not whole.
    """
    from graph.export import UnreadableExport, read_export, replay_export

    try:
        exported = await asyncio.to_thread(read_export, path)
    except UnreadableExport as error:
        raise UnusableCommand(error.why, path=path, **error.values) from error
    if exported.run.failure_code in CUT_OFF:
        desk.show(cut_off_page(exported.run, desk.say), cut_off_json(exported.run))
        return ExitCode.FALLBACK
    narrator.busy(progress.REPLAYING, run_id=exported.run.run_id)
    replayed = await replay_export(settings, exported)
    narrator.quiet()
    desk.show(replay_page(replayed, desk.say), replay_json(replayed))
    return ExitCode.SUCCESS if replayed.identical else ExitCode.FAILED


async def doctor(world: Path | None, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """The checkup; FAILED if something stands in the way of a run.

    Raises:
        UnusableCommand: the option names no folder.
    """
    choice = choose_world(world, settings, Path.cwd())
    narrator.busy(progress.PREPARING)
    checkup = await desk.backend.examine(settings, choice.path)
    narrator.quiet()
    options = desk.place.options
    desk.show(doctor_page(checkup, desk.say, options), doctor_json(checkup, desk.say, options))
    return ExitCode.SUCCESS if checkup.is_sound else ExitCode.FAILED


async def list_worlds(seed: int | None, desk: Desk) -> ExitCode:
    """The bundled worlds with their questions."""
    infos = worlds.bundled_worlds(seed=worlds.DEFAULT_SEED if seed is None else seed)
    listed: Json = {
        "worlds": [
            {"name": one.name, "title": _title(one, desk.say), "language": one.language, "question": one.question}
            for one in infos
        ]
    }
    desk.show(_worlds_page(infos, desk.say), listed)
    return ExitCode.SUCCESS


def _worlds_page(infos: tuple[worlds.WorldInfo, ...], say: Speech) -> Page:
    blocks: list[Block] = [Heading(say(texts.DEMO_LIST))]
    for info in infos:
        blocks += [Entry(info.name, remark=_title(info, say)), Source(info.question)]
    return (*blocks, step(say(texts.DEMO_HOW, command=f"rootproof demo {infos[-1].name}")))


def _title(info: worlds.WorldInfo, say: Speech) -> str:
    return info.title_zh if say.language is Language.ZH else info.title_en


async def _known(records: "Records", run_id: RunId) -> "RunTrace":
    """Everything kept about the run.

    Raises:
        NoSuchRun: it is unknown.
    """
    kept = await records.trace(run_id)
    if kept is None:
        raise NoSuchRun(run_id)
    return kept


async def _view(records: "Records", kept: "RunTrace", settings: Settings) -> RunView:
    """The run with its result; one that has not ended has none yet."""
    row = kept.row
    result = await records.result(row.run_id) or RunResult(
        run_id=row.run_id,
        session_id=row.session_id,
        language=row.language,
        run_state=row.run_state,
        outcome=ReleaseOutcome.FAILED,
    )
    return RunView(result, kept, log_file=str(log_path(settings)))
