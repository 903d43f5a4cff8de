"""A served place: the real application on a real loopback socket, over a real graph, real stores and a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from config.keyring import Keyring, make_keyring
from config.keys import Key
from config.settings import Settings
from graph.app import App, Records
from graph.document_desk import DocumentDesk
from graph.executing import Room
from graph.following import FollowTimes
from graph.live_runs import LiveRuns, LiveTimes, live_runs
from graph.served import Served
from graph.sources import OpenSources
from graph.tending import Tending, TendTimes
from nodes.deps import Deps
from service.http.app import Setup, create_app
from service.http.patience import Patience
from service.http.server import make_server
from service.http.serving import address_of, listening
from state.model.caller import Role
from state.model.enums import RunState
from state.model.ids import RunId
from state.model.run import RunRow
from tests.graph.stage import PAGES, QUESTION, SUPPORTED, TO_DIAGNOSIS, Cast, Stage, ask, good_draft, stage, submit

PATIENCE_S = 30.0
FOLLOW = FollowTimes(poll_s=0.02, silent_s=0.05)
PATIENT = LiveTimes(FOLLOW, TendTimes(see_s=0.02, abandoned_s=0.02, sweep_s=0.05, resume_s=0.02))
"""Nobody is abandoned within a test."""
STRICT = TendTimes(see_s=60, abandoned_s=0.02, grace_s=2.0, sweep_s=0.05, resume_s=60)
"""Whoever is left for a moment is cancelled."""

SECRETS = {
    "ann": "ann-ann-ann-ann-ann-ann",
    "bob": "bob-bob-bob-bob-bob-bob",
    "olga": "olga-olga-olga-olga-olga",
    "aude": "aude-aude-aude-aude-aude",
}
ROLES = {"ann": Role.USER, "bob": Role.USER, "olga": Role.OPERATOR, "aude": Role.AUDITOR}
RING = make_keyring({name: Key(secret="env:X", roles=frozenset({role})) for name, role in ROLES.items()}, SECRETS)


def key(name: str) -> dict[str, str]:
    """The header of this caller."""
    return {"Authorization": f"Bearer {SECRETS[name]}"}


@dataclass
class Gate:
    """A page of the notebook that is read only once it is opened: the run waits in its first tool call."""

    reached: int = 0
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self) -> object:
        self.reached += 1
        await self.is_open.wait()
        return PAGES["errors"]


def gated(gate: Gate, runs: int = 1) -> Cast:
    """Runs that wait at the gate."""
    asks, submits = (ask("errors"),) * runs, (submit(good_draft()),) * runs
    return Cast(agent=(*asks, *submits), router=(TO_DIAGNOSIS,) * runs, semantic=(SUPPORTED,) * runs,
                pages={**PAGES, "errors": gate.read})  # fmt: skip


@dataclass(frozen=True)
class Event:
    """One event as a client reads it."""

    id: int
    type: str
    data: dict[str, Any]


@dataclass
class Place:
    """One serving process."""

    url: str
    play: Stage
    live: LiveRuns
    gate: Gate
    app: Any
    server: Any
    client: httpx.AsyncClient

    async def ask(self, query: str = QUESTION, *, who: str = "ann", headers: Mapping[str, str] | None = None,
                  **more: Any) -> "Heard":  # fmt: skip
        """The whole stream of a question."""
        async with self.asking(query, who=who, headers=headers, **more) as stream:
            return await stream.all()

    @asynccontextmanager
    async def asking(self, query: str = QUESTION, *, who: str = "ann", headers: Mapping[str, str] | None = None,
                     **more: Any) -> AsyncIterator["Stream"]:  # fmt: skip
        """The stream of a question while it is open."""
        sent = {**key(who), **(headers or {})}
        async with self.client.stream("POST", "/api/chat", json={"query": query, **more}, headers=sent) as reply:
            yield Stream(reply)

    @asynccontextmanager
    async def watching(
        self, run_id: str, *, who: str = "ann", after: int | None = None, last: int | None = None
    ) -> AsyncIterator["Stream"]:
        sent = {**key(who), **({"Last-Event-ID": str(last)} if last is not None else {})}
        params = {"after": after} if after is not None else {}
        async with self.client.stream("GET", f"/api/runs/{run_id}/events", params=params, headers=sent) as reply:
            yield Stream(reply)

    async def watch(self, run_id: str, **more: Any) -> "Heard":
        async with self.watching(run_id, **more) as stream:
            return await stream.all()

    async def row(self, run_id: str) -> RunRow:
        row = await self.play.stores.control.get_run(RunId(run_id))
        assert row is not None
        return row

    async def ended(self, run_id: str) -> RunRow:
        async with asyncio.timeout(PATIENCE_S):
            while (row := await self.row(run_id)).run_state is RunState.RUNNING:
                await asyncio.sleep(0.01)
        return row

    @asynccontextmanager
    async def strict(self) -> AsyncIterator[None]:
        """Inside, runs that nobody watches are cancelled soon."""
        tending = Tending(self.play.runner, tuple, lambda row: None, STRICT)
        tending.start()
        try:
            yield
        finally:
            await tending.stop()


@dataclass
class Heard:
    """A finished stream."""

    status: int
    headers: httpx.Headers
    raw: bytes
    events: list[Event]

    @property
    def run_id(self) -> str:
        return self.headers["X-Run-Id"]

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


@dataclass
class Stream:
    """An open stream."""

    reply: httpx.Response

    def __post_init__(self) -> None:
        self._raw = b""
        self._chunks = self.reply.aiter_raw()

    @property
    def run_id(self) -> str:
        return self.reply.headers["X-Run-Id"]

    async def all(self) -> Heard:
        """Read to the end."""
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in self._chunks:
                self._raw += chunk
        is_stream = self.reply.headers["Content-Type"].startswith("text/event-stream")
        events = parsed(self._raw) if is_stream else []
        return Heard(self.reply.status_code, self.reply.headers, self._raw, events)

    async def until(self, holds: Callable[[bytes], bool]) -> bytes:
        """Read until this holds of what was read."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds(self._raw):
                self._raw += await anext(self._chunks)
        return self._raw


