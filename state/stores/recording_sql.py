"""Recording over SQL. Fails open on write: a lost reply is logged and counted. Reading fails closed.

A reply lives ``ttl_s`` seconds of the given clock from its writing; reading never extends it.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, bindparam, delete, insert, select

from state.model.ids import RunId
from state.ports import Clock
from state.stores.blocking import finish_before_cancel
from state.stores.column_types import TABLE_OPTIONS, Instant, LongText
from state.stores.database import Database
from state.stores.recording_rules import RECORDING_TTL_S
from state.stores.schema import Schema
from state.stores.sqlite_file import sqlite_database

_log = logging.getLogger(__name__)

_METADATA = MetaData()
_REPLY = Table(
    "recorded_reply",
    _METADATA,
    Column("run_id", String(36), primary_key=True),
    Column("step", String(200), primary_key=True),
    Column("request_sha256", String(64), nullable=False),
    Column("reply_json", LongText, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
)
_REPLY.dialect_kwargs.update(TABLE_OPTIONS)
RECORDING_SCHEMA = Schema("recording", _METADATA)
_DELETE = delete(_REPLY).where(_REPLY.c.run_id == bindparam("of_run"), _REPLY.c.step == bindparam("of_step"))
_INSERT = insert(_REPLY)


def recording_database(path: Path) -> Database:
    """The database of a recording in one SQLite file, opened at first use."""
    return sqlite_database(path, RECORDING_SCHEMA, synchronous="NORMAL", secure_delete=True, busy_timeout_s=1.0)


class SqlRecording:
    """The port ``Recording``; contracts of its methods are written there."""

    def __init__(self, database: Database, clock: Clock, *, ttl_s: float = RECORDING_TTL_S) -> None:
        self._database = database
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)
        self.n_lost = 0
        """Replies this process could not write."""

    def lasting(self, ttl_s: float) -> "SqlRecording":
        """A recording in the same rows whose replies live ``ttl_s`` seconds; closed with this one."""
        return SqlRecording(self._database, self._clock, ttl_s=ttl_s)

    async def open(self) -> None:
        """Open the database now.

        Raises:
            TruthUnavailable: it cannot be opened.
            Misconfigured: it is not of the version this program needs.
        """
        await self._database.open()

    async def close_store(self) -> None:
        """Close the database."""
        await self._database.close()

    async def put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        """See the port; a step recorded again is replaced."""
        await finish_before_cancel(self._put(run_id, step, request_sha256, reply_json))

    async def get(self, run_id: RunId, step: str) -> tuple[str, str] | None:
        """See the port; None also once expired."""
        now = self._clock.now()
        return await self._database.read("get", lambda db: _find(db, run_id, step, now))

    async def sweep(self) -> int:
        """How many expired replies were deleted.

        Raises:
            TruthUnavailable: the database cannot be written.
        """
        now = self._clock.now()
        expired = delete(_REPLY).where(_REPLY.c.expires_at <= now)
        return await self._database.write("sweep", lambda db: db.execute(expired).rowcount)

    async def delete_runs(self, run_ids: Sequence[RunId]) -> None:
        """Delete every reply of these runs.

        Raises:
            TruthUnavailable: the database cannot be written.
        """
        gone = delete(_REPLY).where(_REPLY.c.run_id.in_(run_ids))
        await self._database.write("delete_runs", lambda db: db.execute(gone))

    async def _put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        reply = {
            "run_id": run_id,
            "step": step,
            "request_sha256": request_sha256,
            "reply_json": reply_json,
            "expires_at": self._clock.now() + self._ttl,
        }
        try:
            await self._database.write("put", lambda db: _replace(db, reply))
        except Exception as error:  # noqa: BLE001 - fails open whatever it is
            self.n_lost += 1
            _log.warning("reply %s of run %s not recorded: %r", step, run_id, error)


def _replace(db: Connection, reply: dict[str, object]) -> None:
    db.execute(_DELETE, {"of_run": reply["run_id"], "of_step": reply["step"]})
    db.execute(_INSERT, reply)


def _find(db: Connection, run_id: RunId, step: str, now: datetime) -> tuple[str, str] | None:
    query = select(_REPLY.c.request_sha256, _REPLY.c.reply_json).where(
        _REPLY.c.run_id == run_id, _REPLY.c.step == step, _REPLY.c.expires_at > now
    )
    row = db.execute(query).one_or_none()
    return (row.request_sha256, row.reply_json) if row else None
