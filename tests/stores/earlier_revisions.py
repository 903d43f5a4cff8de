"""Databases as earlier revisions of the program made and filled them."""

from typing import Any

from sqlalchemy import Connection, text

from state.model.served import RunFilter
from state.stores.control_sql import SqlControlStore
from state.stores.migrations.upgrade import migrate
from state.stores.service_sql import SqlServiceStore
from tests.contracts.samples import OTHER_RUN, RUN, a_success, facts
from tests.contracts.service_store import a_judgement

LATER = 4_000_000_000_000_000
"""Microseconds: in the year 2096."""


def a_run_of_then(number: int = 7, run_id: str = RUN, *, is_over: bool = True) -> dict[str, Any]:
    """A row of the table ``run`` of revision 0001."""
    row = {
        "run_no": number, "run_id": run_id, "session_id": "s-1", "owner_key": "local", "thread_id": run_id,
        "query": "为什么？", "language": "zh", "model": "offline", "facts": facts().model_dump_json(), "owner": "p1",
        "lease_epoch": 3, "lease_until": LATER, "active_ms": 5, "opened_at": 1_700_000_000_000_001, "resumes": 1,
        "run_state": "RUNNING", "audit_lost": 2,
    }  # fmt: skip
    ended = {"closed_at": 1_700_000_000_000_002, "run_state": "SUCCESS", "outcome": "SUCCESS",
             "decision": a_success().decision.model_dump_json()}  # fmt: skip
    return row | ended if is_over else row


def make_0001(connection: Connection, components: tuple[str, ...]) -> None:
    """The tables of revision 0001, and what its program wrote: one run that is over and one that goes on."""
    migrate(connection, components, to="0001")
    for row in (a_run_of_then(), a_run_of_then(8, OTHER_RUN, is_over=False)):
        insert(connection, "run", row)
    insert(connection, "chat_session", {"session_id": "s-1", "owner_key": "local", "opened_at": 1})


def insert(connection: Connection, table: str, row: dict[str, Any]) -> None:
    quote = connection.dialect.identifier_preparer.quote
    names = ", ".join(quote(name) for name in row)
    marks = ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {quote(table)} ({names}) VALUES ({marks})"), row)


async def check_upgraded_from_0001(control: SqlControlStore, service: SqlServiceStore) -> None:
    """Fails unless what ``make_0001`` wrote is whole, and can be watched and judged; closes the stores."""
    over, going = await control.get_run(RUN), await control.get_run(OTHER_RUN)
    assert over is not None
    assert going is not None
    assert (over.decision, over.lease_epoch, over.audit_lost) == (a_success().decision, 3, 2)
    assert await control.audit_digest(RUN) is None
    assert (over.run_state, going.run_state, going.active_ms) == ("SUCCESS", "RUNNING", 5)
    assert [row.run_id for row in await control.list_runs(RunFilter(owner_key="local"))] == [OTHER_RUN, RUN]
    assert [row.run_id for row in await control.list_runs(RunFilter(words=("为什么",)))] == [OTHER_RUN, RUN]
    assert [session.runs for session in await control.list_sessions()] == [2]

    assert await control.abandoned_runs(grace_s=0.0) == ()
    await control.see_streams([RUN, OTHER_RUN])
    assert await control.abandoned_runs(grace_s=0.0) == (OTHER_RUN,)
    assert await control.detach(OTHER_RUN)
    assert await control.abandoned_runs(grace_s=0.0) == ()

    await service.put_feedback(a_judgement())
    assert await service.feedback(RUN) == (a_judgement(),)
    await service.close_store()
    await control.close_store()
