"""The command ``serve``: HTTP API and web page until the program is told to stop."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.exit_codes import ExitCode
from service.speech import Speech
from service.texts import help as help_texts
from service.texts import http as http_texts
from service.texts import serve as texts

if TYPE_CHECKING:
    from config.settings import Settings
    from service.desk import Desk
    from service.narrator import Narrator

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8460


@dataclass(frozen=True)
class ServeWords:
    """What was typed after ``serve``."""

    host: str
    port: int
    world: Path | None
    is_demo: bool = False
    name: str | None = None
    """Of the bundled world; None: the first one."""


def register(app: typer.Typer, say: Speech, desk_for: Callable[..., "Desk"]) -> None:
    """Add the command ``serve`` to the command line; ``desk_for`` makes its desk from the words all commands share."""

    @app.command("serve", help=say(http_texts.SERVE))
    def serve_command(  # noqa: PLR0913 - one parameter per word of the command line
        ctx: typer.Context,
        name: Annotated[str | None, typer.Argument(metavar="[NAME]", help=say(texts.DEMO_NAME))] = None,
        demo: Annotated[bool, typer.Option("--demo", help=say(texts.DEMO))] = False,
        world: Annotated[Path | None, typer.Option("--world", metavar="DIR", help=say(help_texts.WORLD))] = None,
        host: Annotated[str, typer.Option("--host", metavar="HOST", help=say(http_texts.HOST))] = DEFAULT_HOST,
        port: Annotated[
            int, typer.Option("--port", metavar="PORT", min=0, max=65535, help=say(http_texts.PORT))
        ] = DEFAULT_PORT,
        verbose: Annotated[bool, typer.Option("--verbose", help=say(help_texts.VERBOSE))] = False,
    ) -> None:
        """Serve over HTTP.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, None, as_json=False, verbose=verbose)
        words = ServeWords(host, port, world, demo, name)
        raise typer.Exit(desk.execute({}, lambda settings, narrator: _serve(words, settings, narrator)))


async def _serve(words: ServeWords, settings: "Settings", narrator: "Narrator") -> ExitCode:
    """Serve. The program takes seconds to load: what is wrong with the words, and that it is loading, is said before.

    Raises:
        UnusableCommand: words that do not go together, and as ``serve``; so is Misconfigured.
    """
    from service.world_choice import check_demo

    check_demo(words)
    narrator.busy(texts.LOADING)
    with _uncollected():
        from service.http.serving import serve

    return await serve(words, settings, narrator)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage is looked for: what loading makes stays, and is left out of every later collection too."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
