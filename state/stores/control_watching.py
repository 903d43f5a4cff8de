"""Who watches a run from outside, and which runs nobody watches any more. Inside the caller's transaction.

By the database's clock, so that processes whose clocks differ agree on how long nobody has watched.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, select, update
from sqlmodel import col

from state.model.enums import RunState
from state.model.ids import RunId
from state.stores.column_types import database_now
from state.stores.control_tables import RunTable

_IS_RUNNING = col(RunTable.run_state) == RunState.RUNNING
_GOES_ON = (_IS_RUNNING, col(RunTable.cancel_requested_at).is_(None))
"""Conditions of a run that is not over and that nobody asked to stop."""


def see_streams(connection: Connection, run_ids: Sequence[RunId]) -> None:
    """Somebody watches these runs now; one statement for all of them."""
    seen = update(RunTable).where(col(RunTable.run_id).in_(run_ids), _IS_RUNNING)
    connection.execute(seen.values(stream_seen_at=database_now()))


def detach(connection: Connection, run_id: RunId) -> bool:
    """True if the run goes on without anybody watching; one that was asked to stop does not."""
    detached = update(RunTable).where(col(RunTable.run_id) == run_id, *_GOES_ON).values(detached=True)
    return connection.execute(detached).rowcount == 1


def abandoned_runs(connection: Connection, *, grace_s: float) -> tuple[RunId, ...]:
    """Runs that were watched until ``grace_s`` seconds ago or earlier, oldest first."""
    unseen = (col(RunTable.detached).is_(False), col(RunTable.stream_seen_at) <= database_now(plus_s=-grace_s))
    query = select(col(RunTable.run_id)).where(*_GOES_ON, *unseen).order_by(col(RunTable.run_no))
    return tuple(RunId(run_id) for run_id in connection.scalars(query))
