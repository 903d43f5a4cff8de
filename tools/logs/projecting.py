"""Turns a payload of ``query_logs`` into citable items within a number of bytes. Pure and deterministic."""

from collections.abc import Iterable

from state.model.enums import EvidenceKind
from state.model.evidence import Item, Scalar
from tools.fitting import Fitted, cut, item_bytes
from tools.logs.digest import MAX_EVENT_CHARS, Json

PATTERN_SHARE = 0.55
"""Part of the room that patterns may take before records had their turn."""
_PATTERN_FIELDS = ("count", "count_before", "first_ts", "last_ts", "service", "level")
_EVENT_FIELDS = ("ts", "service", "level")


def project_items(payload: Json, source: str, scope8: str, *, room_bytes: int) -> Fitted:
    """Patterns up to their share of the room, then the most wanted records, then further patterns.

    Shown are patterns, most informative first, then records in time order.
    """
    patterns = _distinct(_pattern_item(row, scope8) for row in _rows(payload["patterns"]))
    events = _distinct(_event_item(row, source) for row in _rows(payload["events"]))
    first = _fit(patterns, int(room_bytes * PATTERN_SHARE))
    wanted = [event for _, event in sorted(zip(_wants(payload), events, strict=True), key=lambda pair: pair[0])]
    shown = _fit(wanted, room_bytes - _bytes(first))
    rest = [item for item in patterns if item not in first]
    more = _fit(rest, room_bytes - _bytes(first) - _bytes(shown))
    is_whole = (len(first) + len(more), len(shown)) == (payload["n_patterns"], payload["n_events"])
    is_short = any(row["is_cut"] or len(str(row["text"])) > MAX_EVENT_CHARS for row in _rows(payload["events"]))
    ids = {item.item_id for item in (*first, *more, *shown)}
    kept = tuple(item for item in (*patterns, *events) if item.item_id in ids)
    return Fitted(kept, is_cut=not is_whole or is_short)


def _wants(payload: Json) -> list[int]:
    """Rank of want of each distinct record."""
    ranks = {(row["at"], row["hash"]): int(str(row["want"])) for row in _rows(payload["events"])}
    return list(ranks.values())


def _pattern_item(row: Json, scope8: str) -> Item:
    return Item(
        item_id=f"pat:{scope8}:{row['id']}",
        kind=EvidenceKind.TELEMETRY,
        text=str(row["text"]),
        fields={name: _scalar(row[name]) for name in _PATTERN_FIELDS},
    )


def _event_item(row: Json, source: str) -> Item:
    return Item(
        item_id=f"log:{source}:{row['at']}:{row['hash']}",
        kind=EvidenceKind.TELEMETRY,
        text=cut(str(row["text"]), MAX_EVENT_CHARS),
        fields={name: _scalar(row[name]) for name in _EVENT_FIELDS},
        identified=True,
    )


def _rows(value: object) -> list[Json]:
    assert isinstance(value, list), "the digest puts a list there"
    return value


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, str | int | float) else None


def _distinct(items: Iterable[Item]) -> list[Item]:
    return list({item.item_id: item for item in items}.values())


def _fit(items: list[Item], room_bytes: int) -> list[Item]:
    """The items that fit together, the first ones first; one that is too large is passed over."""
    kept: list[Item] = []
    for item in items:
        if item_bytes(item) <= room_bytes:
            room_bytes -= item_bytes(item)
            kept.append(item)
    return kept


def _bytes(items: list[Item]) -> int:
    return sum(map(item_bytes, items))
