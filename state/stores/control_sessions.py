"""Sessions: whose they are, and what was asked in them. Inside the caller's transaction."""

from typing import Any

from sqlalchemy import Connection, Subquery, func, insert, select
from sqlmodel import col

from state.model.errors import RunRefused
from state.model.ids import RunId, SessionId
from state.model.served import SessionSummary
from state.stores.column_types import database_now
from state.stores.control_tables import ChatSessionTable, RunTable

_OWNER = col(ChatSessionTable.owner_key)


def claim_session(connection: Connection, run_id: RunId, session_id: SessionId, owner_key: str) -> None:
    """Open the session for this key, or find it opened by it.

    It stays locked until the run is in it, else its deletion as an empty one could come between.

    Raises:
        RunRefused: another key opened it.
    """
    of_session = col(ChatSessionTable.session_id) == session_id
    opened_by = connection.scalar(select(_OWNER).where(of_session).with_for_update())
    if opened_by is None:
        values = {"session_id": session_id, "owner_key": owner_key, "opened_at": database_now()}
        connection.execute(insert(ChatSessionTable).values(values))
    elif opened_by != owner_key:
        raise RunRefused(run_id, "its session belongs to another key")


def session_owner(connection: Connection, session_id: SessionId) -> str | None:
    """The key that opened the session; None if there is none."""
    return connection.scalar(select(_OWNER).where(col(ChatSessionTable.session_id) == session_id))


def list_sessions(connection: Connection, *, owner_key: str | None, limit: int) -> tuple[SessionSummary, ...]:
    """Sessions, of one key if named: the one asked in last first, those without a run at the end."""
    listed = _newest_sessions(owner_key, limit).c
    columns: tuple[Any, ...] = (
        listed.session_id,
        listed.owner_key,
        listed.opened_at,
        listed.runs,
        col(RunTable.opened_at).label("last_opened_at"),
        func.coalesce(col(RunTable.query), "").label("last_query"),
    )
    query = select(*columns).outerjoin(RunTable, col(RunTable.run_no) == listed.newest)
    query = query.order_by(listed.newest.desc(), listed.opened_at.desc(), listed.session_id)
    return tuple(SessionSummary.model_validate(dict(row)) for row in connection.execute(query).mappings())


def _newest_sessions(owner_key: str | None, limit: int) -> Subquery:
    """What to list, with the number of the newest run (0: none); the runs themselves are long, and read later."""
    run_no, session_id = col(RunTable.run_no), col(RunTable.session_id)
    counted: tuple[Any, ...] = (session_id, func.count().label("runs"), func.max(run_no).label("newest"))
    asked = select(*counted).group_by(session_id).subquery()
    newest, opened_at = func.coalesce(asked.c.newest, 0), col(ChatSessionTable.opened_at)
    columns: tuple[Any, ...] = (
        col(ChatSessionTable.session_id),
        _OWNER,
        opened_at,
        func.coalesce(asked.c.runs, 0).label("runs"),
        newest.label("newest"),
    )
    query = select(*columns).outerjoin(asked, asked.c.session_id == col(ChatSessionTable.session_id))
    if owner_key is not None:
        query = query.where(_OWNER == owner_key)
    return query.order_by(newest.desc(), opened_at.desc(), col(ChatSessionTable.session_id)).limit(limit).subquery()
