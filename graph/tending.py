"""What a service process does for runs besides executing them: marks the watched, cancels the abandoned, resumes.

Each duty is a loop of its own, so that a slow one makes no watched run look abandoned. A store that is down costs a
turn, never the loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from graph.run import Runner
from state.model.enums import CancellationReason
from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.run import RunRow

log = structlog.get_logger("graph.tending")


@dataclass(frozen=True)
class TendTimes:
    """Paces of tending, in seconds."""

    see_s: float = 2.0
    """Between two marks of the watched runs."""
    abandoned_s: float = 5.0
    """Between two looks for runs that nobody watches any more."""
    grace_s: float = 15.0
    """Without a watcher, after which a run is cancelled."""
    sweep_s: float = 30.0
    """Between two sweeps of runs that are over age, or asked to stop with nobody executing them."""
    resume_s: float = 10.0
    """Between two looks for detached runs whose process is gone."""
    forget_s: float = 3600.0
    """Between two deletions of what is older than it may be kept."""


class Tending:
    """The loops of one process, from ``start`` to ``stop``."""

    def __init__(
        self,
        runner: Runner,
        watched: Callable[[], Sequence[RunId]],
        resume: Callable[[RunRow], None],
        times: TendTimes,
        forget_old: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """``watched``: runs that somebody follows here now. ``resume``: takes a run up, or leaves it if it may not."""
        self._runner = runner
        self._control = runner.deps.control
        self._watched = watched
        self._resume = resume
        self._times = times
        self._forget_old = forget_old
        self._sweep_now = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin."""
        duties: dict[Callable[[], Awaitable[object]], float] = {
            self._see: self._times.see_s,
            self._cancel_abandoned: self._times.abandoned_s,
            self._take_up: self._times.resume_s,
        }
        if self._forget_old is not None:
            duties[self._forget_old] = self._times.forget_s
        self._tasks = [asyncio.create_task(_every(pace_s, duty)) for duty, pace_s in duties.items()]
        self._tasks.append(asyncio.create_task(self._sweep()))

    async def stop(self) -> None:
        """End every loop; what is being written is written."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    @property
    def is_alive(self) -> bool:
        """False if a loop has ended, by a fault of ours or by ``stop``."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def sweep_soon(self) -> None:
        """A run that nobody executes was asked to stop: close it now rather than at the next sweep."""
        self._sweep_now.set()

    async def _see(self) -> None:
        if watched := self._watched():
            await self._control.see_streams(watched)

    async def _cancel_abandoned(self) -> None:
        abandoned = await self._control.abandoned_runs(grace_s=self._times.grace_s)
        for run_id in abandoned:
            log.info("nobody watches the run any more", run_id=run_id)
            await self._control.request_cancel(run_id, CancellationReason.CLIENT_DISCONNECTED)
        if abandoned:
            self.sweep_soon()

    async def _take_up(self) -> None:
        for row in await self._control.interrupted_runs():
            if row.detached and row.cancel_requested_at is None and row.world == self._runner.deps.sources.name:
                self._resume(row)

    async def _sweep(self) -> None:
        while True:
            self._sweep_now.clear()
            await _quietly(self._runner.sweep)
            try:
                async with asyncio.timeout(self._times.sweep_s):
                    await self._sweep_now.wait()
            except TimeoutError:
                continue


async def _every(pace_s: float, duty: Callable[[], Awaitable[object]]) -> None:
    while True:
        await _quietly(duty)
        await asyncio.sleep(pace_s)


async def _quietly(duty: Callable[[], Awaitable[object]]) -> None:
    try:
        await duty()
    except TruthUnavailable as error:
        log.warning("tending failed; again at its next turn", error=str(error))
