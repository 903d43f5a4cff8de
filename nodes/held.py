"""The one wrapper around every node: no step without the lease, none of a run that was told to stop."""

from collections.abc import Callable, Coroutine
from typing import Protocol

from langgraph.runtime import Runtime

from nodes.deps import Deps, Step
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.ids import RunId

NodeBody = Callable[[DiagnosisState, Step], Coroutine[object, object, DiagnosisState]]


class GraphNode(Protocol):
    """A node as LangGraph calls it."""

    async def __call__(self, state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        """The keys that change."""
        ...


def held(deps: Deps, body: NodeBody) -> GraphNode:
    """The node that LangGraph runs: takes a free or expired lease, then does the work under watch.

    It raises RunRefused for a terminal run or one that another process holds, RunStopped on a cancel
    request, LeaseLost when another process took over.
    """

    async def node(state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        lease = await deps.keeper.hold(RunId(state["run_id"] or ""))
        options = runtime.context or RunOptions()
        step = Step(deps=deps, lease=lease, options=options, wake=runtime.stream_writer)
        return await deps.keeper.watch(lease, body(state, step))

    node.__name__ = body.__name__
    return node
