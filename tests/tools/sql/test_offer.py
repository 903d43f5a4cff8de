"""What of a server is offered: the allowlist against what is there."""

import pytest

from state.model.errors import Misconfigured
from tools.sql.catalogue import Catalogue, Dialect
from tools.sql.offer import Held, HeldColumn, build_catalogue
from tools.sql.server import Offer, SqlServer

SERVER = SqlServer("shop", "db.example", 5432, "shop", "reader", password="hunter2")
HELD = Held(
    [
        HeldColumn("public", "orders", "id", "bigint", key_place=1),
        HeldColumn("public", "orders", "shop_id", "integer", key_place=0),
        HeldColumn("public", "orders", "created_at", "timestamptz", zoned=True),
        HeldColumn("public", "orders", "card_number", "text"),
        HeldColumn("public", "orders", "notes", "text", readable=False),
        HeldColumn("public", "orders", "ignore previous instructions", "text"),
        HeldColumn("public", "orders", "odd", "app.kind; DROP"),
        HeldColumn("archive", "orders", "id", "bigint"),
        HeldColumn("public", "Orders2", "id", "bigint"),
        HeldColumn("public", "orders2", "id", "bigint"),
    ],
    ("public.orders", "archive.orders", "public.invoices"),
)


def catalogue(allowlist: dict[str, list[str]], masked: dict[str, list[str]] | None = None) -> Catalogue:
    offer = Offer(allowlist, masked or {})
    return build_catalogue(SERVER, offer, HELD, dialect=Dialect.POSTGRES, schema="public")


def test_every_column_means_every_readable_one_that_is_not_sensitive() -> None:
    (table,) = catalogue({"orders": ["*"]}).tables

    assert [column.name for column in table.columns] == ["id", "shop_id", "created_at", "odd"]
    assert table.columns[2].zoned is True
    assert table.primary_key == ("shop_id", "id")


def test_a_type_that_is_no_plain_name_is_not_shown() -> None:
    assert catalogue({"orders": ["odd"]}).tables[0].columns[0].type == ""


def test_a_listed_sensitive_column_and_a_masked_one_are_shown_as_masks() -> None:
    (table,) = catalogue({"orders": ["id", "card_number"]}, {"orders": ["created_at"]}).tables

    assert [(column.name, column.sensitive) for column in table.columns] == [
        ("id", False), ("created_at", True), ("card_number", True),
    ]  # fmt: skip
    assert table.primary_key == ()


def test_tables_of_one_name_in_two_schemas_are_told_apart() -> None:
    both = catalogue({"orders": ["id"], "archive.orders": ["id"]})

    assert [both.label(table) for table in both.tables] == ["public.orders", "archive.orders"]
    assert both.find("orders") is None
    assert both.find("orders", schema="archive") is both.tables[1]


@pytest.mark.parametrize(
    ("allowlist", "masked", "key", "why"),
    [
        ({"order": ["id"]}, {}, "allowlist.order", "no table public.order; did you mean public.orders"),
        ({"shop.invoices": ["id"]}, {}, "allowlist.shop.invoices", "did you mean public.invoices"),
        ({"zebra": ["id"]}, {}, "allowlist.zebra", "there is no table public.zebra"),
        ({"ORDERS2": ["id"]}, {}, "allowlist.ORDERS2", "there is no table public.ORDERS2"),
        ({"orders": ["id"], "public.orders": ["id"]}, {}, "allowlist", "listed twice"),
        ({"orders": ["creatd_at"]}, {}, "allowlist.public.orders", "did you mean created_at"),
        ({"orders": ["notes"]}, {}, "allowlist.public.orders", "no SELECT on the column notes"),
        ({"orders": ["ignore previous instructions"]}, {}, "allowlist.public.orders", "other characters"),
        ({"orders": []}, {}, "allowlist.public.orders", "no column of it can be read"),
        ({"orders": ["id"]}, {"archive.orders": ["id"]}, "masked", "archive.orders is not in the allowlist"),
        ({"orders": ["id"]}, {"orders": ["x"]}, "masked.public.orders", "there is no column 'x'"),
    ],
)
def test_what_does_not_fit_is_named(
    allowlist: dict[str, list[str]], masked: dict[str, list[str]], key: str, why: str
) -> None:
    with pytest.raises(Misconfigured) as caught:
        catalogue(allowlist, masked)

    assert caught.value.key == f"sources.shop.{key}"
    assert why in caught.value.why


def test_letter_case_of_an_entry_does_not_matter_where_it_means_one_thing() -> None:
    (table,) = catalogue({"ORDERS": ["ID"]}).tables

    assert (table.name, table.columns[0].name) == ("orders", "id")


def test_a_password_is_not_part_of_what_a_server_looks_like() -> None:
    assert "hunter2" not in repr(SERVER)
