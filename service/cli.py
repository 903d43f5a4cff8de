"""The command line ``rootproof``: words in, an exit code out. Nothing is opened before a command needs it."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import TyperException

from service.backend import Backend, LiveBackend
from service.database_commands import register as register_database
from service.eval_command import register as register_eval
from service.exit_codes import ExitCode
from service.fork_command import register as register_fork
from service.invocation import PROGRAM, program_name
from service.knowledge_commands import register as register_knowledge
from service.mcp_command import register as register_mcp
from service.serve_command import register as register_serve
from service.speech import Speech, locale_language
from service.texts import help as texts
from state.model.enums import Language

if TYPE_CHECKING:
    from service.desk import Desk

SAY = Speech(locale_language())
"""Help and errors are in the language of the locale; it is fixed when the program starts."""
DEFAULT_WORLD = "payment-timeouts"

app = typer.Typer(
    name="rootproof",
    help=SAY(texts.APP),
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

RunIdWord = Annotated[str, typer.Argument(metavar="RUN_ID", help=SAY(texts.RUN_ID))]
Lang = Annotated[Language | None, typer.Option("--lang", help=SAY(texts.LANG))]
Model = Annotated[str | None, typer.Option("--model", help=SAY(texts.MODEL))]
World = Annotated[Path | None, typer.Option("--world", metavar="DIR", help=SAY(texts.WORLD))]
AsJson = Annotated[bool, typer.Option("--json", help=SAY(texts.JSON))]
Verbose = Annotated[bool, typer.Option("--verbose", help=SAY(texts.VERBOSE))]


@app.callback(invoke_without_command=True)
def start(
    ctx: typer.Context, version: Annotated[bool, typer.Option("--version", help=SAY(texts.VERSION))] = False
) -> None:
    """Show the version, or the help where no command is named.

    Raises:
        Exit: there is no command to go on with.
    """
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"rootproof {installed('rootproof')}")
        raise typer.Exit(ExitCode.SUCCESS)
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(ExitCode.USAGE)


@app.command(help=SAY(texts.DEMO))
def demo(  # noqa: PLR0913 - one parameter per word of the command line
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help=SAY(texts.NAME))] = DEFAULT_WORLD,
    show_list: Annotated[bool, typer.Option("--list", help=SAY(texts.LIST))] = False,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help=SAY(texts.SEED))] = None,
    model: Model = None,
    lang: Lang = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Ask the question of a bundled world."""
    from service import commands, record_commands

    desk = _desk(ctx, lang, as_json=as_json, verbose=verbose)
    words = commands.DemoWords(name, seed, lang)
    if show_list:
        _exit(desk.execute({}, lambda settings, _: record_commands.list_worlds(seed, desk)))
    _exit(desk.execute({"model": model}, lambda settings, narrator: commands.demo(words, desk, settings, narrator)))


@app.command(help=SAY(texts.DIAGNOSE))
def diagnose(  # noqa: PLR0913 - one parameter per word of the command line
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help=SAY(texts.QUESTION))],
    world: World = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help=SAY(texts.SESSION))] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="30m", help=SAY(texts.SINCE))] = None,
    start_at: Annotated[str | None, typer.Option("--from", metavar="TIME", help=SAY(texts.FROM))] = None,
    end_at: Annotated[str | None, typer.Option("--to", metavar="TIME", help=SAY(texts.TO))] = None,
    lang: Lang = None,
    model: Model = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE.md", help=SAY(texts.OUTPUT))] = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Ask over a folder of evidence."""
    from service import commands

    desk = _desk(ctx, lang, as_json=as_json, verbose=verbose)
    words = commands.DiagnoseWords(question, world, session, since, start_at, end_at, lang, output)
    _exit(desk.execute({"model": model}, lambda settings, narrator: commands.diagnose(words, desk, settings, narrator)))


