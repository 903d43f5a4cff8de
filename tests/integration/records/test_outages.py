"""A server in trouble is TruthUnavailable within bounds; audit and recording fail open; afterwards all is well again."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.model.run import Lease
from state.stores.records import RecordStores, open_records_database
from state.stores.records_upgrade import current, upgrade
from tests.contracts.samples import RUN, SteppingClock, a_lease, a_new_run, a_success, a_trace_event, facts, run_id
from tests.integration.records.outages import paused, read_only, started, started_again, with_password
from tests.integration.records.places import QUICK, Place, closing_engine, new_place


@pytest.fixture
async def stores(place: Place) -> AsyncIterator[RecordStores]:
    found = place.stores(limits=QUICK)
    await found.open()
    yield found
    await found.close()


async def assert_down(stores: RecordStores, *, n_readers: int = 1) -> None:
    """Truth fails closed, the rest open; everything at once, so that the bounds are waited for once."""
    lost, n_lost = await stores.audit.lost(RUN), stores.recording.n_lost
    found = await asyncio.gather(
        stores.control.open_run(a_new_run(facts(run_id(2))), "p1"),
        *(stores.control.get_run(RUN) for _ in range(n_readers)),
        stores.audit.record(a_lease(), a_trace_event("lost")),
        stores.recording.put(RUN, "lost", "a" * 64, "{}"),
        return_exceptions=True,
    )

    *truth, audited, recorded = found
    assert [type(error) for error in truth] == [TruthUnavailable] * (n_readers + 1)
    assert (audited, recorded) == (None, None)
    assert (await stores.audit.lost(RUN), stores.recording.n_lost) == (lost + 1, n_lost + 1)


async def assert_up(stores: RecordStores, lease: Lease) -> None:
    """The run goes on where it was, by the same stores."""
    await stores.audit.record(lease, a_trace_event("lost"))
    assert await stores.audit.lost(RUN) == 0
    assert (await stores.control.close(lease, a_success())).run_state == "SUCCESS"
    assert [stored.event.event_key for stored in await stores.audit.events(RUN)] == ["lost"]


async def test_a_paused_server(place: Place, stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    with paused(place.server):
        await assert_down(stores, n_readers=8)

    await assert_up(stores, lease)


async def test_a_killed_server(kind: str, tmp_path: Path) -> None:
    with started(kind, tmp_path) as server:
        place = new_place(server, kind).migrated()
        if kind == "mariadb":
            place.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1")  # its default: a commit outlives a crash
        stores = place.stores(limits=QUICK)
        lease = await stores.control.open_run(a_new_run(), "p1")
        server.kill()
        await assert_down(stores)
        with started_again(kind, server):
            await assert_up(stores, lease)
        await stores.close()


async def test_a_server_that_is_not_there(place: Place) -> None:
    url = place.url.replace(str(place.server.port), "1")
    stores = open_records_database(url, password=None, clock=SteppingClock(), limits=QUICK)

    with pytest.raises(TruthUnavailable):
        await stores.open()
    with pytest.raises(TruthUnavailable):
        upgrade(url, None, limits=QUICK)
    with pytest.raises(TruthUnavailable):
        current(url, None, limits=QUICK)
    await assert_down(stores)
    await stores.close()


async def test_a_wrong_password_is_refused_and_shown_nowhere(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    url = with_password(place, "right-secret")
    stores = open_records_database(url, password="wrong-secret", clock=SteppingClock(), limits=QUICK)

    with caplog.at_level(logging.DEBUG), pytest.raises(TruthUnavailable) as failure:
        await stores.open()

    shown = f"{failure.value} {failure.value.__cause__} {failure.value.__cause__!r} {caplog.text}"
    assert "secret" not in shown
    assert "control store: open failed: OperationalError" in caplog.text
    await assert_down(stores)
    await stores.close()


async def test_the_right_password_opens(place: Place) -> None:
    url = with_password(place, "right-secret:@/#?&密码")
    stores = open_records_database(url, password="right-secret:@/#?&密码", clock=SteppingClock())

    await stores.open()

    assert await stores.control.get_run(RUN) is None
    await stores.close()


async def test_a_server_that_takes_no_writes(place: Place) -> None:
    with read_only(place):
        stores = place.stores(limits=QUICK)
        await stores.open()

        with pytest.raises(TruthUnavailable):
            await stores.control.open_run(a_new_run(), "p1")
        await stores.audit.record(a_lease(), a_trace_event("lost"))
        assert await stores.audit.lost(RUN) == 1
        assert await stores.control.get_run(RUN) is None

    await assert_up(stores, await stores.control.open_run(a_new_run(), "p1"))
    await stores.close()


async def test_a_table_that_is_gone(place: Place, stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    place.run("ALTER TABLE run RENAME TO run_away")
    try:
        with pytest.raises(TruthUnavailable):
            await stores.control.get_run(RUN)
        with pytest.raises(TruthUnavailable):
            await stores.control.close(lease, a_success())
    finally:
        place.run("ALTER TABLE run_away RENAME TO run")

    assert await stores.control.public_events(RUN) == ()
    await assert_up(stores, lease)


async def test_a_row_somebody_keeps_locked(place: Place, stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    with closing_engine(place.admin()) as engine, engine.connect() as other:
        other.exec_driver_sql("BEGIN")
        other.exec_driver_sql("SELECT run_id FROM run FOR UPDATE").fetchall()

        with pytest.raises(TruthUnavailable):
            await stores.control.close(lease, a_success())
        assert (await stores.control.get_run(RUN)) is not None
        other.exec_driver_sql("ROLLBACK")

    await assert_up(stores, lease)


async def test_connections_the_server_ended_are_replaced(place: Place, stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    if place.kind == "postgres":
        place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rootproof'")
    else:
        with closing_engine(place.admin()) as engine, engine.connect() as admin:
            ids = admin.exec_driver_sql(
                f"SELECT id FROM information_schema.processlist WHERE db = '{place.name}' AND id <> CONNECTION_ID()"
            )
            for (connection_id,) in ids.fetchall():
                admin.exec_driver_sql(f"KILL {connection_id}")

    await assert_up(stores, lease)
