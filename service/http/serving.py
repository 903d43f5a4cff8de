"""Serving from the command line: who may be served where, the socket, and an orderly end."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI

from config.keyring import make_keyring
from config.keys import read_keys
from config.settings import Settings
from graph.opening import Opening
from graph.served import open_served
from service.exit_codes import ExitCode
from service.http.app import Setup, create_app
from service.http.server import make_server
from service.narrator import Narrator
from service.problems import UnusableCommand
from service.texts import http as texts
from service.texts import progress
from service.texts import serve as serve_texts
from service.world_choice import BundledWorld, build_told, choose_world, find_bundled, told
from state.model.errors import Misconfigured
from state.model.this_machine import is_this_machine

if TYPE_CHECKING:
    from service.serve_command import ServeWords

SHUTDOWN_S = 20
"""How long requests and runs at work get to end."""


async def serve(words: "ServeWords", settings: Settings, narrator: Narrator) -> ExitCode:
    """Serve until SIGINT or SIGTERM; streams and runs get a moment to end.

    Raises:
        UnusableCommand: the address is not of this machine and no key is declared, or the option names no folder.
        Misconfigured: a key, a source or a setting cannot be used, or the address cannot be taken.
    """
    keyring = make_keyring(settings.keys, read_keys(settings.keys))
    if not keyring.is_on and not is_this_machine(words.host):
        raise UnusableCommand(texts.NEEDS_KEYS, host=words.host[:80])
    world, demo = _evidence(words, settings, narrator)

    setup = Setup(keyring=keyring, demo=demo)
    opening = Progress(settings, narrator)
    app = create_app(lambda: open_served(settings, world, opening.tell), settings, setup)
    with listening(words.host, words.port) as listener:
        url = address_of(listener)

        def tell() -> None:
            narrator.quiet()
            narrator.note(texts.KEYS_ON if keyring.is_on else texts.KEYS_OFF, names=", ".join(sorted(settings.keys)))
            if demo is not None:
                narrator.note(serve_texts.DEMO_QUESTION, question=demo.question)
            narrator.note(texts.SERVING, url=url)

        await serve_app(app, listener, setup, ready=tell, leaving=lambda: narrator.note(texts.STOPPING))
    return ExitCode.SUCCESS


def _evidence(words: "ServeWords", settings: Settings, narrator: Narrator) -> tuple[Path | None, BundledWorld | None]:
    """The folder to search, and the bundled world it is, if it is one; said before anything is opened.

    Raises:
        UnusableCommand: no such folder or bundled world, or that one cannot be written.
    """
    if words.is_demo:
        demo = find_bundled(words.name, None, settings)
        build_told(demo, narrator)
        narrator.note(serve_texts.DEMO_SERVED, title=narrator.say(demo.title), name=demo.name, path=demo.folder)
        return demo.folder, demo
    choice = choose_world(words.world, settings, Path.cwd())
    text, values = told(choice, settings)
    narrator.note(serve_texts.NOTHING_TO_SEARCH if text is progress.NO_WORLD else text, **values)
    return choice.path, None


@dataclass(frozen=True)
class Progress:
    """Says what is being opened, while it is."""

    settings: Settings
    narrator: Narrator

    def tell(self, opening: Opening) -> None:
        """Say it. ``on_opening`` of ``open_served``."""
        place = self.settings.home if self.settings.database_url is None else self.narrator.say(serve_texts.DATABASE)
        is_first = opening is Opening.RUNBOOKS and not (self.settings.home / "knowledge").is_dir()
        self.narrator.busy(serve_texts.FIRST_RUNBOOKS if is_first else serve_texts.OPENING[opening], place=place)


async def serve_app(
    app: FastAPI,
    listener: socket.socket,
    setup: Setup,
    *,
    ready: Callable[[], None],
    leaving: Callable[[], None],
) -> None:
    """Serve on the socket until SIGINT or SIGTERM; a second SIGINT waits for nobody.

    ``ready`` is called once requests are answered, ``leaving`` at the signal; ``setup.stopping`` is set then, so that
    streams end. What the application opens is opened here, so that its errors come out as they are.

    Raises:
        Exception: what kept the application from starting.
    """
    async with app.router.lifespan_context(app):
        server = make_server(app, setup.stopping, ready, SHUTDOWN_S, setup.patience)

        def stop() -> None:
            if server.should_exit:
                server.force_exit = True
                return
            leaving()
            server.should_exit = True

        with _signals(stop):
            await server.serve(sockets=[listener])


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    loop, names = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    for name in names:
        loop.add_signal_handler(name, stop)
    try:
        yield
    finally:
        for name in names:
            loop.remove_signal_handler(name)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket bound to the address; 0 takes a free port.

    Raises:
        Misconfigured: it cannot be bound.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
        except (OSError, UnicodeError) as error:
            raise Misconfigured("--host / --port", f"{host[:80]}:{port} cannot be taken ({error})") from None
        yield listener


def address_of(listener: socket.socket) -> str:
    """Where people find it: the name of this machine where every address is listened on."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
