"""Text of others on a terminal: it can show itself, nothing else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.visible import one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\x9b2Jb", r"a\x9b2Jb"),
        ("a\rb", r"a\x0db"),
        ("line\r\nnext", "line\nnext"),
        ("a\tb", "a    b"),
        ("abc\u202edcba", r"abc\u202edcba"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("a\u2028b", r"a\u2028b"),
        ("a\x00b", r"a\x00b"),
        ("\udcff", r"\udcff"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_could_act_on_the_terminal_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["订单服务超时：HikariPool-1", "naïve café", "Ж ≥ 3 µs", "a\nb", "→ “x”"])
def test_letters_of_every_script_stay(text: str) -> None:
    assert visible(text) == text


def test_one_line_has_no_newline() -> None:
    assert one_line("a\n  b\r\nc\td") == "a b c d"


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    shown = visible(text)

    assert not [char for char in shown if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
