"""Blocking work in threads of its own, so that no write commits after its caller was told it was cancelled.

Own threads, not the loop's default ones: a slow tool must never starve a heartbeat. Nothing starts at construction.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class WorkerThreads:
    """A few threads for one store; each starts when first needed."""

    def __init__(self, name: str, *, threads: int = 4) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """What ``work`` returns or raises, from a thread.

        Cancelled before a thread took it: it never runs. Cancelled later: CancelledError propagates only after
        ``work`` has ended, whatever became of it.

        Raises:
            CancelledError: the awaiting task was cancelled.
        """
        job = self._pool.submit(work)
        pending = asyncio.wrap_future(job)
        try:
            await asyncio.wait({pending})
        except asyncio.CancelledError:
            if not job.cancel():
                await _outlast(pending)
            raise
        return pending.result()

    def shut_down(self) -> None:
        """Take no further work; threads end when theirs is done. Returns at once."""
        self._pool.shutdown(wait=False)


async def finish_before_cancel(work: Coroutine[object, object, T]) -> T:
    """What ``work`` returns or raises; a cancellation meanwhile propagates only after it has ended.

    Raises:
        CancelledError: the awaiting task was cancelled.
    """
    running = asyncio.ensure_future(work)
    try:
        await asyncio.wait({running})
    except asyncio.CancelledError:
        await _outlast(running)
        raise
    return running.result()


async def _outlast(future: "asyncio.Future[T]") -> None:
    """Wait to the end however often the waiting is cancelled; the caller raises the cancellation."""
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError:
            continue
    if not future.cancelled():
        future.exception()
