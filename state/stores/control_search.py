"""Lists of runs: every run that fits, page by page, newest first. Inside the caller's transaction.

What is asked for is found by narrow columns alone; the runs themselves are long, and only those of the page are read.
Words are looked for in a table of their own, folded by us: no two databases fold letters alike.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select
from sqlmodel import col

from state.model.ids import RunId
from state.model.run import RunRow
from state.model.served import RunFilter
from state.stores.control_rows import newest_runs
from state.stores.control_tables import RunQuestionTable, RunTable

_RUN_NO = col(RunTable.run_no)


def list_runs(connection: Connection, wanted: RunFilter, *, limit: int) -> tuple[RunRow, ...]:
    """The newest runs that meet every condition; empty where the run that ``before`` names is unknown."""
    found: Select[Any] = (
        select(_RUN_NO.label("run_no")).where(*_conditions(wanted)).order_by(_RUN_NO.desc()).limit(limit)
    )
    if wanted.words:
        found = found.join(RunQuestionTable, col(RunQuestionTable.run_no) == _RUN_NO)
    return newest_runs(connection, found.subquery())


def keep_question(connection: Connection, run_no: int, query: str) -> None:
    """What the run was asked can be found from now on."""
    connection.execute(insert(RunQuestionTable).values(run_no=run_no, folded=query.casefold()))


def forget_questions(connection: Connection, run_ids: list[RunId]) -> None:
    """Before the runs themselves are deleted."""
    numbers = select(_RUN_NO).where(col(RunTable.run_id).in_(run_ids))
    connection.execute(delete(RunQuestionTable).where(col(RunQuestionTable.run_no).in_(numbers)))


def _conditions(wanted: RunFilter) -> list[ColumnElement[bool]]:
    named: tuple[tuple[Any, object | None], ...] = (
        (RunTable.session_id, wanted.session_id),
        (RunTable.owner_key, wanted.owner_key),
        (RunTable.outcome, wanted.outcome),
    )
    conditions = [col(column) == value for column, value in named if value is not None]
    if wanted.before is not None:
        limit = select(_RUN_NO).where(col(RunTable.run_id) == wanted.before).scalar_subquery()
        conditions.append(_RUN_NO < limit)
    folded = col(RunQuestionTable.folded)
    return [*conditions, *(folded.contains(word, autoescape=True) for word in wanted.words)]
