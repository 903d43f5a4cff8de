"""What comes back from MariaDB: names, values of every type, caps."""

import asyncio
from collections.abc import Iterator

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.integration.sql.incident import OFFER, WallClock, accepted, as_root, ask, mysql_at
from tests.integration.sql.memory import memory_rise
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.server import Offer
from tools.sql.validator import validate

pytestmark = pytest.mark.xdist_group("mariadb")


async def opened(server: Server, offer: Offer = OFFER, **changes: object) -> MysqlSqlSource:
    return await MysqlSqlSource.open(mysql_at(server, **changes), offer, clock=WallClock())


@pytest.fixture(scope="module")
def source(mariadb_shop: Server) -> Iterator[MysqlSqlSource]:
    found = asyncio.run(MysqlSqlSource.open(mysql_at(mariadb_shop), OFFER, clock=WallClock()))
    yield found
    found.close()


def test_the_catalogue_holds_what_is_allowlisted_and_nothing_else(source: MysqlSqlSource) -> None:
    orders, customers, archived = source.catalogue.tables

    assert [(table.schema, table.name, table.primary_key) for table in (orders, customers, archived)] == [
        ("app", "orders", ("id",)),
        ("app", "customers", ("id",)),
        ("archive", "orders", ("id",)),
    ]
    assert [column.name for column in orders.columns] == (
        "id customer_id status total created_at booked_on note receipt details tags took flags retried rate year_of".split()
    )
    assert [column.name for column in customers.columns if column.sensitive] == ["api_key", "region"]


def test_time_columns_show_their_range_in_the_form_to_write(source: MysqlSqlSource) -> None:
    columns = {column.name: column for column in source.catalogue.tables[0].columns}

    assert (columns["created_at"].earliest, columns["created_at"].zoned) == ("2026-03-01T10:00:00.00Z", True)
    assert (columns["booked_on"].latest, columns["booked_on"].zoned) == ("2026-03-01 18:06:30.25", False)


async def test_every_type_comes_back_exact(source: MysqlSqlSource) -> None:
    found = await ask(
        source,
        "SELECT id, status, total, created_at, booked_on, note, receipt, details, tags, took, flags, retried, rate, year_of"
        " FROM app.orders ORDER BY id",
    )

    assert found.rows[0] == (
        1, "PAID", 12.5, "2026-03-01T10:00:00.00Z", "2026-03-01 18:00:00.00", None, "<2 bytes>", '{"a": 1}',
        "a,b", "-26:03:04", 5, 0, 0.1, 2026,
    )  # fmt: skip
    assert (found.rows[2][0], found.rows[2][5]) == (9007199254740993, "支付超时")


STRANGE = """
CREATE TABLE app.strange (id INT PRIMARY KEY, t TIMESTAMP NULL, d DATETIME, day DATE, n DECIMAL(40,10), b BIGINT UNSIGNED,
  w VARCHAR(20) CHARACTER SET latin1, z VARCHAR(20), raw VARBINARY(20), i INET6, u UUID) DEFAULT CHARSET utf8mb4;
SET sql_mode = '';
INSERT INTO app.strange VALUES
 (1, '0000-00-00 00:00:00', '0000-00-00 00:00:00', '2026-00-00', 12345678901234567890.5, 18446744073709551615, X'FF',
  CONCAT('a', CHAR(0), 'b', CHAR(9)), X'FF00', '::1', '123e4567-e89b-12d3-a456-426614174000'),
 (2, '1999-12-31 23:59:59', '9999-12-31 23:59:59', '0000-00-00', -0.1, 0, '', '', '', NULL, NULL);
"""


async def test_values_at_the_edge_of_their_type(mariadb_shop: Server) -> None:
    as_root(mariadb_shop, STRANGE)
    source = await opened(mariadb_shop, Offer({"app.strange": ["*"]}))

    found = await ask(source, "SELECT t, d, day, n, b, w, z, raw, i, u FROM app.strange ORDER BY id")

    assert found.rows == (
        ("0000-00-00 00:00:00", "0000-00-00 00:00:00", "2026-00-00", "12345678901234567890.5000000000",
         18446744073709551615, "ÿ", "a\0b\t", "<2 bytes>", "::1", "123e4567-e89b-12d3-a456-426614174000"),
        ("1999-12-31T23:59:59Z", "9999-12-31 23:59:59", "0000-00-00", -0.1, 0, "", "", "<0 bytes>", None, None),
    )  # fmt: skip


