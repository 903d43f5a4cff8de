"""Runs as rows: inserting, reading, and the test that a lease still holds.

Inside the caller's transaction.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Subquery, bindparam, insert, select, update
from sqlmodel import col

from state.model.enums import ContentType, Intent, ReleaseOutcome, RunState
from state.model.errors import LeaseLost
from state.model.ids import RunId, SessionId
from state.model.release import DiagnosisReport
from state.model.run import Lease, NewRun, PreviousTurn, RunRow
from state.stores.column_types import database_now
from state.stores.control_tables import RunTable, plain_columns

_ROW_COLUMNS = plain_columns(RunTable, RunRow.model_fields)
_RUN = select(*_ROW_COLUMNS).where(col(RunTable.run_id) == bindparam("of_run"))
_HELD = (
    select(col(RunTable.run_no))
    .where(
        col(RunTable.run_id) == bindparam("of_run"),
        col(RunTable.run_state) == RunState.RUNNING,
        col(RunTable.lease_epoch) == bindparam("epoch"),
    )
    .with_for_update()
)
"""Statements of every step are built once: building one takes longer than running it."""


def find_run(connection: Connection, run_id: RunId) -> RunRow | None:
    """The run, or None."""
    row = connection.execute(_RUN, {"of_run": run_id}).mappings().one_or_none()
    return RunRow.model_validate(dict(row)) if row else None


def lock_run(connection: Connection, run_id: RunId) -> RunRow | None:
    """The run, or None; nobody else changes it until the transaction ends."""
    found = _fetch(connection, select(*_ROW_COLUMNS).where(col(RunTable.run_id) == run_id).with_for_update())
    return found[0] if found else None


def select_runs(connection: Connection, *where: ColumnElement[bool], newest: int | None = None) -> tuple[RunRow, ...]:
    """Runs that meet every condition, oldest first; with ``newest``, that many, newest first."""
    order = col(RunTable.run_no)
    query = select(*_ROW_COLUMNS).where(*where).limit(newest)
    return _fetch(connection, query.order_by(order if newest is None else order.desc()))


def newest_runs(connection: Connection, chosen: Subquery) -> tuple[RunRow, ...]:
    """The runs whose ``run_no`` is chosen, newest first."""
    order = col(RunTable.run_no)
    query = select(*_ROW_COLUMNS).join(chosen, chosen.c.run_no == order)
    return _fetch(connection, query.order_by(order.desc()))


def _fetch(connection: Connection, query: Select[Any]) -> tuple[RunRow, ...]:
    return tuple(RunRow.model_validate(dict(row)) for row in connection.execute(query).mappings())


def insert_run(connection: Connection, new: NewRun, lease: Lease, *, lease_s: float) -> int:
    """One RUNNING row, opened now, held by ``lease``; its number."""
    facts = new.facts
    inserted = connection.execute(
        insert(RunTable).values(
            run_id=facts.run_id,
            session_id=facts.session_id,
            owner_key=facts.owner_key,
            thread_id=new.thread_id,
            query=facts.query,
            language=facts.language,
            model=new.model,
            world=new.world,
            parent_run_id=facts.parent_run_id,
            fork_checkpoint=new.fork_checkpoint,
            intent=new.intent,
            facts=facts,
            owner=lease.owner,
            lease_epoch=lease.epoch,
            lease_until=database_now(plus_s=lease_s),
            opened_at=database_now(),
            run_state=RunState.RUNNING,
        )
    )
    number = inserted.inserted_primary_key
    assert number is not None, "every dialect tells the key of a row it numbered"
    return int(number[0])


def require_lease(connection: Connection, lease: Lease) -> None:
    """Return if this lease may write for its run, which then stays locked until the transaction ends.

    Raises:
        LeaseLost: the run is unknown, terminal, or held under another epoch.
    """
    if connection.scalar(_HELD, {"of_run": lease.run_id, "epoch": lease.epoch}) is None:
        raise LeaseLost(lease.run_id)


def set_intent(connection: Connection, lease: Lease, intent: str) -> None:
    """Record the routing decision.

    Raises:
        LeaseLost: the lease does not hold.
    """
    changed = connection.execute(update(RunTable).where(*is_held_by(lease)).values(intent=intent))
    if changed.rowcount != 1:
        raise LeaseLost(lease.run_id)


def is_held_by(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a row that this lease may write for."""
    return (
        col(RunTable.run_id) == lease.run_id,
        col(RunTable.run_state) == RunState.RUNNING,
        col(RunTable.lease_epoch) == lease.epoch,
    )


def last_success(connection: Connection, session_id: SessionId, owner_key: str) -> PreviousTurn | None:
    """The session's last released diagnosis of this key, bounded; None if there is none."""
    found = select_runs(
        connection,
        col(RunTable.session_id) == session_id,
        col(RunTable.owner_key) == owner_key,
        col(RunTable.intent) == Intent.DIAGNOSIS,
        col(RunTable.outcome) == ReleaseOutcome.SUCCESS,
        col(RunTable.content_type) == ContentType.DIAGNOSIS_REPORT,
        newest=1,
    )
    return as_previous_turn(found[0]) if found else None


def as_previous_turn(row: RunRow) -> PreviousTurn | None:
    """What a later run of the session may know of this one; None if it published no conclusion."""
    content = row.decision.content if row.decision else None
    if not isinstance(content, DiagnosisReport) or content.draft.conclusion is None:
        return None
    limits = content.draft.limitations
    sources = dict.fromkeys(view.scope.source for view in content.evidence)
    return PreviousTurn(
        query=row.query[:2000],
        conclusion=content.draft.conclusion.text[:2000],
        scope=limits.scope[:1000],
        limitations=tuple(text[:500] for text in limits.missing_info[:10]),
        sources=tuple(sources)[:10],
    )