@app.command(help=SAY(texts.TRACE))
def trace(
    ctx: typer.Context,
    run_id: Annotated[str | None, typer.Argument(metavar="[RUN_ID]", help=SAY(texts.RUN_ID))] = None,
    verify: Annotated[bool, typer.Option("--verify", help=SAY(texts.VERIFY))] = False,
    lang: Lang = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Show the last runs, or one."""
    from service import record_commands

    desk = _desk(ctx, lang, as_json=as_json, verbose=verbose)
    read = record_commands.verify if verify else record_commands.trace
    _exit(desk.execute({}, lambda settings, _: read(run_id, desk, settings)))


@app.command(help=SAY(texts.RESUME))
def resume(
    ctx: typer.Context, run_id: RunIdWord, model: Model = None, as_json: AsJson = False, verbose: Verbose = False
) -> None:
    """Continue a run, or show how it ended."""
    from service import commands

    desk = _desk(ctx, None, as_json=as_json, verbose=verbose)
    _exit(
        desk.execute({"model": model}, lambda settings, narrator: commands.resume_run(run_id, desk, settings, narrator))
    )


@app.command(help=SAY(texts.REPLAY))
def replay(  # noqa: PLR0913 - one parameter per word of the command line
    ctx: typer.Context,
    run_id: Annotated[str | None, typer.Argument(metavar="[RUN_ID]", help=SAY(texts.RUN_ID))] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="RUN.json", help=SAY(texts.REPLAY_FILE))] = None,
    every_step: Annotated[bool, typer.Option("--every-step", help=SAY(texts.EVERY_STEP))] = False,
    as_configured: Annotated[bool, typer.Option("--as-configured", help=SAY(texts.AS_CONFIGURED))] = False,
    lang: Lang = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Execute a recorded run again."""
    from service import record_commands

    words = record_commands.ReplayWords(run_id, file, every_step, as_configured)
    desk = _desk(ctx, lang, as_json=as_json, verbose=verbose)
    _exit(desk.execute({}, lambda settings, narrator: record_commands.replay_one(words, desk, settings, narrator)))


@app.command(help=SAY(texts.DOCTOR))
def doctor(
    ctx: typer.Context,
    world: World = None,
    model: Model = None,
    lang: Lang = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Show what is configured and reachable."""
    from service import record_commands

    desk = _desk(ctx, lang, as_json=as_json, verbose=verbose)
    _exit(
        desk.execute(
            {"model": model}, lambda settings, narrator: record_commands.doctor(world, desk, settings, narrator)
        )
    )


@dataclass(frozen=True)
class Caller:
    """What every command is given besides its words."""

    backend: Backend
    program: str
    """What the person typed to call this program."""


def run(argv: Sequence[str], backend: Backend, program: str = PROGRAM) -> int:
    """The exit code of one call; everything it has to say is written."""
    caller = Caller(backend, program)
    try:
        code = typer.main.get_command(app).main(args=list(argv), prog_name=program, standalone_mode=False, obj=caller)
    except TyperException as wrong:
        return _say_usage(wrong, caller, as_json="--json" in argv)
    return int(code or 0)


def main() -> None:
    """The program."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that knows no Chinese shows escapes rather than ending the program.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    program = program_name(sys.argv[0], Path.cwd(), shutil.which(PROGRAM))
    sys.exit(run(sys.argv[1:], LiveBackend(), program))


def _desk(ctx: typer.Context, lang: Language | None, *, as_json: bool, verbose: bool) -> "Desk":
    from service.desk import Desk

    caller: Caller = ctx.obj
    return Desk(caller.backend, Speech(lang) if lang else SAY, as_json, verbose, caller.program)


def _exit(code: ExitCode) -> None:
    """End the command.

    Raises:
        Exit: always; typer makes the exit code of it.
    """
    raise typer.Exit(code)


def _say_usage(wrong: TyperException, caller: Caller, *, as_json: bool) -> int:
    from service.desk import Desk
    from service.usage import usage_problem

    desk = Desk(caller.backend, SAY, as_json, False, caller.program)
    return desk.complain(usage_problem(wrong, SAY, caller.program, as_json=as_json))


register_fork(app, SAY, _desk)
register_knowledge(app, SAY, _desk)
register_database(app, SAY, _desk)
register_mcp(app, SAY, _desk)
register_serve(app, SAY, _desk)
register_eval(app, SAY)
