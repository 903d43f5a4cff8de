"""Deletes what a service kept longer than it may. Inside the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, Delete, delete, exists
from sqlmodel import col

from state.model.served import CaseState
from state.stores.control_tables import RunTable
from state.stores.service_rows import REQUEST_KEPT_S
from state.stores.service_tables import AccessTable, AlertGroupTable, CaseTable, KeptRequestTable, RunFeedbackTable


def delete_old(connection: Connection, limit: datetime, *, now: datetime) -> int:
    """How many rows were deleted, of all tables."""
    return sum(connection.execute(statement).rowcount for statement in _old(limit, now))


def _old(limit: datetime, now: datetime) -> tuple[Delete, ...]:
    """A judgement of a run is deleted with it; what is left alone came in while it was being deleted."""
    judged, offered = RunFeedbackTable, CaseTable
    requests_end = now - timedelta(seconds=REQUEST_KEPT_S)
    return (
        delete(KeptRequestTable).where(col(KeptRequestTable.kept_at) <= requests_end),
        delete(AlertGroupTable).where(col(AlertGroupTable.claimed_at) <= limit),
        delete(AccessTable).where(col(AccessTable.at) <= limit),
        delete(judged).where(col(judged.at) <= limit, ~exists().where(col(RunTable.run_id) == col(judged.run_id))),
        delete(offered).where(
            col(offered.created_at) <= limit,
            col(offered.state) != CaseState.APPROVED,
            ~exists().where(col(RunTable.run_id) == col(offered.run_id)),
        ),
    )


def delete_cases_of(connection: Connection, doc_ids: Sequence[str]) -> int:
    """How many approved cases of these documents were deleted."""
    approved = (col(CaseTable.state) == CaseState.APPROVED, col(CaseTable.doc_id).in_(doc_ids))
    return connection.execute(delete(CaseTable).where(*approved)).rowcount
