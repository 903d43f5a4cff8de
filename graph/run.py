"""Runs, resumes and closes one diagnosis. Whatever reaches no error edge ends here, and a run ends exactly once."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from nodes.close_run import close, result_of, take_stock, trace_finish, unpersisted
from nodes.deps import LOCAL_OWNER, Deps, Step
from nodes.forked import tell_fork
from nodes.open_run import NO_UUID, check_query
from state.model.audit import AuditStock
from state.model.diagnosis import DiagnosisState, RunInput, RunOptions, RunOutput
from state.model.enums import CancellationReason, FailureCode, RunState
from state.model.errors import InvalidQuery, LeaseLost, RecordingMissing, RunRefused, TruthUnavailable
from state.model.ids import RunId, is_uuid
from state.model.limits import RunLimits
from state.model.redaction import redact_text
from state.model.release import RunFailure, RunResult
from state.model.run import Lease, RunFacts, RunRow

log = structlog.get_logger("graph.run")

Graph = CompiledStateGraph[DiagnosisState, RunOptions, RunInput, RunOutput]
OnEvent = Callable[[dict[str, object]], None]
Begin = Callable[[], Awaitable[RunFacts]]
"""Opens a run with a state in its thread to go on from."""
CLOSING_TIME_S = 10.0
"""What is left for the closing of a cancelled run."""


def _ignore(_: dict[str, object]) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Runner:
    """Executes runs of one compiled graph in this process."""

    deps: Deps
    graph: Graph
    _at_work: set[RunId] = field(default_factory=set, init=False, repr=False)
    """Runs this process executes now: its own lease would not keep it from executing one twice."""
    _given_up: set[RunId] = field(default_factory=set, init=False, repr=False)
    """Runs that are left RUNNING when their task is cancelled."""

    async def run(
        self,
        request: RunInput,
        options: RunOptions | None = None,
        *,
        owner_key: str = LOCAL_OWNER,
        on_event: OnEvent = _ignore,
    ) -> RunResult:
        """How the run ended, as its row says. ``request`` names ``run_id``; it is the checkpoint thread too.

        ``owner_key``: the key the run and its session belong to; nothing in ``request`` or ``options`` can say it.
        ``on_event`` gets each committed public event as it comes. If the calling task is cancelled the run
        is closed as CANCELLED before the cancellation goes on. A run that is there already is taken up as ``resume``
        does, whatever ``request`` asks.

        Raises:
            InvalidQuery: the question or an option cannot open a run.
            RunRefused: the run is executed here or elsewhere, or it or its session belongs to another key.
            LeaseLost: another process took the run over and goes on with it.
            RecordingMissing: this is a replay, and the run asks what was not recorded.
        """
        query = redact_text(check_query(request.get("query")))
        run_id = request.get("run_id")
        if not run_id or not is_uuid(run_id):
            raise InvalidQuery(NO_UUID)
        with self._alone(RunId(run_id)), self.deps.owners.executing(RunId(run_id), owner_key):
            if await self._is_known(RunId(run_id), owner_key):
                return await self._resume(RunId(run_id), on_event)
            steps = self._steps(RunId(run_id), {**request, "query": query}, options or RunOptions())
            return await self._drive(RunId(run_id), steps, on_event)

    async def begun(self, run_id: RunId, owner_key: str, begin: Begin, *, on_event: OnEvent = _ignore) -> RunResult:
        """How a run ended that ``begin`` opens in the middle of the graph, with a state in its thread to go on from.

        Otherwise as ``run``: it is closed if this task is cancelled, and a run that is there already is taken up.

        Raises:
            RunRefused: as ``run``, and what ``begin`` refuses.
            LeaseLost: another process took the run over and goes on with it.
            RecordingMissing: this is a replay, and the run asks what was not recorded.
        """
        with self._alone(run_id), self.deps.owners.executing(run_id, owner_key):
            if await self._is_known(run_id, owner_key):
                return await self._resume(run_id, on_event)
            return await self._drive(run_id, self._steps_after(run_id, begin), on_event)

    async def _is_known(self, run_id: RunId, owner_key: str) -> bool:
        """True if there is such a run. A store that cannot say leaves it to ``open_run``, which fails closed.

        Raises:
            RunRefused: it belongs to another key.
        """
        try:
            row = await self.deps.control.get_run(run_id)
        except TruthUnavailable:
            return False
        if row is not None and row.owner_key != owner_key:
            raise RunRefused(run_id, "it belongs to another key")
        return row is not None

    async def resume(self, run_id: RunId, *, on_event: OnEvent = _ignore) -> RunResult:
        """How the run ended: stored if it had ended, else executed on from its last checkpoint.

        A run resumed more often than its limit, or without any checkpoint, is closed as INTERNAL_FAILURE.

        Raises:
            RunRefused: the run is unknown, or executed here or elsewhere.
            LeaseLost: another process took the run over.
            TruthUnavailable: a store cannot be read; the run can be resumed later.
        """
        with self._alone(run_id):
            return await self._resume(run_id, on_event)

    def give_up(self, run_id: RunId) -> None:
        """If its task is cancelled from now on, the run stays RUNNING and another process may take it up at once."""
        self._given_up.add(run_id)

    @contextmanager
    def _alone(self, run_id: RunId) -> Iterator[None]:
        if run_id in self._at_work:
            raise RunRefused(run_id, "this process executes it")
        self._at_work.add(run_id)
        try:
            yield
        finally:
            self._at_work.discard(run_id)
            self._given_up.discard(run_id)

    async def _resume(self, run_id: RunId, on_event: OnEvent) -> RunResult:
        row = await self.deps.control.get_run(run_id)
        if row is None:
            raise RunRefused(run_id, "there is no such run")
        if row.run_state is not RunState.RUNNING:
            await trace_finish(self.deps, row)
            return result_of(row)
        may_go_on = row.resumes < row.facts.limits.max_resumes
        lease = await self.deps.keeper.hold(run_id, resume=may_go_on)
        kept = await self._kept_state(run_id, row.facts.limits) if may_go_on else None
        if kept is None:
            log.error("run cannot be resumed", run_id=run_id, resumes=row.resumes)
            return await self._close(run_id, FailureCode.INTERNAL_FAILURE)
        if row.fork_checkpoint is not None:
            await tell_fork(self._step(lease), row.facts, row.fork_checkpoint, kept)
        with self.deps.owners.executing(run_id, row.owner_key):
            return await self._drive(run_id, self._steps(run_id, None, RunOptions(), row.facts.limits), on_event)

    async def _kept_state(self, run_id: RunId, limits: RunLimits) -> DiagnosisState | None:
        """The state from which the thread goes on; None: it has none. Lets the run go if that cannot be read.

        Not by ``snapshot.next``: it is empty too where a node's writes were kept and its checkpoint was not.

        Raises:
            TruthUnavailable: the checkpoints cannot be read.
            CancelledError: as it came.
        """
        try:
            snapshot = await self.graph.aget_state(_config(run_id, limits))
        except sqlite3.Error as error:
            await self.deps.keeper.let_go(run_id)
            raise TruthUnavailable("checkpoints", "read") from error
        except (TruthUnavailable, asyncio.CancelledError):
            await self.deps.keeper.let_go(run_id)
            raise
        return cast(DiagnosisState, snapshot.values) if snapshot.created_at is not None else None

    async def sweep(self) -> tuple[RunRow, ...]:
        """The runs closed because they were over age or asked to stop with nobody holding them."""
        rows = await self.deps.control.sweep(
            max_run_age_s=self.deps.policy.limits.max_run_age_s, stock=self._take_stock
        )
        for row in rows:
            await trace_finish(self.deps, row)
        await self.deps.canonical.sweep()
        return rows

    async def _take_stock(self, lease: Lease) -> AuditStock:
        """What the audit holds of a run that was taken over, its last holder fenced off.

        A canonical store that is down keeps no run from ending: the holder can publish nothing all the same.

        Raises:
            TruthUnavailable: the ledger cannot be read.
        """
        try:
            await self.deps.canonical.raise_fence(lease)
        except TruthUnavailable as error:
            log.warning("canonical fence not raised", run_id=lease.run_id, error=str(error))
        return await take_stock(self._step(lease))

    async def _steps(
        self, run_id: RunId, request: RunInput | None, options: RunOptions, limits: RunLimits | None = None
    ) -> AsyncIterator[Any]:
        """What the graph streams, as (mode, chunk); None as request: from the state its thread stands at."""
        config = _config(run_id, limits or self.deps.policy.limits)
        streamed: AsyncIterator[Any] = self.graph.astream(
            request, config, context=options, stream_mode=["custom", "updates"], durability="sync"
        )
        async for step in streamed:
            yield step

    async def _steps_after(self, run_id: RunId, begin: Begin) -> AsyncIterator[Any]:
        """The same, once ``begin`` has opened the run."""
        facts = await begin()
        async for step in self._steps(run_id, None, RunOptions(), facts.limits):
            yield step

    async def _drive(self, run_id: RunId, steps: AsyncIterator[Any], on_event: OnEvent) -> RunResult:
        # Where the graph came to its end but the row did not, close_run could not write.
        code = FailureCode.RUN_PERSISTENCE_FAILED
        try:
            async for mode, chunk in steps:
                if mode == "custom":
                    on_event(chunk)
                else:
                    code = _closed_with(chunk) or code
        except (InvalidQuery, RunRefused, LeaseLost, RecordingMissing) as refused:
            await self.deps.keeper.let_go(run_id)
            return await self._stored_or_raise(run_id, refused)
        except asyncio.CancelledError:
            await self._stopped(run_id)
            raise
        except Exception as error:
            code = _code(error)
            log.error("graph ended", run_id=run_id, code=code.value, exc_info=error)
        return await self._close(run_id, code)

    async def _stored_or_raise(self, run_id: RunId, refused: Exception) -> RunResult:
        """The stored result if somebody else ended the run, else the refusal."""
        row = await self.deps.control.get_run(run_id)
        if row is not None and row.run_state is not RunState.RUNNING and not isinstance(refused, InvalidQuery):
            return result_of(row)
        raise refused

    async def _close(self, run_id: RunId, code: FailureCode) -> RunResult:
        """The row's result if the graph closed the run; else the run is closed with this failure."""
        try:
            row = await self.deps.control.get_run(run_id)
            if row is not None and row.run_state is RunState.RUNNING:
                lease = await self.deps.keeper.hold(run_id)
                failure = RunFailure(code=code, node="runner")
                row = await close(self._step(lease), decision=None, failure=failure)
        except TruthUnavailable as error:
            log.error("run could not be closed", run_id=run_id, error=str(error))
            row = None
        finally:
            await self.deps.keeper.let_go(run_id)
        return result_of(row) if row is not None else unpersisted({"run_id": run_id}, code)

    async def _stopped(self, run_id: RunId) -> None:
        if run_id in self._given_up:
            await self.deps.keeper.let_go(run_id)
        else:
            await self.close_cancelled(run_id)

    async def close_cancelled(self, run_id: RunId) -> None:
        """Close as CANCELLED although this task was cancelled; what fails here is the sweeper's."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        try:
            async with asyncio.timeout(CLOSING_TIME_S):
                await self.deps.control.request_cancel(run_id, CancellationReason.USER_REQUESTED)
                await self._close(run_id, FailureCode.RUN_CANCELLED)
        except (TimeoutError, TruthUnavailable, LeaseLost, RunRefused) as error:
            log.warning("cancelled run not closed; the sweeper will", run_id=run_id, error=str(error))

    async def close_failed(self, run_id: RunId, error: Exception) -> None:
        """Close a run whose graph fell over where no error edge is; what fails here is the sweeper's."""
        log.error("graph ended", run_id=run_id, exc_info=error)
        try:
            await self._close(run_id, _code(error))
        except (LeaseLost, RunRefused) as refused:
            log.warning("run not closed; the sweeper will", run_id=run_id, error=str(refused))

    def _step(self, lease: Lease) -> Step:
        return Step(deps=self.deps, lease=lease, options=RunOptions(), wake=lambda _: None)


def _config(run_id: RunId, limits: RunLimits) -> RunnableConfig:
    """Thread = run. The recursion limit is above what the budgets allow: three nodes a model call, and the ends."""
    return {"configurable": {"thread_id": run_id}, "recursion_limit": 3 * limits.max_model_calls + 30}


def _code(error: Exception) -> FailureCode:
    """Only a store's own error reaches the outermost edge, besides bugs and the recursion limit."""
    if isinstance(error, (sqlite3.Error, TruthUnavailable)):
        return FailureCode.RUN_PERSISTENCE_FAILED
    return FailureCode.INTERNAL_FAILURE


def _closed_with(update: dict[str, Any]) -> FailureCode | None:
    """The failure that ``close_run`` reports in a stream update."""
    closed = update.get("close_run")
    result = closed.get("result") if closed else None
    return result.failure_code if isinstance(result, RunResult) else None
