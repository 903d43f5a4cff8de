"""Blocks of a Markdown text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge.markdown_blocks import BlockKind, markdown_blocks


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind.value, text[block.start : block.end]) for block in markdown_blocks(text)]


def test_headings_carry_level_and_plain_title():
    blocks = markdown_blocks("# A `b` *c*\n\nText\n\nSub\n---\n")

    assert [(b.level, b.title) for b in blocks if b.kind is BlockKind.HEADING] == [(1, "A b c"), (2, "Sub")]


def test_a_hash_inside_a_code_block_is_no_heading():
    assert kinds("```sh\n# not a heading\n```\n") == [("atomic", "```sh\n# not a heading\n```")]


def test_a_table_is_atomic():
    table = "| a | b |\n| - | - |\n| 1 | 2 |"

    assert kinds(f"x\n\n{table}\n\ny") == [("text", "x"), ("atomic", table), ("text", "y")]


def test_code_inside_a_list_item_is_cut_out_of_it():
    text = "- one\n\n  ```\n  code\n  ```\n\n- two\n"

    assert [kind for kind, _ in kinds(text)] == ["text", "atomic", "text"]


def test_link_definitions_which_the_parser_swallows_are_kept():
    assert kinds("See [a].\n\n[a]: http://example.org\n")[1] == ("text", "[a]: http://example.org")


PIECES = st.sampled_from(
    ["# h", "## 标题", "text here", "- item", "  - sub", "```", "~~~", "| a | b |", "| - | - |", "| 1 | 2 |", "", "",
     "    code", "> quote", "[r]: /u", "<div>", "Sub\t", "---", "===", "\x0b", "\u2028x", "1. one"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_blocks_are_ordered_disjoint_and_hold_every_character_that_is_not_blank(lines):
    text = "\n".join(lines)

    blocks = markdown_blocks(text)

    gaps = [0, *(offset for block in blocks for offset in (block.start, block.end)), len(text)]
    assert gaps == sorted(gaps)
    outside = "".join(text[start:end] for start, end in zip(gaps[::2], gaps[1::2], strict=True))
    assert outside.strip() == ""
