"""The paths that only MySQL 8 takes, and servers that lie; over a real socket, against a server of our own."""

from collections.abc import AsyncIterator, Callable

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.tools.sql.samples import WallClock, unchecked
from tests.tools.sql.wire_mysql import READ_ONLY, WireMysql, error, ok, rows
from tools.sql.mysql_settings import SQL_MODE
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.server import Offer, SqlServer

VERSION = "8.0.36"
LONGLONG, VAR_STRING = 8, 253
HELD = [("shop", "orders", "id", "bigint", "select", "1"), ("shop", "orders", "note", "text", "select", None)]
PLAN = '{"query_block": {"select_id": 1, "cost_info": {"query_cost": "20.50"}}}'


def confirmed(sql: str, **changes: str) -> list[bytes]:
    """The settings as they were told, but for the changes."""
    answers = {
        "transaction_read_only": "1", "max_execution_time": "x", "lock_wait_timeout": "1",
        "sql_mode": ",".join(sorted(SQL_MODE.split(","))), "time_zone": "+00:00", "character_set_connection": "utf8mb4",
        **changes,
    }  # fmt: skip
    names = [part.strip().removeprefix("@@SESSION.") for part in sql.removeprefix("SELECT ").split(",")]
    return rows([VAR_STRING] * len(names), [answers[name] for name in names])


class Mysql8:
    """Answers like MySQL 8.0 with one table."""

    def __init__(self, *, status: int = READ_ONLY, **changes: str) -> None:
        self.status = status
        self.changes = changes
        self.timeout = ""
        self.select: Callable[[], list[bytes] | None] = lambda: rows([LONGLONG], ["1"])

    def __call__(self, sql: str) -> list[bytes] | None:
        words = " ".join(sql.split())
        if words.startswith("SET SESSION"):
            self.timeout = words.split("max_execution_time = ")[1].split(",")[0]
        if words.startswith(("SET ", "KILL")):
            return ok()
        if words.startswith("START TRANSACTION READ ONLY"):
            return ok(self.status)
        if words.startswith("SELECT @@SESSION"):
            return confirmed(words, **{"max_execution_time": self.timeout, **self.changes})
        if "information_schema.COLUMNS" in words:
            return rows([VAR_STRING] * 5 + [LONGLONG], *HELD)
        if "information_schema.TABLES" in words:
            return rows([VAR_STRING], ["shop.orders"])
        if words.startswith("EXPLAIN FORMAT=JSON"):
            return rows([VAR_STRING], [PLAN])
        return self.select()


async def opened(port: int, max_plan_cost: float | None = None) -> MysqlSqlSource:
    place = SqlServer("shop", "127.0.0.1", port, "shop", "reader", tls="off")
    return await MysqlSqlSource.open(place, Offer({"orders": ["*"]}, {}, max_plan_cost), clock=WallClock())


@pytest.fixture
def behaviour() -> Mysql8:
    return Mysql8()


@pytest.fixture
async def wire(behaviour: Mysql8) -> AsyncIterator[WireMysql]:
    with WireMysql(VERSION, behaviour) as server:
        yield server


async def test_mysql_8_is_hardened_with_its_own_names(wire: WireMysql) -> None:
    source = await opened(wire.port)
    wire.statements.clear()

    found = await source.run(unchecked("SELECT 1"), timeout_s=5, row_cap=1)

    told = [sql for sql in wire.statements if sql.startswith("SET SESSION")]
    assert found.rows == ((1,),)
    assert len(told) == 1
    assert "SESSION transaction_read_only = 1" in told[0]
    assert 4000 < int(told[0].split("max_execution_time = ")[1].split(",")[0]) <= 5000
    assert "max_statement_time" not in told[0]
    assert wire.statements[-1] == "SELECT 1 LIMIT 2"


@pytest.mark.parametrize(
    "changes",
    [
        {"transaction_read_only": "0"},
        {"max_execution_time": "0"},
        {"sql_mode": SQL_MODE + ",ANSI_QUOTES"},
        {"time_zone": "SYSTEM"},
        {"character_set_connection": "latin1"},
    ],
)
async def test_a_server_that_does_not_confirm_is_not_asked(changes: dict[str, str]) -> None:
    behaviour = Mysql8()
    with WireMysql(VERSION, behaviour) as wire:
        source = await opened(wire.port)
        behaviour.changes = changes
        with pytest.raises(ToolFailed, match=f"not read-only: {next(iter(changes))}") as caught:
            await source.run(unchecked("SELECT 'never'"), timeout_s=5, row_cap=1)

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert not any("never" in sql for sql in wire.statements)


