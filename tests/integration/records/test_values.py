"""What is written comes back, character by character, and ids are told apart, on every server."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import text

from state.model.enums import TraceEventType
from state.model.run import BudgetEntry, BudgetKind, PublicEventType
from state.model.served import RunFilter
from state.stores.column_types import database_now
from state.stores.records import RecordStores
from tests.contracts.samples import RUN, a_lease, a_new_run, a_trace_event, facts, run_id
from tests.integration.records.places import Place, closing_engine

TEXTS = [
    "支付超时 😀 🈺",
    "nul \x00 in the middle\x00",
    "\x00",
    "\ue0f0 \ue0f00 \ue0f01\x00 \ue0f0",
    "quotes ' \" ` \\ \\0 %s %(a)s :name $1 --",
    "line\r\nline\t\x1b[0m\x7f\u2028\ufeff",
    "e\u0301 é İ ß",
    "x" * 300_000,
]


@pytest.fixture
async def stores(place: Place) -> AsyncIterator[RecordStores]:
    found = place.stores()
    yield found
    await found.close()


@pytest.mark.parametrize("written", TEXTS, ids=range(len(TEXTS)))
async def test_a_text_comes_back_as_it_was(stores: RecordStores, written: str) -> None:
    lease = await stores.control.open_run(a_new_run(facts(query=written)), "p1")
    await stores.control.offer_event(lease, "k", PublicEventType.STATUS, {"text": written, "n": 2**63, "f": 1e-320})
    await stores.recording.put(RUN, "agent:1:1", "a" * 64, written)

    row = await stores.control.get_run(RUN)
    (event,) = await stores.control.public_events(RUN)
    assert row is not None
    assert (row.query, row.facts.query) == (written, written)
    assert event.payload == {"text": written, "n": 2**63, "f": 1e-320}
    assert await stores.recording.get(RUN, "agent:1:1") == ("a" * 64, written)


async def test_ids_differ_by_case_accent_and_kana(stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    keys = ["key", "KEY", "kéy", "ke\u0301y", "straße", "strasse", "は", "ば", "ハ", "😀", "😁"]
    for key in keys:
        assert await stores.control.offer_event(lease, key, PublicEventType.STATUS, {}) is not None

    assert [event.event_key for event in await stores.control.public_events(RUN)] == keys


async def test_sessions_differ_by_case(stores: RecordStores) -> None:
    await stores.control.open_run(a_new_run(facts(run_id(1), session="Session")), "p1")
    await stores.control.open_run(a_new_run(facts(run_id(2), session="session", owner_key="other")), "p1")

    assert [row.run_id for row in await stores.control.list_runs(RunFilter(session_id="session"))] == [run_id(2)]


async def test_the_longest_keys_fit(stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(facts(session="s" * 64, owner_key="😀" * 200)), "p1")
    key = "😀" * 200
    entry = BudgetEntry(run_id=RUN, kind=BudgetKind.TOOL_CALL, key=key, component=key, reserved=2**40)
    await stores.control.reserve(lease, entry)
    await stores.control.offer_event(lease, key, PublicEventType.STATUS, {})
    await stores.audit.record(lease, a_trace_event(key, TraceEventType.TOOL_INVOCATION))
    await stores.recording.put(RUN, key, "a" * 64, "{}")

    assert await stores.control.entries(RUN) == (entry,)
    assert await stores.audit.lost(RUN) == 0
    assert await stores.recording.get(RUN, key) is not None


async def test_what_is_longer_than_its_column_is_refused_not_cut(stores: RecordStores) -> None:
    await stores.audit.record(a_lease(), a_trace_event().model_copy(update={"event_key": "k" * 201}))

    assert await stores.audit.lost(RUN) == 1
    assert await stores.audit.events(RUN) == ()


async def test_counts_of_more_than_32_bits_are_kept(stores: RecordStores) -> None:
    lease = await stores.control.open_run(a_new_run(), "p1")
    await stores.control.heartbeat([lease], {RUN: 2**40})
    await stores.control.heartbeat([lease], {RUN: 1})

    row = await stores.control.get_run(RUN)
    assert row is not None
    assert row.active_ms == 2**40 + 1


def test_the_clock_is_the_servers_and_utc_whatever_zone_it_is_set_to(place: Place) -> None:
    zone = "SET TIME ZONE 'Asia/Kathmandu'" if place.kind == "postgres" else "SET time_zone = '+05:45'"
    epoch = "SELECT EXTRACT(EPOCH FROM now())" if place.kind == "postgres" else "SELECT UNIX_TIMESTAMP()"
    with closing_engine(place.admin()) as engine, engine.connect() as connection:
        connection.exec_driver_sql(zone)
        seconds = float(connection.scalar(text(epoch)) or 0.0)
        now, later = connection.execute(database_now().select().add_columns(database_now(plus_s=30.5))).one()

    assert abs(now.timestamp() - seconds) < 2.0
    assert abs((later - now) - timedelta(seconds=30.5)) < timedelta(seconds=1)
