"""The next call, by rule: an ordered list of moves, the first one that is possible and not yet made. Pure."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from models.offline.calls import MAX_PER_TOOL, Call, Move
from models.offline.chain import asked_services, focus, next_services
from models.offline.measured_moves import (
    alerts_first,
    alerts_if_unseen,
    confirming_metric,
    metrics,
    narrow_alert,
    narrow_metric,
    row_counts,
    row_samples,
)
from models.offline.probes import by_promise, change_probes, marker_probes
from models.offline.queries import (
    cause_query,
    change_query,
    first_query,
    found_query,
    line_words,
    pattern_query,
)
from models.offline.ranking import FULL_TELLTALE
from models.offline.reading import Observation, asked_from, request_key
from models.offline.telemetry import event_of
from models.offline.view import View

MAX_CALLS = 12
MAX_MARKER_PROBES = 3
MAX_CHANGE_PROBES = 2
MAX_SERVICES_ASKED = 3
MAX_LOOKUPS = 5
PROMISING = 0.8
HALF_TELLTALE = 0.4
MAX_FAILURES = 3
SAMPLES = 6
"""Sample records of a log search: what does not fit a prompt cannot be quoted."""
FIRST_WINDOW = timedelta(hours=2)
LEAD = timedelta(hours=1)


def next_call(view: View) -> Call | None:
    """The next call; None: what is visible suffices, or nothing useful is left to ask."""
    if view.question.is_vague or view.case.is_stopped or len(view.case.observations) >= MAX_CALLS:
        return None
    broken = Counter(asked.key for asked in view.case.asked if asked.is_violation)
    made = {asked.key for asked in view.case.asked if not asked.is_violation or broken[asked.key] > 1}
    for move in _NARROW_MOVES if view.question.is_narrow else _MOVES:
        for call in move(view):
            fitted = _fitted(view, call)
            if (
                fitted is not None
                and request_key(fitted.tool, fitted.input) not in made
                and not _is_worn(view, call.tool)
            ):
                return fitted
    return None


def _is_worn(view: View, tool: str) -> bool:
    """A tool that has been called, or has refused or failed, too often."""
    own = [asked for asked in view.case.asked if asked.tool == tool]
    failed = sum(a.outcome is None or a.outcome.status == "ERROR" for a in own if not a.is_violation)
    is_spent = any(asked.refusal == "BUDGET_EXHAUSTED" for asked in own)
    return is_spent or failed >= MAX_FAILURES or len(view.results(tool)) >= MAX_PER_TOOL


def _fitted(view: View, call: Call) -> Call | None:
    """The call with what its schema requires, and without what it does not know; None if it cannot be made."""
    spec = view.toolbox.specs.get(call.tool)
    if spec is None:
        return None
    filled = {**_times(view, spec.required), **call.input}
    known = {name: value for name, value in filled.items() if not spec.inputs or name in spec.inputs}
    kept = {name: value for name, value in known.items() if value not in (None, "")}
    return Call(call.tool, kept) if all(name in kept for name in spec.required) else None


def _times(view: View, required: tuple[str, ...]) -> dict[str, object]:
    """Start and end where the schema insists on them; otherwise the tool's own window is the right one."""
    if "start" not in required or view.case.now is None:
        return {}
    start, end = view.case.window or ((view.case.now - FIRST_WINDOW).isoformat(), view.case.now.isoformat())
    return {"start": start, "end": end}


def _log_calls(view: View, **arguments: str | None) -> Iterator[Call]:
    """One call for each log source."""
    for source in view.toolbox.log_sources or (None,):
        yield Call("query_logs", {"source": source, **arguments, "limit": SAMPLES})


def _service_warnings(view: View) -> Iterator[Call]:
    """Warnings and worse of the services the question names."""
    for service in _logged(view, view.question.services):
        yield from _log_calls(view, service=service, level="WARN")


