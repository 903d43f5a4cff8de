"""Calls for series and alerts that follow from what is known: the question, documents and the catalogue. Pure."""

from collections.abc import Iterator
from datetime import timedelta

from models.offline.holdings import MetricEntry
from models.offline.lexicon import ALIKE, FAILURE_KINDS
from models.offline.measures import UP, Measure, names_metric
from models.offline.probes import by_promise
from models.offline.reading import asked_from
from models.offline.terms import Term, term_set
from models.offline.view import View

LEAD = timedelta(hours=1)
LEADING = 2
_SHARED_MIN = 2

Input = dict[str, object]


def alert_probe(view: View) -> Iterator[Input]:
    """Every alert that is not resolved, narrowed to the alert or the service the question names."""
    question = view.question
    for held in view.toolbox.alerts:
        labels: dict[str, str] = {}
        if question.alert:
            labels["alertname"] = question.alert
        if question.services and held.own_label:
            labels[held.own_label] = question.services[0]
        yield {"source": held.source, **({"labels": labels} if labels else {})}


def metric_probes(view: View) -> list[Input]:
    """Metrics to read, the most telling first: what the question or leading causes name, then what shows the symptom."""
    asked = {str(one.input.get("metric", "")) for one in view.case.asked if one.tool == "query_metrics"}
    named = [entry for entry in view.toolbox.metrics if entry.name == view.question.metric]
    ordered = [*named, *_named_by_causes(view), *_of_the_symptom(view)]
    unread = {(entry.source, entry.name): entry for entry in ordered if entry.name not in asked}
    return [_request(view, entry, lead=LEAD) for entry in unread.values()]


def cause_probes(view: View) -> list[Input]:
    """Metrics that the leading cause names and nothing has read yet."""
    asked = {str(one.input.get("metric", "")) for one in view.case.asked if one.tool == "query_metrics"}
    best = [view.leader] if view.leader is not None else []
    markers = [marker for match in best for marker in match.candidate.markers if marker.trend]
    found = [entry for marker in markers for entry in view.toolbox.metrics if _is_named(marker.text, entry)]
    return [_request(view, entry, lead=LEAD) for entry in found if entry.name not in asked]


def value_probe(view: View) -> Iterator[Input]:
    """The metric a narrow question asks for, in the window it asks for."""
    for entry in view.toolbox.metrics:
        if entry.name == view.question.metric:
            yield _request(view, entry, lead=timedelta(0))


def _named_by_causes(view: View) -> list[MetricEntry]:
    """Of each leading cause the metrics its document names; those something speaks for come first."""
    promising = [match for match in by_promise(view) if match.telltale > 0] or by_promise(view)[:LEADING]
    markers = [marker for match in promising for marker in match.candidate.markers]
    return [entry for marker in markers for entry in view.toolbox.metrics if _is_named(marker.text, entry)]


def _of_the_symptom(view: View) -> list[MetricEntry]:
    """Metrics whose name measures what the question asks about, those that share most words with it first."""
    wanted = view.question.terms | (term_set(view.symptom.text) if view.symptom is not None else frozenset[Term]())
    scored = [(_fit(entry, view, wanted), entry) for entry in view.toolbox.metrics]
    return [entry for fit, entry in sorted(scored, key=lambda pair: -pair[0]) if fit >= _SHARED_MIN]


def _fit(entry: MetricEntry, view: View, wanted: frozenset[Term]) -> int:
    shown = Measure(metric=entry.name, trend=UP)
    asked = view.question.terms & FAILURE_KINDS
    is_slow = shown.shows_slowness and bool(asked & ALIKE or not asked)
    is_failed = shown.shows_failures and (not asked or bool(term_set(entry.name) & asked))
    held = view.question.services and any(entry.own_label(name) for name in view.question.services)
    return len(term_set(entry.name) & wanted) + 2 * (is_slow or is_failed) + bool(held)


def _is_named(words: str, entry: MetricEntry) -> bool:
    return names_metric(words, Measure(metric=entry.name)) or _is_named_with_labels(words, entry)


def _is_named_with_labels(words: str, entry: MetricEntry) -> bool:
    head, brace, _ = words.partition("{")
    return bool(brace) and names_metric(head, Measure(metric=entry.name))


def _request(view: View, entry: MetricEntry, *, lead: timedelta) -> Input:
    """Of the asked service, or of one the incident reaches, where the catalogue shows it; else of all."""
    reached = [*view.question.services, *(n for n in view.toolbox.entities if n.lower() in view.scene.chain)]
    owner = next(((label, name) for name in reached if (label := entry.own_label(name))), None)
    own = [name for name in reached if entry.own_label(name)]
    labels = {owner[0]: owner[1]} if owner is not None and len({n.lower() for n in own}) == 1 else {}
    window: Input = {}
    start = asked_from(view.case)
    if start is not None and view.case.window is not None and lead:
        window = {"start": (start - lead).isoformat(), "end": view.case.window[1]}
    return {"source": entry.source, "metric": entry.name, **({"labels": labels} if labels else {}), **window}
