"""Who may execute a run: taking, renewing and losing the lease, and asking for a cancel.

Every function works inside the caller's write transaction and by the database's clock.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, func, select, update
from sqlmodel import col

from state.model.enums import CancellationReason, FailureCode, RunState
from state.model.errors import RunRefused
from state.model.ids import RunId
from state.model.run import Heartbeat, Lease, NewRun, RunRow
from state.stores.column_types import database_now
from state.stores.control_rows import insert_run, is_held_by, lock_run
from state.stores.control_search import keep_question
from state.stores.control_sessions import claim_session
from state.stores.control_tables import RunTable


def open_run(connection: Connection, new: NewRun, owner: str, *, lease_s: float) -> Lease:
    """The lease of the run, inserted now or already there.

    Raises:
        RunRefused: as the port says.
    """
    facts = new.facts
    stored = lock_run(connection, facts.run_id)
    if stored is None:
        claim_session(connection, facts.run_id, facts.session_id, facts.owner_key)
        lease = Lease(run_id=facts.run_id, owner=owner, epoch=1)
        keep_question(connection, insert_run(connection, new, lease, lease_s=lease_s), new.facts.query)
        return lease
    if stored.owner_key != facts.owner_key:
        raise RunRefused(facts.run_id, "it belongs to another key")
    return take_lease(connection, facts.run_id, owner, resume=False, lease_s=lease_s)


def take_lease(connection: Connection, run_id: RunId, owner: str, *, resume: bool, lease_s: float) -> Lease:
    """A free lease under the next epoch, or the unexpired one this owner holds.

    Raises:
        RunRefused: unknown, terminal, held by another owner, or resumed too often (then with a code).
    """
    row = lock_run(connection, run_id)
    if row is None or row.run_state is not RunState.RUNNING:
        raise RunRefused(run_id, "there is no such run" if row is None else f"it is over: {row.run_state}")
    if resume and row.resumes >= row.facts.limits.max_resumes and _is_free(connection, run_id):
        raise RunRefused(run_id, f"it was resumed {row.resumes} times already", code=FailureCode.INTERNAL_FAILURE)
    lease = Lease(run_id=run_id, owner=owner, epoch=row.lease_epoch + 1)
    if raise_epoch(connection, row, lease, _unleased(), resumes=int(resume), lease_s=lease_s):
        return lease
    if row.owner != owner:
        raise RunRefused(run_id, "another process executes it")
    return lease.model_copy(update={"epoch": row.lease_epoch})


def raise_epoch(
    connection: Connection, row: RunRow, lease: Lease, where: ColumnElement[bool], *, resumes: int, lease_s: float
) -> bool:
    """True if the run, still as ``row`` says and meeting ``where``, now belongs to ``lease``."""
    held_as_read = Lease(run_id=row.run_id, owner=row.owner, epoch=row.lease_epoch)
    taken = connection.execute(
        update(RunTable)
        .where(*is_held_by(held_as_read), where)
        .values(
            owner=lease.owner,
            lease_epoch=lease.epoch,
            lease_until=database_now(plus_s=lease_s),
            resumes=col(RunTable.resumes) + resumes,
        )
    )
    return taken.rowcount == 1


def drop_lease(connection: Connection, lease: Lease) -> None:
    """Expire the lease now; one that is lost stays as it is."""
    connection.execute(update(RunTable).where(*is_held_by(lease)).values(lease_until=database_now()))


def heartbeat(
    connection: Connection, leases: Sequence[Lease], active_ms: Mapping[RunId, int], *, lease_s: float
) -> Heartbeat:
    """Renew what is still held; what is not, and what was asked to stop."""
    lost = tuple(
        lease.run_id for lease in leases if not _renew(connection, lease, active_ms.get(lease.run_id, 0), lease_s)
    )
    return Heartbeat(lost=lost, cancels=_cancels(connection, [lease.run_id for lease in leases], lost))


def _renew(connection: Connection, lease: Lease, active_ms: int, lease_s: float) -> bool:
    values = {"lease_until": database_now(plus_s=lease_s), "active_ms": col(RunTable.active_ms) + active_ms}
    return connection.execute(update(RunTable).where(*is_held_by(lease)).values(values)).rowcount == 1


def _cancels(
    connection: Connection, run_ids: Sequence[RunId], lost: Sequence[RunId]
) -> dict[RunId, CancellationReason]:
    kept = [run_id for run_id in run_ids if run_id not in lost]
    asked = (col(RunTable.run_id).in_(kept), col(RunTable.cancel_reason).is_not(None))
    rows = connection.execute(select(col(RunTable.run_id), col(RunTable.cancel_reason)).where(*asked))
    return {RunId(row.run_id): CancellationReason(row.cancel_reason) for row in rows}


def request_cancel(connection: Connection, run_id: RunId, reason: CancellationReason) -> bool:
    """True if the run is RUNNING; it is then asked to stop, for the first reason given.

    A detached run is not asked because nobody watches it: it may have been detached since that was found.
    """
    where = [col(RunTable.run_id) == run_id, col(RunTable.run_state) == RunState.RUNNING]
    if reason is CancellationReason.CLIENT_DISCONNECTED:
        where.append(col(RunTable.detached).is_(False))
    changed = connection.execute(
        update(RunTable)
        .where(*where)
        .values(
            cancel_requested_at=func.coalesce(col(RunTable.cancel_requested_at), database_now()),
            cancel_reason=func.coalesce(col(RunTable.cancel_reason), reason),
        )
    )
    return changed.rowcount == 1


def is_interrupted() -> tuple[ColumnElement[bool], ...]:
    """Conditions of a run that nobody executes although it is not over."""
    return (col(RunTable.run_state) == RunState.RUNNING, _unleased())


def _unleased() -> ColumnElement[bool]:
    return col(RunTable.lease_until) <= database_now()


def _is_free(connection: Connection, run_id: RunId) -> bool:
    return (
        connection.scalar(select(col(RunTable.run_no)).where(col(RunTable.run_id) == run_id, _unleased())) is not None
    )
