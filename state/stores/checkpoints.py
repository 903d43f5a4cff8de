"""Graph state in one SQLite file, by LangGraph's saver. Fails closed: errors of SQLite reach the runner as they are.

Three things are added to the saver:
only types the graph state names come back (whatever LANGGRAPH_STRICT_MSGPACK says), a cancelled write is finished first
(else its open transaction keeps the file locked), and a failed one is rolled back.
"""

import sqlite3
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from state.stores.blocking import WorkerThreads, finish_before_cancel
from state.stores.checkpoint_age import older_threads
from state.stores.checkpoint_types import state_types
from state.stores.sqlite_file import BUSY_TIMEOUT_S, make_private, set_wal

T = TypeVar("T")


class CheckpointFile(AsyncSqliteSaver):
    """LangGraph's SQLite saver that finishes or rolls back what it began."""

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save one checkpoint.

        Raises:
            Error: of sqlite3; nothing was saved.
        """
        return await self._whole(super().aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save one task's pending writes.

        Raises:
            Error: of sqlite3; nothing was saved.
        """
        await self._whole(super().aput_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete every checkpoint and write of the thread; an unknown thread is no error.

        Raises:
            Error: of sqlite3; nothing was deleted.
        """
        await self.setup()
        await self._whole(super().adelete_thread(thread_id))

    async def delete_older_than(self, days: float, *, now: datetime) -> int:
        """How many threads were deleted: those whose last checkpoint was written more than ``days`` before ``now``.

        Raises:
            Error: of sqlite3; what was deleted until then stays deleted.
        """
        await self.setup()
        async with self.conn.execute("SELECT thread_id, MAX(checkpoint_id) FROM checkpoints GROUP BY 1") as found:
            rows = await found.fetchall()
        old = older_threads(((str(thread), str(newest)) for thread, newest in rows), now - timedelta(days=days))
        for thread_id in old:
            await self.adelete_thread(thread_id)
        return len(old)

    async def _whole(self, write: Coroutine[object, object, T]) -> T:
        return await finish_before_cancel(self._or_roll_back(write))

    async def _or_roll_back(self, write: Coroutine[object, object, T]) -> T:
        try:
            return await write
        except sqlite3.Error:
            with suppress(sqlite3.Error, ValueError):  # ValueError: the connection is closed
                await self.conn.rollback()
            raise


@asynccontextmanager
async def open_checkpointer(path: Path) -> AsyncIterator[CheckpointFile]:
    """The checkpointer in ``path`` (0600, WAL, synchronous NORMAL), closed on exit. Not for several event loops.

    Raises:
        OSError: the file cannot be created.
        Error: of sqlite3; the file is no database or stays locked.
    """
    threads = WorkerThreads("rootproof-checkpoints", threads=1)
    await threads.run(lambda: _prepare(path))
    threads.shut_down()
    async with aiosqlite.connect(path, timeout=BUSY_TIMEOUT_S) as connection:
        await connection.execute("PRAGMA synchronous = NORMAL")
        saver = CheckpointFile(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=state_types()))
        await saver.setup()
        yield saver


def _prepare(path: Path) -> None:
    make_private(path)
    set_wal(path)
