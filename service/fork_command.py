"""The command ``fork``: the steps a run went through, and a new run that goes on from one of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from service.exit_codes import ExitCode
from service.speech import Speech
from service.texts import fork as texts
from service.texts import help as help_texts
from state.model.enums import Language

if TYPE_CHECKING:
    from config.settings import Settings
    from graph.app import ForkStep
    from service.desk import Desk
    from service.page import Page
    from state.model.run import RunRow


async def list_steps(run_id: str, desk: "Desk", settings: "Settings") -> ExitCode:
    """The steps of the run from which another can go on.

    Raises:
        NoSuchRun: the id is unknown.
        RunRefused: its steps are not kept any more.
    """
    from service.commands import parse_run_id
    from service.problems import NoSuchRun
    from state.model.errors import RunRefused

    wanted = parse_run_id(run_id)
    async with desk.backend.open_records(settings) as records:
        row = await records.run(wanted)
        if row is None:
            raise NoSuchRun(wanted)
        steps = await records.steps(row)
    if not steps:
        raise RunRefused(wanted, "its steps are not kept any more, or by another server")
    listed = [step.model_dump(mode="json") for step in steps]
    desk.show(steps_page(row, steps, desk.say), {"run_id": wanted, "steps": listed})
    return ExitCode.SUCCESS


def steps_page(row: "RunRow", steps: tuple["ForkStep", ...], say: Speech) -> "Page":
    """The steps with their numbers, and how to go on from one. Pure."""
    from service.invocation import step
    from service.page import Heading, Listing

    width = max(len(one.node) for one in steps)
    return (
        Heading(say(texts.STEPS, run_id=row.run_id)),
        Listing(tuple((_beginning(one, row, width), _title(one, say)) for one in steps)),
        step(say(texts.HOW, command=f"rootproof fork {row.run_id} --at {_example(steps)}")),
    )


def _beginning(one: "ForkStep", row: "RunRow", width: int) -> str:
    """Number, seconds since the run was opened, and node."""
    seconds = max(0.0, (one.at - row.opened_at).total_seconds())
    return f"{one.number:>5} {seconds:>8.2f}s  {one.node:<{width}}  "


def _example(steps: tuple["ForkStep", ...]) -> int:
    """The agent's last turn, the step people go back to most; the last step of a run without one."""
    return next((one.number for one in reversed(steps) if one.node == "agent"), steps[-1].number)


def _title(one: "ForkStep", say: Speech) -> str:
    from service.texts.http import NODE

    return say(NODE[one.node]) if one.node in NODE else ""


def register(app: typer.Typer, say: Speech, desk_for: Callable[..., "Desk"]) -> None:
    """Add the command ``fork`` to the command line; ``desk_for`` makes its desk from the words all commands share."""

    @app.command("fork", help=say(texts.FORK))
    def fork_command(  # noqa: PLR0913 - one parameter per word of the command line
        ctx: typer.Context,
        run_id: Annotated[str, typer.Argument(metavar="RUN_ID", help=say(help_texts.RUN_ID))],
        at: Annotated[str | None, typer.Option("--at", metavar="STEP", help=say(texts.AT))] = None,
        lang: Annotated[Language | None, typer.Option("--lang", help=say(texts.LANG))] = None,
        model: Annotated[str | None, typer.Option("--model", help=say(help_texts.MODEL))] = None,
        as_json: Annotated[bool, typer.Option("--json", help=say(help_texts.JSON))] = False,
        verbose: Annotated[bool, typer.Option("--verbose", help=say(help_texts.VERBOSE))] = False,
    ) -> None:
        """Go on from a step of a run.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        from service import commands

        desk = desk_for(ctx, lang, as_json=as_json, verbose=verbose)
        if at is None:
            raise typer.Exit(desk.execute({}, lambda settings, _: list_steps(run_id, desk, settings)))
        raise typer.Exit(
            desk.execute(
                {"model": model},
                lambda settings, narrator: commands.fork_run(run_id, at, desk, settings, narrator),
            )
        )
