"""Documents → blocks under headings → paragraphs with their labels → sentences. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_HEADING = re.compile(r"^\s*(?:[-*]\s+)?\*\*(.+?)\*\*\s*[:：]?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)、])\s+")
_BREAK = re.compile(
    r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)、])[ \t])|\n(?=[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]{1,40}\*\*))|"
    r"\n(?=[^\n]{1,24}[:：])"
)
_END = re.compile(r"(?<=[。！？；])|(?<=[.!?;])(?=\s)")
_LABEL = re.compile(
    r"^\s*(?:[-*+]\s+)?\*\*(?P<bold>[^*\n]{1,60}?)\s*[.:：。]?\s*\*\*\s*[.:：]?|"
    r"^\s*(?:[-*+]\s+)?(?P<bare>[^\s`*:：.。,，][^`*:：.。\n]{0,30})[:：](?:\s|$|(?=[\u3400-\u9fff`]))"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|v)\.)$", re.IGNORECASE)
_MARKUP = re.compile(r"[`*]{1,3}|^\s*(?:[-+•>]|\d+[.)、])\s+|^\s*#+\s+", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """Lines under one heading."""

    heading: str
    """Text of the heading; empty before the first one."""
    heading_line: str
    """The heading as written, without its marks; empty if the heading is not in the text."""
    depth: int
    """Number of Markdown marks; 0 for a bold line or none."""
    body: str
    """Lines below, as written."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph or list item, as written."""

    label: str
    """What stands before its first colon or in bold at its start; empty if nothing does."""
    text: str


def blocks(text: str, outer_heading: str = "") -> tuple[Block, ...]:
    """The text cut at its headings; lines before the first one belong to ``outer_heading``."""
    found: list[Block] = []
    heading, written, depth, body = outer_heading, "", 0, list[str]()
    for line in text.splitlines():
        named = _heading_of(line)
        if named is None:
            body.append(line)
            continue
        found.append(Block(heading, written, depth, "\n".join(body)))
        heading, written, depth, body = named[0], named[0], named[1], []
    found.append(Block(heading, written, depth, "\n".join(body)))
    return tuple(block for block in found if block.heading or block.body.strip())


def _heading_of(line: str) -> tuple[str, int] | None:
    match = _HEADING.match(line)
    if match:
        return match.group(2).strip(), len(match.group(1))
    bold = _BOLD_HEADING.match(line)
    return (bold.group(1).strip(), 0) if bold else None


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Paragraphs and list items in order; a line break inside one is only a wrap."""
    return tuple(_paragraph(part.strip()) for part in _BREAK.split(text) if part.strip())


def _paragraph(text: str) -> Paragraph:
    match = _LABEL.match(text)
    return Paragraph((match.group("bold") or match.group("bare") or "").strip() if match else "", text)


def sentences(text: str) -> tuple[str, ...]:
    """Sentences as written (verbatim substrings), without surrounding blanks; code in backticks is not cut."""
    return tuple(sentence for part in _BREAK.split(text) for sentence in _cut(part) if sentence)


def _cut(part: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(part):
        piece = part[start : match.start()]
        is_quoted = piece.count("`") % 2 or piece.count("“") > piece.count("”")
        if not is_quoted and not _ABBREVIATION.search(piece):
            yield piece.strip()
            start = match.start()
    yield part[start:].strip()


def bullets(text: str) -> tuple[str, ...]:
    """Text of each list item, without its bullet."""
    return tuple(_BULLET.sub("", line).strip() for line in text.splitlines() if _BULLET.match(line))


def plain(text: str) -> str:
    """The text without Markdown marks, on one line."""
    return " ".join(_MARKUP.sub("", text).split())
