"""What the searched window, the order of two times, and a plain catalogue word are taken for."""

from typing import Any

import pytest

from guards.claims.extract import extract_claims
from guards.claims.vocabulary import Vocabulary
from state.model.evidence import Scope
from tests.builders import HIKARI, PATTERN, WINDOW, a_projection, a_quote
from tests.guards.test_what_carries_nothing import refused

CATALOGUE = Vocabulary.of(("orders", "coredns", "releases", "storefront"), ("orders",))
QUOTE = a_quote(text="Connection is not available")
START, END = f"{WINDOW.start:%H:%M}", f"{WINDOW.end:%H:%M}"


def found_in(text: str, **over: Any) -> list[str]:
    scope = Scope(source="payments", window=WINDOW, filters={"service": "payment-service"})
    return refused(text, a_projection(items=(HIKARI, PATTERN), scope=scope, **over), quotes=(QUOTE,))


def test_the_edges_of_a_window_tell_what_was_searched_and_not_when_it_happened() -> None:
    assert found_in(f"Between {START} and {END} payment-service had no connection.") == []
    assert found_in(f"Since {START} payment-service had no connection.") == []
    assert found_in(f"At {END} payment-service had no connection.") == [END]


@pytest.mark.parametrize("form", ["between {} and {}", "from {} to {}", "{}-{}", "{} 至 {}"])
def test_a_span_runs_forwards(form: str) -> None:
    assert found_in(f"Searched {form.format(START, END)}: payment-service had no connection.") == []
    assert found_in(f"Searched {form.format(END, START)}: payment-service had no connection.") == [f"{END} … {START}"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("payments fail in coredns", ["coredns"]),
        ("releases holds a row for it", ["releases"]),
        ("releases 中有一行", ["releases"]),
        ("service=storefront failed", ["storefront"]),
        ("storefront logged it", ["storefront"]),
        ("errors in orders", ["orders"]),
        ("no orders were served", []),
        ("two releases ago", []),
        ("in releases of last week", []),
    ],
)
def test_a_plain_word_of_the_catalogue_is_a_name_where_it_is_used_as_one(text: str, names: list[str]) -> None:
    assert [claim.text for claim in extract_claims(text, CATALOGUE) if claim.rule == "catalogued name"] == names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The first failure was at 14:03:12.", []),
        ("Only 20 connections exist.", []),
        ("All 20 connections were active.", []),
        ("All 31 threads were waiting.", ["all"]),
        ("Only payment-service failed.", ["only"]),
        ("None of them recovered.", ["none"]),
    ],
)
def test_words_of_a_whole_over_a_cut_display(text: str, found: list[str]) -> None:
    quotes = (QUOTE, a_quote(PATTERN, text="Connection is not available"))
    part = a_projection(items=(HIKARI, PATTERN), truncated=True)

    assert [word for word in refused(text, part, quotes=quotes) if word in {"first", "only", "all", "none"}] == found
