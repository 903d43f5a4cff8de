"""Several requests of one call at the same time, of which none outlives it."""

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import nullcontext
from typing import TypeVar

T = TypeVar("T")


async def together(work: Iterable[Coroutine[object, object, T]], *, at_once: int | None = None) -> list[T]:
    """All results, in order, at most ``at_once`` under way (None: all of them).

    If one fails or the caller is cancelled, the others end before that propagates.
    """
    gate = nullcontext() if at_once is None else asyncio.Semaphore(at_once)

    async def gated(one: Coroutine[object, object, T]) -> T:
        async with gate:
            return await one

    tasks = [asyncio.ensure_future(gated(one)) for one in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
