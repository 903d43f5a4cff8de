"""Search texts for documents, each made of one thing that telemetry says. Pure."""

import math
import re

from models.offline.chain import asked_services, focus, is_pointer, is_telling
from models.offline.rows import is_code_column, is_message_column
from models.offline.telemetry import Event, core, shape_of
from models.offline.view import View
from models.offline.weighing import near_changes

MAX_QUERY_CHARS = 480
LINE_CHARS = 150
QUESTION_CHARS = 120
MAX_TABLES = 2
RISE = 2.5
_FEW_WORDS = 4
_VALUES = re.compile(
    r"<\*>|https?://\S+|\S*[@/\\]\S*|\b[0-9a-f]{6,}\b|\b\d[\d.:]*\w*\b|[\"'(){}\[\],;$*]|(?<=\s)[-–#](?=\s)"
)
_LEFT_OVER = re.compile(r"(?<!\S)(?:[\w.]+=|\S*[-:#.?]|[^\w\s]+)(?!\S)")
_NO_WORDS = re.compile(r"(?:^|_)(?:by|sha|hash|author|user|status|paths?|files?|script|url|id)$", re.IGNORECASE)


def first_query(view: View) -> str:
    """The question, joined with the most distinctive record seen; without one with the kinds of change before it."""
    line = next(map(line_words, distinctive(view)), "") or failing_words(view)
    tables = dict.fromkeys(row.table.replace("_", " ") for row in near_changes(view.events, view.onset) if row.table)
    return _query(view, view.question.text[:QUESTION_CHARS], line or " ".join(list(tables)[:MAX_TABLES]))


def failing_words(view: View) -> str:
    """What the failing rows of the symptom say in words and codes; empty if the symptom is no row."""
    if view.symptom is None or not view.symptom.is_row:
        return ""
    alike = [e for e in view.events if e.table == view.symptom.table and e.reason == view.symptom.reason]
    told = [str(v) for e in alike for n, v in e.item.fields.items() if is_message_column(n) or is_code_column(n)]
    return " ".join(dict.fromkeys(told))[:LINE_CHARS]


def pattern_query(view: View) -> str:
    """The most distinctive record that was not looked up yet; empty if none is left."""
    asked = _lookups(view)
    lines = (line_words(event) for event in distinctive(view))
    line = next((line for line in lines if line and not any(line in query for query in asked)), "")
    return _query(view, line) if line else ""


def change_query(view: View) -> str:
    """What the latest change before the onset did, in its own words; empty if its row has none."""
    chain = {*asked_services(view), focus(view)} - {""}
    near = near_changes(view.events, view.onset)
    words = (_deed(row) for row in near if not chain or not row.service or row.service in chain)
    asked = _lookups(view)
    deed = next((deed for deed in words if deed), "")
    return _query(view, deed) if deed and not any(deed in query for query in asked) else ""


def cause_query(view: View) -> str:
    """The leading cause in its document's words, with what was seen of it; empty if no cause is in sight."""
    best = next(iter(view.matches), None)
    if best is None or not best.hits:
        return ""
    return _query(view, best.candidate.phrase, best.hits[0].words[:LINE_CHARS])


def found_query(view: View, found: str) -> str:
    """The words of a search that found something."""
    return _query(view, found)


def distinctive(view: View) -> list[Event]:
    """Telling records of the service in focus, one of each kind, the most distinctive first; without one, of any.

    The symptom itself comes last: the question says as much.
    """
    told = [event for event in news(view) if is_telling(event) and _has_risen(event) and _has_words(event)]
    patterned = {event.service for event in told if event.is_pattern}
    whole = [event for event in told if event.is_pattern or event.service not in patterned]
    service = focus(view)
    own = [event for event in whole if event.service == service]
    causes = [event for event in own if not is_pointer(event, view)]
    found = causes or own or [event for event in whole if event.is_error and view.symptom is not None]
    return sorted(found, key=lambda event: (not view.scene.is_symptom(event), _distinction(event)), reverse=True)


def _distinction(event: Event) -> float:
    """New before rare, failures before warnings."""
    return _rise(event) + (0.8 if event.is_error else 0.0)


def _rise(event: Event) -> float:
    """How far beyond chance it is more frequent than before, in standard deviations."""
    before = event.count_before or 0
    return (event.count - before) / math.sqrt(event.count + before + 1)


def _has_risen(event: Event) -> bool:
    return _rise(event) >= RISE if event.is_pattern else event.is_error


def _has_words(event: Event) -> bool:
    line = line_words(event)
    return len(line.split()) >= _FEW_WORDS or sum(char >= "\u3400" for char in line) >= _FEW_WORDS


def news(view: View) -> list[Event]:
    """Notable log events, the most telling first, one of each kind."""
    found: dict[str, Event] = {}
    for event in sorted((e for e in view.events if e.is_notable and e.is_log), key=lambda e: -_tells(e, view)):
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
    """The words of an event that a document could hold: no values, addresses, ids or leftovers of them."""
    plain = " ".join(_VALUES.sub(" ", core(event)).split())
    return " ".join(_LEFT_OVER.sub(" ", plain).split())[:LINE_CHARS]


def _deed(row: Event) -> str:
    """Table and statement or setting a row tells of; empty where it holds only names, people, times and numbers."""
    texts = [str(value) for name, value in row.item.fields.items() if _is_deed(name, value, row)]
    words = " ".join([row.table.replace("_", " "), *texts]) if texts else ""
    return " ".join(_VALUES.sub(" ", words).split())[:LINE_CHARS]


def _is_deed(name: str, value: object, row: Event) -> bool:
    if not isinstance(value, str) or _NO_WORDS.search(name) or value.lower() == row.service or value[:1].isdigit():
        return False
    return " " in value.strip() or re.fullmatch(r"[a-z][a-z0-9]*(?:[._-]?[a-z0-9]+)+", value, re.IGNORECASE) is not None


def _lookups(view: View) -> list[str]:
    return [str(asked.input.get("query", "")) for asked in view.case.asked if asked.tool == "lookup_knowledge"]


def _query(view: View, *parts: str) -> str:
    label = "原因：" if view.case.is_zh else "Cause:"
    return " ".join([label, *filter(None, parts)])[:MAX_QUERY_CHARS]
