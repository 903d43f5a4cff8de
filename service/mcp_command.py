"""The command ``mcp``: the evidence tools for an IDE. Standard output is the protocol's; everything else is stderr."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.exit_codes import ExitCode
from service.speech import Speech
from service.texts import help as help_texts
from service.texts import mcp as texts
from state.model.this_machine import is_this_machine

if TYPE_CHECKING:
    from config.settings import Settings
    from service.desk import Desk
    from service.narrator import Narrator

MAX_PORT = 65535


@dataclass(frozen=True)
class McpWords:
    """What was typed after ``mcp``."""

    world: Path | None
    http: str | None


async def serve(words: McpWords, desk: "Desk", settings: "Settings", narrator: "Narrator") -> ExitCode:
    """Serve until the client leaves, or the program is told to stop.

    Raises:
        UnusableCommand: the address is none or not of this machine, or the option names no folder.
        Misconfigured: the address cannot be taken.
    """
    from service.world_choice import choose_world, told

    address = parse_address(words.http) if words.http is not None else None
    choice = choose_world(words.world, settings, Path.cwd())
    text, values = told(choice, settings)
    narrator.note(text, **values)
    async with desk.backend.open_app(settings, choice.path) as app:
        from graph.mcp_server import serve_http, serve_stdio

        names = ", ".join(card.name for card in app.tools)
        narrator.note(texts.SERVING if names else texts.NO_TOOLS, n=len(app.tools), names=names)
        if address is None:
            await serve_stdio(app)
        else:
            host, port = address
            narrator.note(texts.AT, url=f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp")
            await serve_http(app, host, port)
    return ExitCode.SUCCESS


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT`` or ``[IPV6]:PORT``, on this machine.

    Raises:
        UnusableCommand: it is no address, or one that others can reach: no key is asked for.
    """
    from service.problems import UnusableCommand

    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdecimal()) or not 0 < int(port[:6]) <= MAX_PORT:
        raise UnusableCommand(texts.BAD_ADDRESS, given=text[:80])
    if not is_this_machine(host):
        raise UnusableCommand(texts.NOT_HERE, host=host[:80])
    return host, int(port)


def register(app: typer.Typer, say: Speech, desk_for: Callable[..., "Desk"]) -> None:
    """Add the command ``mcp`` to the command line; ``desk_for`` makes its desk from the words all commands share."""

    @app.command("mcp", help=say(texts.HELP))
    def mcp(
        ctx: typer.Context,
        world: Annotated[Path | None, typer.Option("--world", metavar="DIR", help=say(help_texts.WORLD))] = None,
        http: Annotated[str | None, typer.Option("--http", metavar="HOST:PORT", help=say(texts.HTTP))] = None,
        verbose: Annotated[bool, typer.Option("--verbose", help=say(help_texts.VERBOSE))] = False,
    ) -> None:
        """Serve the evidence tools to MCP clients.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, None, as_json=False, verbose=verbose)
        words = McpWords(world, http)
        raise typer.Exit(desk.execute({}, lambda settings, narrator: serve(words, desk, settings, narrator)))
