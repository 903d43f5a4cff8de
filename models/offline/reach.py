"""Which services an incident reaches: those asked about, and those their failures point to. Pure."""

import re
from collections.abc import Iterable, Sequence

from models.offline.telemetry import Event

_DEPTH = 3


def reached(events: Sequence[Event], named: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """Names, lower case: the given ones, and services of ``known`` that notable log records of them name, and so on."""
    found = {name.lower() for name in named if name}
    others = {name.lower() for name in known}
    for _ in range(_DEPTH):
        texts = [e.text.lower() for e in events if e.is_log and e.is_notable and not e.is_usual and e.service in found]
        new = {name for name in others - found if any(_stands(name, text) for text in texts)}
        if not new:
            break
        found |= new
    return frozenset(found)


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None
