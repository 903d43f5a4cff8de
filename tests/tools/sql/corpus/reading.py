"""Reads the corpus: categories of statements, one a block, from plain text files.

``=== category CODE`` opens a category (with a code: every refusal in it has that code); text before the first is a
heading. Blank lines separate statements. ``⟦U+0000⟧`` is a character, ``⟦x×9⟧`` a repetition, and a last line
``⟦params⟧ [1, "x"]`` holds parameters as JSON.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from state.model.evidence import Scalar
from tools.sql.catalogue import Dialect

FOLDER = Path(__file__).parent
_PARAMS = "⟦params⟧ "
_CHARACTER = re.compile(r"⟦U\+([0-9A-F]{4,6})⟧")
_REPEATED = re.compile(r"⟦([^⟦⟧]+)×(\d+)⟧")


@dataclass(frozen=True)
class Statement:
    """One statement of the corpus."""

    category: str
    code: str
    """Expected of a refusal; empty if the category leaves it open."""
    sql: str
    params: tuple[Scalar, ...] = ()


@cache
def corpus(kind: str, dialect: Dialect) -> tuple[Statement, ...]:
    """All ``hostile`` or ``innocent`` statements for the dialect: those for every dialect first."""
    return tuple(found for name in ("common", dialect.value) for found in _file(FOLDER / kind / f"{name}.sql"))


def categories(kind: str, dialect: Dialect) -> tuple[str, ...]:
    """Names, in order of first occurrence."""
    return tuple(dict.fromkeys(statement.category for statement in corpus(kind, dialect)))


def _file(path: Path) -> list[Statement]:
    sections = path.read_text(encoding="utf-8").split("\n=== ")[1:]
    return [statement for section in sections for statement in _section(section)]


def _section(section: str) -> list[Statement]:
    head, _, body = section.partition("\n")
    category, _, code = head.partition(" ")
    blocks = (block.strip("\n") for block in re.split(r"\n(?:[ \t]*\n)+", body.strip("\n")))
    return [_statement(category, code.strip(), block) for block in blocks if block]


def _statement(category: str, code: str, block: str) -> Statement:
    text, _, given = block.partition("\n" + _PARAMS)
    params = tuple(json.loads(given)) if given else ()
    return Statement(category, code, expanded(text), params)


def expanded(text: str) -> str:
    """The text with its marks replaced by what they stand for."""
    repeated = _REPEATED.sub(lambda mark: mark[1] * int(mark[2]), text)
    return _CHARACTER.sub(lambda mark: chr(int(mark[1], 16)), repeated)
