"""What comes back from PostgreSQL: names, values of every type, caps."""

import asyncio
from collections.abc import Iterator

import pytest

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tests.integration.sql.incident import ALLOWLIST, OFFER, WallClock, accepted, as_postgres, ask, postgres_at
from tests.integration.sql.memory import memory_rise
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server import Offer
from tools.sql.validator import validate

pytestmark = pytest.mark.xdist_group("postgres")


async def opened(server: Server, offer: Offer = OFFER, **changes: object) -> PostgresSqlSource:
    return await PostgresSqlSource.open(postgres_at(server, **changes), offer, clock=WallClock())


@pytest.fixture(scope="module")
def source(postgres_shop: Server) -> Iterator[PostgresSqlSource]:
    found = asyncio.run(PostgresSqlSource.open(postgres_at(postgres_shop), OFFER, clock=WallClock()))
    yield found
    found.close()


def test_the_catalogue_holds_what_is_allowlisted_and_nothing_else(source: PostgresSqlSource) -> None:
    orders, customers, archived = source.catalogue.tables

    assert [(table.schema, table.name, table.primary_key) for table in (orders, customers, archived)] == [
        ("app", "orders", ("id",)),
        ("app", "customers", ("id",)),
        ("archive", "orders", ("id",)),
    ]
    assert {column.name: column.type for column in orders.columns} == {
        "id": "bigint", "customer_id": "integer", "status": "enum", "total": "numeric(12,2)", "created_at": "timestamptz",
        "booked_on": "timestamp", "note": "text", "receipt": "bytea", "details": "jsonb", "trace": "uuid", "host": "inet",
        "tags": "text[]", "took": "interval", "price": "money", "retried": "boolean",
    }  # fmt: skip
    assert [column.name for column in customers.columns if column.sensitive] == ["api_key", "region"]


def test_time_columns_show_their_range_in_the_form_to_write(source: PostgresSqlSource) -> None:
    columns = {column.name: column for column in source.catalogue.tables[0].columns}

    assert (columns["created_at"].earliest, columns["created_at"].latest, columns["created_at"].zoned) == (
        "2026-03-01T10:00:00Z", "2026-03-01T10:06:30.25Z", True,
    )  # fmt: skip
    assert (columns["booked_on"].earliest, columns["booked_on"].zoned) == ("2026-03-01 18:00:00", False)


async def test_every_type_comes_back_exact(source: PostgresSqlSource) -> None:
    found = await ask(
        source,
        "SELECT id, status, total, created_at, booked_on, note, receipt, details, trace, host, tags, took, price, retried"
        " FROM app.orders ORDER BY id",
    )

    assert found.rows[0] == (
        1, "PAID", 12.5, "2026-03-01T10:00:00Z", "2026-03-01 18:00:00", None, "<2 bytes>", '{"a": 1}',
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "10.0.0.7", '{a,"b c"}', "1 day 02:03:04", 1234.56, False,
    )  # fmt: skip
    assert (found.rows[2][0], found.rows[2][5]) == (9007199254740993, "支付超时")


STRANGE = """
CREATE TABLE app.strange (id int PRIMARY KEY, n numeric, f float8, t timestamptz, d date, b text, big numeric, r int4range);
INSERT INTO app.strange VALUES
 (1, 'NaN', 'NaN', 'infinity', '0044-03-15 BC', E'a\\tb', 123456789012345678901234567890.1, '[1,5)'),
 (2, 'Infinity', '-Infinity', '-infinity', 'infinity', '', 1e200, NULL), (3, 0.1, 1e300, '1999-12-31 23:59:59.999999+00',
  '1999-12-31', '', 10000000000000000001, NULL);
"""


async def test_values_at_the_edge_of_their_type(postgres_shop: Server) -> None:
    as_postgres(postgres_shop, STRANGE)
    source = await opened(postgres_shop, Offer({"app.strange": ["*"]}))

    found = await ask(source, "SELECT n, f, t, d, b, big, r FROM app.strange ORDER BY id")

    assert found.rows[0] == (
        "NaN",
        "nan",
        "infinity",
        "0044-03-15 BC",
        "a\tb",
        "123456789012345678901234567890.1",
        "[1,5)",
    )
    assert found.rows[1][:4] == ("Infinity", "-inf", "-infinity", "infinity")
    assert found.rows[1][5] == "1" + "0" * 200
    assert found.rows[2] == (0.1, 1e300, "1999-12-31T23:59:59.999999Z", "1999-12-31", "", 10000000000000000001, None)


