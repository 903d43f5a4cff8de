"""The commands ``db upgrade`` and ``db status``: the only way in which a server's tables are made or changed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from service.exit_codes import ExitCode
from service.page import Entry, Page
from service.speech import Speech
from service.texts import database as texts
from service.texts import help as help_texts
from state.model.enums import Language

if TYPE_CHECKING:
    from config.settings import Settings
    from graph.database import TablesFact
    from service.desk import Desk


async def upgrade(desk: "Desk", settings: "Settings") -> ExitCode:
    """Bring the tables of every configured server up to date.

    Raises:
        Misconfigured: a newer version of the program wrote them, or an address cannot be used.
        TruthUnavailable: a server cannot be reached or refused a step; running it again goes on from there.
    """
    from graph.database import upgrade_tables

    _show(desk, await upgrade_tables(settings), done=True)
    return ExitCode.SUCCESS


async def status(desk: "Desk", settings: "Settings") -> ExitCode:
    """Show what the tables are; FAILED if they are not what this version needs.

    Raises:
        Misconfigured: an address cannot be used.
        TruthUnavailable: a server cannot be reached.
    """
    from graph.database import examine_tables

    facts = await examine_tables(settings)
    _show(desk, facts, done=False)
    return ExitCode.SUCCESS if all(fact.is_current for fact in facts) else ExitCode.FAILED


def _show(desk: "Desk", facts: "tuple[TablesFact, ...]", *, done: bool) -> None:
    page: Page = tuple(Entry(_line(fact, desk.say, done=done)) for fact in facts) or (
        Entry(desk.say(texts.NOT_CONFIGURED)),
    )
    desk.show(page, {"tables": [{"name": one.name, "found": one.found, "needed": one.needed} for one in facts]})


def _line(fact: "TablesFact", say: Speech, *, done: bool) -> str:
    text = texts.CURRENT if fact.is_current else texts.UPGRADED if done else texts.NEEDS_UPGRADE
    return say(text, name=fact.name, found=fact.found or say(texts.EMPTY), reached=fact.needed)


def register(app: typer.Typer, say: Speech, desk_for: "Callable[..., Desk]") -> None:
    """Add the group ``db`` to the command line; ``desk_for`` makes its desk from the words all commands share."""
    group = typer.Typer(help=say(texts.GROUP), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name="db")
    language = Annotated[Language | None, typer.Option("--lang", help=say(help_texts.LANG))]
    as_json_option = Annotated[bool, typer.Option("--json", help=say(help_texts.JSON))]

    @group.command("upgrade", help=say(texts.UPGRADE))
    def upgrade_command(ctx: typer.Context, lang: language = None, as_json: as_json_option = False) -> None:
        """Make or change the tables.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=False)
        raise typer.Exit(desk.execute({}, lambda settings, _: upgrade(desk, settings)))

    @group.command("status", help=say(texts.STATUS))
    def status_command(ctx: typer.Context, lang: language = None, as_json: as_json_option = False) -> None:
        """Show the tables' version.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=False)
        raise typer.Exit(desk.execute({}, lambda settings, _: status(desk, settings)))
