"""Blocking work in a thread that ends when its caller is cancelled."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import TypeVar

from tools.logs.read_file import ReadingStopped

_T = TypeVar("_T")
_LOOK_S = 0.05


async def in_thread(work: Callable[[Callable[[], bool]], _T]) -> _T:
    """The result of ``work``, done in a thread.

    Raises:
        CancelledError: the caller was cancelled; by then the thread has been told and has ended.
    """
    cancelled = Event()
    task = asyncio.ensure_future(asyncio.to_thread(work, cancelled.is_set))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.gather(task, return_exceptions=True)
        raise


@contextmanager
def held(lock: Lock, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """The lock, once it is free.

    Raises:
        ReadingStopped: the caller was cancelled while it waited.
    """
    while not lock.acquire(timeout=_LOOK_S):
        if is_cancelled():
            raise ReadingStopped
    try:
        yield
    finally:
        lock.release()
