"""Analyses with their quotes: the only way words of evidence enter a draft. Pure."""

import re
from dataclasses import dataclass, field

from models.offline.measures import change_words, shift_words
from models.offline.reading import Observation, SeenItem
from models.offline.rows import counted, reason_of
from models.offline.telemetry import Event, core, owner_of
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
    names = ("ts", "first_ts", "change_at", "starts_at")
    return next((str(fields[name]) for name in names if isinstance(fields.get(name), str)), "")


def who(event: Event) -> str:
    """The service exactly as the item's field or label has it; empty if none has one."""
    if event.is_series or event.is_alert:
        return owner_of(event.measure)
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
        if event.is_series or event.is_alert:
            return self._measured(event)
        own = core(event)
        shown = stretch(own if around in own else event.text, around, MAX_EVENT_QUOTE)
        if not shown:
            return "", ""
        text = self._event_text(event, shown)
        return self._add("NORMAL", text, [event.item.call_id], [quote_of(event.item, shown)]), text

    def figures(self, event: Event) -> tuple[str, str]:
        """Id and text of a statement of a series' figures in the window."""
        told = event.text.partition(": ")[2].split(";")[0][:MAX_QUOTE]
        text = clipped(self.words.level(event.measure.metric, who(event), told))
        quotes = [quote_of(event.item, words) for words in (event.measure.metric, told)]
        return self._add("NORMAL", text, [event.item.call_id], quotes), text

    def _measured(self, event: Event) -> tuple[str, str]:
        """Id and text of what a series or an alert shows."""
        text, quoted = measured_text(event, self.words)
        calls = [event.item.call_id]
        return self._add("NORMAL", clipped(text), calls, [quote_of(event.item, words) for words in quoted]), clipped(
            text
        )

    def lead(self, earlier: Event, later: Event) -> str:
        """Id of the statement by how much a series shifted before a record; empty where it did not."""
        clause, name = shift_words(earlier.text)[0], _time_field(later)
        if earlier.first is None or later.first is None or not clause or not name or later.first <= earlier.first:
            return ""
        seconds = (later.first - earlier.first).total_seconds()
        value: int | float = int(seconds) if seconds.is_integer() else seconds
        shown = stretch(core(later), limit=MAX_EVENT_QUOTE)
        text = self.words.lead(earlier.measure.metric, who(earlier), value, shown)
        items = (earlier.item, later.item)
        fields = zip(items, ("change_at", name), strict=True)
        inputs = [{"tool_call_id": item.call_id, "item_id": item.item_id, "field": one} for item, one in fields]
        quotes = [quote_of(earlier.item, earlier.measure.metric), quote_of(earlier.item, clause)]
        calls = list(dict.fromkeys(item.call_id for item in items))
        derived: list[Json] = [{"op": "duration", "inputs": inputs, "value": value}]
        return self._add("NORMAL", clipped(text), calls, [*quotes, quote_of(later.item, shown)], derived)

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
        if event.is_count:
            return clipped(counted_text(event, self.words))
        if event.is_row:
            return clipped(self.words.row(event.table, telling_columns(shown)))
        return clipped(self.words.seen(who(event), when(event), shown))

    def _add(
        self, kind: str, text: str, calls: list[str], quotes: list[Json], derived: list[Json] | None = None
    ) -> str:
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
            "derived": derived or [],
        }
        self.entries.append(entry)
        return analysis_id


def counted_text(event: Event, words: Words) -> str:
    """The sentence for a row that stands for many."""
    name, value = reason_of(event.item.fields)
    count, first, last = counted(event.item.fields)
    return words.counted((event.table, who(event)), f"{name}={value}", count, (first, last))


def measured_text(event: Event, words: Words) -> tuple[str, tuple[str, ...]]:
    """The sentence for a series or an alert, and the stretches of its item that it rests on."""
    text, owner = event.text, who(event)
    if event.is_alert:
        return words.alert(event.measure.alert, owner, event.measure.state, when(event)), (stretch(text),)
    clause, after, by, low, high = shift_words(text)
    if clause:
        return words.shifted(event.measure.metric, owner, (low, high), (after, by)), (event.measure.metric, clause)
    told = text.partition(": ")[2].split(";")[0]
    before = change_words(text)
    quoted = tuple(part for part in (event.measure.metric, told[:MAX_QUOTE], before) if part)
    return words.level(event.measure.metric, owner, "; ".join(part for part in (told, before) if part)), quoted


def _time_field(event: Event) -> str:
    """The field that holds when a log record was written, or first written; empty for anything else."""
    fields = event.item.fields
    return next((name for name in ("ts", "first_ts") if event.is_log and isinstance(fields.get(name), str)), "")


def filters_text(result: Observation) -> str:
    """The filters of a search as ``name=value``; empty if it had none."""
    return ", ".join(f"{name}={value}" for name, value in sorted(result.filters.items()) if value not in (None, ""))