@pytest.mark.parametrize("status", [0, 0x0001, 0x2000])
async def test_a_server_that_is_not_in_a_read_only_transaction_is_not_asked(status: int) -> None:
    behaviour = Mysql8()
    with WireMysql(VERSION, behaviour) as wire:
        source = await opened(wire.port)
        behaviour.status = status
        with pytest.raises(ToolFailed, match="not read-only: transaction"):
            await source.run(unchecked("SELECT 'never'"), timeout_s=5, row_cap=1)

    assert not any("never" in sql for sql in wire.statements)


@pytest.mark.parametrize(("ceiling", "runs"), [(20.0, False), (21.0, True)])
async def test_the_cost_of_mysqls_plan_is_held_against_the_ceiling(wire: WireMysql, ceiling: float, runs: bool) -> None:
    source = await opened(wire.port, ceiling)
    wire.statements.clear()

    try:
        await source.run(unchecked("SELECT 1"), timeout_s=5, row_cap=1)
    except ToolFailed as failed:
        assert failed.code is ToolCode.RESULT_TOO_LARGE

    assert ("SELECT 1 LIMIT 2" in wire.statements) is runs


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (3024, ToolCode.TOOL_TIMEOUT),
        (1205, ToolCode.TOOL_TIMEOUT),
        (1525, ToolCode.INVALID_REQUEST),
        (1146, ToolCode.TOOL_EXECUTION_ERROR),
        (1142, ToolCode.TOOL_EXECUTION_ERROR),
        (4999, ToolCode.TOOL_EXECUTION_ERROR),
    ],
)
async def test_an_error_number_becomes_its_code(
    wire: WireMysql, behaviour: Mysql8, number: int, code: ToolCode
) -> None:
    source = await opened(wire.port)
    behaviour.select = lambda: error(number)

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked("SELECT 1"), timeout_s=5, row_cap=1)

    assert caught.value.code is code


HALF = rows([LONGLONG], ["1"], ["2"], ["3"])[:-1]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        HALF[:2],
        [b"\x01", b"\xff"],
        [b"\xfb/etc/passwd"],
        [b""],
        [b"\x02", *HALF[1:]],
        [b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff"],
        rows([LONGLONG], ["no number"]),
    ],
)
async def test_a_malformed_answer_is_an_error_and_the_next_call_works(
    wire: WireMysql, behaviour: Mysql8, answer: list[bytes] | None
) -> None:
    """Among them: cut off, a demand for a local file, counts that do not match."""
    source = await opened(wire.port)
    good = behaviour.select
    behaviour.select = lambda: answer
    # What follows a malformed answer is silence; the answers that promise more than they hold run into the timeout.
    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked("SELECT 1"), timeout_s=0.5, row_cap=5)

    behaviour.select = good
    assert caught.value.code in (ToolCode.TOOL_EXECUTION_ERROR, ToolCode.TOOL_TIMEOUT)
    assert (await source.run(unchecked("SELECT 1"), timeout_s=5, row_cap=5)).rows == ((1,),)


async def test_a_server_that_sends_without_end_is_stopped_at_the_cap(wire: WireMysql, behaviour: Mysql8) -> None:
    source = await opened(wire.port)
    behaviour.select = lambda: [*HALF[:3], *[b"\xfb" + b"x" * (2**24 - 2)] * 8]

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked("SELECT 1"), timeout_s=20, row_cap=5)

    assert caught.value.code in (ToolCode.RESULT_TOO_LARGE, ToolCode.TOOL_EXECUTION_ERROR)


async def test_tls_is_not_given_up_because_the_server_has_none(wire: WireMysql) -> None:
    place = SqlServer("shop", "127.0.0.1", wire.port, "shop", "reader", password="secret", tls="require")

    with pytest.raises(Misconfigured):
        await MysqlSqlSource.open(place, Offer({"orders": ["*"]}), clock=WallClock())

    assert wire.statements == []
