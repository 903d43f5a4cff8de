"""The last event of an ended run: everything in it follows from the run's row and ledger. Pure."""

from datetime import UTC, datetime, timedelta

from pydantic_core import to_json

from state.model.audit import AuditRow
from state.model.enums import TraceEventType
from state.model.run import BudgetUsage, Lease, RunRow
from state.model.trace import PHASE_OF, TraceEvent

END_KEY = "run:finished"
"""Key of the last event of every run."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def past_lease(row: RunRow) -> Lease:
    """The lease under which the run was closed; good for the audit and as a fence, not for control writes."""
    return Lease(run_id=row.run_id, owner=row.owner, epoch=row.lease_epoch)


def end_event(row: RunRow, usage: BudgetUsage) -> TraceEvent:
    """What RUN_FINISHED says of this run.

    Raises:
        ValueError: the run has not ended.
    """
    if row.closed_at is None:
        raise ValueError(f"run {row.run_id} has not ended")
    return TraceEvent(
        event_key=END_KEY,
        type=TraceEventType.RUN_FINISHED,
        node="close_run",
        at=row.closed_at,
        details={
            "run_state": row.run_state.value,
            "outcome": row.outcome.value if row.outcome else None,
            "failure_code": row.failure_code.value if row.failure_code else None,
            "model_calls": usage.model_calls,
            "tool_calls": usage.tool_calls,
            "total_tokens": usage.tokens,
            "usage_unavailable": usage.usage_unavailable,
            "audit_lost": row.audit_lost,
        },
    )


def row_of(lease: Lease, number: int, event: TraceEvent) -> AuditRow:
    """The row of the audit that records this event under this number."""
    return AuditRow(
        run_id=lease.run_id,
        sequence_no=number,
        event_key=event.event_key,
        phase=PHASE_OF[event.type].value,
        type=event.type.value,
        node=event.node,
        at=(event.at - _EPOCH) // timedelta(microseconds=1),
        duration_ms=event.duration_ms,
        details=to_json(event.details).decode(),
        lease_epoch=lease.epoch,
    )
