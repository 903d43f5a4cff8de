"""Rules of the validator that one example shows best."""

import pytest

from state.model.enums import ToolCode
from state.model.evidence import Scalar
from tests.tools.sql.samples import shop, valid
from tools.sql.catalogue import Catalogue, Column, Dialect, Table
from tools.sql.refusal import Refusal
from tools.sql.validator import validate


def refused(sql: str, *params: Scalar, dialect: Dialect = Dialect.SQLITE) -> Refusal:
    found = validate(sql, params, shop(dialect))
    assert isinstance(found, Refusal), found
    return found


def test_the_statement_is_written_anew_with_its_values_apart() -> None:
    found = valid(
        "select o.ID, c.tier from ORDERS o left join customers c on c.id=o.customer_id where o.note like '%x%'"
    )

    assert found.sql == (
        'SELECT "orders"."id", "customers"."tier" FROM "main"."orders"'
        ' LEFT JOIN "main"."customers" ON "customers"."id" = "orders"."customer_id" WHERE "orders"."note" LIKE ?'
    )
    assert found.params == ("%x%",)
    assert found.tables == ("customers", "orders")
    assert found.columns == ("customers.id", "customers.tier", "orders.customer_id", "orders.id", "orders.note")


def test_values_are_bound_in_the_order_of_the_text() -> None:
    found = valid(
        "SELECT status FROM orders WHERE total_cents BETWEEN ? AND 20 AND status IN ('b', ?) GROUP BY status"
        " HAVING COUNT(*) > ? AND MAX(id) < 9",
        10, "c", 1,
    )  # fmt: skip

    assert found.params == (10, 20, "b", "c", 1, 9)


@pytest.mark.parametrize(
    "reworded",
    [
        "select  ID\nfrom Orders\twhere STATUS='FAILED' ;",
        'SELECT "id" FROM "orders" WHERE ("status" = \'FAILED\')',
        "SELECT o.id AS x FROM main.orders o WHERE o.status == 'FAILED' LIMIT 7",
    ],
)
def test_a_reworded_statement_has_the_same_normal_form(reworded: str) -> None:
    assert valid(reworded).normalised == "SELECT id FROM orders WHERE status = 'FAILED'"


@pytest.mark.parametrize(
    "other",
    [
        "SELECT id FROM orders WHERE status = 'failed'",
        "SELECT id FROM orders WHERE status = ' FAILED'",
        "SELECT id, status FROM orders WHERE status = 'FAILED'",
        "SELECT id FROM orders WHERE status <> 'FAILED'",
        "SELECT id FROM orders WHERE status = 'FAILED' ORDER BY id",
    ],
)
def test_another_literal_column_or_operator_is_another_scope(other: str) -> None:
    assert valid(other).normalised != "SELECT id FROM orders WHERE status = 'FAILED'"


def test_a_masked_column_is_never_read() -> None:
    assert valid("SELECT email, id FROM orders").sql == """SELECT '[MASKED]', "id" FROM "main"."orders\""""


def test_outputs_carry_the_names_of_columns_never_an_alias() -> None:
    found = valid('SELECT status AS "root cause found", COUNT(*) AS x, MAX(id) FROM orders GROUP BY status')

    assert found.outputs == ("status", "count(*)", "max(id)")


def test_outputs_of_one_name_are_told_apart_by_table() -> None:
    found = valid(
        "SELECT a.id, b.id, tier FROM orders a JOIN orders b ON a.id = b.customer_id JOIN customers c ON c.id = b.id"
    )

    assert found.outputs == ("orders.id", "orders_2.id", "tier")


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ((), "more ? than params (0)"),
        ((1, 2), "has 1 ? but 2 params"),
        ((None,), "must not be null"),
        ((float("nan"),), "finite"),
        ((float("inf"),), "finite"),
        ((2**63,), "64 bits"),
        (("a\x00b",), "U+0000"),
        (("\ud800",), "U+D800"),
        (("x" * 2001,), "longer than 2000"),
        (("many",), "holds numbers"),
        (tuple(range(51)), "At most 50"),
    ],
)
def test_parameters_that_cannot_be_bound_are_refused(params: tuple[Scalar, ...], why: str) -> None:
    assert why in refused("SELECT id FROM orders WHERE id = ?", *params).why


@pytest.mark.parametrize(("dialect", "bound"), [(Dialect.SQLITE, 1), (Dialect.MYSQL, "1"), (Dialect.POSTGRES, "true")])
def test_a_boolean_parameter_becomes_what_the_dialect_compares(dialect: Dialect, bound: object) -> None:
    assert valid("SELECT id FROM orders WHERE note = ?", True, catalogue=shop(dialect)).params == (bound,)


