"""Canonical records, fences and placeholders as rows.

Inside the caller's transaction; ``now`` decides what is expired.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime

from sqlalchemy import Connection, Engine, Table, bindparam, delete, distinct, func, insert, select, update

from state.model.errors import LeaseLost
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.run import Lease
from state.stores.canonical_rules import copied
from state.stores.canonical_tables import FENCE, PLACEHOLDER, RECORD

_COLUMNS = tuple(RECORD.c[name] for name in CanonicalRecord.model_fields)
_OF_RUN = (RECORD.c.run_id == bindparam("of_run"), RECORD.c.expires_at > bindparam("now"))
_LIVE = select(*_COLUMNS).where(*_OF_RUN).order_by(RECORD.c.record_no)
_LIVE_ONE = select(*_COLUMNS).where(*_OF_RUN, RECORD.c.tool_call_id == bindparam("of_call"))
_SAME = (RECORD.c.run_id == bindparam("of_run"), RECORD.c.tool_call_id == bindparam("of_call"))
_DELETE = delete(RECORD).where(*_SAME)
_INSERT = insert(RECORD)
_UPDATE = update(RECORD).where(*_SAME)
_EPOCH = select(FENCE.c.epoch).where(FENCE.c.run_id == bindparam("of_run"))


def raise_fence(db: Connection, lease: Lease, expires_at: datetime) -> None:
    """Only this epoch or a higher one may write from now on; the fence stands until ``expires_at``."""
    epoch = db.scalar(_EPOCH, {"of_run": lease.run_id})
    if epoch is None:
        db.execute(insert(FENCE).values(run_id=lease.run_id, epoch=lease.epoch, expires_at=expires_at))
        return
    raised = {"epoch": max(epoch, lease.epoch), "expires_at": expires_at}
    db.execute(update(FENCE).where(FENCE.c.run_id == lease.run_id).values(raised))


def require_fence(db: Connection, lease: Lease, expires_at: datetime) -> None:
    """Return if the lease may write. A higher epoch that writes raises the fence: after it, no lower one may.

    Raises:
        LeaseLost: the fence is above the lease's epoch.
    """
    epoch = db.scalar(_EPOCH, {"of_run": lease.run_id})
    if epoch is not None and epoch > lease.epoch:
        raise LeaseLost(lease.run_id)
    if epoch is None or epoch < lease.epoch:
        raise_fence(db, lease, expires_at)


def find_record(db: Connection, run_id: RunId, tool_call_id: ToolCallId, now: datetime) -> CanonicalRecord | None:
    """The live record, or None."""
    row = db.execute(_LIVE_ONE, {"of_run": run_id, "of_call": tool_call_id, "now": now}).mappings().one_or_none()
    return CanonicalRecord.model_validate(dict(row)) if row else None


def live_records(db: Connection, run_id: RunId, now: datetime) -> tuple[CanonicalRecord, ...]:
    """Live records of the run in the order they were begun."""
    rows = db.execute(_LIVE, {"of_run": run_id, "now": now}).mappings()
    return tuple(CanonicalRecord.model_validate(dict(row)) for row in rows)


def raw_of(db: Connection, run_id: RunId, tool_call_id: ToolCallId, now: datetime) -> str | None:
    """Raw result of a live record, or None."""
    return db.scalar(
        select(RECORD.c.raw_json).where(
            RECORD.c.run_id == run_id, RECORD.c.tool_call_id == tool_call_id, RECORD.c.expires_at > now
        )
    )


def insert_record(db: Connection, record: CanonicalRecord, *, raw_json: str | None) -> None:
    """Insert a record whose id no live record has; an expired one not swept yet makes room."""
    db.execute(_DELETE, {"of_run": record.run_id, "of_call": record.tool_call_id})
    db.execute(_INSERT, record.model_dump() | {"raw_json": raw_json})


def replace_record(db: Connection, record: CanonicalRecord, raw_json: str | None) -> CanonicalRecord:
    """Overwrite all but the times; returns the record."""
    values = record.model_dump(exclude={"begun_at", "expires_at"}) | {"raw_json": raw_json}
    db.execute(_UPDATE, values | {"of_run": record.run_id, "of_call": record.tool_call_id})
    return record


def placeholders_of(db: Connection, run_id: RunId, now: datetime) -> dict[str, str]:
    """Live placeholders with their values."""
    return {name: value for name, (value, _) in _live_placeholders(db, run_id, now).items()}


def _live_placeholders(db: Connection, run_id: RunId, now: datetime) -> dict[str, tuple[str, datetime]]:
    columns = (PLACEHOLDER.c.placeholder, PLACEHOLDER.c.value, PLACEHOLDER.c.expires_at)
    rows = db.execute(select(*columns).where(PLACEHOLDER.c.run_id == run_id, PLACEHOLDER.c.expires_at > now))
    return {row.placeholder: (row.value, row.expires_at) for row in rows}


def keep_placeholders(db: Connection, run_id: RunId, added: Mapping[str, tuple[str, datetime]]) -> None:
    """Insert those (value, expiry) whose placeholder is not there yet."""
    there = set(db.scalars(select(PLACEHOLDER.c.placeholder).where(PLACEHOLDER.c.run_id == run_id)))
    rows = [
        {"run_id": run_id, "placeholder": name, "value": value, "expires_at": expires_at}
        for name, (value, expires_at) in added.items()
        if name not in there
    ]
    if rows:
        db.execute(insert(PLACEHOLDER), rows)


def copy_records(db: Connection, source: RunId, lease: Lease, ids: Sequence[ToolCallId], now: datetime) -> None:
    """Copy finished records with raw results and placeholders; what the run has already stays.

    Raises:
        ResultsGone: one of ``ids`` is missing, expired or PROJECTING; nothing was copied.
    """
    for record in copied(source, lease, ids, live_records(db, source, now)):
        if find_record(db, record.run_id, record.tool_call_id, now) is None:
            insert_record(db, record, raw_json=raw_of(db, source, record.tool_call_id, now))
    keep_placeholders(db, lease.run_id, _live_placeholders(db, source, now))


def delete_expired(db: Connection, now: datetime) -> int:
    """How many records, fences and placeholder maps were deleted."""
    maps = db.scalar(select(func.count(distinct(PLACEHOLDER.c.run_id))).where(PLACEHOLDER.c.expires_at <= now)) or 0
    _delete_from(db, PLACEHOLDER, now)
    return maps + _delete_from(db, RECORD, now) + _delete_from(db, FENCE, now)


def _delete_from(db: Connection, table: Table, now: datetime) -> int:
    return db.execute(delete(table).where(table.c.expires_at <= now)).rowcount


def empty_log(engine: Engine) -> None:
    """Copy the log into the file and cut it: deleted text would stay readable in it.

    A reader in the way delays it to the next sweep.
    """
    with closing(engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
