"""The next call, by rule: an ordered list of moves, the first one that is possible and not yet made. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from models.offline.probes import change_probes, data_probes, marker_probes
from models.offline.reading import request_key
from models.offline.telemetry import Event
from models.offline.terms import Rarity, is_identifier, term_set
from models.offline.view import View

MAX_CALLS = 12
MAX_PER_TOOL = 6
MAX_QUERY_CHARS = 480
MAX_MARKER_PROBES = 3
MAX_DATA_PROBES = 1
_LOOKUPS_MAX = 4
FIRST_WINDOW = timedelta(hours=2)


@dataclass(frozen=True)
class Call:
    """One evidence call."""

    tool: str
    input: dict[str, object]


def next_call(view: View) -> Call | None:
    """The next call; None: what is visible suffices, or nothing useful is left to ask."""
    if view.question.is_vague or view.case.is_stopped or _is_spent(view):
        return None
    made = {asked.key for asked in view.case.asked}
    for move in _NARROW_MOVES if view.question.is_narrow else _MOVES:
        for call in move(view):
            fitted = _fitted(view, call)
            if fitted is not None and request_key(fitted.tool, fitted.input) not in made and not _is_worn(view, fitted.tool):
                return fitted
    return None


def _is_spent(view: View) -> bool:
    return len(view.case.observations) >= MAX_CALLS


def _is_worn(view: View, tool: str) -> bool:
    """A tool that has been called, or has refused or failed, too often."""
    failed = sum(a.tool == tool and (a.outcome is None or a.outcome.status == "ERROR") for a in view.case.asked)
    spent = any(a.tool == tool and a.refusal == "BUDGET_EXHAUSTED" for a in view.case.asked)
    return spent or failed >= 3 or len(view.results(tool)) >= MAX_PER_TOOL


def _fitted(view: View, call: Call) -> Call | None:
    """The call with what its schema requires, and without what it does not know; None if it cannot be made."""
    spec = view.toolbox.specs.get(call.tool)
    if spec is None:
        return None
    filled = {**_times(view, spec.required), **call.input}
    kept = {name: value for name, value in filled.items() if (not spec.inputs or name in spec.inputs) and value not in (None, "")}
    return Call(call.tool, kept) if all(name in kept for name in spec.required) else None


def _times(view: View, required: tuple[str, ...]) -> dict[str, object]:
    """Start and end where the schema insists on them; otherwise the tool's own window is the right one."""
    if "start" not in required or view.case.now is None:
        return {}
    start, end = view.case.window or ((view.case.now - FIRST_WINDOW).isoformat(), view.case.now.isoformat())
    return {"start": start, "end": end}


def _log_sources(view: View) -> tuple[str | None, ...]:
    spec = view.toolbox.specs.get("query_logs")
    return (spec.choices("source") or (None,)) if spec else ()


def _service_errors(view: View) -> Iterator[Call]:
    """Errors of the services the question names; warnings where there are no errors."""
    for service in view.question.services:
        for level in ("ERROR", "WARN"):
            yield from (_logs(source, service=service, level=level) for source in _log_sources(view))
            if any(r.is_found and str(r.filters.get("service", "")).lower() == service.lower() for r in view.results("query_logs")):
                break


def _all_errors(view: View) -> Iterator[Call]:
    if not view.question.services or not any(event.is_error for event in view.events):
        for source in _log_sources(view):
            yield _logs(source, level="ERROR")


def _neighbour_errors(view: View) -> Iterator[Call]:
    """Warnings and worse of a catalogued service that the errors talk about."""
    asked = {name.lower() for name in view.question.services}
    text = " ".join(event.text.lower() for event in view.events if event.is_error)
    named = [name for name in view.toolbox.services if name.lower() not in asked and name.lower() in text]
    for service in named[:2]:
        yield from (_logs(source, service=service, level="WARN") for source in _log_sources(view))


def _changes(view: View) -> Iterator[Call]:
    yield from (Call("query_sql", probe) for probe in change_probes(view)[:2])


def _first_lookup(view: View) -> Iterator[Call]:
    if not view.results("lookup_knowledge"):
        yield Call("lookup_knowledge", {"query": lookup_query(view)})


def _markers(view: View) -> Iterator[Call]:
    """A literal search for telltales of leading causes that nothing visible shows yet."""
    done = sum("contains" in r.filters for r in view.results("query_logs"))
    for text in marker_probes(view)[: max(0, MAX_MARKER_PROBES - done)]:
        yield from (_logs(source, contains=text) for source in _log_sources(view))


def _data(view: View) -> Iterator[Call]:
    if len(view.results("query_sql")) < MAX_DATA_PROBES + 2:
        yield from (Call("query_sql", probe) for probe in data_probes(view)[:MAX_DATA_PROBES])


def _focused_lookup(view: View) -> Iterator[Call]:
    """What the telemetry now says, looked up last: brings the fitting section and its rivals into full view."""
    lookups = view.results("lookup_knowledge")
    if 0 < len(lookups) < _LOOKUPS_MAX and any(event.is_notable for event in view.events) and not view.sees_rivals:
        yield Call("lookup_knowledge", {"query": telltale_query(view)})
        yield Call("lookup_knowledge", {"query": lookup_query(view)})


def _unless_proven(move: Callable[[View], Iterator[Call]]) -> Callable[[View], Iterator[Call]]:
    def only_if_open(view: View) -> Iterator[Call]:
        if view.leader is None:
            yield from move(view)

    return only_if_open


def _narrow(view: View) -> Iterator[Call]:
    """The one search a narrow question asks for."""
    literal = view.question.literals[0] if view.question.literals else ""
    level = "" if literal else "ERROR"
    if not view.results("query_logs"):
        for service in view.question.services or (None,):
            yield from (_logs(source, service=service, level=level, contains=literal) for source in _log_sources(view))


def _logs(source: str | None, **arguments: str | None) -> Call:
    return Call("query_logs", {"source": source, **arguments})


_NARROW_MOVES = (_narrow,)
_MOVES = (
    _service_errors,
    _all_errors,
    _changes,
    _first_lookup,
    _unless_proven(_markers),
    _unless_proven(_neighbour_errors),
    _unless_proven(_data),
    _unless_proven(_focused_lookup),
)


def lookup_query(view: View) -> str:
    """The question with the rarest words of its errors."""
    return f"{view.question.text[:240]} {' '.join(_rare_words(view, 10))}".strip()[:MAX_QUERY_CHARS]


def telltale_query(view: View) -> str:
    """The words of the most telling events alone."""
    shown = [hit.words for match in view.matches[:2] for hit in match.hits[:2] if hit.worth > 0]
    return " ".join(dict.fromkeys((*shown, *_rare_words(view, 24))))[:MAX_QUERY_CHARS]


def _rare_words(view: View, count: int) -> list[str]:
    failing = sorted((e for e in view.events if e.is_notable and not e.is_row), key=_by_news)[:6]
    rarity = Rarity([event.text for event in view.events] + [item.text for item in view.case.items if item.is_knowledge])
    words = [word for event in failing for word in _words(event)]
    ranked = sorted(dict.fromkeys(words), key=lambda word: -max((rarity.of(term) for term in term_set(word)), default=0.0))
    return ranked[:count]


def _by_news(event: Event) -> tuple[bool, bool, int]:
    return (not event.is_error, event.is_usual, -event.count)


def _words(event: Event) -> list[str]:
    tokens = [token.strip(".,:;()[]{}\"'") for token in event.text.split()]
    return [t for t in tokens if 3 <= len(t) <= 60 and term_set(t) and not (t.isdigit() or "=" in t and is_identifier(t) and len(t) > 40)]
