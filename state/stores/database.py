"""One database behind one store: opened lazily in threads, transactions, and the map from vendor errors to ours."""

import json
import sqlite3
import threading
from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from state.model.errors import TruthUnavailable
from state.stores.blocking import WorkerThreads

T = TypeVar("T")

WRITES = "rootproof_writes"
"""Execution option of a connection that is going to write; SQLite then takes the write lock at BEGIN."""

_UNUSABLE = (SQLAlchemyError, sqlite3.Error, OSError, ValidationError, json.JSONDecodeError)
"""Vendor errors, and rows that are not what we wrote."""


class Database:
    """Runs work inside transactions, in threads. The constructor touches nothing."""

    def __init__(self, store: str, open_engine: Callable[[], Engine]) -> None:
        self._store = store
        self._open_engine = open_engine
        self._threads = WorkerThreads(f"rootproof-{store}")
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._modes: dict[bool, Engine] = {}
        self._closed = False

    async def open(self) -> None:
        """Open now instead of at first use, so that a bad file or setting shows at start.

        Raises:
            TruthUnavailable: the database cannot be opened.
            Misconfigured: it was written by a newer version.
        """
        await self._run("open", self._ready)

    async def read(self, operation: str, work: Callable[[Connection], T]) -> T:
        """What ``work`` returns, from one consistent snapshot.

        Raises:
            TruthUnavailable: the database cannot be read.
        """
        return await self._run(operation, lambda: self._transact(work, writes=False))

    async def write(self, operation: str, work: Callable[[Connection], T]) -> T:
        """What ``work`` returns once its transaction is committed; an exception of ours rolls it back and passes.

        Raises:
            TruthUnavailable: the database cannot be written; nothing of ``work`` was kept.
        """
        return await self._run(operation, lambda: self._transact(work, writes=True))

    async def outside(self, operation: str, work: Callable[[Engine], T]) -> T:
        """What ``work`` returns, for maintenance that cannot run inside a transaction.

        Raises:
            TruthUnavailable: the database cannot be used.
        """
        return await self._run(operation, lambda: work(self._ready()))

    async def close(self) -> None:
        """Close every connection; later use raises TruthUnavailable. Closing twice is no error."""
        if not self._closed:
            self._closed = True
            await self._threads.run(self._dispose)
            self._threads.shut_down()

    async def _run(self, operation: str, work: Callable[[], T]) -> T:
        if self._closed:
            raise TruthUnavailable(self._store, operation)
        try:
            return await self._threads.run(work)
        except _UNUSABLE as error:
            raise TruthUnavailable(self._store, operation) from error

    def _transact(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        self._ready()
        with self._modes[writes].begin() as connection:
            return work(connection)

    def _ready(self) -> Engine:
        with self._lock:
            if self._engine is None:
                opened = self._open_engine()
                self._modes = {writes: opened.execution_options(**{WRITES: writes}) for writes in (False, True)}
                self._engine = opened
            return self._engine

    def _dispose(self) -> None:
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
