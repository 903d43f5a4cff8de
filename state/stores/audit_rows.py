"""Rows of the audit: adding one, and closing a run's timeline. Inside the caller's transaction.

Whoever adds an event or closes the timeline locks the run's row of ``audit_timeline`` first, so that after a closing
no event of an earlier holder comes in, whichever database it is.
"""

from dataclasses import asdict, fields

from sqlalchemy import BigInteger, Connection, bindparam, func, insert, select, type_coerce, update

from state.model.audit import AuditRow, Timeline
from state.model.ids import RunId
from state.model.run import Lease
from state.model.run_end import END_KEY, row_of
from state.model.trace import TraceEvent
from state.stores.audit_tables import AuditTable
from state.stores.sequence_counter import SequenceCounter

EVENTS = AuditTable.metadata.tables["trace_event"]
TIMELINES = AuditTable.metadata.tables["audit_timeline"]
_OF_RUN = EVENTS.c.run_id == bindparam("of_run")
_LOCK = (
    select(TIMELINES.c.fence_epoch, TIMELINES.c.end_no)
    .where(TIMELINES.c.run_id == bindparam("of_run"))
    .with_for_update()
)
_FIND = select(EVENTS.c.sequence_no).where(_OF_RUN, EVENTS.c.event_key == bindparam("of_key"))
_STANDING = select(func.max(EVENTS.c.sequence_no), _FIND.correlate(None).scalar_subquery()).where(_OF_RUN)
_HIGHEST = select(func.max(EVENTS.c.sequence_no)).where(_OF_RUN)
_TAKEN = select(EVENTS.c.sequence_no).where(_OF_RUN, EVENTS.c.sequence_no == bindparam("number"))
_COLUMNS = (
    type_coerce(EVENTS.c.at, BigInteger).label("at") if field.name == "at" else EVENTS.c[field.name]
    for field in fields(AuditRow)
)
"""As they are stored: a time that somebody altered must not keep its row from being read."""
_ROWS = select(*_COLUMNS).where(_OF_RUN).order_by(EVENTS.c.sequence_no, EVENTS.c.event_key)
_INSERT = insert(EVENTS)


def add_event(db: Connection, lease: Lease, event: TraceEvent, counter: SequenceCounter, index: int) -> None:
    """Write the event unless its key is there, or a later holder has closed the timeline."""
    fence_epoch, end_no = _lock(db, lease.run_id)
    if lease.epoch < fence_epoch:
        return
    highest, own = db.execute(_STANDING, {"of_run": lease.run_id, "of_key": event.event_key}).one()
    if own is not None:
        return
    number = counter.number(index, highest_stored=highest or 0)
    if event.event_key == END_KEY and lease.epoch == fence_epoch and end_no is not None:
        number = end_no
    if number <= (highest or 0) and db.scalar(_TAKEN, {"of_run": lease.run_id, "number": number}) is not None:
        number = highest + 1
    values = asdict(row_of(lease, number, event)) | {"at": event.at}
    db.execute(_INSERT, values)


def close_timeline(db: Connection, lease: Lease, counter: SequenceCounter) -> Timeline | None:
    """The rows as they are now, closed to earlier epochs; None if a later holder has closed it already."""
    fence_epoch, _ = _lock(db, lease.run_id)
    if lease.epoch < fence_epoch:
        return None
    highest = db.scalar(_HIGHEST, {"of_run": lease.run_id}) or 0
    end_no = max(highest + 1, counter.next_number(lease.epoch, highest_stored=highest))
    values = {"fence_epoch": lease.epoch, "end_no": end_no}
    db.execute(update(TIMELINES).where(TIMELINES.c.run_id == lease.run_id).values(values))
    rows = tuple(row for row in rows_of(db, lease.run_id) if row.event_key != END_KEY)
    return Timeline(rows=rows, end_no=end_no)


def rows_of(db: Connection, run_id: RunId) -> tuple[AuditRow, ...]:
    """Every row of the run as it is stored, in order."""
    return tuple(AuditRow(*row) for row in db.execute(_ROWS, {"of_run": run_id}))


def _lock(db: Connection, run_id: RunId) -> tuple[int, int | None]:
    """Fence and number of the last event; the row is this transaction's until it ends."""
    found = db.execute(_LOCK, {"of_run": run_id}).one_or_none()
    if found is not None:
        return found.fence_epoch, found.end_no
    db.execute(insert(TIMELINES).values(run_id=run_id, fence_epoch=0))
    return 0, None
