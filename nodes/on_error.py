"""The error edge of every node: turns what went wrong into the one fact that ``close_run`` publishes."""

from typing import Protocol, cast

import structlog
from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from nodes.open_run import identify
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import CancellationReason, FailureCode
from state.model.errors import (
    InvalidQuery,
    LeaseLost,
    RecordingMissing,
    RunRefused,
    RunStopped,
    TruthUnavailable,
)
from state.model.release import RunFailure

CODE_OF_REASON: dict[CancellationReason, FailureCode] = {
    CancellationReason.CLIENT_DISCONNECTED: FailureCode.RUN_CANCELLED,
    CancellationReason.USER_REQUESTED: FailureCode.RUN_CANCELLED,
    CancellationReason.DEADLINE_EXCEEDED: FailureCode.RUN_TIMED_OUT,
    CancellationReason.BUDGET_EXHAUSTED: FailureCode.BUDGET_EXHAUSTED,
    CancellationReason.INTERNAL_FAILURE: FailureCode.INTERNAL_FAILURE,
}

log = structlog.get_logger("nodes.on_error")


async def _on_error(state: DiagnosisState, error: NodeError) -> DiagnosisState:
    """The failure of the run as state; internals go to the log only.

    Raises:
        InvalidQuery: the question cannot open a run; there is nothing to close.
        LeaseLost: this process may write nothing more; the holder goes on.
        RecordingMissing: a replay diverged; there is nothing to go on with.
        RunRefused: there is no run that this process may close.
    """
    cause = error.error
    if isinstance(cause, (InvalidQuery, LeaseLost, RecordingMissing, RunRefused)):
        raise cause
    code = failure_code(cause)
    log.error("node failed", node=error.node, code=code.value, run_id=state.get("run_id"), exc_info=_traceback(cause))
    return {"failure": RunFailure(code=code, node=error.node)}


async def _on_open_error(state: DiagnosisState, error: NodeError, runtime: Runtime[RunOptions]) -> DiagnosisState:
    """The failure under the identity of this run: what the thread holds is an earlier one's.

    Raises:
        InvalidQuery: as ``_on_error``; so are LeaseLost, RecordingMissing and RunRefused.
    """
    update = await _on_error(state, error)
    _, run_id = identify(state, runtime)
    return {**update, "run_id": run_id, "run": None, "decision": None, "result": None}


class ErrorEdge(Protocol):
    """A handler as LangGraph's types know one: it injects ``NodeError`` by annotation, which they do not say."""

    async def __call__(self, state: DiagnosisState) -> DiagnosisState:
        """The keys that change."""
        ...


on_error = cast(ErrorEdge, _on_error)
"""The handler of every node but ``open_run`` and ``close_run``."""
on_open_error = cast(ErrorEdge, _on_open_error)
"""The handler of ``open_run``."""


def failure_code(cause: BaseException | str) -> FailureCode:
    """The published code of an error. After a crash inside this handler the cause is only its ``repr``."""
    if isinstance(cause, TruthUnavailable) or str(cause).startswith(f"{TruthUnavailable.__name__}("):
        return FailureCode.RUN_PERSISTENCE_FAILED
    if isinstance(cause, RunStopped):
        return CODE_OF_REASON[cause.reason]
    return FailureCode.INTERNAL_FAILURE


def _traceback(cause: BaseException | str) -> BaseException | None:
    expected = isinstance(cause, (TruthUnavailable, RunStopped, str))
    return None if expected or isinstance(cause, str) else cause
