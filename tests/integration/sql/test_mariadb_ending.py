"""Statements on MariaDB only read, and end: at the server, in time, whatever happens."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.integration.sql.incident import OFFER, WallClock, as_root, ask, mysql_at, until
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.server import Offer

pytestmark = pytest.mark.xdist_group("mariadb")
SLEEP = unchecked("SELECT SLEEP(300)")
BUSY = unchecked("SELECT BENCHMARK(100000000000, SHA2('a', 512))")
BOTH = pytest.mark.parametrize("statement", [SLEEP, BUSY], ids=["waiting", "computing"])
OURS = "FROM information_schema.PROCESSLIST WHERE DB = 'app' AND COMMAND <> 'Sleep'"


@pytest.fixture(scope="module")
def source(mariadb_shop: Server) -> Iterator[MysqlSqlSource]:
    found = asyncio.run(MysqlSqlSource.open(mysql_at(mariadb_shop), OFFER, clock=WallClock()))
    yield found
    found.close()


def running(server: Server) -> int:
    (row,) = as_root(server, f"SELECT COUNT(*) {OURS}")
    return int(str(row[0]))


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO app.customers (id) VALUES (99) RETURNING id",
        "UPDATE app.customers SET tier = 'x' ORDER BY id",
        "CREATE TABLE app.mine AS SELECT 1",
        "SELECT id FROM app.customers; DELETE FROM app.customers; SELECT 1",
        "DELETE FROM app.customers ORDER BY id",
        "SELECT NEXTVAL(app.counter)",
    ],
)
async def test_not_even_root_writes(mariadb_shop: Server, source: MysqlSqlSource, sql: str) -> None:
    as_root(mariadb_shop, "CREATE SEQUENCE IF NOT EXISTS app.counter")
    question = "SELECT COUNT(*), MAX(tier), (SELECT next_not_cached_value FROM app.counter) FROM app.customers"
    before = as_root(mariadb_shop, question)

    with pytest.raises(ToolFailed):
        await source.run(unchecked(sql), timeout_s=20, row_cap=10)

    assert as_root(mariadb_shop, question) == before
    assert as_root(mariadb_shop, "SHOW TABLES FROM app LIKE 'mine'") == []


async def test_the_session_is_hardened(source: MysqlSqlSource) -> None:
    names = ("tx_read_only", "lock_wait_timeout", "time_zone", "character_set_connection", "in_transaction")

    found = await source.run(unchecked("SELECT " + ", ".join(f"@@{name}" for name in names)), timeout_s=20, row_cap=1)

    assert found.rows == ((1, 1, "+00:00", "utf8mb4", 1),)


@BOTH
async def test_cancelling_ends_the_statement_at_the_server(
    mariadb_shop: Server, source: MysqlSqlSource, statement: object
) -> None:
    task = asyncio.ensure_future(source.run(statement, timeout_s=60, row_cap=1))  # type: ignore[arg-type]
    await until(lambda: running(mariadb_shop) == 1)

    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

    assert task.cancelled()
    await until(lambda: running(mariadb_shop) == 0)


@BOTH
async def test_a_timeout_ends_the_statement_at_the_server(
    mariadb_shop: Server, source: MysqlSqlSource, statement: object
) -> None:
    with pytest.raises(ToolFailed) as caught:
        await source.run(statement, timeout_s=0.5, row_cap=1)  # type: ignore[arg-type]

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await until(lambda: running(mariadb_shop) == 0)


async def test_the_server_ends_a_statement_whose_client_is_gone(
    mariadb_shop: Server, source: MysqlSqlSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kill never arrives: only the server's own timeout is left."""
    monkeypatch.setattr("tools.sql.mysql_door.MysqlSession.end", lambda self: None)

    with pytest.raises(ToolFailed):
        await source.run(BUSY, timeout_s=0.5, row_cap=1)

    await until(lambda: running(mariadb_shop) == 0)


async def test_a_table_that_is_being_changed_is_waited_for_only_briefly(
    mariadb_shop: Server, source: MysqlSqlSource
) -> None:
    sql = "LOCK TABLES app.customers WRITE; SELECT SLEEP(2.5); UNLOCK TABLES; SELECT 1"
    locker = asyncio.ensure_future(asyncio.to_thread(as_root, mariadb_shop, sql))
    await until(
        lambda: bool(as_root(mariadb_shop, "SHOW OPEN TABLES FROM app WHERE `Table` = 'customers' AND In_use > 0"))
    )

    with pytest.raises(ToolFailed) as caught:
        await ask(source, "SELECT id FROM app.customers")

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await locker


