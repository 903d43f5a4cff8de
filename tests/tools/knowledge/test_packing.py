"""Texts within a budget."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.packing import FLOOR_CHARS, MAX_EXCERPT_CHARS, json_bytes, pack

LONG = "A sentence of some length here. " * 60


def test_what_fits_is_shown_whole():
    assert pack(["One.", "Two."], 100) == ("One.", "Two.")


def test_no_passage_is_longer_than_its_limit():
    (shown,) = pack([LONG], 100_000)

    assert MAX_EXCERPT_CHARS - 40 < len(shown) <= MAX_EXCERPT_CHARS


def test_the_best_get_room_before_the_last():
    first, second, third = pack([LONG] * 3, 2000)

    assert len(first) > len(second) >= len(third)
    assert len(first) > 1000


def test_a_cut_ends_with_a_whole_sentence():
    assert all(shown.endswith(".") for shown in pack([LONG] * 3, 2000))


def test_too_little_room_for_all_is_none():
    assert pack([LONG] * 3, 300) is None


@given(st.lists(st.text(max_size=1500), max_size=8), st.integers(0, 12_000))
def test_beginnings_within_the_budget_or_nothing(texts, budget):
    shown = pack(texts, budget)

    if shown is not None:
        assert sum(map(json_bytes, shown)) <= budget
        assert all(text.startswith(part) for text, part in zip(texts, shown, strict=True))
    elif texts:
        assert sum(len(json.dumps(text[:FLOOR_CHARS], ensure_ascii=False).encode()) for text in texts) > budget
