"""Where the blocks of a Markdown text begin and end, as offsets into that text. Pure.

Blocks together hold every non-blank line, so whoever slices by them loses nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ATOMIC = frozenset({"fence", "code_block", "table_open"})
_MARKUP = re.compile(r"[`*_\[\]<>&!\\\n]")
MAX_HEADING_CHARS = 1000
"""Of a heading that are looked at for its title."""


class BlockKind(StrEnum):
    """How a block may be treated."""

    HEADING = "heading"
    TEXT = "text"
    ATOMIC = "atomic"
    """A table or a code block: never split."""


class Block(NamedTuple):
    """One block: ``text[start:end]``."""

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    """1–6 for a heading, else 0."""
    title: str = ""
    """Heading text without markup."""


class _Span(NamedTuple):
    """Lines ``first`` to ``last`` (exclusive)."""

    first: int
    last: int
    kind: BlockKind
    level: int = 0
    title: str = ""


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """Blocks in order of the text, whose lines end in LF only; tables and code are atomic at any depth."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    spans = _fill_gaps(list(_spans(_parser().parse(text))), lines)
    return tuple(
        Block(starts[span.first], min(starts[span.last] - 1, len(text)), span.kind, span.level, span.title)
        for span in spans
    )


@cache
def _parser() -> MarkdownIt:
    """Finds blocks only: what stands inside a line is not looked at, which hostile lines could make slow."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    """Top-level blocks, each cut at the atomic blocks inside it."""
    atomic = sorted({(t.map[0], t.map[1]) for t in tokens if t.map and t.type in _ATOMIC})
    for index, token in enumerate(tokens):
        if token.level or not token.map or token.nesting < 0:
            continue
        first, last = token.map
        if token.type == "heading_open":
            yield _Span(first, last, BlockKind.HEADING, int(token.tag[1]), _plain(tokens[index + 1]))
        else:
            yield from _cut_out(first, last, atomic)


def _cut_out(first: int, last: int, atomic: Sequence[tuple[int, int]]) -> Iterator[_Span]:
    position = first
    for begin, end in atomic[max(0, bisect_right(atomic, (first, first)) - 1) :]:
        if begin >= last:
            break
        if begin < position:
            continue
        if begin > position:
            yield _Span(position, begin, BlockKind.TEXT)
        yield _Span(begin, end, BlockKind.ATOMIC)
        position = end
    if position < last:
        yield _Span(position, last, BlockKind.TEXT)


def _plain(inline: Token) -> str:
    heading = inline.content[:MAX_HEADING_CHARS]
    if not _MARKUP.search(heading):
        return " ".join(heading.split())
    (parsed,) = _inline_parser().parseInline(heading)
    children = parsed.children or ()
    text = "".join(child.content if child.type in ("text", "code_inline") else " " for child in children)
    return " ".join(text.split())


def _fill_gaps(spans: Sequence[_Span], lines: Sequence[str]) -> list[_Span]:
    """The spans plus text spans for non-blank lines that no token covers (link definitions)."""
    filled: list[_Span] = []
    position = 0
    for span in [*spans, _Span(len(lines), len(lines), BlockKind.TEXT)]:
        written = [number for number in range(position, span.first) if lines[number].strip()]
        if written:
            filled.append(_Span(written[0], written[-1] + 1, BlockKind.TEXT))
        if span.last > span.first:
            filled.append(span)
        position = max(position, span.last)
    return filled
