"""Statements on PostgreSQL only read, and end: at the server, in time, whatever happens."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.integration.sql.incident import OFFER, WallClock, as_postgres, ask, postgres_at, until
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server import Offer

pytestmark = pytest.mark.xdist_group("postgres")
SLEEP = unchecked("SELECT pg_sleep(300)")
BUSY = unchecked("SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b")
OURS = "FROM pg_stat_activity WHERE application_name = 'rootproof'"


@pytest.fixture(scope="module")
def source(postgres_shop: Server) -> Iterator[PostgresSqlSource]:
    found = asyncio.run(PostgresSqlSource.open(postgres_at(postgres_shop), OFFER, clock=WallClock()))
    yield found
    found.close()


def running(server: Server, words: str = "") -> int:
    (row,) = as_postgres(server, f"SELECT count(*) {OURS} AND query LIKE '%{words}%'")
    return int(str(row[0]))


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO app.customers (id) VALUES (99) RETURNING id",
        "UPDATE app.customers SET tier = 'x' RETURNING id",
        "CREATE TABLE app.mine AS SELECT 1",
        "SELECT nextval('app.counter')",
        "SELECT id INTO app.mine FROM app.customers",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT 1; INSERT INTO app.customers (id) VALUES (99); SELECT 1",
        "SELECT id FROM app.customers FOR UPDATE",
    ],
)
async def test_not_even_a_superuser_writes(postgres_shop: Server, source: PostgresSqlSource, sql: str) -> None:
    as_postgres(postgres_shop, "CREATE SEQUENCE IF NOT EXISTS app.counter")
    before = as_postgres(postgres_shop, "SELECT count(*), max(tier), to_regclass('app.mine') FROM app.customers")

    with pytest.raises(ToolFailed):
        await source.run(unchecked(sql), timeout_s=20, row_cap=10)

    assert (
        as_postgres(postgres_shop, "SELECT count(*), max(tier), to_regclass('app.mine') FROM app.customers") == before
    )


async def test_the_session_is_hardened(source: PostgresSqlSource) -> None:
    names = ("transaction_read_only", "lock_timeout", "search_path", "standard_conforming_strings", "TimeZone")

    found = await source.run(
        unchecked("SELECT " + ", ".join(f"current_setting('{name}')" for name in names)), timeout_s=20, row_cap=1
    )

    assert found.rows == (("on", "1s", "pg_catalog", "on", "UTC"),)


@pytest.mark.parametrize("statement", [SLEEP, BUSY], ids=["waiting", "computing"])
async def test_cancelling_ends_the_statement_at_the_server(
    postgres_shop: Server, source: PostgresSqlSource, statement: object
) -> None:
    task = asyncio.ensure_future(source.run(statement, timeout_s=60, row_cap=1))  # type: ignore[arg-type]
    await until(lambda: running(postgres_shop, "LIMIT 2") == 1)

    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

    assert task.cancelled()
    await until(lambda: running(postgres_shop) == 0)


async def test_cancelling_again_and_again_still_ends_it(postgres_shop: Server, source: PostgresSqlSource) -> None:
    task = asyncio.ensure_future(source.run(SLEEP, timeout_s=60, row_cap=1))
    await until(lambda: running(postgres_shop, "pg_sleep") == 1)

    while not task.done():
        task.cancel()
        await asyncio.sleep(0.01)

    assert task.cancelled()
    await until(lambda: running(postgres_shop) == 0)


@pytest.mark.parametrize("statement", [SLEEP, BUSY], ids=["waiting", "computing"])
async def test_a_timeout_ends_the_statement_at_the_server(
    postgres_shop: Server, source: PostgresSqlSource, statement: object
) -> None:
    with pytest.raises(ToolFailed) as caught:
        await source.run(statement, timeout_s=0.5, row_cap=1)  # type: ignore[arg-type]

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await until(lambda: running(postgres_shop) == 0)


async def test_a_table_that_is_being_changed_is_waited_for_only_briefly(
    postgres_shop: Server, source: PostgresSqlSource
) -> None:
    locker = asyncio.ensure_future(
        asyncio.to_thread(
            as_postgres, postgres_shop, "BEGIN; LOCK TABLE app.customers; SELECT pg_sleep(2.5); ROLLBACK; SELECT 1"
        )
    )
    await until(lambda: bool(as_postgres(postgres_shop, "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock'")))

    with pytest.raises(ToolFailed) as caught:
        await ask(source, "SELECT id FROM app.customers")

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await locker


async def test_a_server_that_accepts_and_says_nothing_is_a_timeout(
    postgres_shop: Server, source: PostgresSqlSource
) -> None:
    postgres_shop.pause()
    try:
        with pytest.raises(ToolFailed) as caught:
            await ask(source, "SELECT id FROM app.orders", timeout_s=0.5)
    finally:
        postgres_shop.go_on()

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3
    await until(lambda: running(postgres_shop) == 0)


async def test_a_server_that_falls_silent_in_the_middle_is_a_timeout(
    postgres_shop: Server, source: PostgresSqlSource
) -> None:
    task = asyncio.ensure_future(source.run(SLEEP, timeout_s=1, row_cap=1))
    await until(lambda: running(postgres_shop, "pg_sleep") == 1)
    (row,) = as_postgres(postgres_shop, f"SELECT pid {OURS} AND query LIKE '%pg_sleep%'")
    backend = int(str(row[0]))
    postgres_shop.pause()
    os.kill(backend, signal.SIGSTOP)
    try:
        with pytest.raises(ToolFailed) as caught:
            await task
    finally:
        os.kill(backend, signal.SIGCONT)
        postgres_shop.go_on()

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await until(lambda: running(postgres_shop) == 0)


async def test_a_connection_that_is_killed_in_the_middle_is_an_error(
    postgres_shop: Server, source: PostgresSqlSource
) -> None:
    task = asyncio.ensure_future(source.run(SLEEP, timeout_s=60, row_cap=1))
    await until(lambda: running(postgres_shop, "pg_sleep") == 1)

    as_postgres(postgres_shop, f"SELECT pg_terminate_backend(pid) {OURS}")
    with pytest.raises(ToolFailed) as caught:
        await task

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3


async def test_a_schema_that_changed_since_is_an_error_and_the_next_call_works(postgres_shop: Server) -> None:
    as_postgres(postgres_shop, "CREATE TABLE app.moving (a int, b int); CREATE TABLE app.going (a int)")
    offer = Offer({"app.moving": ["*"], "app.going": ["*"]})
    source = await PostgresSqlSource.open(postgres_at(postgres_shop), offer, clock=WallClock())
    as_postgres(postgres_shop, "ALTER TABLE app.moving RENAME b TO c; DROP TABLE app.going")

    for sql in ("SELECT b FROM app.moving", "SELECT a FROM app.going"):
        with pytest.raises(ToolFailed) as caught:
            await ask(source, sql)
        assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert (await ask(source, "SELECT a FROM app.moving")).rows == ()


async def test_a_statement_dearer_than_the_ceiling_is_not_run(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop, "CREATE TABLE app.much AS SELECT g AS a FROM generate_series(1, 50000) g; ANALYZE app.much"
    )
    offer = Offer({"app.much": ["*"], "app.customers": ["id"]}, max_plan_cost=500.0)
    source = await PostgresSqlSource.open(postgres_at(postgres_shop), offer, clock=WallClock())

    with pytest.raises(ToolFailed) as caught:
        await ask(source, "SELECT COUNT(*) FROM app.much WHERE a > ?", 7)

    assert caught.value.code is ToolCode.RESULT_TOO_LARGE
    assert len((await ask(source, "SELECT id FROM app.customers WHERE id > ?", 0)).rows) == 2


async def test_a_slow_statement_does_not_block_the_event_loop(source: PostgresSqlSource) -> None:
    task = asyncio.ensure_future(source.run(unchecked("SELECT pg_sleep(1)"), timeout_s=20, row_cap=1))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > 100


async def test_more_statements_than_connections_all_get_their_answer(source: PostgresSqlSource) -> None:
    found = await asyncio.gather(*(ask(source, "SELECT id FROM app.orders WHERE id = ?", n) for n in (1, 2) * 6))

    assert [rows.rows for rows in found] == [((1,),), ((2,),)] * 6


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"user": "nobody"}, "refuses the account"),
        ({"database": "nowhere"}, "no such database"),
        ({"port": 1}, "nothing listens there"),
    ],
)
async def test_a_server_that_refuses_is_named_without_its_words(
    postgres_shop: Server, changes: dict[str, object], why: str
) -> None:
    with pytest.raises(Misconfigured, match=why) as caught:
        await PostgresSqlSource.open(postgres_at(postgres_shop, **changes), OFFER, clock=WallClock())

    assert "does not exist" not in caught.value.why
