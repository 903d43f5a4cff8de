"""How a run ends: one conditional update decides, and only with it anything becomes public.

Node, runner and sweeper close through the same function. Inside the caller's write transaction.
"""

from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update
from sqlmodel import col

from state.model.audit import AuditStock
from state.model.enums import RunState
from state.model.errors import LeaseLost, TruthUnavailable
from state.model.ids import RunId
from state.model.release import EvidenceView, ReleaseDecision
from state.model.run import Closing, Lease, RunRow
from state.stores.column_types import database_now
from state.stores.control_audit import digest_columns
from state.stores.control_events import append_frame
from state.stores.control_lease import is_interrupted, raise_epoch
from state.stores.control_rows import find_run, is_held_by, select_runs
from state.stores.control_tables import PublishedEvidenceTable, RunTable
from state.stores.publication import cancelled, cited_evidence, closing_frames, expired

SWEEPER = "sweeper"
"""Owner named on a run that the sweeper closed."""


def close_run(connection: Connection, lease: Lease, closing: Closing) -> RunRow:
    """The row after the attempt; see the port.

    Raises:
        LeaseLost: another holder executes the run.
        ValueError: the decision is no legal end.
    """
    if closing.cancelled is not None:
        won = _finish(connection, lease, closing, cancelled(closing.decision))
    else:
        won = _finish(connection, lease, closing, closing.decision) or _overtaken(connection, lease, closing)
    row = _stored(connection, lease.run_id)
    if not won and row.run_state is RunState.RUNNING:
        raise LeaseLost(lease.run_id)
    return row


def _overtaken(connection: Connection, lease: Lease, closing: Closing) -> bool:
    """The same transaction once more, as CANCELLED: changes a row only if a cancel request stood in the way."""
    reason = _stored(connection, lease.run_id).cancel_reason
    if reason is None:
        return False
    return _finish(connection, lease, closing.model_copy(update={"cancelled": reason}), cancelled(closing.decision))


def _finish(connection: Connection, lease: Lease, closing: Closing, decision: ReleaseDecision) -> bool:
    """True if this call ended the run; then its frames and evidence are written too."""
    frames = closing_frames(decision)
    if not _win(connection, lease, closing, decision):
        return False
    for frame in frames:
        append_frame(connection, lease.run_id, frame)
    _publish(connection, lease.run_id, cited_evidence(decision.content))
    return True


def _win(connection: Connection, lease: Lease, closing: Closing, decision: ReleaseDecision) -> bool:
    where = list(is_held_by(lease))
    if closing.cancelled is None:
        where.append(col(RunTable.cancel_requested_at).is_(None))
    closed_at = connection.scalar(select(database_now()))
    terminal = {**_terminal_columns(decision), "closed_at": closed_at, "audit_lost": closing.audit.lost}
    values = terminal | _closing_columns(closing) | digest_columns(connection, lease, closing.audit, terminal)
    return connection.execute(update(RunTable).where(*where).values(values)).rowcount == 1


def _terminal_columns(decision: ReleaseDecision) -> dict[str, object]:
    return {
        "run_state": decision.run_state,
        "outcome": decision.outcome,
        "content_type": decision.content_type,
        "fallback_type": decision.fallback_type,
        "stop_reason": decision.stop_reason,
        "failure_code": decision.failure_code,
        "decision": decision,
    }


def _closing_columns(closing: Closing) -> dict[str, object]:
    columns: dict[str, object] = {}
    if closing.intent is not None:
        columns["intent"] = closing.intent
    if closing.cancelled is not None:
        columns["cancel_requested_at"] = func.coalesce(col(RunTable.cancel_requested_at), database_now())
        columns["cancel_reason"] = func.coalesce(col(RunTable.cancel_reason), closing.cancelled)
    return columns


def _publish(connection: Connection, run_id: RunId, views: tuple[EvidenceView, ...]) -> None:
    rows = [
        {"run_id": run_id, "position": position, "tool_call_id": view.tool_call_id, "evidence": view}
        for position, view in enumerate(views)
    ]
    if rows:
        connection.execute(insert(PublishedEvidenceTable), rows)


def evidence_of(connection: Connection, run_id: RunId) -> tuple[EvidenceView, ...]:
    """What the released content cites, in its order; empty if nothing was released."""
    table = PublishedEvidenceTable
    query = select(col(table.evidence)).where(col(table.run_id) == run_id).order_by(col(table.position))
    return tuple(connection.scalars(query))


def runs_to_close(connection: Connection, *, max_run_age_s: float) -> tuple[RunRow, ...]:
    """Runs the sweeper must end, oldest first."""
    return select_runs(connection, _is_over_due(max_run_age_s))


def take_over_due(connection: Connection, row: RunRow, *, max_run_age_s: float) -> Lease | None:
    """The sweeper's lease on the run, free for others all the same; None: it is no longer due, or someone was faster.

    Its holder can write nothing more, so that what the audit holds from now on is all that there will be.
    """
    lease = Lease(run_id=row.run_id, owner=SWEEPER, epoch=row.lease_epoch + 1)
    taken = raise_epoch(connection, row, lease, _is_over_due(max_run_age_s), resumes=0, lease_s=0.0)
    return lease if taken else None


def close_over_due(connection: Connection, lease: Lease, stock: AuditStock) -> RunRow | None:
    """The row as closed under the sweeper's lease; None if another process took the run up meanwhile."""
    try:
        return close_run(connection, lease, Closing(decision=expired(), audit=stock))
    except LeaseLost:
        return None


def _is_over_due(max_run_age_s: float) -> ColumnElement[bool]:
    too_old = col(RunTable.opened_at) <= database_now(plus_s=-max_run_age_s)
    abandoned = and_(col(RunTable.cancel_requested_at).is_not(None), *is_interrupted())
    return and_(col(RunTable.run_state) == RunState.RUNNING, or_(too_old, abandoned))


def _stored(connection: Connection, run_id: RunId) -> RunRow:
    row = find_run(connection, run_id)
    if row is None:
        raise TruthUnavailable("control", "close")
    return row
