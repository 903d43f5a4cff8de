"""Graph state in PostgreSQL, by LangGraph's saver. Fails closed: what cannot be read or written is TruthUnavailable.

Imported only where PostgreSQL is configured. Added to the saver: only types the graph state names come back, a
cancelled write is finished first, every write is one transaction, nothing waits without end, runs do not wait for each
other, and a holder that lost its lease writes nothing (where the control store is in the same database).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any, TypeVar

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from state.model.errors import LeaseLost, TruthUnavailable
from state.model.run import Lease
from state.stores.blocking import finish_before_cancel
from state.stores.checkpoint_age import older_threads
from state.stores.checkpoint_types import state_types
from state.stores.postgres_connections import BoundedAsyncConnection

T = TypeVar("T")
STORE = "checkpoints"

HeldLease = Callable[[str], Lease | None]
"""The lease under which this process executes the thread; None: it holds none (yet), and is not fenced."""

_writing: ContextVar[Lease | None] = ContextVar("writing", default=None)
_EPOCH = "SELECT lease_epoch FROM run WHERE run_id = %s FOR SHARE"
"""Locked until the write is committed: nobody takes the lease in between."""


class PostgresCheckpoints(AsyncPostgresSaver):
    """LangGraph's saver on a pool of bounded connections; ``held`` fences its writes."""

    def __init__(self, pool: "AsyncConnectionPool[BoundedAsyncConnection]", held: HeldLease | None = None) -> None:
        serde = JsonPlusSerializer(allowed_msgpack_modules=state_types())
        super().__init__(pool, serde=serde)  # type: ignore[arg-type]  # LangGraph names psycopg's own connection class
        self._pool = pool
        self._held = held

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint named, or the thread's newest; None if there is none.

        Raises:
            TruthUnavailable: the database cannot be read.
        """
        with _as_truth("read"):
            return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Checkpoints, newest first.

        Raises:
            TruthUnavailable: the database cannot be read.
        """
        with _as_truth("list"):
            async for found in super().alist(config, filter=filter, before=before, limit=limit):
                yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save one checkpoint.

        Raises:
            TruthUnavailable: nothing was saved.
            LeaseLost: another process executes the thread; nothing was saved.
        """
        return await self._whole("put", config, super().aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save one task's pending writes.

        Raises:
            TruthUnavailable: nothing was saved.
            LeaseLost: another process executes the thread; nothing was saved.
        """
        await self._whole("put_writes", config, super().aput_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete every checkpoint and write of the thread; an unknown thread is no error.

        Raises:
            TruthUnavailable: nothing was deleted.
        """
        with _as_truth("delete_thread"):
            await finish_before_cancel(_coroutine(super().adelete_thread(thread_id)))

    async def delete_older_than(self, days: float, *, now: datetime) -> int:
        """How many threads were deleted: those whose last checkpoint was written more than ``days`` before ``now``.

        Raises:
            TruthUnavailable: what was deleted until then stays deleted.
        """
        with _as_truth("delete_older_than"):
            async with self._cursor() as cursor:
                await cursor.execute("SELECT thread_id, MAX(checkpoint_id) AS newest FROM checkpoints GROUP BY 1")
                rows = await cursor.fetchall()
        old = older_threads(((row["thread_id"], row["newest"]) for row in rows), now - timedelta(days=days))
        for thread_id in old:
            await self.adelete_thread(thread_id)
        return len(old)

    async def _whole(self, operation: str, config: RunnableConfig, write: Awaitable[T]) -> T:
        token = _writing.set(self._held(config["configurable"]["thread_id"]) if self._held else None)
        try:
            with _as_truth(operation):
                return await finish_before_cancel(_coroutine(write))
        finally:
            _writing.reset(token)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """The saver's door to the database; ``pipeline`` is how it marks what writes."""
        async with self._pool.connection() as connection:
            if not pipeline:
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
                return
            async with (
                connection.pipeline(),
                connection.transaction(),
                connection.cursor(binary=True, row_factory=dict_row) as cursor,
            ):
                await _require_lease(cursor)
                yield cursor


async def _require_lease(cursor: AsyncCursor[DictRow]) -> None:
    lease = _writing.get()
    if lease is None:
        return
    await cursor.execute(_EPOCH, (lease.run_id,))
    row = await cursor.fetchone()
    if row is None or row["lease_epoch"] != lease.epoch:
        raise LeaseLost(lease.run_id)


async def _coroutine(work: Awaitable[T]) -> T:
    return await work


@contextmanager
def _as_truth(operation: str) -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, OSError) as error:
        raise TruthUnavailable(STORE, operation) from error
