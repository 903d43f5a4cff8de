"""Checkpoints in PostgreSQL: kept exactly and strictly, written whole or not at all, and by the holder alone."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from state.model.diagnosis import DiagnosisState
from state.model.enums import Intent
from state.model.errors import LeaseLost, Misconfigured, TruthUnavailable
from state.model.progress import ProgressSnapshot
from state.model.run import Lease, RunFacts
from state.stores.checkpoint_age import written_at
from state.stores.checkpoints_postgres import HeldLease, PostgresCheckpoints
from state.stores.checkpoints_server import HEAD
from state.stores.postgres_checkpoints import checkpoints_version, open_postgres_checkpointer, upgrade_checkpoints
from tests.contracts.samples import RUN, a_lease, a_new_run, a_success, facts
from tests.integration.records.outages import paused
from tests.integration.records.places import QUICK, Place, new_place
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("postgres")


class Foreign(BaseModel):
    """A type no state names."""

    text: str


@pytest.fixture(scope="module")
def database(postgres_server: Server) -> Place:
    """Records and checkpoints in one."""
    place = new_place(postgres_server, "postgres").migrated()
    upgrade_checkpoints(place.url, None)
    return place


@pytest.fixture
def clean(database: Place) -> Place:
    database.clear()
    database.run("TRUNCATE checkpoints, checkpoint_blobs, checkpoint_writes")
    return database


@asynccontextmanager
async def opened(place: Place, held: HeldLease | None = None) -> AsyncIterator[PostgresCheckpoints]:
    async with open_postgres_checkpointer(place.url, password=None, held=held, limits=QUICK) as saver:
        yield saver


@pytest.fixture
async def saver(clean: Place) -> AsyncIterator[PostgresCheckpoints]:
    async with opened(clean) as found:
        yield found


def config(thread: str = "t", checkpoint_id: str | None = None) -> RunnableConfig:
    named = {"checkpoint_id": checkpoint_id} if checkpoint_id else {}
    return {"configurable": {"thread_id": thread, "checkpoint_ns": "", **named}}


def a_checkpoint(**values: object) -> Checkpoint:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = values
    checkpoint["channel_versions"] = dict.fromkeys(values, "1")
    return checkpoint


async def put(saver: PostgresCheckpoints, thread: str = "t", **values: object) -> str:
    checkpoint = a_checkpoint(**values)
    metadata = {"source": "loop", "step": 0, "parents": {}}
    await saver.aput(config(thread), checkpoint, metadata, checkpoint["channel_versions"])
    return checkpoint["id"]


async def values_of(saver: PostgresCheckpoints, thread: str = "t") -> dict[str, object] | None:
    found = await saver.aget_tuple(config(thread))
    return found.checkpoint["channel_values"] if found else None


async def set_state(state: DiagnosisState) -> DiagnosisState:
    return {
        "run": facts(),
        "intent": Intent.DIAGNOSIS,
        "progress": ProgressSnapshot(answered_tools=("query_logs",)),
        "decision": a_success().decision,
    }


async def test_graph_state_comes_back_as_it_was_from_another_checkpointer(clean: Place) -> None:
    builder = StateGraph(DiagnosisState)
    builder.add_node("set_state", set_state)
    builder.add_edge(START, "set_state")
    builder.add_edge("set_state", END)
    async with opened(clean) as saver:
        await builder.compile(checkpointer=saver).ainvoke({"query": "为什么 😀"}, config(), durability="sync")
    async with opened(clean) as saver:
        graph = builder.compile(checkpointer=saver)
        snapshot = await graph.aget_state(config())
        history = [found async for found in graph.aget_state_history(config())]

    assert snapshot.values == {"query": "为什么 😀"} | await set_state({})
    assert type(snapshot.values["run"]) is RunFacts
    assert len(history) == 3


async def test_a_foreign_type_never_comes_back(saver: PostgresCheckpoints) -> None:
    await put(saver, ours=facts(), foreign=Foreign(text="x"))

    values = await values_of(saver)

    assert values is not None
    assert {name: type(value).__name__ for name, value in values.items()} == {"ours": "RunFacts", "foreign": "dict"}


async def test_many_threads_are_written_at_once(saver: PostgresCheckpoints) -> None:
    await asyncio.gather(*(put(saver, f"t{number}", run=facts()) for number in range(24)))

    assert [await values_of(saver, f"t{number}") for number in range(24)] == [{"run": facts()}] * 24


async def test_a_deleted_thread_leaves_nothing(saver: PostgresCheckpoints, clean: Place) -> None:
    checkpoint_id = await put(saver, "gone", run=facts())
    await saver.aput_writes(config("gone", checkpoint_id), [("query", "y")], "task")
    await put(saver, "kept", run=facts())

    await saver.adelete_thread("gone")
    await saver.adelete_thread("unknown")

    async with await psycopg.AsyncConnection.connect(clean.url) as admin:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            found = await admin.execute(f"SELECT COUNT(*) FROM {table} WHERE thread_id = 'gone'")
            assert await found.fetchone() == (0,)
    assert await values_of(saver, "kept") == {"run": facts()}


async def test_threads_are_deleted_by_the_age_of_their_last_checkpoint(saver: PostgresCheckpoints) -> None:
    written = written_at(await put(saver, run=facts()))
    assert written is not None

    assert await saver.delete_older_than(7, now=written + timedelta(days=7)) == 0
    assert await saver.delete_older_than(7, now=written + timedelta(days=7, seconds=1)) == 1
    assert await values_of(saver) is None


async def test_a_write_the_server_refuses_is_truth_unavailable_and_leaves_nothing(
    saver: PostgresCheckpoints, clean: Place
) -> None:
    clean.run("ALTER TABLE checkpoints ADD CONSTRAINT no CHECK (thread_id <> 'bad')")
    try:
        with pytest.raises(TruthUnavailable) as failure:
            await put(saver, "bad", run=facts())
    finally:
        clean.run("ALTER TABLE checkpoints DROP CONSTRAINT no")

    assert (failure.value.store, failure.value.operation) == ("checkpoints", "put")
    async with await psycopg.AsyncConnection.connect(clean.url) as admin:
        assert await (await admin.execute("SELECT COUNT(*) FROM checkpoint_blobs")).fetchone() == (0,)
    await put(saver, "good", run=facts())


async def test_a_cancelled_write_is_finished_first(saver: PostgresCheckpoints, clean: Place) -> None:
    async with await psycopg.AsyncConnection.connect(clean.url) as other:
        await other.execute("LOCK TABLE checkpoints IN EXCLUSIVE MODE")
        task = asyncio.create_task(put(saver, run=facts()))
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await values_of(saver) == {"run": facts()}


async def test_a_paused_server_fails_closed_and_is_used_again_afterwards(
    saver: PostgresCheckpoints, clean: Place
) -> None:
    await put(saver, "before", run=facts())
    with paused(clean.server):
        found = await asyncio.gather(put(saver, "a"), put(saver, "b"), values_of(saver), return_exceptions=True)

    assert [type(error) for error in found] == [TruthUnavailable] * 3
    await put(saver, "after", run=facts())
    assert await values_of(saver, "before") == {"run": facts()}


async def test_connections_the_server_ended_are_replaced(saver: PostgresCheckpoints, clean: Place) -> None:
    await put(saver, run=facts())
    clean.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rootproof'")

    assert await values_of(saver) == {"run": facts()}


async def test_a_holder_that_lost_its_lease_writes_nothing(clean: Place) -> None:
    stores = clean.stores()
    mine = await stores.control.open_run(a_new_run(), "p1")
    async with opened(clean, lambda _: mine) as saver:
        checkpoint_id = await put(saver, RUN, intent=Intent.DIAGNOSIS)
        await stores.control.drop_lease(mine)
        await stores.control.take_lease(RUN, "p2")

        with pytest.raises(LeaseLost):
            await put(saver, RUN, intent=Intent.SYSTEM_CHAT)
        with pytest.raises(LeaseLost):
            await saver.aput_writes(config(RUN, checkpoint_id), [("query", "late")], "task")

        found = await saver.aget_tuple(config(RUN))
    assert found is not None
    assert (found.checkpoint["id"], found.pending_writes) == (checkpoint_id, [])
    await stores.close()


async def test_the_holder_writes_on_after_the_run_ended(clean: Place) -> None:
    stores = clean.stores()
    mine = await stores.control.open_run(a_new_run(), "p1")
    await stores.control.close(mine, a_success())
    async with opened(clean, lambda _: mine) as saver:
        await put(saver, RUN, run=facts())

        assert await values_of(saver, RUN) == {"run": facts()}
    await stores.close()


async def test_nobody_takes_the_lease_while_its_holder_writes(clean: Place) -> None:
    stores = clean.stores()
    mine: list[Lease] = [await stores.control.open_run(a_new_run(), "p1")]
    await stores.control.drop_lease(mine[0])
    async with opened(clean, lambda _: mine[0]) as saver, await psycopg.AsyncConnection.connect(clean.url) as other:
        await other.execute("LOCK TABLE checkpoints IN EXCLUSIVE MODE")
        writing = asyncio.create_task(put(saver, RUN, run=facts()))
        await asyncio.sleep(0.2)
        taking = asyncio.create_task(stores.control.take_lease(RUN, "p2"))
        await asyncio.sleep(0.2)
        assert not taking.done()
        await other.rollback()

        await writing
        assert await taking == a_lease(epoch=2, owner="p2")
    await stores.close()


async def test_missing_older_and_newer_tables_are_refused(postgres_server: Server) -> None:
    place = new_place(postgres_server, "postgres")
    with pytest.raises(Misconfigured, match="are missing; run `rootproof db upgrade`"):
        async with opened(place):
            pass
    assert upgrade_checkpoints(place.url, None) == (None, HEAD)
    assert checkpoints_version(place.url, None) == HEAD
    place.run(f"DELETE FROM checkpoint_migrations WHERE v = {HEAD}")
    with pytest.raises(Misconfigured, match="older version"):
        async with opened(place):
            pass
    assert upgrade_checkpoints(place.url, None) == (HEAD - 1, HEAD)
    place.run(f"INSERT INTO checkpoint_migrations VALUES ({HEAD + 1})")
    with pytest.raises(Misconfigured, match="newer version"):
        async with opened(place):
            pass
    with pytest.raises(Misconfigured, match="newer version"):
        upgrade_checkpoints(place.url, None)


def test_of_two_upgrades_at_once_one_works_and_the_other_finds_it_done(postgres_server: Server) -> None:
    place = new_place(postgres_server, "postgres")
    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(lambda _: upgrade_checkpoints(place.url, None), range(2)))

    assert sorted(results, key=str) == [(HEAD, HEAD), (None, HEAD)]


def test_an_index_whose_building_broke_off_is_built_again(postgres_server: Server) -> None:
    place = new_place(postgres_server, "postgres")
    upgrade_checkpoints(place.url, None)
    place.run(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'checkpoints_thread_id_idx'::regclass",
        "DELETE FROM checkpoint_migrations WHERE v > 5",
    )

    upgrade_checkpoints(place.url, None)

    with psycopg.connect(place.url) as admin:
        valid = admin.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = 'checkpoints_thread_id_idx'::regclass"
        )
        assert valid.fetchone() == (True,)


async def test_mysql_and_a_server_that_is_not_there_are_named(clean: Place) -> None:
    with pytest.raises(Misconfigured, match="no checkpoint store for MySQL"):
        async with open_postgres_checkpointer("mysql://root@127.0.0.1/x", password=None):
            pass
    with pytest.raises(TruthUnavailable):
        async with open_postgres_checkpointer("postgresql://u@127.0.0.1:1/x", password="secret", limits=QUICK):
            pass


async def test_langgraphs_conformance_suite_passes(clean: Place) -> None:
    conformance = pytest.importorskip("langgraph.checkpoint.conformance")

    @conformance.checkpointer_test(name="PostgresCheckpoints")
    async def checkpointer() -> AsyncIterator[PostgresCheckpoints]:
        async with opened(clean) as saver:
            yield saver

    report = await conformance.validate(checkpointer)

    assert report.passed_all_base(), report