async def test_a_server_that_accepts_and_says_nothing_is_a_timeout(
    mariadb_shop: Server, source: MysqlSqlSource
) -> None:
    mariadb_shop.pause()
    try:
        with pytest.raises(ToolFailed) as caught:
            await ask(source, "SELECT id FROM app.orders", timeout_s=0.5)
    finally:
        mariadb_shop.go_on()

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3


async def test_a_server_that_falls_silent_in_the_middle_is_a_timeout(
    mariadb_shop: Server, source: MysqlSqlSource
) -> None:
    task = asyncio.ensure_future(source.run(SLEEP, timeout_s=1, row_cap=1))
    await until(lambda: running(mariadb_shop) == 1)
    mariadb_shop.pause()
    try:
        with pytest.raises(ToolFailed) as caught:
            await task
    finally:
        mariadb_shop.go_on()

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    await until(lambda: running(mariadb_shop) == 0)


async def test_a_connection_that_is_killed_in_the_middle_is_an_error(
    mariadb_shop: Server, source: MysqlSqlSource
) -> None:
    task = asyncio.ensure_future(
        source.run(unchecked("SELECT SLEEP(0.01) FROM seq_1_to_90000 -- "), timeout_s=60, row_cap=100)
    )
    await until(lambda: running(mariadb_shop) == 1)
    (row,) = as_root(mariadb_shop, f"SELECT ID {OURS}")

    as_root(mariadb_shop, f"KILL HARD {int(str(row[0]))}")
    with pytest.raises(ToolFailed):
        await task

    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3


async def test_a_schema_that_changed_since_is_an_error_and_the_next_call_works(mariadb_shop: Server) -> None:
    as_root(mariadb_shop, "CREATE TABLE app.moving (a INT, b INT); CREATE TABLE app.going (a INT)")
    offer = Offer({"moving": ["*"], "going": ["*"]})
    source = await MysqlSqlSource.open(mysql_at(mariadb_shop), offer, clock=WallClock())
    as_root(mariadb_shop, "ALTER TABLE app.moving CHANGE b c INT; DROP TABLE app.going")

    for sql in ("SELECT b FROM moving", "SELECT a FROM going"):
        with pytest.raises(ToolFailed) as caught:
            await ask(source, sql)
        assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert (await ask(source, "SELECT a FROM moving")).rows == ()


async def test_a_statement_dearer_than_the_ceiling_is_not_run(mariadb_shop: Server) -> None:
    as_root(
        mariadb_shop,
        "CREATE TABLE app.much (a INT); INSERT INTO app.much SELECT seq FROM app.seq_1_to_50000; ANALYZE TABLE app.much",
    )
    offer = Offer({"much": ["*"], "customers": ["id"]}, max_plan_cost=500.0)
    source = await MysqlSqlSource.open(mysql_at(mariadb_shop), offer, clock=WallClock())

    with pytest.raises(ToolFailed) as caught:
        await ask(source, "SELECT COUNT(*) FROM much WHERE a > ?", 7)

    assert caught.value.code is ToolCode.RESULT_TOO_LARGE
    assert len((await ask(source, "SELECT id FROM customers WHERE id > ?", 0)).rows) == 2


async def test_a_slow_statement_does_not_block_the_event_loop(source: MysqlSqlSource) -> None:
    task = asyncio.ensure_future(source.run(unchecked("SELECT SLEEP(1)"), timeout_s=20, row_cap=1))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > 100


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"user": "nobody", "password": "päss"}, "refuses the account"),
        ({"database": "nowhere"}, "no such database"),
        ({"port": 1}, "cannot be reached"),
        ({"tls": "require"}, "its TLS is not as required"),
        ({"tls": "verify"}, "its TLS is not as required"),
    ],
)
async def test_a_server_that_refuses_is_named_without_its_words(
    mariadb_shop: Server, changes: dict[str, object], why: str
) -> None:
    with pytest.raises(Misconfigured, match=why) as caught:
        await MysqlSqlSource.open(mysql_at(mariadb_shop, **changes), OFFER, clock=WallClock())

    assert "Access denied" not in caught.value.why
