"""What a parser gives: text with structure, and what the file says about itself. Pure."""

from pydantic import Field

from state.model.base import Value
from tools.knowledge.markdown_blocks import BlockKind

MAX_TEXT_CHARS = 4_000_000
"""Of one document; about 1500 pages."""
MAX_PIECES = 200_000


class Piece(Value):
    """One block of a document whose format has real structure."""

    text: str = Field(min_length=1)
    kind: BlockKind = BlockKind.TEXT
    level: int = 0
    """1–6 for a heading, else 0."""


class Extracted(Value):
    """A file as its parser read it. Either ``markdown`` or ``pieces`` holds the text."""

    markdown: str = ""
    pieces: tuple[Piece, ...] = ()
    title: str = ""
    """From the file's own properties; empty if it has none."""
    keywords: tuple[str, ...] = ()
    summary: str = ""
    note: str = ""
    """What a person should know of a file that could be read: one sentence, empty if nothing."""
