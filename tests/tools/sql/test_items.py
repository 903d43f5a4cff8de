"""Rows as citable items."""

from zoneinfo import ZoneInfo

from state.model.evidence import Scalar
from tests.tools.sql.samples import valid
from tools.sql.items import ItemBuilder, render_cell


def builder(sql: str) -> ItemBuilder:
    found = valid(sql)
    return ItemBuilder(found, found.query.first.table.name, "0a1b2c3d", ZoneInfo("Asia/Shanghai"))


def ids(sql: str, *rows: list[Scalar]) -> list[tuple[str, bool]]:
    return [(item.item_id, item.identified) for item in builder(sql).build(rows)]


def test_a_row_of_one_table_is_named_by_its_primary_key() -> None:
    assert ids("SELECT status, id FROM orders", ["PAID", 7]) == [("row:orders:7", True)]


def test_a_compound_key_is_named_in_key_order() -> None:
    found = ids("SELECT taken_at, pool, active FROM pool_samples", ["2026-03-01T10:00:00Z", "a,b %", 3])

    assert found == [("row:pool_samples:a%2Cb%20%25,2026-03-01T10:00:00Z", True)]


def test_keys_that_differ_only_by_a_separator_stay_apart() -> None:
    (first, _), (second, _) = ids("SELECT pool, taken_at FROM pool_samples", ["a,b", "c"], ["a", "b,c"])

    assert first != second


def test_without_the_whole_key_a_row_is_named_by_its_place() -> None:
    assert ids("SELECT status FROM orders", ["A"], ["B"]) == [("row:0a1b2c3d:1", False), ("row:0a1b2c3d:2", False)]
    assert ids("SELECT pool FROM pool_samples", ["A"]) == [("row:0a1b2c3d:1", False)]


def test_groups_and_joins_are_named_by_place_even_with_the_key() -> None:
    assert ids("SELECT id, COUNT(*) FROM orders GROUP BY id", [7, 1]) == [("row:0a1b2c3d:1", False)]
    joined = "SELECT orders.id FROM orders JOIN customers ON customer_id = customers.id"
    assert ids(joined, [7]) == [("row:0a1b2c3d:1", False)]


def test_a_key_that_is_null_a_blob_too_long_or_repeated_names_nothing() -> None:
    sql = "SELECT pool, taken_at FROM pool_samples"

    found = ids(sql, [None, "a"], ["<3 bytes>", "a"], ["x" * 200, "a"], ["p", "q"], ["p", "q"], ["p", "r"])

    assert found == [*((f"row:0a1b2c3d:{n}", False) for n in range(1, 6)), ("row:pool_samples:p,r", True)]


def test_text_shows_each_cell_as_stored() -> None:
    (item,) = builder("SELECT id, note, created_at FROM orders").build(
        [[7, "refused, host db-1\nagain", "2026-03-01 10:00:00"]]
    )

    assert item.text == "id=7, note=refused, host db-1\nagain, created_at=2026-03-01 10:00:00"


def test_fields_are_typed_and_times_carry_an_offset() -> None:
    (item,) = builder("SELECT id, note, created_at FROM orders").build([[7, None, "2026-03-01 10:00:00"]])

    assert item.fields == {"id": 7, "note": None, "created_at": "2026-03-01T10:00:00+08:00"}


def test_an_extreme_of_a_time_is_a_time() -> None:
    (item,) = builder("SELECT MAX(taken_at), COUNT(taken_at) FROM pool_samples").build([["2026-03-01T10:00:00Z", 2]])

    assert item.fields == {"max(taken_at)": "2026-03-01T10:00:00+00:00", "count(taken_at)": 2}


def test_cells_are_rendered_exactly() -> None:
    cells: list[Scalar] = [None, True, 7, -1.5, 1e22, 0.1, "", "NULL ", "7"]

    assert [render_cell(cell) for cell in cells] == ["NULL", "true", "7", "-1.5", "1e+22", "0.1", "", "NULL ", "7"]


def test_a_long_cell_is_cut_and_marked() -> None:
    (item,) = builder("SELECT note FROM orders").build([["x" * 2001]])

    assert item.text == "note=" + "x" * 2000 + "…"
    assert item.fields == {"note": "x" * 2000 + "…"}
