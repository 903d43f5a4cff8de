"""What each command does once its words are parsed. Each ends by showing one page or one JSON object."""

import os
from dataclasses import dataclass
from pathlib import Path

from config.settings import Settings
from service.asking import Ask, ask, fork, resume
from service.desk import Desk
from service.exit_codes import EXIT_OF, ExitCode
from service.json_result import result_json
from service.markdown import render_markdown
from service.narrator import Narrator
from service.problems import NoSuchRun, UnusableCommand
from service.report_page import build_page
from service.run_view import RunView
from service.speech import Speech, run_language
from service.texts import errors, progress
from service.world_choice import BundledWorld, build_told, choose_world, find_bundled, told
from state.model.diagnosis import RunOptions
from state.model.enums import Language
from state.model.errors import InvalidQuery
from state.model.ids import RunId

MAX_TIME_CHARS = 40


@dataclass(frozen=True)
class DiagnoseWords:
    """What was typed after ``diagnose``."""

    question: str
    world: Path | None
    session: str | None
    since: str | None
    start: str | None
    end: str | None
    lang: Language | None
    output: Path | None


async def diagnose(words: DiagnoseWords, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Ask over a folder of evidence.

    Raises:
        UnusableCommand: options that exclude each other, a folder that is not there, a file that cannot be written.
        InvalidQuery: the question cannot open a run.
    """
    options = _options(words)
    _check_text(words.question)
    _check_request(words.question, words.session, options)
    _check_output(words.output)
    narrator.speak(Speech(run_language(words.question, words.lang, settings)))
    choice = choose_world(words.world, settings, Path.cwd())
    text, values = told(choice, settings)
    narrator.note(text, **values)
    wanted = Ask(words.question, choice.path, words.session, options)
    view = await ask(wanted, settings, desk.backend, narrator, desk.place)
    return _finish(view, desk, narrator, words.output)


@dataclass(frozen=True)
class DemoWords:
    """What was typed after ``demo``."""

    name: str
    seed: int | None
    """None: that of the demonstration."""
    lang: Language | None


async def demo(words: DemoWords, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Ask the question of a bundled world over it.

    Raises:
        UnusableCommand: no such world, or it cannot be written.
    """
    world = find_bundled(words.name, words.seed, settings)
    narrator.speak(Speech(run_language(world.question, words.lang, settings)))
    _prepare(world, narrator)
    wanted = Ask(world.question, world.folder, None, RunOptions(language=words.lang))
    view = await ask(wanted, settings, desk.backend, narrator, desk.place)
    return _finish(view, desk, narrator, None)


async def resume_run(run_id: str, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Continue a run, or show how it ended.

    Raises:
        NoSuchRun: the id is unknown.
    """
    view = await resume(parse_run_id(run_id), settings, desk.backend, narrator, desk.place)
    return _finish(view, desk, narrator, None)


async def fork_run(run_id: str, at: str, desk: Desk, settings: Settings, narrator: Narrator) -> ExitCode:
    """Go on from a step of an earlier run, as a new run.

    Raises:
        NoSuchRun: the id is unknown.
        RunRefused: it has no such step, or cannot be gone on from.
    """
    view = await fork(parse_run_id(run_id), at, settings, desk.backend, narrator, desk.place)
    return _finish(view, desk, narrator, None)


def _finish(view: RunView, desk: Desk, narrator: Narrator, output: Path | None) -> ExitCode:
    narrator.part(with_gap=not desk.as_json)
    page = build_page(view)
    desk.show(page, result_json(view))
    if output is not None:
        _write(output, render_markdown(page, desk.program))
        narrator.note(progress.WRITTEN, path=output)
    return EXIT_OF[view.result.outcome]


def _options(words: DiagnoseWords) -> RunOptions:
    """The run's options.

    Raises:
        UnusableCommand: they exclude each other, or are too long to be times.
    """
    if words.since is not None and (words.start is not None or words.end is not None):
        raise UnusableCommand(errors.SINCE_OR_FROM)
    for option, given in (("since", words.since), ("from", words.start), ("to", words.end)):
        if given is not None and len(given) > MAX_TIME_CHARS:
            raise UnusableCommand(errors.OPTION_TOO_LONG, option=option, most=MAX_TIME_CHARS)
    return RunOptions(language=words.lang, since=words.since, window_start=words.start, window_end=words.end)


def _check_text(question: str) -> None:
    """Bytes that are no text reach Python as lone surrogates, which no store can keep.

    Raises:
        InvalidQuery: the question holds one.
    """
    try:
        question.encode()
    except UnicodeEncodeError:
        raise InvalidQuery(errors.NOT_TEXT) from None


def _check_request(question: str, session: str | None, options: RunOptions) -> None:
    """Before a world is looked for: whatever can be said without one.

    Raises:
        InvalidQuery: the question, the session or a time cannot open a run.
    """
    from graph.app import check_request

    check_request(question, session, options)


def _check_output(path: Path | None) -> None:
    """Before a minute is spent on a report that cannot be written.

    Raises:
        UnusableCommand: the file cannot be written.
    """
    if path is None:
        return
    target = path if path.exists() else path.parent
    if path.is_dir() or not target.exists() or not os.access(target, os.W_OK):
        why = "is a folder" if path.is_dir() else "no such folder" if not target.exists() else "no right to write"
        raise UnusableCommand(errors.NO_OUTPUT, path=path, why=why)


def _write(path: Path, text: str) -> None:
    """The file.

    Raises:
        UnusableCommand: it cannot be written after all.
    """
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UnusableCommand(errors.NO_OUTPUT, path=path, why=error.strerror) from error


def _prepare(world: BundledWorld, narrator: Narrator) -> None:
    build_told(world, narrator)
    title = narrator.say(world.title)
    narrator.note(progress.DEMO, title=title, name=world.name, seed=world.seed, path=world.folder)
    narrator.note(progress.QUESTION, question=world.question)


def parse_run_id(text: str) -> RunId:
    """The id as typed, without surrounding white space.

    Raises:
        NoSuchRun: it is no text that a run could have.
    """
    bare = text.strip().lower()
    if not bare.isascii() or not bare:
        raise NoSuchRun(text)
    return RunId(bare)
