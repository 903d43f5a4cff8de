"""How much of each passage is shown within a budget: best first, whole sentences. Pure."""

import json
from collections.abc import Sequence

from tools.knowledge.boundaries import excerpt

MAX_EXCERPT_CHARS = 1200
FLOOR_CHARS = 200
"""What every passage gets before the best ones get more: less says nothing."""
_STEP_CHARS = 50


def pack(texts: Sequence[str], budget_bytes: int) -> tuple[str, ...] | None:
    """Beginnings of the texts, best first, each at most 1200 characters, together within the budget as JSON.

    None if not even 200 characters of each fit.
    """
    shown = [excerpt(text, FLOOR_CHARS) for text in texts]
    left = budget_bytes - sum(map(json_bytes, shown))
    if left < 0:
        return None
    for place, text in enumerate(texts):
        more = _longest(text, left + json_bytes(shown[place]), at_least=shown[place])
        left -= json_bytes(more) - json_bytes(shown[place])
        shown[place] = more
    return tuple(shown)


def json_bytes(text: str) -> int:
    """Bytes of the text inside a JSON string, without the quotes."""
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2


def _longest(text: str, room_bytes: int, *, at_least: str) -> str:
    for max_chars in range(MAX_EXCERPT_CHARS, FLOOR_CHARS, -_STEP_CHARS):
        shown = excerpt(text, max_chars)
        if json_bytes(shown) <= room_bytes:
            return shown
    return at_least
