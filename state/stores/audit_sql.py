"""AuditLog over SQL. Fails open: a lost event is logged and counted, never an error. Reading fails closed."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from pydantic_core import to_json
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from state.model.enums import TraceEventType
from state.model.ids import RunId
from state.model.run import Lease
from state.model.trace import PHASE_OF, StoredTraceEvent, TraceEvent
from state.stores.audit_tables import AUDIT_SCHEMA, AuditTable
from state.stores.blocking import finish_before_cancel
from state.stores.database import Database
from state.stores.sequence_counter import SequenceCounter
from state.stores.sqlite_file import sqlite_database

BUSY_TIMEOUT_S = 1.0
"""Shorter than for stores of truth: a locked audit must not eat the deadline of a run."""

_TABLE = AuditTable.metadata.tables["trace_event"]
_OF_RUN = _TABLE.c.run_id == bindparam("of_run")
_FIND = select(_TABLE.c.sequence_no).where(_OF_RUN, _TABLE.c.event_key == bindparam("of_key"))
_HIGHEST = select(func.max(_TABLE.c.sequence_no)).where(_OF_RUN)
_TAKEN = select(_TABLE.c.sequence_no).where(_OF_RUN, _TABLE.c.sequence_no == bindparam("number"))
_INSERT = insert(_TABLE)
_EVENTS = select(*_TABLE.columns).where(_OF_RUN).order_by(_TABLE.c.sequence_no)
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

    async def delete_runs(self, run_ids: Sequence[RunId]) -> None:
        """Delete every event of these runs.

        Raises:
            TruthUnavailable: the audit cannot be written.
        """
        gone = delete(_TABLE).where(_TABLE.c.run_id.in_(run_ids))
        await self._database.write("delete_runs", lambda db: db.execute(gone))

    async def _record(self, lease: Lease, event: TraceEvent) -> None:
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        index = counter.draw(event.event_key, lease.epoch)
        try:
            await self._database.write("record", lambda db: _insert(db, lease, event, counter, index))
        except Exception as error:  # noqa: BLE001 - fails open whatever it is
            _log.warning("audit event %s of run %s lost: %r", event.type, lease.run_id, error)
            return
        counter.keep(event.event_key)
        if event.type is TraceEventType.RUN_FINISHED and not counter.n_lost:
            self._counters.pop(lease.run_id, None)


def _insert(db: Connection, lease: Lease, event: TraceEvent, counter: SequenceCounter, index: int) -> None:
    """Write the event unless its key is there. Its number may be taken by a holder that lost the lease meanwhile."""
    of_run: dict[str, object] = {"of_run": lease.run_id}
    if db.scalar(_FIND, of_run | {"of_key": event.event_key}) is not None:
        return
    highest = db.scalar(_HIGHEST, of_run) or 0
    number = counter.number(index, highest_stored=highest)
    if number <= highest and db.scalar(_TAKEN, of_run | {"number": number}) is not None:
        number = highest + 1
    values = event.model_dump() | {
        "run_id": lease.run_id,
        "sequence_no": number,
        "phase": PHASE_OF[event.type],
        "details": to_json(event.details).decode(),
        "lease_epoch": lease.epoch,
    }
    db.execute(_INSERT, values)


def _events(db: Connection, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
    return tuple(_as_stored(dict(row)) for row in db.execute(_EVENTS, {"of_run": run_id}).mappings())


def _as_stored(row: dict[str, object]) -> StoredTraceEvent:
    event = {name: row[name] for name in TraceEvent.model_fields} | {"details": json.loads(str(row["details"]))}
    return StoredTraceEvent.model_validate(
        {"run_id": row["run_id"], "sequence_no": row["sequence_no"], "phase": row["phase"], "event": event}
    )
