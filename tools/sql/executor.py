"""The one way a statement is run, for every database: open, begin read-only, ask, read within caps, roll back, close.

Work happens in threads of its own; what a vendor does differently is behind ``tools.sql.session``.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import TypeVar

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.ports import Clock
from tools.sql.bounds import sized_outputs
from tools.sql.cells import read_rows
from tools.sql.session import Deadline, Door, NotReadOnly, Session
from tools.sql.source import RowSet
from tools.sql.validator import ValidSql

MAX_CONNECTIONS = 4
"""Statements of one datasource at the same time; further ones wait, within their timeout."""
GRACE_S = 0.5
"""How long a statement that was told to end may take before it is told again, or its connection is cut."""
ATTEMPTS = 2

Result = TypeVar("Result")
Job = Callable[[Session], Result]


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MAX_CONNECTIONS, thread_name_prefix="sql")


@dataclass(frozen=True)
class Executor:
    """Runs work over the sessions of one door."""

    door: Door
    clock: Clock
    max_plan_cost: float | None = None
    """A statement whose estimated cost is higher is not run."""
    threads: ThreadPoolExecutor = field(default_factory=_threads)

    async def run(self, valid: ValidSql, *, timeout_s: float, row_cap: int) -> RowSet:
        """As ``SqlSource.run``.

        Raises:
            ToolFailed: as there; RESULT_TOO_LARGE also if the statement is estimated above the ceiling.
        """
        return await self.work(lambda session: self._read(session, valid, row_cap), timeout_s=timeout_s)

    async def work(self, job: Job[Result], *, timeout_s: float) -> Result:
        """What the job returns from a session that can only read.

        Raises:
            ToolFailed: TOOL_TIMEOUT after ``timeout_s`` in all, else the code of what went wrong.
            CancelledError: this task was cancelled; the statement has ended, or its connection is cut.
        """
        deadline = Deadline(self.clock, self.clock.monotonic() + timeout_s)
        call = _Call(self.door.session(deadline), deadline)
        running = self.threads.submit(self._do, job, call)
        answer = asyncio.wrap_future(running)
        answer.add_done_callback(_look_at)
        try:
            async with asyncio.timeout(timeout_s):
                return await asyncio.shield(answer)
        except TimeoutError:
            await self._end(call, running)
            raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail="no answer in time") from None
        except asyncio.CancelledError:
            await self._end(call, running)
            raise

    def close(self) -> None:
        """Let go of the threads; what still runs ends by itself."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    def _read(self, session: Session, valid: ValidSql, row_cap: int) -> RowSet:
        sql = f"{valid.sql} LIMIT {row_cap + 1:d}"
        if self.max_plan_cost is not None:
            _check_cost(session.cost(sql, valid.params), self.max_plan_cost)
        with closing(session.ask(sql, valid.params)) as rows:
            return read_rows(rows, row_cap=row_cap, sized=sized_outputs(valid.query.outputs, valid.dialect))

    def _do(self, job: Job[Result], call: "_Call") -> Result:
        try:
            with closing(call.session):
                call.session.open()
                if call.deadline.is_over():
                    raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail="connected too late")
                call.session.begin()
                result = job(call.session)
            # What comes late may be what was left of a statement that the server ended: SLEEP() then returns a number.
            if call.deadline.is_over():
                raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail="answered too late")
            return result
        except NotReadOnly as error:
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"not read-only: {error}"[:300]) from error
        except self.door.failures as error:
            raise self._failure(error, call.deadline) from error
        finally:
            call.ended.set()

    def _failure(self, error: BaseException, deadline: Deadline) -> ToolFailed:
        code = ToolCode.TOOL_TIMEOUT if deadline.is_over() else self.door.code_of(error)
        return ToolFailed(code, log_detail=f"{type(error).__name__}: {error}"[:300])

    async def _end(self, call: "_Call", running: "Future[Result]") -> None:
        """Return once the statement has ended or its connection is cut, however often this task is cancelled."""
        call.deadline.stop()
        if running.cancel():
            return
        ending = asyncio.ensure_future(asyncio.to_thread(call.end, waits_for_end=self.door.waits_for_end))
        while not ending.done():
            try:
                await asyncio.wait([ending])
            except asyncio.CancelledError:
                continue
        ending.result()


@dataclass(frozen=True)
class _Call:
    """One piece of work, as seen by the thread that does it and by the one that ends it."""

    session: Session
    deadline: Deadline
    ended: threading.Event = field(default_factory=threading.Event)

    def end(self, *, waits_for_end: bool) -> None:
        """End the work; blocks at most a few seconds, unless the vendor's statements surely end."""
        for _ in range(ATTEMPTS):
            self.session.end()
            if self.ended.wait(GRACE_S):
                return
        self.session.cut()
        self.ended.wait(None if waits_for_end else GRACE_S)


def _look_at(answer: "asyncio.Future[Result]") -> None:
    """What goes wrong with a statement that nobody waits for any more is nobody's news."""
    if not answer.cancelled():
        answer.exception()


def _check_cost(cost: float | None, ceiling: float) -> None:
    """Nothing, if the estimate is below the ceiling.

    Raises:
        ToolFailed: RESULT_TOO_LARGE above it; TOOL_EXECUTION_ERROR if there is no estimate.
    """
    if cost is None:
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail="the server gave no cost estimate")
    if cost > ceiling:
        raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"estimated cost {cost:.0f} over {ceiling:.0f}")
