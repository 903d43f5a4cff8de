"""A page: what is shown of a run, in blocks, before anyone knows whether it becomes a screen or a file. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Command(str):
    """A command of this program as a person types it: never broken, and shown as the program is called here."""

    __slots__ = ()


class Tone(StrEnum):
    """How a headline reads at a glance."""

    GOOD = "good"
    OPEN = "open"
    BAD = "bad"


@dataclass(frozen=True)
class Headline:
    """What the page is about, in a few words."""

    text: str
    tone: Tone


@dataclass(frozen=True)
class Heading:
    """Start of a section."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str
    quiet: bool = False
    strong: bool = False


@dataclass(frozen=True)
class Entry:
    """One entry of a list, with a number or a dot, and a remark of code behind it."""

    text: str
    marker: str = "•"
    remark: str = ""


@dataclass(frozen=True)
class Source:
    """Where the entry above comes from."""

    text: str


@dataclass(frozen=True)
class Verbatim:
    """Words of evidence, character for character."""

    text: str


@dataclass(frozen=True)
class Step:
    """What a person can do next, and the command that does it."""

    text: str
    command: Command = Command()
    """Empty where no command does it."""


@dataclass(frozen=True)
class Pairs:
    """Names and values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Listing:
    """Rows of a preformatted beginning and a text that may go on below itself."""

    rows: tuple[tuple[str, str], ...]


Block = Headline | Heading | Paragraph | Entry | Source | Verbatim | Step | Pairs | Listing
Page = tuple[Block, ...]
