"""Documents → blocks → sentences. Pure."""

import re
from dataclasses import dataclass

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_HEADING = re.compile(r"^\s*(?:[-*]\s+)?\*\*(.+?)\*\*\s*[:：]?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)、])\s+")
_END = re.compile(r"(?<=[。！？；])|(?<=[.!?;])(?=\s)|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|v)\.)$", re.IGNORECASE)
_MARKUP = re.compile(r"[`*_]{1,3}|^\s*(?:[-+•>]|\d+[.)、])\s+|^#+\s+")


@dataclass(frozen=True)
class Block:
    """Lines under one heading."""

    heading: str
    """Text of the heading; empty before the first one."""
    heading_line: str
    """The heading's line as written; empty if the heading is not in the text."""
    body: str
    """Lines below, as written."""


def blocks(text: str, outer_heading: str = "") -> tuple[Block, ...]:
    """The text cut at its headings; lines before the first one belong to ``outer_heading``."""
    found: list[Block] = []
    heading, line_text, body = outer_heading, "", list[str]()
    for line in text.splitlines():
        match = _HEADING.match(line)
        bold = None if match else _BOLD_HEADING.match(line)
        if match is None and bold is None:
            body.append(line)
            continue
        found.append(Block(heading, line_text, "\n".join(body)))
        heading, line_text, body = (match.group(2) if match else bold.group(1) if bold else ""), line, []
    found.append(Block(heading, line_text, "\n".join(body)))
    return tuple(block for block in found if block.heading or block.body.strip())


def sentences(text: str) -> tuple[str, ...]:
    """Sentences as written (verbatim substrings), without surrounding blanks; code in backticks is not cut."""
    found: list[str] = []
    for part in _END.split(text):
        if found and (found[-1].count("`") % 2 or _ABBREVIATION.search(found[-1])) and "\n" not in part:
            joined = _rejoined(text, found[-1], part)
            found[-1:] = [joined] if joined else [found[-1], part.strip()]
        elif part.strip():
            found.append(part.strip())
    return tuple(found)


def _rejoined(text: str, left: str, right: str) -> str:
    at = text.find(left)
    end = text.find(right.strip(), at + len(left)) + len(right.strip())
    return text[at:end] if at >= 0 and right.strip() and end > at and end - at < len(left) + len(right) + 8 else ""


def bullets(text: str) -> tuple[str, ...]:
    """Text of each list item, without its bullet."""
    return tuple(_BULLET.sub("", line).strip() for line in text.splitlines() if _BULLET.match(line))


def plain(text: str) -> str:
    """The text without Markdown marks, on one line."""
    lines = (_MARKUP.sub("", line) for line in text.splitlines())
    return " ".join(" ".join(lines).split())
