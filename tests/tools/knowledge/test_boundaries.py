"""Where a text may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.boundaries import begin_at, cut_back, excerpt


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("One two three. Four five six.", 20, "One two three."),
        ("One two three. Four", 14, "One two three."),
        ("first line\nsecond line", 15, "first line"),
        ("连接池耗尽。请求都在等待。", 9, "连接池耗尽。"),
        ("没有任何标点的一段文字", 5, "没有任何标"),
        ("aaaa bbbb cccc", 11, "aaaa bbbb"),
        ("short", 50, "short"),
        ("v1.2.3 is out. Then", 18, "v1.2.3 is out."),
    ],
)
def test_an_excerpt_ends_at_a_sentence_line_or_word(text, limit, kept):
    assert excerpt(text, limit) == kept


@given(st.text(max_size=300), st.integers(1, 100))
def test_an_excerpt_is_a_verbatim_beginning_within_its_limit(text, limit):
    result = excerpt(text, limit)

    assert text.startswith(result)
    assert len(result) <= limit


@given(st.text(min_size=1, max_size=200), st.integers(0, 100), st.integers(1, 100))
def test_a_cut_always_advances_and_never_passes_its_limit(text, start, length):
    end = cut_back(text, start, start + length)

    assert start < end <= max(start + length, len(text)) or start >= len(text)


@given(st.text(max_size=200), st.integers(0, 100), st.integers(0, 100))
def test_a_beginning_lies_inside_its_span(text, earliest, length):
    assert earliest <= begin_at(text, earliest, earliest + length) <= earliest + length
