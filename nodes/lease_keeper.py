"""The leases this process holds: taken once per run, renewed by one heartbeat, watched while a node works.

A cancel request or a lost lease ends the node's work physically: its task is cancelled, so the model
request in flight and the statement at the source end too.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TypeVar

import structlog

from state.model.errors import LeaseLost, RunStopped, TruthUnavailable
from state.model.ids import RunId
from state.model.run import LEASE_S, Lease
from state.ports import CanonicalStore, Clock, ControlStore

T = TypeVar("T")
log = structlog.get_logger("nodes.lease_keeper")


@dataclass
class _Held:
    """One run of this process."""

    lease: Lease
    stored_active_s: float
    """Active seconds already on the run row when the lease was taken, plus what heartbeats added."""
    renewed_at: float
    """Monotonic second at which the lease was last asked for and then given."""
    unsaved_s: float = 0.0
    entered_at: float | None = None
    """Monotonic start of the node at work; None between nodes."""
    stop: RunStopped | LeaseLost | None = None
    tasks: set[asyncio.Task[object]] = field(default_factory=set)

    def active_s(self, now: float) -> float:
        running = now - self.entered_at if self.entered_at is not None else 0.0
        return self.stored_active_s + self.unsaved_s + running

    def take_unsaved_s(self, now: float) -> float:
        if self.entered_at is not None:
            self.unsaved_s += now - self.entered_at
            self.entered_at = now
        taken, self.unsaved_s = self.unsaved_s, 0.0
        self.stored_active_s += taken
        return taken

    def end_with(self, stop: RunStopped | LeaseLost) -> None:
        self.stop = self.stop or stop
        for task in self.tasks:
            task.cancel()


class LeaseKeeper:
    """Holds, renews and watches the leases of one process."""

    def __init__(
        self,
        control: ControlStore,
        canonical: CanonicalStore,
        clock: Clock,
        owner: str,
        *,
        beat_s: float = 1.0,
        lease_s: float = LEASE_S,
    ) -> None:
        self.owner = owner
        self._control = control
        self._canonical = canonical
        self._clock = clock
        self._beat_s = beat_s
        self._lease_s = lease_s
        self._held: dict[RunId, _Held] = {}
        self._heart: asyncio.Task[None] | None = None

    async def hold(self, run_id: RunId, *, resume: bool = False) -> Lease:
        """The lease of this run, taken if this process does not hold it yet.

        Raises:
            RunRefused: the run is unknown, terminal, held by another, or resumed too often.
            TruthUnavailable: the control or canonical store cannot be written.
        """
        held = self._held.get(run_id)
        if held is not None and held.stop is None:
            return held.lease
        asked_at = self._clock.monotonic()
        lease = await self._control.take_lease(run_id, self.owner, resume=resume)
        return await self.adopt(lease, asked_at=asked_at)

    async def adopt(self, lease: Lease, *, asked_at: float) -> Lease:
        """The same lease, now fenced in the canonical store and kept alive. It counts from ``asked_at`` (monotonic).

        Raises:
            TruthUnavailable: a store cannot be read or written.
        """
        await self._canonical.raise_fence(lease)
        row = await self._control.get_run(lease.run_id)
        spent_s = row.active_ms / 1000 if row is not None else 0.0
        self._held[lease.run_id] = _Held(lease=lease, stored_active_s=spent_s, renewed_at=asked_at)
        self._start_heart()
        return lease

    def active_s(self, run_id: RunId) -> float:
        """Active seconds of the run so far, over all its holders; 0 for a run not held here."""
        held = self._held.get(run_id)
        return held.active_s(self._clock.monotonic()) if held else 0.0

    async def watch(self, lease: Lease, work: Coroutine[object, object, T]) -> T:
        """The result of ``work``, which is cancelled as soon as the run must stop or the lease is lost.

        A process that was frozen asks whether it still holds the run before it hands the result on.

        Raises:
            RunStopped: somebody asked the run to stop.
            LeaseLost: another process holds the run, or the lease could not be renewed in time.
            CancelledError: the caller itself was cancelled.
        """
        held = self._held.get(lease.run_id)
        if held is None:
            work.close()
            raise LeaseLost(lease.run_id)
        if held.stop is not None:
            work.close()
            raise held.stop
        task = asyncio.ensure_future(work)
        held.tasks.add(task)
        held.entered_at = self._clock.monotonic()
        try:
            result = await task
            await self._confirm(held)
            return result
        except asyncio.CancelledError:
            if held.stop is not None and not _cancelled_from_outside():
                raise held.stop from None
            raise
        finally:
            held.tasks.discard(task)
            held.unsaved_s += self._clock.monotonic() - held.entered_at
            held.entered_at = None

    async def let_go(self, run_id: RunId, *, ended: bool = False) -> None:
        """Forget the run and expire its lease, saving the active time; a store that is down is no error here.

        ``ended``: the run is terminal, so its row takes neither and is left alone.
        """
        held = self._held.pop(run_id, None)
        if held is not None and not ended:
            await self._expire(held)
        self._stop_heart_if_idle()

    async def _expire(self, held: _Held) -> None:
        run_id = held.lease.run_id
        try:
            unsaved_ms = round(held.take_unsaved_s(self._clock.monotonic()) * 1000)
            await self._control.heartbeat([held.lease], {run_id: unsaved_ms})
            await self._control.drop_lease(held.lease)
        except (TruthUnavailable, LeaseLost) as error:
            log.warning("lease not dropped; it expires by itself", run_id=run_id, error=str(error))

    def lease_of(self, run_id: RunId) -> Lease | None:
        """The lease of a run this keeper holds; None for any other."""
        held = self._held.get(run_id)
        return held.lease if held else None

    def held_runs(self) -> tuple[RunId, ...]:
        """The runs this keeper holds."""
        return tuple(self._held)

    async def _confirm(self, held: _Held) -> None:
        """Return if the lease cannot have expired unnoticed, or still is ours."""
        if self._clock.monotonic() - held.renewed_at >= self._lease_s:
            await self._renew()
            if held.stop is not None:
                raise held.stop

    def _start_heart(self) -> None:
        loop = asyncio.get_running_loop()
        if self._heart is None or self._heart.done() or self._heart.get_loop() is not loop:
            self._heart = loop.create_task(self._beat())

    def _stop_heart_if_idle(self) -> None:
        if not self._held and self._heart is not None:
            self._heart.cancel()
            self._heart = None

    async def _beat(self) -> None:
        while self._held:
            await asyncio.sleep(self._beat_s)
            try:
                await self._renew()
            except TruthUnavailable as error:
                log.warning("heartbeat failed", error=str(error))
                self._lose_expired()

    async def _renew(self) -> None:
        now = self._clock.monotonic()
        current = dict(self._held)
        active_ms = {run_id: round(held.take_unsaved_s(now) * 1000) for run_id, held in current.items()}
        report = await self._control.heartbeat([held.lease for held in current.values()], active_ms)
        for held in current.values():
            held.renewed_at = now
        for run_id in report.lost:
            current[run_id].end_with(LeaseLost(run_id))
        for run_id, reason in report.cancels.items():
            if run_id in current:
                current[run_id].end_with(RunStopped(reason))

    def _lose_expired(self) -> None:
        now = self._clock.monotonic()
        for run_id, held in self._held.items():
            if now - held.renewed_at >= self._lease_s:
                held.end_with(LeaseLost(run_id))


def _cancelled_from_outside() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
