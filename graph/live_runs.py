"""Runs that callers start and watch from outside: each a task of this process, watched through its committed events.

Watching never touches the run: a stream reads the public events of the store, so it is the same in another process and
after a restart.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from graph.executing import Execution, Executions, Room, RunnerNow, Tally, TooManyRuns
from graph.following import FollowTimes, RunReader
from graph.fork import ForkOrder, fork_run
from graph.run import OnEvent, Runner
from graph.tending import Tending, TendTimes
from nodes.open_run import check_query, check_request
from state.model.alert import AlertOrigin
from state.model.diagnosis import RunInput, RunOptions
from state.model.enums import CancellationReason
from state.model.errors import RunRefused
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import PublicEvent, RunRow


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
    alert: AlertOrigin | None = None
    """The alert that asks; None: somebody does."""


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

    async def fork(self, order: ForkOrder, *, detached: bool) -> RunId:
        """The fork, once its row is written; it is executed from now on.

        Raises:
            RunRefused: its parent cannot be forked so.
            ResultsGone: a result of its parent has expired.
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
class LiveRuns:
    """The runs of one process, as ``Watch``. From ``live_runs``, which closes it."""

    runner: Runner
    new_run_id: Callable[[], RunId]
    room: Room = Room()
    times: LiveTimes = LiveTimes()
    forget_old: Callable[[], Awaitable[object]] | None = None
    """Deletes what is older than it may be kept; called seldom."""
    now: RunnerNow | None = None
    """What executes the next run; None: always ``runner``."""
    _readers: dict[RunId, RunReader] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._control = self.runner.deps.control
        self.executions = Executions(self._control, self.now or self._same, self.room, self._wake)
        self._tending = Tending(self.runner, self._watched, self._take_up, self.times.tend, self.forget_old)

    @property
    def n_running(self) -> int:
        """Runs this process executes now."""
        return len(self.executions)

    @property
    def tally(self) -> Tally:
        """What ended in this process."""
        return self.executions.tally

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
        execution = self.executions.find(run_id)
        if execution is None:
            execution = self._begin(run_id, order)
        elif execution.owner_key != order.owner_key:
            raise RunRefused(run_id, "it belongs to another key")
        await asyncio.shield(execution.opened)
        return run_id

    async def fork(self, order: ForkOrder, *, detached: bool) -> RunId:
        """See ``Watch``. A fork of the same id that this process executes is joined.

        Raises:
            RunRefused: its parent cannot be forked so, or the run of this id belongs to another key.
            ResultsGone: a result of its parent has expired.
            TooManyRuns: try again later.
            TruthUnavailable: a store cannot be used.
        """
        execution = self.executions.find(order.run_id)
        if execution is None:
            execution = self._begin_fork(order, detached=detached)
        elif execution.owner_key != order.owner_key:
            raise RunRefused(order.run_id, "it belongs to another key")
        await asyncio.shield(execution.opened)
        return order.run_id

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
        if is_asked and run_id not in self.executions:
            self._tending.sweep_soon()
        return is_asked

    async def detach(self, run_id: RunId) -> bool:
        """See ``Watch``.

        Raises:
            TruthUnavailable: the control store cannot be written.
        """
        is_detached = await self._control.detach(run_id)
        if is_detached and (execution := self.executions.find(run_id)) is not None:
            execution.is_detached = True
        return is_detached

    async def close(self) -> None:
        """End everything: detached runs are given up for another process to resume, the others are cancelled.

        Followers get what was committed until then. Returns when no task is left.
        """
        self.executions.shut()
        await self._tending.stop()
        await self.executions.close()
        for reader in list(self._readers.values()):
            await reader.read_last()
            await reader.stop()

    def _begin(self, run_id: RunId, order: RunOrder) -> Execution:
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

        async def run(runner: Runner, on_event: OnEvent) -> RunResult:
            owners = runner.deps.owners
            with owners.raised_by(run_id, order.alert) if order.alert else nullcontext():
                return await runner.run(request, order.options, owner_key=order.owner_key, on_event=on_event)

        return self.executions.begin(run_id, order.owner_key, run, is_detached=order.detached)

    def _begin_fork(self, order: ForkOrder, *, detached: bool) -> Execution:
        """The fork as a task.

        Raises:
            TooManyRuns: there is no room.
        """

        def fork(runner: Runner, on_event: OnEvent) -> Awaitable[RunResult]:
            return fork_run(runner, order, on_event=on_event)

        return self.executions.begin(order.run_id, order.owner_key, fork, is_detached=detached)

    def _take_up(self, row: RunRow) -> None:
        """Go on with a detached run whose process is gone, if there is room."""
        if row.run_id in self.executions:
            return

        def resume(runner: Runner, on_event: OnEvent) -> Awaitable[RunResult]:
            return runner.resume(row.run_id, on_event=on_event)

        try:
            execution = self.executions.begin(row.run_id, row.owner_key, resume, is_detached=True, is_new=False)
        except TooManyRuns:
            return
        execution.open()

    async def _same(self) -> Runner:
        return self.runner

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
    room: Room | None = None,
    times: LiveTimes | None = None,
    forget_old: Callable[[], Awaitable[object]] | None = None,
    now: RunnerNow | None = None,
) -> AsyncIterator[LiveRuns]:
    """Live runs of this process, tended, and closed at the end."""
    live = LiveRuns(runner, new_run_id, room or Room(), times or LiveTimes(), forget_old, now)
    live.tend()
    try:
        yield live
    finally:
        await live.close()
