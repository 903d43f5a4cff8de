"""The one wrapper around every node: no step without the lease, none of a run that was told to stop."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from nodes.deps import Deps, Step
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.errors import LeaseLost, RunRefused
from state.model.ids import RunId

NodeBody = Callable[[DiagnosisState, Step], Coroutine[object, object, DiagnosisState]]


class GraphNode(Protocol):
    """A node as LangGraph calls it."""

    async def __call__(self, state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        """The keys that change."""
        ...


class _LostUnrecorded(LeaseLost, GraphBubbleUp):
    """LeaseLost in the form that LangGraph keeps no error of."""


class _RefusedUnrecorded(RunRefused, GraphBubbleUp):
    """RunRefused in the same form."""


@contextmanager
def unrecorded() -> Iterator[None]:
    """Lets LeaseLost and RunRefused pass by error edges and checkpoints.

    The thread belongs to the holder: an error kept in it would be taken for the holder's own when it resumes.

    Raises:
        _LostUnrecorded: in place of LeaseLost, which it is.
        _RefusedUnrecorded: in place of RunRefused, which it is.
    """
    try:
        yield
    except LeaseLost as lost:
        raise _LostUnrecorded(lost.run_id) from lost
    except RunRefused as refused:
        raise _RefusedUnrecorded(refused.run_id, refused.why, code=refused.code) from refused


def held(deps: Deps, body: NodeBody) -> GraphNode:
    """The node that LangGraph runs: takes a free or expired lease, then does the work under watch.

    It raises RunRefused for a terminal run or one that another process holds, RunStopped on a cancel
    request, LeaseLost when another process took over.
    """

    async def node(state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        with unrecorded():
            lease = await deps.keeper.hold(RunId(state["run_id"] or ""))
            options = runtime.context or RunOptions()
            step = Step(deps=deps, lease=lease, options=options, wake=runtime.stream_writer)
            return await deps.keeper.watch(lease, body(state, step))

    node.__name__ = body.__name__
    return node
