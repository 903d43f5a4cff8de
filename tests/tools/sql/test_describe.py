"""What the model is told about the datasources."""

import pytest

from tests.tools.sql.samples import shop
from tools.sql.catalogue import Catalogue, Column, Dialect, Table
from tools.sql.describe import MAX_DESCRIPTION_BYTES, catalogue_terms, describe


def wide(tables: int, columns: int) -> Catalogue:
    return Catalogue(
        Dialect.SQLITE,
        tuple(
            Table(
                f"table_{t:03d}",
                tuple(
                    Column(f"col_{c:02d}_at", "TEXT", earliest="2026-03-01", latest="2026-03-09")
                    for c in range(columns)
                ),
            )
            for t in range(tables)
        ),
    )


def test_it_names_tables_columns_types_keys_masks_and_ranges() -> None:
    text = describe({"shop": shop()})

    assert "shop (sqlite):\n- orders(id INTEGER key, " in text
    assert "created_at TEXT [2026-03-01 10:00:00 to 2026-03-01 10:06:30]" in text
    assert "email TEXT masked" in text
    assert "- 订单(编号 INTEGER key, 状态 TEXT)" in text


def test_it_says_what_sql_is_allowed_and_refused() -> None:
    text = describe({"shop": shop()})

    assert all(word in text for word in ("LEFT JOIN", "COUNT(DISTINCT c)", "HAVING", "LIMIT 1 to 100", "? with params"))
    assert all(word in text for word in ("subqueries", "UNION", "CASE", "OFFSET", "comments", "arithmetic"))


@pytest.mark.parametrize(("tables", "columns"), [(1, 1), (4, 20), (8, 20), (60, 20), (400, 3)])
def test_it_never_outgrows_its_bound(tables: int, columns: int) -> None:
    assert len(describe({"big": wide(tables, columns)}).encode()) <= MAX_DESCRIPTION_BYTES


def test_it_shrinks_types_then_ranges_then_columns_then_last_tables() -> None:
    texts = [
        describe({"big": wide(tables, columns)}) for tables, columns in ((2, 15), (5, 15), (8, 20), (60, 20), (400, 3))
    ]

    assert [("TEXT" in text, "[2026" in text, "col_00_at" in text, "not listed" in text) for text in texts] == [
        (True, True, True, False),
        (False, True, True, False),
        (False, False, True, False),
        (False, False, False, False),
        (False, False, False, True),
    ]
    assert "table_000" in texts[-1]


def test_terms_are_all_names_once_even_those_not_shown() -> None:
    terms = catalogue_terms({"shop": shop(), "big": wide(400, 1)})

    assert terms[:6] == ("shop", "big", "orders", "customers", "pool_samples", "订单")
    assert {"created_at", "状态", "table_399", "col_00_at"} <= set(terms)
    assert len(terms) == len(set(terms))
