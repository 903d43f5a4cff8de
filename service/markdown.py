"""A page as a Markdown file. Text of others is escaped: it can open no link, no tag and no heading. Pure."""

import re
from typing import assert_never

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
    Verbatim,
)
from service.visible import one_line, visible

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
_LINE_START = re.compile(r"^(\s*)([#+\-=]|\d+(?=[.)]))", re.MULTILINE)


def render_markdown(page: Page, program: str = PROGRAM) -> str:
    """The whole file, its commands for a person who calls the program so."""
    parts: list[str] = []
    for block in page:
        glued = isinstance(block, (Source, Verbatim)) or (parts and isinstance(block, (Entry, Step)))
        text = _block(block, program)
        parts.append(text if glued else f"\n{text}")
    return "\n".join(parts).strip() + "\n"


def escape_markdown(text: str) -> str:
    """The text such that Markdown shows it as it is."""
    return _LINE_START.sub(_mark_start, _SPECIAL.sub(r"\\\1", visible(text)))


def _mark_start(match: re.Match[str]) -> str:
    space, mark = match.groups()
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def _block(block: Block, program: str) -> str:
    match block:
        case Headline():
            return f"# {_line(block.text)}"
        case Heading():
            return f"## {_line(block.text)}\n"
        case Paragraph():
            text = escape_markdown(block.text.strip()).replace("\n", "  \n")
            return f"**{text}**" if block.strong and text else text
        case Entry():
            return _entry(block)
        case Source():
            return f"\n  {_line(block.text)}\n"
        case Verbatim():
            return _fenced(block.text, indent="  ")
        case Step():
            command = [_code(as_called(block.command, program))] if block.command else []
            return " ".join(["-", *([_line(block.text)] if block.text else []), *command])
        case Pairs():
            return "\n".join(f"- **{_line(name)}**: {_value(value, program)}" for name, value in block.rows)
        case Listing():
            return _fenced("\n".join(f"{lead}{one_line(text)}" for lead, text in block.rows), indent="")
        case _:
            assert_never(block)


def _entry(block: Entry) -> str:
    number = block.marker.strip("[]")
    lead = f"**[{number}]** " if number.isdigit() else ""
    remark = f" — _{_line(block.remark)}_" if block.remark else ""
    text = escape_markdown(block.text).replace("\n", "  \n  ")
    return f"- {lead}{text}{remark}"


def _value(value: str, program: str) -> str:
    return _code(as_called(value, program)) if isinstance(value, Command) else _line(value)


def _line(text: str) -> str:
    return escape_markdown(one_line(text))


def _code(text: str) -> str:
    line = one_line(text)
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _fenced(text: str, *, indent: str) -> str:
    shown = visible(text)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return "\n".join(f"{indent}{line}" for line in (f"{fence}text", *shown.split("\n"), fence))


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