async def test_bytes_that_are_no_utf8_are_still_read(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop, "CREATE DATABASE raw ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    )
    as_postgres(
        postgres_shop,
        "CREATE TABLE public.words (w text);"
        " SET client_encoding TO 'SQL_ASCII'; INSERT INTO words VALUES (E'\\xff\\xfe!')",
        database="raw",
    )
    source = await opened(postgres_shop, Offer({"words": ["w"]}), database="raw")

    (row,) = (await ask(source, "SELECT w FROM words")).rows

    assert isinstance(row[0], str) and row[0].endswith("!")


async def test_aggregates_join_and_order_give_what_sql_says(source: PostgresSqlSource) -> None:
    joined = await ask(
        source,
        "SELECT c.tier, COUNT(*), SUM(o.total) FROM app.customers c JOIN app.orders o ON o.customer_id = c.id"
        " GROUP BY c.tier HAVING COUNT(*) >= ? ORDER BY c.tier DESC", 1,
    )  # fmt: skip
    ordered = await ask(source, "SELECT id FROM app.orders WHERE note IS NOT NULL ORDER BY note DESC")

    assert joined.rows == (("gold", 2, 22.4), ("basic", 1, 40.0))
    assert ordered.rows == ((9007199254740993,), (2,))


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("created_at >= '2026-03-01T10:05:00Z'", [2, 9007199254740993]),
        ("created_at >= '2026-03-01T18:05:00+08:00'", [2, 9007199254740993]),
        ("booked_on >= '2026-03-01 18:05:00'", [2, 9007199254740993]),
        ("retried = 1", [2, 9007199254740993]),
        ("retried = 'true'", [2, 9007199254740993]),
        ("total = 9.9", [2]),
        ("id = 9007199254740993", [9007199254740993]),
        ("status = 'FAILED' AND total > 10", [9007199254740993]),
        ("host = '10.0.0.7'", [1]),
        ("price = 1234.56", [1]),
        ("note = 7", []),
        ("note LIKE '%refused%'", [2]),
    ],
)
async def test_values_are_compared_as_they_are_meant(source: PostgresSqlSource, condition: str, ids: list[int]) -> None:
    found = await ask(source, f"SELECT id FROM app.orders WHERE {condition} ORDER BY id")

    assert [row[0] for row in found.rows] == ids


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("created_at >= '2026-03-01 10:05:00'", "with zone"),
        ("created_at >= '2026-03-01'", "with zone"),
        ("booked_on >= '2026-03-01T18:05:00Z'", "without zone"),
        ("created_at >= 17", "with zone"),
        ("id = 'many'", "holds numbers"),
    ],
)
def test_a_time_of_another_kind_is_refused_before_it_finds_nothing(
    source: PostgresSqlSource, condition: str, why: str
) -> None:
    refused = validate(f"SELECT id FROM app.orders WHERE {condition}", (), source.catalogue)

    assert why in getattr(refused, "why", "accepted")


@pytest.mark.parametrize("condition", ["trace = 'zzz'", "status = 'NEVER'", "host = 'nowhere'"])
async def test_a_value_of_no_such_type_is_an_invalid_request(source: PostgresSqlSource, condition: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        await ask(source, f"SELECT id FROM app.orders WHERE {condition}")

    assert caught.value.code is ToolCode.INVALID_REQUEST


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM app.customers WHERE region = 'eu'",
        "SELECT COUNT(*) FROM app.customers GROUP BY region",
        "SELECT id FROM app.customers ORDER BY region",
        "SELECT MIN(region) FROM app.customers",
        "SELECT COUNT(region) FROM app.customers",
        "SELECT c.id FROM app.customers c JOIN app.orders o ON o.note = c.region",
    ],
)
def test_a_masked_column_tells_nothing(source: PostgresSqlSource, sql: str) -> None:
    assert "masked" in getattr(validate(sql, (), source.catalogue), "why", "accepted")


async def test_a_masked_column_is_never_read_and_needs_no_right(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop,
        "CREATE ROLE clerk LOGIN; GRANT USAGE ON SCHEMA app TO clerk; GRANT SELECT (id, tier) ON app.customers TO clerk",
    )
    source = await opened(postgres_shop, Offer({"app.customers": ["*"]}, {"app.customers": ["region"]}), user="clerk")

    found = await ask(source, "SELECT id, region FROM app.customers ORDER BY id")

    assert found.rows == ((1, "[MASKED]"), (2, "[MASKED]"))
    assert [column.name for column in source.catalogue.tables[0].columns] == ["id", "tier", "region"]


