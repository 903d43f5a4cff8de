"""Runs that callers start and watch from outside: each a task of this process, watched through its committed events.

Watching never touches the run: a stream reads the public events of the store, so it is the same in another process and
after a restart.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from graph.following import FollowTimes, RunReader
from graph.run import OnEvent, Runner
from graph.tending import Tending, TendTimes
from nodes.open_run import check_query, check_request
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import CancellationReason
from state.model.errors import RootproofError, RunRefused, TruthUnavailable
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import PublicEvent, RunRow

MAX_RUNNING = 8
"""Runs one process executes at a time."""

log = structlog.get_logger("graph.live_runs")


@dataclass(frozen=True)
class RunOrder:
    """One question with everything its caller said about it."""

    query: str
    owner_key: str
    options: RunOptions = RunOptions()
    session_id: str | None = None
    follow_up_of: str | None = None
    detached: bool = False
    """True: goes on without anybody watching."""
    run_id: RunId | None = None
    """None: a fresh one."""


class TooManyRuns(Exception):
    """This process executes as many runs as it may, or is about to end."""


class Watch(Protocol):
    """What the HTTP routes need of live runs."""

    async def start(self, order: RunOrder) -> RunId:
        """The run, once its row is written; it is executed from now on.

        Raises:
            InvalidQuery: the question, the session or an option cannot open a run.
            RunRefused: its session belongs to another key.
            TooManyRuns: try again later.
            TruthUnavailable: a store cannot be used.
        """
        ...

    def follow(self, run_id: RunId, *, after: int = 0) -> AsyncIterator[PublicEvent | None]:
        """Committed events with ``seq`` > after, up to and including ``done``; None where nothing came for 10 s.

        While it is iterated the run counts as watched. Ends without ``done`` only if the process shuts down.

        Raises:
            TruthUnavailable: the events cannot be read.
        """
        ...

    async def cancel(self, run_id: RunId) -> bool:
        """True if the run was RUNNING and is asked to stop, wherever it is executed."""
        ...

    async def detach(self, run_id: RunId) -> bool:
        """True if the run was RUNNING and goes on without anybody watching."""
        ...


@dataclass(frozen=True)
class LiveTimes:
    """Paces of watching and tending."""

    follow: FollowTimes = FollowTimes()
    tend: TendTimes = TendTimes()


@dataclass
class _Execution:
    """One run at work in this process."""

    run_id: RunId
    owner_key: str
    is_detached: bool
    opened: "asyncio.Future[None]"
    """Done once the row is written and says whether it must be watched; else holds why there is no such run."""
    task: "asyncio.Task[None] | None" = None
    marking: "asyncio.Task[None] | None" = None

    def open(self) -> None:
        if not self.opened.done():
            self.opened.set_result(None)

    def fail(self, why: Exception) -> None:
        if not self.opened.done():
            self.opened.set_exception(why)
        elif not isinstance(why, TooManyRuns):
            log.warning("run left", run_id=self.run_id, why=str(why))


@dataclass
class LiveRuns:
    """The runs of one process, as ``Watch``. From ``live_runs``, which closes it."""

    runner: Runner
    new_run_id: Callable[[], RunId]
    max_running: int = MAX_RUNNING
    times: LiveTimes = LiveTimes()
    forget_old: Callable[[], Awaitable[object]] | None = None
    """Deletes what is older than it may be kept; called seldom."""
    _at_work: dict[RunId, _Execution] = field(default_factory=dict, init=False, repr=False)
    _readers: dict[RunId, RunReader] = field(default_factory=dict, init=False, repr=False)
    _is_closing: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self._control = self.runner.deps.control
        self._tending = Tending(self.runner, self._watched, self._take_up, self.times.tend, self.forget_old)

    @property
    def n_running(self) -> int:
        """Runs this process executes now."""
        return len(self._at_work)

    @property
    def n_followed(self) -> int:
        """Runs that somebody follows in this process now."""
        return len(self._watched())

    @property
    def is_tending(self) -> bool:
        """False if watched runs are no longer marked or abandoned ones no longer cancelled: this process is unwell."""
        return self._tending.is_alive

    def tend(self) -> None:
        """Begin to mark watched runs, to cancel abandoned ones and to resume detached ones."""
        self._tending.start()

    async def start(self, order: RunOrder) -> RunId:
        """See ``Watch``. A run of the same id that this process executes is joined; its grace begins now.

        Raises:
            InvalidQuery: the question, the session or an option cannot open a run.
            RunRefused: its session, or the run of this id, belongs to another key.
            TooManyRuns: try again later.
            TruthUnavailable: a store cannot be used.
        """
        check_request(order.query, order.session_id, order.options)
        if order.follow_up_of:
            check_query(order.follow_up_of)
        run_id = order.run_id or self.new_run_id()
        execution = self._at_work.get(run_id)
        if execution is None:
            execution = self._begin(run_id, order)
        elif execution.owner_key != order.owner_key:
            raise RunRefused(run_id, "it belongs to another key")
        await asyncio.shield(execution.opened)
        return run_id

    async def follow(self, run_id: RunId, *, after: int = 0) -> AsyncGenerator[PublicEvent | None, None]:
        """See ``Watch``. Whoever stops iterating before the end closes the iterator, or the run stays watched.

        Raises:
            TruthUnavailable: the events cannot be read.
        """
        reader = self._reader(run_id)
        reader.n_followers += 1
        try:
            if reader.n_followers == 1:
                await self._control.see_streams([run_id])
            async with aclosing(reader.events(after)) as events:
                async for event in events:
                    yield event
        finally:
            reader.n_followers -= 1
            if not reader.n_followers:
                self._forget(reader)
                await reader.stop()

    async def cancel(self, run_id: RunId) -> bool:
        """See ``Watch``.

        Raises:
            TruthUnavailable: the control store cannot be written.
        """
        is_asked = await self._control.request_cancel(run_id, CancellationReason.USER_REQUESTED)
        if is_asked and run_id not in self._at_work:
            self._tending.sweep_soon()
        return is_asked

    async def detach(self, run_id: RunId) -> bool:
        """See ``Watch``.

        Raises:
            TruthUnavailable: the control store cannot be written.
        """
        is_detached = await self._control.detach(run_id)
        if is_detached and run_id in self._at_work:
            self._at_work[run_id].is_detached = True
        return is_detached

    async def close(self) -> None:
        """End everything: detached runs are given up for another process to resume, the others are cancelled.

        Followers get what was committed until then. Returns when no task is left.
        """
        self._is_closing = True
        await self._tending.stop()
        tasks = [self._end(execution) for execution in self._at_work.values()]
        if tasks:
            await asyncio.wait(tasks)
        for reader in list(self._readers.values()):
            await reader.read_last()
            await reader.stop()

    def _end(self, execution: _Execution) -> "asyncio.Task[None]":
        assert execution.task is not None
        if execution.is_detached:
            self.runner.give_up(execution.run_id)
        execution.task.cancel()
        return execution.task

    def _begin(self, run_id: RunId, order: RunOrder) -> _Execution:
        """The run as a task.

        Raises:
            TooManyRuns: there is no room.
        """
        request: RunInput = {
            "query": order.query,
            "session_id": order.session_id,
            "run_id": run_id,
            "follow_up_of": order.follow_up_of,
        }

        def run(on_event: OnEvent) -> Awaitable[RunResult]:
            return self.runner.run(request, order.options, owner_key=order.owner_key, on_event=on_event)

        return self._put_to_work(run_id, order.owner_key, run, is_detached=order.detached)

    def _take_up(self, row: RunRow) -> None:
        """Go on with a detached run whose process is gone, if there is room."""
        if row.run_id in self._at_work:
            return

        def resume(on_event: OnEvent) -> Awaitable[RunResult]:
            return self.runner.resume(row.run_id, on_event=on_event)

        try:
            execution = self._put_to_work(row.run_id, row.owner_key, resume, is_detached=True)
        except TooManyRuns:
            return
        execution.open()

    def _put_to_work(
        self, run_id: RunId, owner_key: str, run: Callable[[OnEvent], Awaitable[RunResult]], *, is_detached: bool
    ) -> _Execution:
        if self._is_closing or len(self._at_work) >= self.max_running:
            raise TooManyRuns
        execution = _Execution(run_id, owner_key, is_detached, asyncio.get_running_loop().create_future())
        # Whoever waited may have gone: the error is not lost then, it was never anybody's.
        execution.opened.add_done_callback(lambda opened: opened.cancelled() or opened.exception())
        self._at_work[run_id] = execution
        execution.task = asyncio.create_task(self._execute(execution, run), name=f"run {run_id}")
        execution.task.add_done_callback(lambda task: self._ended(execution, task))
        return execution

    def _ended(self, execution: _Execution, task: "asyncio.Task[None]") -> None:
        """Also of a task that was cancelled before it began."""
        del self._at_work[execution.run_id]
        if task.cancelled():
            execution.fail(TooManyRuns())
        elif (fault := task.exception()) is not None:
            log.error("run fell over", run_id=execution.run_id, exc_info=fault)
            execution.fail(TruthUnavailable("control", "open_run"))
        self._wake(execution.run_id)

    async def _execute(self, execution: _Execution, run: Callable[[OnEvent], Awaitable[RunResult]]) -> None:
        def on_event(_: dict[str, object]) -> None:
            if execution.marking is None and not execution.opened.done():
                execution.marking = asyncio.create_task(self._mark(execution))
            self._wake(execution.run_id)

        try:
            result = await run(on_event)
            if not result.persisted:
                execution.fail(TruthUnavailable("control", "open_run"))
        except RootproofError as refused:
            execution.fail(refused)
        finally:
            if execution.marking is not None:
                await asyncio.wait([execution.marking])
        execution.open()

    async def _mark(self, execution: _Execution) -> None:
        """Write on the row whether somebody must watch it. A run that could not be detached is not executed."""
        try:
            if execution.is_detached:
                await self._control.detach(execution.run_id)
            else:
                await self._control.see_streams([execution.run_id])
        except TruthUnavailable as error:
            if not execution.is_detached:
                log.warning("run not marked as watched; its first follower does", run_id=execution.run_id)
            elif execution.task is not None:
                execution.fail(error)
                execution.is_detached = False
                execution.task.cancel()
        execution.open()

    def _watched(self) -> tuple[RunId, ...]:
        return tuple(run_id for run_id, reader in self._readers.items() if reader.n_followers and not reader.is_over)

    def _reader(self, run_id: RunId) -> RunReader:
        """The reader of the run, a new one if none is at work."""
        reader = self._readers.get(run_id)
        if reader is None or reader.is_over:
            reader = self._readers[run_id] = RunReader(self._control, run_id, self.times.follow)
            reader.start()
        return reader

    def _forget(self, reader: RunReader) -> None:
        if self._readers.get(reader.run_id) is reader:
            del self._readers[reader.run_id]

    def _wake(self, run_id: RunId) -> None:
        if (reader := self._readers.get(run_id)) is not None:
            reader.wake()


@asynccontextmanager
async def live_runs(
    runner: Runner,
    new_run_id: Callable[[], RunId],
    *,
    max_running: int = MAX_RUNNING,
    times: LiveTimes | None = None,
    forget_old: Callable[[], Awaitable[object]] | None = None,
) -> AsyncIterator[LiveRuns]:
    """Live runs of this process, tended, and closed at the end."""
    live = LiveRuns(runner, new_run_id, max_running, times or LiveTimes(), forget_old)
    live.tend()
    try:
        yield live
    finally:
        await live.close()
