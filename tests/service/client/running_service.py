"""The real service in a thread of its own: real stores, a bundled world, the offline reasoner, keys."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.keyring import make_keyring
from config.keys import Key
from config.settings import Settings
from graph.served import open_served
from service.client import AsyncRootproof, Rootproof
from service.http.app import Setup, create_app
from service.http.server import make_server
from service.http.serving import address_of, listening
from state.model.caller import Role

START_S, STOP_S = 60.0, 30
SECRETS = {name: name.ljust(32, "-") for name in ("user", "other", "operator", "auditor")}
ROLES = {"user": Role.USER, "other": Role.USER, "operator": Role.OPERATOR, "auditor": Role.AUDITOR}
RING = make_keyring({name: Key(secret="env:X", roles=frozenset({role})) for name, role in ROLES.items()}, SECRETS)


@dataclass(frozen=True)
class RunningService:
    """Where it is, and clients of its keys."""

    url: str

    def client(self, key: str = "user", **options: object) -> Rootproof:
        return Rootproof(self.url, key=SECRETS[key], **options)  # type: ignore[arg-type]

    def async_client(self, key: str = "user", **options: object) -> AsyncRootproof:
        return AsyncRootproof(self.url, key=SECRETS[key], **options)  # type: ignore[arg-type]


@contextmanager
def running_service(home: Path, world: Path | None, **settings: object) -> Iterator[RunningService]:
    """The service until the end of the block; whatever kept it from starting is raised here."""
    found: list[RunningService] = []
    failed: list[BaseException] = []
    ready, leave = threading.Event(), threading.Event()

    def run() -> None:
        try:
            asyncio.run(_serve(Settings(home=home, **settings), world, found, ready, leave))  # type: ignore[arg-type]
        except BaseException as error:  # handed over to the thread that waits
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="service")
    thread.start()
    try:
        assert ready.wait(START_S), "not started in time"
        if failed:
            raise failed[0]
        yield found[0]
    finally:
        leave.set()
        thread.join(STOP_S * 2)
        assert not thread.is_alive(), "not stopped in time"
    if failed:
        raise failed[0]


async def _serve(
    settings: Settings,
    world: Path | None,
    found: list[RunningService],
    ready: threading.Event,
    leave: threading.Event,
) -> None:
    setup = Setup(keyring=RING)
    app = create_app(lambda: open_served(settings, world), settings, setup)
    with listening("127.0.0.1", 0) as listener:
        found.append(RunningService(address_of(listener)))
        async with app.router.lifespan_context(app):
            server = make_server(app, setup.stopping, ready.set, STOP_S, setup.patience)
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            await asyncio.to_thread(leave.wait)
            server.should_exit = True
            await serving
