"""Names of a source's data, as a catalogue lists them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.valid_text import MAX_IDENTIFIER_CHARS, MAX_LISTED_WORDS, is_listed, listed_name


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("payment-service", "payment-service"),
        ("支付服务", "支付服务"),
        ("Node not ready", "Node not ready"),
        ("a<b", "a<b"),
        ("my.metric/5xx %", "my.metric/5xx %"),
        ("a\r\n\tb", "a b"),
        ("<|im_<|x|>start|>pay", "pay"),
        ("[INST]pay[/INST] <system>", "pay"),
        ("\u202epay\u200b\u2066\U000e0041", "pay"),
        ("a\u2028b", "a b"),
        ("one two three four five six", "one two three four five six"),
        ("one two three four five six seven", ""),
        ("<|im_start|>", ""),
        ("", ""),
        ("x" * 200, "x" * 100),
        ("x'" * 100, "x'" * 30),
    ],
)
def test_a_name_is_a_short_plain_line_or_none(said, listed):
    assert listed_name(said) == listed


@given(st.text(max_size=300))
def test_any_text_becomes_a_bounded_line_that_stays_as_it_is(said):
    name = listed_name(said)

    assert len(name) <= MAX_IDENTIFIER_CHARS
    assert len(name.split()) <= MAX_LISTED_WORDS
    assert name == "" or name.isprintable()
    assert is_listed(said) is (name == said != "")