async def test_aggregates_join_and_order_give_what_sql_says(source: MysqlSqlSource) -> None:
    joined = await ask(
        source,
        "SELECT c.tier, COUNT(*), SUM(o.total), MAX(o.created_at) FROM app.customers c JOIN app.orders o"
        " ON o.customer_id = c.id GROUP BY c.tier HAVING COUNT(*) >= ? ORDER BY c.tier DESC", 1,
    )  # fmt: skip
    ordered = await ask(source, "SELECT id FROM app.orders WHERE note IS NOT NULL ORDER BY note DESC")

    assert joined.rows == (("gold", 2, 22.4, "2026-03-01T10:05:00.00Z"), ("basic", 1, 40.0, "2026-03-01T10:06:30.25Z"))
    assert ordered.rows == ((9007199254740993,), (2,))


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("created_at >= '2026-03-01T10:05:00Z'", [2, 9007199254740993]),
        ("created_at >= '2026-03-01T18:05:00+08:00'", [2, 9007199254740993]),
        ("created_at BETWEEN '2026-03-01T10:05:00Z' AND '2026-03-01T10:06:00Z'", [2]),
        ("created_at IN ('2026-03-01T10:05:00Z')", [2]),
        ("booked_on >= '2026-03-01 18:05:00'", [2, 9007199254740993]),
        ("retried = 1", [2, 9007199254740993]),
        ("total = 9.9", [2]),
        ("id = 9007199254740993", [9007199254740993]),
        ("status = 'FAILED' AND total > 10", [9007199254740993]),
        ("status = 1", []),
        ("note = 0", []),
        ("note = '支付超时'", [9007199254740993]),
        ("note LIKE '%refused%'", [2]),
        ("note = 'it''s \\\\ \" ` % ? -- /*'", []),
    ],
)
async def test_values_are_compared_as_they_are_meant(source: MysqlSqlSource, condition: str, ids: list[int]) -> None:
    found = await ask(source, f"SELECT id FROM app.orders WHERE {condition} ORDER BY id")

    assert [row[0] for row in found.rows] == ids


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT id FROM app.orders WHERE created_at >= '2026-03-01 10:05:00'", "with zone"),
        ("SELECT id FROM app.orders WHERE booked_on >= '2026-03-01T18:05:00Z'", "without zone"),
        ("SELECT SUM(note) FROM app.orders", "holds no numbers"),
        ("SELECT id FROM orders", "the tables are app.orders, customers, archive.orders"),
        ("SELECT id FROM app.customers WHERE region = 'eu'", "masked"),
        ("SELECT COUNT(region) FROM app.customers", "masked"),
    ],
)
def test_what_would_mislead_is_refused(source: MysqlSqlSource, sql: str, why: str) -> None:
    assert why in getattr(validate(sql, (), source.catalogue), "why", "accepted")


async def test_more_rows_than_the_cap_are_noticed_not_returned(source: MysqlSqlSource) -> None:
    found = await ask(source, "SELECT id FROM app.orders ORDER BY id", row_cap=2)

    assert (found.rows, found.more) == (((1,), (2,)), True)


async def test_ten_million_rows_do_not_fill_memory(source: MysqlSqlSource) -> None:
    with memory_rise() as rise:
        found = await source.run(
            unchecked("SELECT seq, REPEAT('x', 900) FROM seq_1_to_10000000 -- "), timeout_s=20, row_cap=100
        )

    assert (len(found.rows), found.more) == (100, True)
    assert rise.mib < 60


async def test_one_cell_of_60_megabytes_does_not_fill_memory(mariadb_shop: Server) -> None:
    as_root(mariadb_shop, "SET GLOBAL max_allowed_packet = 1073741824")
    as_root(
        mariadb_shop,
        "CREATE TABLE app.vast (id INT, note LONGTEXT, body LONGBLOB);"
        " INSERT INTO app.vast VALUES (1, REPEAT('x', 60000000), REPEAT('y', 60000000))",
    )
    source = await opened(mariadb_shop, Offer({"app.vast": ["*"]}))

    with memory_rise() as rise:
        found = await ask(source, "SELECT note, body FROM app.vast")

    assert found.rows == (("x" * 2001, "<60000000 bytes>"),)
    assert rise.mib < 25


@pytest.mark.parametrize("sql", ["SELECT REPEAT('w', 9000) FROM seq_1_to_300", "SELECT REPEAT('w', 100000000)"])
async def test_a_result_over_the_caps_is_an_error(mariadb_shop: Server, source: MysqlSqlSource, sql: str) -> None:
    as_root(mariadb_shop, "SET GLOBAL max_allowed_packet = 1073741824")

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked(sql), timeout_s=20, row_cap=200)

    assert caught.value.code is ToolCode.RESULT_TOO_LARGE


async def test_table_names_that_differ_in_case_are_two_tables(mariadb_shop: Server) -> None:
    as_root(
        mariadb_shop, "CREATE TABLE app.Twin (id INT); CREATE TABLE app.twin (id INT); INSERT INTO app.twin VALUES (7)"
    )
    source = await opened(mariadb_shop, Offer({"Twin": ["*"], "twin": ["*"], "ledger": ["ENTRY", "amount"]}))

    upper = accepted("SELECT ID FROM Twin", catalogue=source.catalogue)
    lower = accepted("SELECT ID FROM twin", catalogue=source.catalogue)

    assert (await source.run(upper, timeout_s=20, row_cap=9)).rows == ()
    assert (await source.run(lower, timeout_s=20, row_cap=9)).rows == ((7,),)
    assert (await ask(source, "SELECT entry, amount FROM ledger")).rows == ((1, 0.1),)


@pytest.mark.parametrize(
    ("allowlist", "why"),
    [
        ({"order": ["*"]}, "there is no table app.order; did you mean app.orders"),
        ({"archive.customers": ["*"]}, "there is no table archive.customers; did you mean app.customers"),
        ({"orders": ["totl"]}, "there is no column 'totl'; did you mean total"),
    ],
)
async def test_an_allowlist_that_does_not_fit_names_what_is_near(
    mariadb_shop: Server, allowlist: dict[str, list[str]], why: str
) -> None:
    with pytest.raises(Misconfigured, match="sources.shop") as caught:
        await opened(mariadb_shop, Offer(allowlist))

    assert why in caught.value.why


async def test_a_view_can_be_offered(mariadb_shop: Server) -> None:
    source = await opened(mariadb_shop, Offer({"failed_orders": ["*"]}))

    assert len((await ask(source, "SELECT id, total FROM failed_orders")).rows) == 2
