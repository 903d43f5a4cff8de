"""The report as a file: the same content, and nothing of others becomes markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from service.markdown import escape_markdown, render_markdown
from service.page import Command, Entry, Heading, Headline, Listing, Pairs, Paragraph, Source, Step, Tone, Verbatim

PARSER = MarkdownIt("commonmark").enable("table")


def shown(markdown: str) -> str:
    """The plain text that a Markdown reader shows of one paragraph."""
    tokens = PARSER.parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    inline = tokens[1].children or []
    assert {token.type for token in inline} <= {"text", "text_special", "softbreak"}
    return "".join("\n" if token.type == "softbreak" else token.content for token in inline)


@pytest.mark.parametrize(
    "text",
    [
        "[click](http://evil.example)",
        "<script>alert(1)</script>",
        "![x](http://evil.example/pixel.png)",
        "# heading",
        "- item",
        "+ item",
        "1. item",
        "2) item",
        "> quote",
        "| a | b |",
        "`code` *bold* _it_ ~~x~~",
        "&lt;tag&gt;",
        "=====",
        "a\\*b",
    ],
)
def test_markup_of_others_is_shown_as_it_is(text: str) -> None:
    assert shown(escape_markdown(text)) == text


@given(st.text(alphabet="ab1.)#*_`[]<>|~&\\-+=!:/ ", min_size=1, max_size=30).filter(lambda text: text.strip()))
def test_any_line_is_one_paragraph_of_its_own_words(text: str) -> None:
    stripped = text.strip()

    assert shown(escape_markdown(stripped)) == stripped


def test_evidence_cannot_close_its_fence() -> None:
    page = (Entry("x", marker="[1]"), Verbatim("before\n```\n# out\n````\nafter"))

    fences = [token for token in PARSER.parse(render_markdown(page)) if token.type == "fence"]

    assert [fence.content for fence in fences] == ["before\n```\n# out\n````\nafter\n"]


def test_a_command_keeps_its_backticks() -> None:
    tokens = PARSER.parse(render_markdown((Step("see:", Command("rootproof diagnose 'a `b` c'")),)))

    code = [child for token in tokens for child in token.children or [] if child.type == "code_inline"]
    assert code[0].content == "rootproof diagnose 'a `b` c'"


def test_control_characters_are_written_out() -> None:
    assert "\x1b" not in render_markdown((Headline("\x1b[2J", Tone.BAD), Verbatim("\x1b]0;x\x07")))


def test_the_headline_sentence_is_strong() -> None:
    assert render_markdown((Paragraph("It *is* down.", strong=True),)) == "**It \\*is\\* down.**\n"


def test_every_kind_of_block_has_its_form() -> None:
    page = (
        Headline("Root cause", Tone.GOOD),
        Paragraph("one\ntwo"),
        Heading("Proof"),
        Entry("pool", marker="[1]", remark="open"),
        Source("query_logs · payments"),
        Verbatim("line"),
        Pairs((("Model", "offline"),)),
        Listing((("  1  ", "RUN"),)),
    )

    assert render_markdown(page) == (
        "# Root cause\n\none  \ntwo\n\n## Proof\n\n- **[1]** pool — _open_\n\n  query\\_logs · payments\n\n"
        "  ```text\n  line\n  ```\n\n- **Model**: offline\n\n```text\n  1  RUN\n```\n"
    )
