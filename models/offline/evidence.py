"""Analyses with their quotes: the only way words of evidence enter a draft. Pure."""

import re
from dataclasses import dataclass, field

from models.offline.reading import Observation, SeenItem
from models.offline.telemetry import Event, core
from models.offline.wording import Words, clipped

MAX_QUOTE = 300
MAX_EVENT_QUOTE = 220
MAX_ANALYSES = 12
MAX_COLUMNS = 6
_BOOKKEEPING = re.compile(r"^id$|_id$|_by$|sha$|hash$|paths?$|^previous|rank$|checksum", re.IGNORECASE)
"""Columns that name a row or its author rather than what happened."""

Json = dict[str, object]


def quote_of(item: SeenItem, words: str) -> Json:
    """A quote; ``words`` must be a verbatim stretch of the item's text."""
    return {"tool_call_id": item.call_id, "item_id": item.item_id, "text": words}


def stretch(text: str, around: str = "", limit: int = MAX_QUOTE) -> str:
    """At most ``limit`` characters of the text, verbatim, holding ``around`` where it fits; blanks stripped."""
    clean = text.strip()
    if len(clean) <= limit:
        return clean
    at = max(clean.find(around), 0) if around else 0
    start = max(0, min(at - (limit - min(len(around), limit)) // 2, len(clean) - limit))
    return _whole_words(clean, start, start + limit)


def _whole_words(text: str, start: int, end: int) -> str:
    """The stretch without the half words at its ends, where it has blanks at all."""
    cut = text[start:end]
    if start and " " in cut[:40]:
        cut = cut[cut.index(" ") + 1 :]
    if end < len(text) and " " in cut[-40:]:
        cut = cut[: cut.rindex(" ")]
    return cut.strip(" \n\t,;，；")


def telling_columns(row: str) -> str:
    """The columns of a rendered row that tell what it is about; all of them if that leaves none."""
    columns = row.split(", ")
    told = [column for column in columns if "=" in column and not _BOOKKEEPING.search(column.split("=")[0])]
    return ", ".join(told[:MAX_COLUMNS] or columns)


def when(event: Event) -> str:
    """The event's time exactly as its field has it; empty if no field has one."""
    fields = event.item.fields
    return next((str(fields[name]) for name in ("ts", "first_ts") if isinstance(fields.get(name), str)), "")


def who(event: Event) -> str:
    """The service exactly as the item's field has it; empty if no field has one."""
    return next(
        (str(value) for value in event.item.fields.values() if event.service and str(value).lower() == event.service),
        "",
    )


@dataclass
class Pages:
    """Analyses of one draft, numbered as they are added; the same statement is added once."""

    words: Words
    entries: list[Json] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)

    def event(self, event: Event, around: str = "") -> tuple[str, str]:
        """Id and text of the statement that an event was recorded."""
        own = core(event)
        shown = stretch(own if around in own else event.text, around, MAX_EVENT_QUOTE)
        if not shown:
            return "", ""
        text = self._event_text(event, shown)
        return self._add("NORMAL", text, [event.item.call_id], [quote_of(event.item, shown)]), text

    def runbook(self, passages: list[tuple[SeenItem, str]]) -> str:
        """Id of a statement that holds only words of the passages; empty if there is none."""
        kept = [(item, words) for item, words in passages if words and words in item.text]
        if not kept:
            return ""
        text = clipped(" ".join(" ".join(words.split()) for _, words in kept))
        calls = list(dict.fromkeys(item.call_id for item, _ in kept))
        return self._add("NORMAL", text, calls, [quote_of(item, words) for item, words in kept])

    def absence(self, result: Observation) -> str:
        """Id of the statement that a search was empty."""
        text = self.words.nothing(result.source, result.window, filters_text(result))
        return self._add("NEGATIVE_OBSERVATION", clipped(text), [result.call_id], [])

    def statement(self, text: str, result: Observation, item: SeenItem) -> str:
        """Id of a statement about a whole result, quoting one of its items."""
        return self._add("NORMAL", clipped(text), [result.call_id], [quote_of(item, stretch(item.text))])

    def _event_text(self, event: Event, shown: str) -> str:
        if event.is_row:
            return clipped(self.words.row(event.table, telling_columns(shown)))
        return clipped(self.words.seen(who(event), when(event), shown))

    def _add(self, kind: str, text: str, calls: list[str], quotes: list[Json]) -> str:
        if text in self._known:
            return self._known[text]
        if len(self.entries) >= MAX_ANALYSES:
            return ""
        analysis_id = f"A{len(self.entries) + 1}"
        self._known[text] = analysis_id
        entry: Json = {
            "analysis_id": analysis_id,
            "kind": kind,
            "text": text,
            "tool_call_ids": calls,
            "quotes": quotes,
            "derived": [],
        }
        self.entries.append(entry)
        return analysis_id


def filters_text(result: Observation) -> str:
    """The filters of a search as ``name=value``; empty if it had none."""
    return ", ".join(f"{name}={value}" for name, value in sorted(result.filters.items()) if value not in (None, ""))
