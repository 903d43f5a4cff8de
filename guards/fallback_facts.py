"""Verified results in words of code: what a result shows, what was searched, in the language of the run. Pure."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from guards import fallback_texts as texts
from guards.citations import Verified
from state.model.enums import EvidenceKind, EvidenceStatus, Language
from state.model.evidence import Item, Window
from state.model.release import ObservedFact

MAX_SUMMARY_CHARS = 320
MAX_SCOPE_CHARS = 320
MAX_SOURCE_CHARS = 160
_MAX_EXAMPLE_CHARS = 200
_MAX_TITLES = 5
_MAX_FILTER_CHARS = 80
_MAX_SCOPE_QUERY_CHARS = 160

_COUNTS = (
    ("log:", texts.COUNT_EVENTS),
    ("pat:", texts.COUNT_EVENTS),
    ("row:", texts.COUNT_ROWS),
    ("ser:", texts.COUNT_SERIES),
    ("alert:", texts.COUNT_ALERTS),
)
"""What the items of a result are (one, many), by the beginning of their ids."""


def observed_fact(result: Verified, language: Language, zone: tzinfo) -> ObservedFact:
    """One result that found something."""
    return ObservedFact(
        tool_call_id=result.projection.tool_call_id,
        source=source_of(result),
        scope=describe_scope(result, language, zone),
        summary=summarise(result, language),
    )


def empty_search(result: Verified, language: Language, zone: tzinfo) -> str:
    """The sentence for a result that found nothing: never more than its own scope."""
    return texts.EMPTY.text(language, scope=describe_scope(result, language, zone))


def is_found(result: Verified) -> bool:
    """True for a result with items."""
    return result.projection.evidence_status is EvidenceStatus.EVIDENCE_FOUND


def source_of(result: Verified) -> str:
    """Configured source and tool."""
    return clip(f"{result.projection.scope.source} ({result.projection.tool})", MAX_SOURCE_CHARS)


def summarise(result: Verified, language: Language) -> str:
    """What the result holds: counts where the result is whole, titles for documents, one example."""
    items = result.projection.items
    if items and all(item.kind is EvidenceKind.KNOWLEDGE for item in items):
        titles = list(dict.fromkeys(_title(item) for item in items))[:_MAX_TITLES]
        joined = texts.SEPARATOR.text(language).join(titles)
        return clip(texts.DOCUMENTS.text(language, titles=joined), MAX_SUMMARY_CHARS)
    count = _count(result, language)
    top = _most_frequent(items)
    if top:
        words = texts.MOST_FREQUENT.text(language, count=count, text=_example(top), n=f"{top.fields['count']:,}")
    elif items:
        words = texts.FOR_EXAMPLE.text(language, count=count, text=_example(items[0]))
    else:
        words = count
    return clip(words, MAX_SUMMARY_CHARS)


def key_items(result: Verified, n: int) -> tuple[Item, ...]:
    """The items that show best what the summary says: frequent patterns first, then the order of the result."""
    items = result.projection.items
    patterns = sorted((item for item in items if _pattern_count(item)), key=lambda item: -_pattern_count(item))
    unique = {item.item_id: item for item in (*patterns, *items)}
    return tuple(unique.values())[:n]


def describe_scope(result: Verified, language: Language, zone: tzinfo) -> str:
    """Source, window, filters and query of a search, in one bounded line."""
    scope = result.projection.scope
    parts = [scope.source]
    parts += [describe_window(scope.window, language, zone)] if scope.window else []
    parts += [f"{name}={clip(value, _MAX_FILTER_CHARS)}" for name, value in scope.filters.items()]
    parts += [clip(scope.query, _MAX_SCOPE_QUERY_CHARS)] if scope.query else []
    return clip(texts.SEPARATOR.text(language).join(parts), MAX_SCOPE_CHARS)


def describe_window(window: Window, language: Language, zone: tzinfo) -> str:
    """The window in the zone of the run; the date of its end only where it differs."""
    start, end = _local(window.start, zone), _local(window.end, zone)
    end_format = "%H:%M" if end.date() == start.date() else "%Y-%m-%d %H:%M"
    offset = start.strftime("%z") or "+0000"
    return texts.WINDOW.text(
        language,
        start=start.strftime("%Y-%m-%d %H:%M"),
        end=end.strftime(end_format),
        zone=f"{offset[:3]}:{offset[3:5]}",
    )


def clip(text: str, max_chars: int) -> str:
    """The text on one line, within the bound, marked where it was cut."""
    line = _one_line(text)
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _local(instant: datetime, zone: tzinfo) -> datetime:
    try:
        return instant.astimezone(zone) if instant.tzinfo else instant
    except (OverflowError, ValueError):
        return instant


def _title(item: Item) -> str:
    return clip(str(item.fields.get("title") or item.item_id), _MAX_FILTER_CHARS)


def _example(item: Item) -> str:
    return clip(item.text, _MAX_EXAMPLE_CHARS)


def _count(result: Verified, language: Language) -> str:
    """The source's own total where everything was read, else what is shown: of a cut result a lower bound."""
    projection = result.projection
    is_total = result.is_whole or (result.is_counted and projection.total_matches is not None)
    first_id = projection.items[0].item_id if projection.items else ""
    counted = next((words for prefix, words in _COUNTS if first_id.startswith(prefix)), texts.COUNT_ITEMS)
    total = projection.total_matches if projection.total_matches is not None else _n_shown(projection.items)
    count = counted[0 if total == 1 else 1].text(language, n=f"{total:,}")
    return count if is_total else texts.AT_LEAST.text(language, count=count)


def _n_shown(items: Sequence[Item]) -> int:
    """Events behind the items: patterns stand for many, and their events are among them."""
    patterns = sum(_pattern_count(item) for item in items)
    return max(patterns, sum(1 for item in items if not _pattern_count(item)))


def _most_frequent(items: Sequence[Item]) -> Item | None:
    return max((item for item in items if _pattern_count(item)), key=_pattern_count, default=None)


def _pattern_count(item: Item) -> int:
    count = item.fields.get("count")
    is_count = isinstance(count, int) and not isinstance(count, bool) and item.item_id.startswith("pat:")
    return count if is_count and isinstance(count, int) else 0
