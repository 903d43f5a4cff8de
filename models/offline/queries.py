"""Search texts for documents, made of what telemetry says. Pure."""

import math
import re

from models.offline.reading import Observation
from models.offline.telemetry import Event, core, event_of, shape_of
from models.offline.view import View
from models.offline.weighing import kind_of, near_changes

MAX_QUERY_CHARS = 480
LINE_CHARS = 150
_VALUES = re.compile(
    r"<\*>|https?://\S+|\S*[@/\\]\S*|\b[0-9a-f]{6,}\b|\b\d[\d.:]*\w*\b|[\"'(){}\[\],;$]|(?<=\s)[-–#*](?=\s)"
)


def symptom_query(view: View) -> str:
    """The question with the words of its symptom and of what else is new."""
    return _query(view, [view.question.text[:120], *_new_lines(view)])


def _new_lines(view: View) -> list[str]:
    """The symptom, then the most telling records beside it."""
    own = shape_of(core(view.symptom)) if view.symptom is not None else ""
    others = [event for event in news(view) if shape_of(core(event)) != own and not event.is_usual]
    lines = [line_words(view.symptom)[:110]] if view.symptom is not None else []
    return [*lines, *(line_words(event)[:75] for event in others[:3])]


def change_query(view: View) -> str:
    """The latest change before the onset; empty if none is visible."""
    rows = [_values(row) for row in near_changes(view.events, view.onset)[:1]]
    return _query(view, rows) if rows else ""


def telltale_query(view: View) -> str:
    """The symptom and the most telling records beside it; empty if there are none."""
    lines = _new_lines(view)
    return _query(view, lines) if lines else ""


def cause_query(view: View) -> str:
    """What was seen of the leading causes, with their own words."""
    seen = [hit.words for match in view.matches[:2] for hit in match.hits[:3] if hit.worth > 0]
    phrase = view.matches[0].candidate.phrase if view.matches and view.matches[0].hits else ""
    return _query(view, [phrase, *dict.fromkeys(seen), *(line_words(event) for event in news(view)[:1])])


def found_query(view: View, found: Observation) -> str:
    """The words of the first records of a search, with the latest change."""
    shown = [line_words(event_of(item))[:LINE_CHARS] for item in found.items[:1]]
    rows = [_values(row)[:100] for row in near_changes(view.events, view.onset)[:1]]
    return _query(view, [str(found.filters.get("contains", "")), *shown, *rows])


def new_failures(view: View) -> list[Event]:
    """Unusual errors of the last result that are of no kind seen before it."""
    last = view.case.executed
    before = {kind_of(event) for event in view.events if last is None or event.item.call_id != last.call_id}
    own = [event for event in view.events if last is not None and event.item.call_id == last.call_id]
    return [event for event in own if event.is_error and not event.is_usual and kind_of(event) not in before]


def news(view: View) -> list[Event]:
    """Notable log events, the most telling first, one of each kind."""
    found: dict[str, Event] = {}
    for event in sorted((e for e in view.events if e.is_notable and not e.is_row), key=lambda e: -_tells(e, view)):
        found.setdefault(shape_of(core(event))[:60], event)
    return list(found.values())


def _tells(event: Event, view: View) -> float:
    chain = {name.lower() for name in view.question.services} | ({view.symptom.service} if view.symptom else set())
    ours = (
        1.0
        if event.service in chain or (view.symptom is not None and event.service in view.symptom.text.lower())
        else 0.0
    )
    new = 1.5 if event.count_before == 0 else -2.0 if event.is_usual else 0.0
    return ours + new + (0.6 if event.is_error else 0.0) + 0.3 * math.log(max(event.count, 1)) + 0.1 * event.is_pattern


def line_words(event: Event) -> str:
    """The words of an event that a document could hold: no values, addresses or ids."""
    return " ".join(_VALUES.sub(" ", core(event)).split())[:LINE_CHARS]


def _values(row: Event) -> str:
    """The texts a row holds, with the names of their columns; no times, numbers or ids."""
    texts = (
        f"{name} {value}"
        for name, value in row.item.fields.items()
        if isinstance(value, str) and not value[:1].isdigit()
    )
    return " ".join(texts)[:LINE_CHARS]


def _query(view: View, parts: list[str]) -> str:
    label = "原因：" if view.case.is_zh else "Cause:"
    return " ".join([label, *filter(None, parts)])[:MAX_QUERY_CHARS]
