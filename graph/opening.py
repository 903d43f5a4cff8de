"""What a process opens before it can work, told in order to whoever waits for it."""

from collections.abc import Callable
from enum import StrEnum


class Opening(StrEnum):
    """One thing that is being opened."""

    STORES = "STORES"
    """Runs, evidence and checkpoints."""
    SOURCES = "SOURCES"
    """The folder of evidence and the configured systems."""
    RUNBOOKS = "RUNBOOKS"
    """The knowledge base; reads and embeds what is new in it."""


OnOpening = Callable[[Opening], None]


def untold(_: Opening) -> None:
    """Nobody waits."""
