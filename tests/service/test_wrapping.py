"""Lines that fit: counted in cells, broken where each script breaks, nothing lost."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from service.wrapping import padded, wrap


def test_english_breaks_between_words() -> None:
    assert wrap("the pool is exhausted", 12) == ["the pool is", "exhausted"]


def test_chinese_breaks_between_characters_and_fills_the_line() -> None:
    assert wrap("连接池已经耗尽", 8) == ["连接池已", "经耗尽"]


def test_closing_punctuation_never_starts_a_line() -> None:
    assert wrap("连接池耗尽，重试", 10) == ["连接池耗", "尽，重试"]


def test_opening_punctuation_never_ends_a_line() -> None:
    assert wrap("连接池（二）", 8) == ["连接池", "（二）"]


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_own_newlines_stay() -> None:
    assert wrap("a\n\nb", 10) == ["a", "", "b"]


def test_without_a_width_only_own_newlines_break() -> None:
    assert wrap("a very long line\nb", None) == ["a very long line", "b"]


def test_padding_counts_cells() -> None:
    assert padded("模型", 6) == "模型  "
    assert padded("too long", 3) == "too long"


@given(st.text(alphabet="ab 连接池，。（）.-", max_size=80), st.integers(2, 20))
def test_every_line_fits_and_no_character_but_spaces_is_lost(text: str, width: int) -> None:
    lines = wrap(text, width)

    assert max(cell_len(line) for line in lines) <= width
    assert re.sub(" ", "", "".join(lines)) == re.sub(" ", "", text)