def parsed(raw: bytes) -> list[Event]:
    """The events of a complete stream, as the specification reads them; comments and ``retry`` are none."""
    found = []
    for block in raw.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "data" in fields:
            found.append(Event(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def place(
    home: Path, cast: Cast | None = None, *, runs: int = 1, times: LiveTimes = PATIENT, keyring: Keyring = RING,
    owner: str = "process-1", rig: Callable[[Deps], Deps] | None = None, max_running: int = 8,
    max_per_key: int | None = None, settings: Mapping[str, object] | None = None, web: Path | None = None,
    send_timeout_s: float = 30.0, patience: Patience | None = None,
) -> AsyncIterator[Place]:  # fmt: skip
    """A served place, stopped in order at the end. ``cast`` None: runs that wait at the gate."""
    gate = Gate()
    chosen = Settings(home=home, **(settings or {}))  # type: ignore[arg-type]
    async with stage(home, cast or gated(gate, runs), owner=owner, rig=rig) as play:

        @asynccontextmanager
        async def opened() -> AsyncIterator[Served]:
            app = App(Records(chosen, play.stores), OpenSources(play.deps.sources, {}, None, None), play.runner)
            async with live_runs(play.runner, app.new_run_id, room=Room(max_running, max_per_key), times=times) as live:
                yield Served(app, live, DocumentDesk(chosen, None))

        setup = Setup(keyring, web or home / "no-page", send_timeout_s, patience or Patience())
        app = create_app(opened, chosen, setup)
        async with app.router.lifespan_context(app), _server(app, setup) as (url, server, client):
            yield Place(url, play, app.state.context.served.live, gate, app, server, client)


@asynccontextmanager
async def _server(app: Any, setup: Setup) -> AsyncIterator[tuple[str, Any, httpx.AsyncClient]]:
    with listening("127.0.0.1", 0) as listener:
        ready, url = asyncio.Event(), address_of(listener)
        server = make_server(app, setup.stopping, ready.set, 5, setup.patience)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await ready.wait()
        try:
            async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as client:
                yield url, server, client
        finally:
            server.should_exit = True
            await serving
