"""A served process without a socket: the real application, graph, stores and documents, a scripted model."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from config.settings import Settings
from graph.app import App, Records
from graph.document_desk import open_desk
from graph.live_runs import live_runs
from graph.served import Served
from graph.sources import OpenSources
from graph.stores import Stores
from graph.system import SystemIds
from service.http.app import Setup, create_app
from state.model.ids import RunId
from tests.graph.stage import HAPPY, QUESTION, SUPPORTED, TO_DIAGNOSIS, Cast, Stage, stage
from tests.service.http.place import PATIENT, RING, key


def happy(runs: int = 1, **settings: object) -> Cast:
    """That many diagnoses that succeed."""
    return Cast(agent=HAPPY * runs, router=(TO_DIAGNOSIS,) * runs, semantic=(SUPPORTED,) * runs, settings=settings)


@dataclass
class Room:
    """One serving process and a client of it."""

    play: Stage
    served: Served
    client: httpx.AsyncClient

    async def asked(self, who: str = "ann", query: str = QUESTION) -> tuple[str, str]:
        """Run and session of a question that was watched to its end."""
        reply = await self.client.post("/api/chat", json={"query": query}, headers=key(who))
        assert reply.status_code == 200, reply.text
        run_id = reply.headers["X-Run-Id"]
        row = await self.served.records.run(RunId(run_id))
        assert row is not None
        return run_id, row.session_id

    async def get(self, path: str, who: str = "ann", **params: object) -> httpx.Response:
        return await self.client.get(path, headers=key(who), params=params)  # type: ignore[arg-type]

    async def post(self, path: str, body: Mapping[str, object] | None = None, who: str = "ann") -> httpx.Response:
        return await self.client.post(path, json=body, headers=key(who))

    async def add(self, content: bytes, name: str = "pool.md", who: str = "olga", **fields: str) -> httpx.Response:
        return await self.client.post("/api/documents", files={"file": (name, content)}, data=fields, headers=key(who))

    async def ready(self, task_id: str) -> dict[str, Any]:
        """The task once it has ended."""
        while (task := (await self.get(f"/api/tasks/{task_id}")).json())["state"] in {"PENDING", "PROCESSING"}:
            await asyncio.sleep(0.02)
        return task


@asynccontextmanager
async def room(
    home: Path, cast: Cast | None = None, *, stores: Callable[[Stores], Stores] = lambda given: given
) -> AsyncIterator[Room]:
    """The room, closed in order. ``stores`` puts faults between the routes and what they read."""
    cast = cast or happy()
    settings = Settings(home=home, requests_per_minute=100_000, requests_per_minute_total=100_000, **cast.settings)  # type: ignore[arg-type]
    async with stage(home, cast) as play, open_desk(settings, None) as desk:
        app = App(Records(settings, stores(play.stores)), OpenSources(play.deps.sources, {}, None, None), play.runner)

        @asynccontextmanager
        async def opened() -> AsyncIterator[Served]:
            async with live_runs(play.runner, lambda: RunId(SystemIds().uuid()), times=PATIENT) as live:
                yield Served(app, live, desk)

        served_app = create_app(opened, settings, Setup(RING, home / "no-page"))
        async with served_app.router.lifespan_context(served_app):
            transport = httpx.ASGITransport(served_app, client=("127.0.0.1", 50000))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                yield Room(play, served_app.state.context.served, client)


def with_service(stores: Stores, service: object) -> Stores:
    return replace(stores, service=service)  # type: ignore[arg-type]
