"""One database behind one store: opened lazily in threads, transactions, and the map from vendor errors to ours.

A transaction of which the server kept nothing because of others (deadlock, the same key inserted first, a standby) is
run again as a whole, a few times. Nothing else is repeated.
"""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from state.model.errors import TruthUnavailable
from state.stores.blocking import WorkerThreads
from state.stores.sql_errors import code_of, for_the_log, may_repeat

T = TypeVar("T")
_log = logging.getLogger(__name__)

WRITES = "rootproof_writes"
"""Execution option of a connection that is going to write; SQLite then takes the write lock at BEGIN."""

REPEAT_AFTER_S = (0.005, 0.02, 0.08, 0.2)
"""Pauses before a transaction that others made fail is run again; after the last one it is unavailable."""

_UNUSABLE = (SQLAlchemyError, sqlite3.Error, OSError, ValidationError, json.JSONDecodeError)
"""Vendor errors, and rows that are not what we wrote."""


class Database:
    """Runs work inside transactions, in threads. The constructor touches nothing."""

    def __init__(self, store: str, open_engine: Callable[[], Engine], *, patience_s: float | None = None) -> None:
        """``patience_s``: work that found no free thread for so long fails instead of running late; None: never."""
        self._store = store
        self._open_engine = open_engine
        self._patience_s = patience_s
        self._threads = WorkerThreads(f"rootproof-{store}")
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._modes: dict[bool, Engine] = {}
        self._closed = False

    async def open(self) -> None:
        """Open now instead of at first use, so that a bad file or setting shows at start.

        Raises:
            TruthUnavailable: the database cannot be opened.
            Misconfigured: it is not of the version this program needs.
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
            TruthUnavailable: the database cannot be written. Nothing of ``work`` was kept, unless the connection to
                a server was lost while it committed: that nobody knows, so every write of ours is keyed.
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
        asked_at = time.monotonic()

        def patient() -> T:
            if self._patience_s is not None and time.monotonic() - asked_at > self._patience_s:
                raise TruthUnavailable(self._store, operation)
            return work()

        try:
            return await self._threads.run(patient)
        except _UNUSABLE as error:
            _log.warning("%s store: %s failed: %s", self._store, operation, for_the_log(error))
            raise TruthUnavailable(self._store, operation) from error

    def _transact(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        self._ready()
        for pause_s in REPEAT_AFTER_S:
            try:
                return self._once(work, writes=writes)
            except DBAPIError as error:
                if not may_repeat(error):
                    raise
                _log.info("%s store: run again after %s", self._store, code_of(error))
                time.sleep(pause_s)
        return self._once(work, writes=writes)

    def _once(self, work: Callable[[Connection], T], *, writes: bool) -> T:
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
