"""Deletes what is older than it may be kept; a RUNNING run is never touched. Inside the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, exists, select
from sqlmodel import col

from state.model.enums import RunState
from state.model.ids import RunId
from state.stores.control_search import forget_questions
from state.stores.control_tables import (
    BudgetEntryTable,
    ChatSessionTable,
    PublicEventTable,
    PublishedEvidenceTable,
    RunTable,
)
from state.stores.service_tables import RunFeedbackTable

_HAS_ENDED = col(RunTable.run_state) != RunState.RUNNING


def ended_before(connection: Connection, limit: datetime, *, at_most: int) -> tuple[RunId, ...]:
    """Runs that ended at ``limit`` or earlier, oldest first."""
    query = select(col(RunTable.run_id)).where(_HAS_ENDED, col(RunTable.closed_at) <= limit)
    return tuple(RunId(run_id) for run_id in connection.scalars(query.order_by(col(RunTable.run_no)).limit(at_most)))


def delete_runs(connection: Connection, run_ids: Sequence[RunId]) -> int:
    """How many of the runs were deleted, with everything that is theirs."""
    ended = select(col(RunTable.run_id)).where(_HAS_ENDED, col(RunTable.run_id).in_(run_ids))
    gone = list(map(RunId, connection.scalars(ended.order_by(col(RunTable.run_no)).with_for_update())))
    forget_questions(connection, gone)
    for table in (BudgetEntryTable, PublicEventTable, PublishedEvidenceTable, RunFeedbackTable, RunTable):
        connection.execute(delete(table).where(col(table.run_id).in_(gone)))
    return len(gone)


def delete_empty_sessions(connection: Connection, limit: datetime, *, at_most: int) -> int:
    """How many sessions without a run were deleted.

    In two steps: a run may come into a session until it is locked, so that it is empty is asked once more after that.
    """
    has_runs = exists().where(col(RunTable.session_id) == col(ChatSessionTable.session_id))
    old_and_empty = (col(ChatSessionTable.opened_at) <= limit, ~has_runs)
    column = col(ChatSessionTable.session_id)
    found = select(column).where(*old_and_empty).limit(at_most).with_for_update(skip_locked=True)
    locked = list(connection.scalars(found))
    return connection.execute(delete(ChatSessionTable).where(column.in_(locked), *old_and_empty)).rowcount
