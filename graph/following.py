"""One reader per followed run, shared by everybody who follows it: the store is asked once, however many watch.

A follower keeps no events of its own. One that falls behind what is still in memory reads what it missed by number.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.run import PublicEvent, PublicEventType
from state.ports import ControlStore

KEPT_EVENTS = 64
"""Newest events of a followed run that are kept for all its followers together."""


@dataclass(frozen=True)
class FollowTimes:
    """Paces of following, in seconds."""

    poll_s: float = 0.5
    """Between two reads where nothing in this process told of an event."""
    silent_s: float = 10.0
    """Without an event, after which a follower is told so."""


class RunReader:
    """Reads the committed events of one run from ``start`` to ``stop``, ``done`` or a failure of the store."""

    def __init__(self, control: ControlStore, run_id: RunId, times: FollowTimes) -> None:
        self.run_id = run_id
        self.n_followers = 0
        """Kept by whoever hands the reader out."""
        self.is_over = False
        """True once nothing more will be read."""
        self._control = control
        self._times = times
        self._kept: deque[PublicEvent] = deque(maxlen=KEPT_EVENTS)
        self._last = 0
        """Number of the newest event that was read."""
        self._failed: TruthUnavailable | None = None
        self._news = asyncio.Event()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to read."""
        self._task = asyncio.create_task(self._read(), name=f"read {self.run_id}")

    def wake(self) -> None:
        """An event was committed in this process: read now."""
        self._wake.set()

    async def stop(self) -> None:
        """Read what is there and no more; whoever still follows comes to the end."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait([self._task])

    async def read_last(self) -> None:
        """Read once more what was committed until now; a store that is down ends it as it ends any reading."""
        try:
            await self._read_new()
        except TruthUnavailable as error:
            self._failed = error

    async def events(self, seen: int) -> AsyncGenerator[PublicEvent | None, None]:
        """Events with ``seq`` > seen up to ``done``; None after each time of silence. Ends when the reading does.

        ``done`` comes in any case, also to whoever has seen it: a stream without an end says nothing.

        Raises:
            TruthUnavailable: the events cannot be read.
        """
        while True:
            news = self._news
            for event in await self._after(seen):
                seen = event.seq
                yield event
                if event.type is PublicEventType.DONE:
                    return
            if self._failed is not None:
                raise TruthUnavailable(self._failed.store, self._failed.operation)
            if self.is_over and seen >= self._last:
                if self._kept and self._kept[-1].type is PublicEventType.DONE:
                    yield self._kept[-1]
                return
            if seen >= self._last and not await self._told(news):
                yield None

    async def _after(self, seen: int) -> Sequence[PublicEvent]:
        """The next events, ``KEPT_EVENTS`` at most; empty if all were seen."""
        if seen >= self._last:
            return ()
        if self._kept[0].seq <= seen + 1:
            return [event for event in self._kept if event.seq > seen]
        return (await self._control.public_events(self.run_id, after=seen))[:KEPT_EVENTS]

    async def _told(self, news: asyncio.Event) -> bool:
        """True once there is something new; False after the time of silence."""
        try:
            async with asyncio.timeout(self._times.silent_s):
                await news.wait()
        except TimeoutError:
            return False
        return True

    async def _read(self) -> None:
        try:
            while not self.is_over:
                self._wake.clear()
                if not await self._read_new():
                    await self._pause()
        except TruthUnavailable as error:
            self._failed = error
        finally:
            self.is_over = True
            self._tell()

    async def _read_new(self) -> bool:
        """True if the run went on."""
        events = await self._control.public_events(self.run_id, after=self._last)
        if not events:
            return False
        self._kept.extend(events)
        self._last = events[-1].seq
        self.is_over = self.is_over or events[-1].type is PublicEventType.DONE
        self._tell()
        return True

    async def _pause(self) -> None:
        """Until an event is told of, or the next read is due; a run that does not exist is over."""
        try:
            async with asyncio.timeout(self._times.poll_s):
                await self._wake.wait()
        except TimeoutError:
            if not self._last and await self._control.get_run(self.run_id) is None:
                self.is_over = True

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