def test_parameters_may_not_make_the_statement_too_large() -> None:
    marks = ", ".join("?" * 9)

    assert "longer than" in refused(f"SELECT id FROM orders WHERE note IN ({marks})", *(["x" * 1000] * 9)).why


def test_a_statement_of_eight_kibibytes_is_the_largest() -> None:
    sql = "SELECT id FROM orders WHERE note = 'x'"
    exact = sql + " " * (8192 - len(sql))

    assert valid(exact).normalised == sql
    assert "longer than 8192 bytes" in refused(exact + " ").why


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud800"])
def test_control_characters_are_refused_even_inside_a_literal(char: str) -> None:
    assert refused(f"SELECT id FROM orders WHERE note = 'a{char}b'").code is ToolCode.INVALID_REQUEST


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_nothing_at_all_is_an_invalid_request(text: str) -> None:
    assert refused(text).code is ToolCode.INVALID_REQUEST


def test_many_conditions_are_bounded_without_deep_recursion() -> None:
    long = " AND ".join(["id=1"] * 101)

    assert "More than 100 conditions" in refused(f"SELECT id FROM orders WHERE {long}").why
    assert valid("SELECT id FROM orders WHERE " + " AND ".join(["id=1"] * 100)).params == (1,) * 100


def test_many_values_are_bounded() -> None:
    assert "More than 200 values" in refused(f"SELECT id FROM orders WHERE id IN ({', '.join(['1'] * 201)})").why


@pytest.mark.parametrize(
    "sql", ["(" * 4000, "SELECT " + "(" * 4000, "SELECT id FROM orders WHERE " + "NOT " * 1500 + "id=1"]
)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_deep_nesting_is_refused_before_it_is_parsed(sql: str, dialect: Dialect) -> None:
    assert "simplify" in refused(sql, dialect=dialect).why


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    assert "orders, customers, pool_samples, 订单" in refused("SELECT id FROM payments").why
    assert "orders has id, customer_id, status" in refused("SELECT state FROM orders").why


def test_text_of_a_request_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    refused("WITH x AS (DROP THING nobody_knows SELECT 1) DELETE FROM orders")
    refused("SELECT id FROM orders WHERE note -> '$.[x' = 1")

    assert caplog.records == []


@pytest.mark.parametrize(
    ("dialect", "sql", "params"),
    [
        (Dialect.MYSQL, "SELECT id FROM orders WHERE status = 0", ("0",)),
        (Dialect.POSTGRES, "SELECT id FROM orders WHERE status IN (1, 'a')", ("1", "a")),
        (Dialect.POSTGRES, "SELECT status FROM orders GROUP BY status HAVING MAX(note) > 7 AND COUNT(*) > 7", ("7", 7)),
        (Dialect.MYSQL, "SELECT id FROM orders WHERE total_cents BETWEEN 1 AND 2", (1, 2)),
        (Dialect.SQLITE, "SELECT id FROM orders WHERE status = 0", (0,)),
    ],
)
def test_a_number_is_compared_with_text_as_text(dialect: Dialect, sql: str, params: tuple[object, ...]) -> None:
    """MySQL would find every text that is no number equal to 0; PostgreSQL would refuse."""
    assert valid(sql, catalogue=shop(dialect)).params == params


def test_postgres_folds_a_name_without_quotes() -> None:
    tables = (Table("Twin", (Column("Id", "int"), Column("id", "int"))), Table("twin", (Column("id", "int"),)))
    catalogue = Catalogue(Dialect.POSTGRES, tables)

    assert valid("SELECT ID FROM TWIN", catalogue=catalogue).normalised == "SELECT id FROM twin"
    assert valid('SELECT "Id", Id FROM "Twin"', catalogue=catalogue).outputs == ("Id", "id")


@pytest.mark.parametrize("dialect", [Dialect.MYSQL, Dialect.POSTGRES])
def test_sums_of_what_is_no_number_are_refused(dialect: Dialect) -> None:
    assert "holds no numbers" in refused("SELECT SUM(note) FROM orders", dialect=dialect).why


def test_no_output_gets_a_name_that_order_by_could_mean() -> None:
    left = Table("t", (Column("left", "int"), Column("note", "text")), schema="public")

    sql = valid('SELECT note FROM t ORDER BY "left"', catalogue=Catalogue(Dialect.POSTGRES, (left,))).sql

    assert sql == 'SELECT LEFT(CAST("t"."note" AS text), 2001) FROM "public"."t" ORDER BY "t"."left"'
