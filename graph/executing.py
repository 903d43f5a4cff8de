"""The runs one process executes, each a task: let in where there is room, opened, and counted when they end."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import structlog

from graph.run import OnEvent, Runner
from state.model.enums import ReleaseOutcome
from state.model.errors import RootproofError, TruthUnavailable
from state.model.ids import RunId
from state.model.release import RunResult
from state.ports import ControlStore

MAX_RUNNING = 8
"""Runs one process executes at a time."""

RunnerNow = Callable[[], Awaitable[Runner]]
"""What executes the next run. May raise a RootproofError: that run is refused."""
Work = Callable[[Runner, OnEvent], Awaitable[RunResult]]

log = structlog.get_logger("graph.executing")


class TooManyRuns(Exception):
    """This process executes as many runs as it may, or is about to end."""

    def __init__(self, of_key: int | None = None) -> None:
        super().__init__("too many runs")
        self.of_key = of_key
        """How many runs one key may have, where that is the limit; None: the limit is that of the process."""


@dataclass(frozen=True)
class Room:
    """How many runs a process executes at a time."""

    running: int = MAX_RUNNING
    of_key: int | None = None
    """Of one key; None: as many as of all."""


@dataclass
class Tally:
    """What ended in this process since it started, as the rows of the runs say."""

    outcomes: Counter[ReleaseOutcome] = field(default_factory=Counter)
    tokens: int = 0


@dataclass
class Execution:
    """One run at work in this process."""

    run_id: RunId
    owner_key: str
    is_detached: bool
    opened: "asyncio.Future[None]"
    """Done once the row is written and says whether it must be watched; else holds why there is no such run."""
    task: "asyncio.Task[None] | None" = None
    marking: "asyncio.Task[None] | None" = None
    runner: Runner | None = None
    """What executes it; None: not chosen yet."""

    def open(self) -> None:
        """Whoever waits goes on: there is such a run."""
        if not self.opened.done():
            self.opened.set_result(None)

    def fail(self, why: Exception) -> None:
        """Whoever waits is told why there is none."""
        if not self.opened.done():
            self.opened.set_exception(why)
        elif not isinstance(why, TooManyRuns):
            log.warning("run left", run_id=self.run_id, why=str(why))

    def end(self) -> "asyncio.Task[None]":
        """Its task, cancelled: a detached run is given up for another process, any other is closed."""
        assert self.task is not None
        if self.is_detached and self.runner is not None:
            self.runner.give_up(self.run_id)
        self.task.cancel()
        return self.task


class Executions:
    """What is at work in this process. ``close`` ends it."""

    def __init__(self, control: ControlStore, now: RunnerNow, room: Room, told: Callable[[RunId], None]) -> None:
        """``told``: an event of this run was committed, or it ended."""
        self.tally = Tally()
        self._control = control
        self._now = now
        self.room = room
        self._told = told
        self._at_work: dict[RunId, Execution] = {}
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._at_work)

    def __contains__(self, run_id: object) -> bool:
        return run_id in self._at_work

    def __iter__(self) -> Iterator[Execution]:
        return iter(list(self._at_work.values()))

    def find(self, run_id: RunId) -> Execution | None:
        """The run, if it is at work here."""
        return self._at_work.get(run_id)

    def begin(self, run_id: RunId, owner_key: str, work: Work, *, is_detached: bool, is_new: bool = True) -> Execution:
        """The run as a task. One that is not new has its place among those of its key already.

        Raises:
            TooManyRuns: there is no room.
        """
        if self._is_closing or len(self._at_work) >= self.room.running:
            raise TooManyRuns
        if is_new and self.room.of_key is not None and self.of_key(owner_key) >= self.room.of_key:
            raise TooManyRuns(self.room.of_key)
        execution = Execution(run_id, owner_key, is_detached, asyncio.get_running_loop().create_future())
        # Whoever waited may have gone: the error is not lost then, it was never anybody's.
        execution.opened.add_done_callback(lambda opened: opened.cancelled() or opened.exception())
        self._at_work[run_id] = execution
        execution.task = asyncio.create_task(self._execute(execution, work), name=f"run {run_id}")
        execution.task.add_done_callback(lambda task: self._ended(execution, task))
        return execution

    def of_key(self, owner_key: str) -> int:
        """Runs of this key at work here."""
        return sum(execution.owner_key == owner_key for execution in self._at_work.values())

    def shut(self) -> None:
        """Let nothing more in."""
        self._is_closing = True

    async def close(self) -> None:
        """End everything; returns when no task is left."""
        self.shut()
        if tasks := [execution.end() for execution in self]:
            await asyncio.wait(tasks)

    def _ended(self, execution: Execution, task: "asyncio.Task[None]") -> None:
        """Also of a task that was cancelled before it began."""
        del self._at_work[execution.run_id]
        if task.cancelled():
            execution.fail(TooManyRuns())
        elif (fault := task.exception()) is not None:
            log.error("run fell over", run_id=execution.run_id, exc_info=fault)
            execution.fail(TruthUnavailable("control", "open_run"))
        self._told(execution.run_id)

    async def _execute(self, execution: Execution, work: Work) -> None:
        def on_event(_: dict[str, object]) -> None:
            if execution.marking is None and not execution.opened.done():
                execution.marking = asyncio.create_task(self._mark(execution))
            self._told(execution.run_id)

        try:
            runner = execution.runner = await self._now()
            result = await work(runner, on_event)
            if not result.persisted:
                execution.fail(TruthUnavailable("control", "open_run"))
            else:
                await self._count(execution.run_id, runner.deps.keeper.owner)
        except RootproofError as refused:
            execution.fail(refused)
        finally:
            if execution.marking is not None:
                await asyncio.wait([execution.marking])
        execution.open()

    async def _mark(self, execution: Execution) -> None:
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

    async def _count(self, run_id: RunId, owner: str) -> None:
        """Add the run to the tally, if it was this process that ended it; a store that is down costs the count."""
        try:
            row, usage = await self._control.get_run(run_id), await self._control.usage(run_id)
        except TruthUnavailable as error:
            log.warning("ended run not counted", run_id=run_id, error=str(error))
            return
        if row is not None and row.outcome is not None and row.owner == owner:
            self.tally.outcomes[row.outcome] += 1
            self.tally.tokens += usage.tokens
