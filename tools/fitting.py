"""What of a result fits: the beginning of a text, and as many items as a projection has room for. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from state.model.evidence import Item

SHOWN_BYTES = 7600
"""Bytes of a projection that an observation of 8 KiB surely shows whole."""
CUT_MARK = "…"


@dataclass(frozen=True)
class Fitted:
    """The items that fit."""

    items: tuple[Item, ...]
    """In the order in which they are shown."""
    is_cut: bool
    """True if something that was found is not among them, or not whole."""


def cut(text: str, max_chars: int) -> str:
    """The text, or its beginning with a mark; at most ``max_chars``."""
    return text if len(text) <= max_chars else text[: max_chars - len(CUT_MARK)] + CUT_MARK


def leading(items: Iterable[Item], room_bytes: int) -> list[Item]:
    """The first items, as many as fit together."""
    kept: list[Item] = []
    for item in items:
        room_bytes -= item_bytes(item)
        if room_bytes < 0:
            break
        kept.append(item)
    return kept


def item_bytes(item: Item) -> int:
    """Bytes of the item inside a projection, with the comma behind it."""
    return len(item.model_dump_json().encode()) + 1
