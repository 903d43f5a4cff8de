"""A page on a terminal or a pipe. On a terminal lines fit its width; in a pipe nothing is broken or coloured."""

from typing import assert_never

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from service.invocation import PROGRAM, as_called
from service.page import (
    Block,
    Command,
    Entry,
    Heading,
    Headline,
    Listing,
    Page,
    Pairs,
    Paragraph,
    Source,
    Step,
    Tone,
    Verbatim,
)
from service.visible import one_line, visible
from service.wrapping import padded, wrap

MAX_WIDTH = 100
"""Longer lines are hard to read, however wide the terminal is."""
INDENT = "  "
BAR = "│ "

_TONES = {Tone.GOOD: "bold green", Tone.OPEN: "bold magenta", Tone.BAD: "bold red"}
"""Readable on light and dark ground; no meaning hangs on a colour alone."""


def show_page(page: Page, console: Console, program: str = PROGRAM) -> None:
    """Write the page, its commands for a person who calls the program so."""
    width = min(console.width, MAX_WIDTH) if console.is_terminal else None
    before: Block | None = None
    for block in page:
        if before is not None and _stands_apart(block, before):
            _put(console, "")
        before = block
        for line, style in _lines(block, width, program):
            _put(console, line, style)


def _stands_apart(block: Block, before: Block) -> bool:
    """True for a new section, and for a new entry after one that showed where it comes from."""
    is_next_entry = isinstance(block, Entry) and isinstance(before, (Source, Verbatim))
    return is_next_entry or isinstance(block, (Headline, Heading))


def _put(console: Console, line: str, style: str = "") -> None:
    console.print(Text(line, style=style), soft_wrap=True)


def _lines(block: Block, width: int | None, program: str) -> list[tuple[str, str]]:
    """Lines with their style."""
    match block:
        case Headline():
            return [(line, _TONES[block.tone]) for line in wrap(one_line(block.text), width)]
        case Heading():
            return [(line, "bold") for line in wrap(one_line(block.text), width)]
        case Paragraph():
            style = "bold" if block.strong else "dim" if block.quiet else ""
            return [(line, style) for line in _hanging(block.text, INDENT, width)]
        case Entry():
            return _entry(block, width)
        case Source():
            return [(line, "dim") for line in _hanging(block.text, INDENT * 3, width)]
        case Verbatim():
            lead = INDENT * 3 + BAR
            return [(line, "") for line in _hanging(block.text, lead, width, rest=lead)]
        case Step():
            return [(line, "") for line in _step(block, width, program)]
        case Pairs():
            return _pairs(block, width, program)
        case Listing():
            rows = ((one_line_kept(lead), one_line(text)) for lead, text in block.rows)
            return [(line, "") for lead, text in rows for line in _hanging(text, lead, width)]
        case _:
            assert_never(block)


def one_line_kept(line: str) -> str:
    """A preformatted line: its spaces stay, its newlines do not."""
    return visible(line).replace("\n", "\\n")


def _hanging(text: str, lead: str, width: int | None, *, rest: str | None = None) -> list[str]:
    """The lines with ``lead`` before the first and as many spaces (or ``rest``) before the others."""
    size = cell_len(lead)
    later = " " * size if rest is None else rest
    lines = wrap(visible(text), None if width is None else width - size)
    return [f"{lead if number == 0 else later}{line}".rstrip() for number, line in enumerate(lines)]


def _entry(block: Entry, width: int | None) -> list[tuple[str, str]]:
    text = f"{block.text} — {block.remark}" if block.remark else block.text
    return [(line, "") for line in _hanging(text, f"{INDENT}{block.marker} ", width)]


def _step(block: Step, width: int | None, program: str) -> list[str]:
    """The words, then the command on a line of its own that only the terminal itself may wrap."""
    words = _hanging(one_line(block.text), f"{INDENT}• ", width) if block.text else []
    command = as_called(one_line(block.command), program)
    return [*words, *([f"{INDENT * 2 if words else f'{INDENT}• '}{command}"] if command else [])]


def _pairs(block: Pairs, width: int | None, program: str) -> list[tuple[str, str]]:
    names = [one_line(name) for name, _ in block.rows]
    column = max((cell_len(name) for name in names), default=0)
    lines: list[tuple[str, str]] = []
    for name, (_, value) in zip(names, block.rows, strict=True):
        lead = f"{INDENT}{padded(name, column)}  "
        if isinstance(value, Command):
            lines.append((f"{lead}{as_called(one_line(value), program)}", ""))
        else:
            lines += [(line, "") for line in _hanging(value, lead, width)]
    return lines