def _logged(view: View, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those that logs are held of; all of them where the catalogue lists none."""
    return tuple(n for n in names if n in view.toolbox.services) if view.toolbox.services else names


def _all_errors(view: View) -> Iterator[Call]:
    """Errors of all services, where none is named or the named ones show none."""
    if not view.question.services or not any(event.is_error for event in view.events):
        yield from _log_calls(view, level="ERROR")


def _next_service(view: View) -> Iterator[Call]:
    """Warnings and worse of the deepest service that errors point to."""
    if len(asked_services(view)) < MAX_SERVICES_ASKED:
        for service in next_services(view)[:1]:
            yield from _log_calls(view, service=service, level="WARN")


def _next_service_if_bare(view: View) -> Iterator[Call]:
    """The next service at once, where the searched ones only point to others."""
    if not focus(view) or focus(view) not in asked_services(view):
        yield from _next_service(view)


def _changes(view: View) -> Iterator[Call]:
    """Changes before the onset, from the tables that hold some; also where a cause is already shown."""
    limit = MAX_CHANGE_PROBES if view.toolbox.has_logs else MAX_PER_TOOL
    is_incident = any(event.is_notable for event in view.events) or view.symptom is not None
    if len(view.results("query_sql")) < limit and is_incident:
        yield from (Call("query_sql", probe) for probe in change_probes(view)[:1])


def _first_lookup(view: View) -> Iterator[Call]:
    if not view.results("lookup_knowledge"):
        yield Call("lookup_knowledge", {"query": first_query(view)})


def _pattern_lookup(view: View) -> Iterator[Call]:
    """One record that tells something and was not looked up yet, alone."""
    if 1 <= len(view.results("lookup_knowledge")) < MAX_LOOKUPS - 1:
        yield Call("lookup_knowledge", {"query": pattern_query(view)})


def _change_lookup(view: View) -> Iterator[Call]:
    """What changed before the onset: brings causes that such a change can be into view."""
    if 1 <= len(view.results("lookup_knowledge")) < MAX_LOOKUPS:
        yield Call("lookup_knowledge", {"query": change_query(view)})


def _markers(view: View) -> Iterator[Call]:
    """A literal search for telltales of leading causes that nothing visible shows yet."""
    done = sum("contains" in result.filters for result in view.results("query_logs"))
    for text in marker_probes(view)[: max(0, MAX_MARKER_PROBES - done)]:
        yield from _log_calls(view, contains=text, **_lead_time(view))


def _marker_unless_missed(view: View) -> Iterator[Call]:
    """A literal search between two lookups: two searches in vain in a row would end the collection."""
    last = view.case.executed
    if last is not None and (last.is_found or "contains" not in last.filters):
        done = sum("contains" in result.filters for result in view.results("query_logs"))
        for text in marker_probes(view, leading=1, least=FULL_TELLTALE) if done < MAX_MARKER_PROBES else ():
            yield from _log_calls(view, contains=text, **_lead_time(view))


def _promising_marker(view: View) -> Iterator[Call]:
    """A literal search for what the foremost cause should have left in the logs, as soon as something speaks for it."""
    done = sum("contains" in result.filters for result in view.results("query_logs"))
    foremost = next(iter(by_promise(view)), None)
    if foremost is None or not view.sees_rivals or done >= MAX_MARKER_PROBES or foremost.score < PROMISING:
        return
    if any(hit.worth >= HALF_TELLTALE and not view.scene.is_symptom(hit.event) for hit in foremost.hits):
        for text in marker_probes(view, leading=1, least=FULL_TELLTALE):
            yield from _log_calls(view, contains=text, **_lead_time(view))


def _refresh(view: View) -> Iterator[Call]:
    """After a literal search that found something: its words looked up, which brings rivals back into full view."""
    last = view.case.executed
    if last is not None and last.is_found and "contains" in last.filters and not view.sees_rivals:
        if len(view.results("lookup_knowledge")) < MAX_LOOKUPS:
            yield Call("lookup_knowledge", {"query": found_query(view, _found_words(last))})


def _found_words(found: Observation) -> str:
    """What was searched for and the first record that holds it."""
    shown = [line_words(event_of(item)) for item in found.items[:1]]
    return " ".join([str(found.filters.get("contains", "")), *shown])


def _confirmation(view: View) -> Iterator[Call]:
    """A literal search for what the shown cause should have left in the logs, where its surest telltale is unseen."""
    best = view.leader
    if best is None or sum("contains" in result.filters for result in view.results("query_logs")) >= MAX_MARKER_PROBES:
        return
    asked = {str(asked.input.get("contains", "")) for asked in view.case.asked}
    seen = {hit.marker for hit in best.hits if hit.event.is_log}
    unseen = [m for m in best.candidate.markers if m not in seen and m.weight >= FULL_TELLTALE and m.probe not in asked]
    if unseen and not any(hit.marker.weight >= 1.0 and hit.is_own and hit.event.is_log for hit in best.hits):
        yield from _log_calls(view, contains=max(unseen, key=lambda marker: marker.weight).probe, **_lead_time(view))


def _lead_time(view: View) -> dict[str, str]:
    """A window that begins before the asked-for one: a cause comes before what people notice."""
    start = asked_from(view.case)
    if start is None or view.case.window is None:
        return {}
    return {"start": (start - LEAD).isoformat(), "end": view.case.window[1]}


def _last_lookup(view: View) -> Iterator[Call]:
    """The shown cause's own words, looked up last: brings its section and its rivals into full view."""
    lookups = view.results("lookup_knowledge")
    is_incident = any(event.is_notable for event in view.events) or view.symptom is not None
    if 0 < len(lookups) < MAX_LOOKUPS and is_incident and not view.sees_rivals:
        yield Call("lookup_knowledge", {"query": cause_query(view)})


def _narrow(view: View) -> Iterator[Call]:
    """The one search a narrow question asks for."""
    literal = view.question.sought
    level = "" if literal else "ERROR"
    if view.question.is_about_alerts or view.question.metric:
        return
    if not view.results("query_logs"):
        for service in view.question.services or (None,):
            yield from _log_calls(view, service=service, level=level, contains=literal)


def _unless_proven(move: Move) -> Move:
    def only_if_open(view: View) -> Iterator[Call]:
        if view.leader is None:
            yield from move(view)

    return only_if_open


_NARROW_MOVES: tuple[Move, ...] = (narrow_alert, narrow_metric, _narrow)
_MOVES: tuple[Move, ...] = (
    alerts_first,
    _service_warnings,
    _all_errors,
    _next_service_if_bare,
    row_counts,
    row_samples,
    _first_lookup,
    _changes,
    _unless_proven(alerts_if_unseen),
    _unless_proven(metrics),
    confirming_metric,
    _unless_proven(_promising_marker),
    _unless_proven(_refresh),
    _unless_proven(_pattern_lookup),
    _unless_proven(_next_service),
    _unless_proven(_marker_unless_missed),
    _unless_proven(_change_lookup),
    _unless_proven(_markers),
    _confirmation,
    _unless_proven(_last_lookup),
)
