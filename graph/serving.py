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
from langgraph_sdk.auth.types import BaseUser
from langgraph_sdk.runtime import ServerRuntime

from config.load import load_settings
from graph.app import App, open_app
from graph.run import Graph, Runner
from graph.studio_fork import StudioGraph
from graph.system import SystemIds
from graph.wiring import compile_graph, owner_name
from nodes.deps import LOCAL_OWNER, Deps, Owners
from nodes.lease_keeper import LeaseKeeper
from state.model.errors import LeaseLost, Misconfigured
from state.model.ids import RunId


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

    A run that somebody stopped through the API is closed as CANCELLED, one that fell over as FAILED. One that was
    interrupted before a node, or whose server shuts down, gives its lease back and can be resumed.

    A run belongs to the user whom the server's auth handler named; without one to this machine.

    Raises:
        Misconfigured: the handler lets somebody in whom it does not name.
    """
    if runtime.execution_runtime is None:
        yield compile_graph(cast(Deps, None), None)
        return
    app = await _shared.app()
    deps = (await app.current()).deps
    keeper = LeaseKeeper(deps.control, deps.canonical, deps.clock, owner_name(SystemIds().uuid()))
    own = replace(deps, keeper=keeper, owners=Owners(owner_key_of(runtime.user)))
    graph = StudioGraph.of(compile_graph(own, None), own)
    runner = Runner(own, graph)
    try:
        yield graph
    except BaseException as error:
        for run_id in own.keeper.held_runs():
            await _close(runner, run_id, error)
        raise
    finally:
        for run_id in own.keeper.held_runs():
            await own.keeper.let_go(run_id)


def owner_key_of(user: BaseUser | None) -> str:
    """The key that runs of this user belong to. The server sets the user; a client's config may not name the field.

    Raises:
        Misconfigured: the user is authenticated and has no identity.
    """
    if user is None or not user.is_authenticated:
        return LOCAL_OWNER
    if not user.identity:
        raise Misconfigured("auth", "the auth handler of langgraph.json names nobody: return an identity")
    return user.identity


async def _close(runner: Runner, run_id: RunId, error: BaseException) -> None:
    if _was_stopped(error):
        await runner.close_cancelled(run_id)
    elif isinstance(error, Exception) and not isinstance(error, LeaseLost):
        await runner.close_failed(run_id, error)


def _was_stopped(error: BaseException) -> bool:
    """True if a person or a client that left stopped the run. Its type is known by name: langgraph-api is no import."""
    cause = error.args[0] if isinstance(error, asyncio.CancelledError) and error.args else error
    return any(kind.__name__ == "UserInterrupt" for kind in type(cause).__mro__)
