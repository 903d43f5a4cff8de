"""One evidence call as the rules plan it, and what plans them. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models.offline.view import View

MAX_PER_TOOL = 6


@dataclass(frozen=True)
class Call:
    """One evidence call."""

    tool: str
    input: dict[str, object]


Move = Callable[[View], Iterator[Call]]
