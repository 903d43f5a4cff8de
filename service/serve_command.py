"""The command ``serve``: HTTP API and web page until the program is told to stop."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.speech import Speech
from service.texts import help as help_texts
from service.texts import http as texts

if TYPE_CHECKING:
    from service.desk import Desk

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8460


@dataclass(frozen=True)
class ServeWords:
    """What was typed after ``serve``."""

    host: str
    port: int
    world: Path | None


def register(app: typer.Typer, say: Speech, desk_for: Callable[..., "Desk"]) -> None:
    """Add the command ``serve`` to the command line; ``desk_for`` makes its desk from the words all commands share."""

    @app.command("serve", help=say(texts.SERVE))
    def serve_command(
        ctx: typer.Context,
        host: Annotated[str, typer.Option("--host", metavar="HOST", help=say(texts.HOST))] = DEFAULT_HOST,
        port: Annotated[
            int, typer.Option("--port", metavar="PORT", min=0, max=65535, help=say(texts.PORT))
        ] = DEFAULT_PORT,
        world: Annotated[Path | None, typer.Option("--world", metavar="DIR", help=say(help_texts.WORLD))] = None,
        verbose: Annotated[bool, typer.Option("--verbose", help=say(help_texts.VERBOSE))] = False,
    ) -> None:
        """Serve over HTTP.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        from service.http.serving import serve

        desk = desk_for(ctx, None, as_json=False, verbose=verbose)
        words = ServeWords(host, port, world)
        raise typer.Exit(desk.execute({}, lambda settings, narrator: serve(words, settings, narrator)))