async def test_more_rows_than_the_cap_are_noticed_not_returned(source: PostgresSqlSource) -> None:
    found = await ask(source, "SELECT id FROM app.orders ORDER BY id", row_cap=2)

    assert (found.rows, found.more) == (((1,), (2,)), True)


async def test_ten_million_rows_do_not_fill_memory(source: PostgresSqlSource) -> None:
    with memory_rise() as rise:
        found = await source.run(
            unchecked("SELECT generate_series(1, 10000000), repeat('x', 900) --"), timeout_s=20, row_cap=100
        )

    assert (len(found.rows), found.more) == (100, True)
    assert rise.mib < 60


async def test_one_cell_of_60_megabytes_does_not_fill_memory(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop,
        "CREATE TABLE app.vast (id int, note text, body bytea);"
        " INSERT INTO app.vast SELECT 1, repeat('x', 60000000), convert_to(repeat('y', 60000000), 'UTF8')",
    )
    source = await opened(postgres_shop, Offer({"app.vast": ["*"]}), timeout_s=30)

    with memory_rise() as rise:
        found = await ask(source, "SELECT note, body FROM app.vast")

    assert found.rows == (("x" * 2001, "<60000000 bytes>"),)
    assert rise.mib < 25


async def test_a_result_over_the_raw_cap_is_an_error(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop,
        "CREATE TABLE app.wide (id int, note text); INSERT INTO app.wide SELECT g, repeat('w', 9000)"
        " FROM generate_series(1, 300) g",
    )
    source = await opened(postgres_shop, Offer({"app.wide": ["*"]}))
    notes = await ask(source, "SELECT id FROM app.wide WHERE note LIKE 'w%'")

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked("SELECT note FROM app.wide"), timeout_s=20, row_cap=200)

    assert notes.more
    assert caught.value.code is ToolCode.RESULT_TOO_LARGE


async def test_names_fold_as_the_server_folds_them(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop,
        'CREATE TABLE app."Twin" (id int); CREATE TABLE app.twin (id int); INSERT INTO app.twin VALUES (7)',
    )
    source = await opened(postgres_shop, Offer({"app.Twin": ["*"], "app.twin": ["*"], "app.Ledger": ["*"]}))

    folded = accepted("SELECT id FROM app.TWIN", catalogue=source.catalogue)
    quoted = accepted('SELECT id FROM app."Twin"', catalogue=source.catalogue)
    ledger = await ask(source, "SELECT entry, amount FROM app.ledger")

    assert (await source.run(folded, timeout_s=20, row_cap=9)).rows == ((7,),)
    assert (await source.run(quoted, timeout_s=20, row_cap=9)).rows == ()
    assert ledger.rows == ((1, 0.1),)


@pytest.mark.parametrize(
    ("allowlist", "masked", "why"),
    [
        ({"app.order": ["*"]}, {}, "there is no table app.order; did you mean app.orders"),
        ({"orders": ["*"]}, {}, "there is no table public.orders; did you mean app.orders"),
        ({"app.orders": ["totl"]}, {}, "there is no column 'totl'; did you mean total"),
        ({"app.orders": ["id"]}, {"app.customers": ["tier"]}, "is not in the allowlist"),
        ({"app.orders": ["id"]}, {"app.orders": ["nope"]}, "there is no column 'nope'"),
        ({"pg_catalog.pg_authid2": ["*"]}, {}, "there is no table"),
    ],
)
async def test_an_allowlist_that_does_not_fit_names_what_is_near(
    postgres_shop: Server, allowlist: dict[str, list[str]], masked: dict[str, list[str]], why: str
) -> None:
    with pytest.raises(Misconfigured, match="sources.shop") as caught:
        await opened(postgres_shop, Offer(allowlist, masked))

    assert why in caught.value.why


async def test_a_column_the_account_may_not_read_is_named(postgres_shop: Server) -> None:
    as_postgres(
        postgres_shop,
        "CREATE ROLE half LOGIN; GRANT USAGE ON SCHEMA app TO half; GRANT SELECT (id) ON app.customers TO half",
    )

    with pytest.raises(Misconfigured, match="no SELECT on the column tier"):
        await opened(postgres_shop, Offer({"app.customers": ["id", "tier"]}), user="half")


async def test_a_view_can_be_offered(postgres_shop: Server) -> None:
    source = await opened(postgres_shop, Offer({**ALLOWLIST, "app.failed_orders": ["*"]}))

    assert len((await ask(source, "SELECT id, total FROM failed_orders")).rows) == 2
