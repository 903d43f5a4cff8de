"""The graph for langgraph-api and Studio: the same topology over dependencies shared by the process.

langgraph-api loads this file once per graph entry and calls the factory for every run and every read, so
whatever is expensive lives in the process-wide ``_Shared``.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime

from config.load import load_settings
from graph.app import App, open_app
from graph.run import Graph, Runner
from graph.system import SystemIds
from graph.wiring import compile_graph, owner_name
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper


class _Shared:
    """Stores, sources and models of this process, opened by the first run and kept until it ends."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._app: App | None = None
        self._open = AsyncExitStack()

    async def app(self) -> App:
        async with self._lock:
            if self._app is None:
                settings = await asyncio.to_thread(load_settings)
                self._app = await self._open.enter_async_context(open_app(settings, settings.world))
            return self._app


_shared = _Shared()


@asynccontextmanager
async def make_graph(config: RunnableConfig, runtime: ServerRuntime[None]) -> AsyncIterator[Graph]:
    """The graph for one run, or for a read of schema and state (then without any dependency).

    A run that is cancelled here is closed as CANCELLED; one that is interrupted before a node gives its lease back.

    Raises:
        CancelledError: as it came, once the run is closed.
    """
    if runtime.execution_runtime is None:
        yield compile_graph(cast(Deps, None), None)
        return
    app = await _shared.app()
    deps = app.runner.deps
    own = replace(deps, keeper=LeaseKeeper(deps.control, deps.canonical, deps.clock, owner_name(SystemIds().uuid())))
    graph = compile_graph(own, None)
    runner = Runner(own, graph)
    try:
        yield graph
    except asyncio.CancelledError:
        for run_id in own.keeper.held_runs():
            await runner.close_cancelled(run_id)
        raise
    finally:
        for run_id in own.keeper.held_runs():
            await own.keeper.let_go(run_id)
