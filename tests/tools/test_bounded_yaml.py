"""YAML from outside ends in a plain value or in one small error."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tools.bounded_yaml import UnreadableYaml, load_yaml


def bomb(width, depth, last="x: *a{}"):
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, depth)]
    return "\n".join([*lines, last.format(depth - 1)])


def merge_bomb(depth):
    merged = [f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}'] * 9)}]}}" for n in range(1, depth)]
    return "\n".join(["b0: &b0 {k: v}", *merged])


HOSTILE = [
    bomb(9, 12),
    merge_bomb(12),
    "a: &a [*a]",
    "a: " + "[" * 7000,
    "a: " + "9" * 15_000,
    "a: 0x" + "f" * 15_000,
    "a: 1" + ":59" * 5000,
    "a: 1" + ":59" * 5000 + ".5",
    "a: 9999-99-99",
    "a: !!int ''",
    "a: !!float ''",
    "a: !!bool x",
    "a: !!timestamp x",
    "a: !!binary 'a'",
    "a: !!python/object/apply:os.system ['true']",
    "? [a]\n: b",
    'a: "\\ud800"',
    "a: \0",
    "--- a\n--- b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_document_ends_in_one_small_error(text):
    with pytest.raises(UnreadableYaml) as refused:
        load_yaml(text)

    assert len(str(refused.value)) < 200
    assert refused.value.__cause__ is None


def test_ordinary_documents_with_a_few_aliases_are_read():
    assert load_yaml("base: &b {x: 1}\none: {<<: *b, y: 2}\ntwo: *b") == {
        "base": {"x": 1},
        "one": {"x": 1, "y": 2},
        "two": {"x": 1},
    }
    assert load_yaml("") is None


PIECES = st.sampled_from([
    "a", ":", " ", "\n", "- ", "[", "]", "{", "}", "&a ", "*a", "<<: ", "!!int ", "!!set ", "!!omap ", "!!pairs ",
    "!!timestamp ", "!!merge ", "? ", "| ", "> ", '"', "'", "\\ud800", "0x", "1:2", "2026-01-01", "~", "#",
    "%YAML 1.1\n", "---\n", "=", ".inf", "!!value ", "!<x> ", "\t", "\ufeff",
])  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES | st.text(max_size=3), max_size=25).map("".join))
@example("!!omap [a]")
def test_no_text_raises_anything_else(text):
    try:
        load_yaml(text)
    except UnreadableYaml as error:
        assert len(str(error)) < 200
