"""AuditLog over SQL. Fails open: a lost event is logged and counted, never an error. Reading fails closed."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, bindparam, delete, select

from state.model.audit import AuditRow, Timeline
from state.model.enums import TraceEventType
from state.model.ids import RunId
from state.model.run import Lease
from state.model.trace import StoredTraceEvent, TraceEvent
from state.stores.audit_rows import EVENTS, TIMELINES, add_event, close_timeline, rows_of
from state.stores.audit_tables import AUDIT_SCHEMA
from state.stores.blocking import finish_before_cancel
from state.stores.database import Database
from state.stores.sequence_counter import SequenceCounter
from state.stores.sqlite_file import sqlite_database

BUSY_TIMEOUT_S = 1.0
"""Shorter than for stores of truth: a locked audit must not eat the deadline of a run."""

_EVENTS = select(*EVENTS.columns).where(EVENTS.c.run_id == bindparam("of_run")).order_by(EVENTS.c.sequence_no)
_log = logging.getLogger(__name__)


def audit_file(path: Path) -> "SqlAuditLog":
    """An audit log in one SQLite file, opened at first use."""
    return SqlAuditLog(sqlite_database(path, AUDIT_SCHEMA, synchronous="NORMAL", busy_timeout_s=BUSY_TIMEOUT_S))


class SqlAuditLog:
    """The port ``AuditLog``; contracts of its methods are written there."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counters: dict[RunId, SequenceCounter] = {}

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

    async def record(self, lease: Lease, event: TraceEvent) -> None:
        """See the port. A cancellation propagates once the write has ended and is counted right."""
        await finish_before_cancel(self._record(lease, event))

    async def lost(self, run_id: RunId) -> int:
        """See the port."""
        counter = self._counters.get(run_id)
        return counter.n_lost if counter else 0

    async def events(self, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
        """See the port."""
        return await self._database.read("events", lambda db: _events(db, run_id))

    async def close_timeline(self, lease: Lease) -> Timeline | None:
        """See the port."""
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        try:
            return await self._database.write("close_timeline", lambda db: close_timeline(db, lease, counter))
        except Exception as error:  # noqa: BLE001 - fails open whatever it is
            _log.warning("audit of run %s cannot be closed: %r", lease.run_id, error)
            return None

    async def rows(self, run_id: RunId) -> tuple[AuditRow, ...]:
        """See the port."""
        return await self._database.read("rows", lambda db: rows_of(db, run_id))

    async def delete_runs(self, run_ids: Sequence[RunId]) -> None:
        """Delete every event of these runs.

        Raises:
            TruthUnavailable: the audit cannot be written.
        """
        gone = [delete(table).where(table.c.run_id.in_(run_ids)) for table in (EVENTS, TIMELINES)]
        await self._database.write("delete_runs", lambda db: [db.execute(one) for one in gone])

    async def _record(self, lease: Lease, event: TraceEvent) -> None:
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        index = counter.draw(event.event_key, lease.epoch)
        try:
            await self._database.write("record", lambda db: add_event(db, lease, event, counter, index))
        except Exception as error:  # noqa: BLE001 - fails open whatever it is
            _log.warning("audit event %s of run %s lost: %r", event.type, lease.run_id, error)
            return
        counter.keep(event.event_key)
        if event.type is TraceEventType.RUN_FINISHED and not counter.n_lost:
            self._counters.pop(lease.run_id, None)


def _events(db: Connection, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
    return tuple(_as_stored(dict(row)) for row in db.execute(_EVENTS, {"of_run": run_id}).mappings())


def _as_stored(row: dict[str, object]) -> StoredTraceEvent:
    event = {name: row[name] for name in TraceEvent.model_fields} | {"details": json.loads(str(row["details"]))}
    return StoredTraceEvent.model_validate(
        {"run_id": row["run_id"], "sequence_no": row["sequence_no"], "phase": row["phase"], "event": event}
    )
