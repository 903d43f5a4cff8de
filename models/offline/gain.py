"""Did a result move the diagnosis: GAINED or NO_GAIN, by comparison with what is known. Pure. Unsure is NO_GAIN."""

from collections.abc import Collection, Iterable
from datetime import datetime

from models.offline.causes import candidates, is_document
from models.offline.question import Question
from models.offline.reading import Case, Observation, SeenItem, asked_from
from models.offline.symptoms import NEAR, find_symptom
from models.offline.telemetry import Event, event_of, events
from models.offline.terms import Term, term_set
from models.offline.weighing import found_words, near_changes

NEW_TERMS_MIN = 2
"""New words, names or concepts from which an item says something new; numbers alone are not news."""
TELLING = 0.5
MEASURING = frozenset({"query_metrics", "list_alerts"})
RELEVANT_TERMS_MIN = 2


def assess(case: Case, question: Question, pending: Observation, chain: Collection[str] = ()) -> str:
    """``GAINED`` if the result holds a new fact about this incident, else ``NO_GAIN``.

    ``chain``: services the incident reaches, lower case; what is measured of another one is no news of it.
    """
    earlier = [result for result in case.observations if result.call_id != pending.call_id]
    known = [item for result in earlier for item in result.items]
    seen_ids = {item.item_id for item in known}
    fresh = [item for item in pending.items if item.item_id not in seen_ids]
    if pending.tool in MEASURING:
        told = [event for item in fresh if not item.is_knowledge and (event := event_of(item)).is_notable]
        return "GAINED" if any(_bears(event, case, question, chain) for event in told) else "NO_GAIN"
    if any(_tells_a_marker(event_of(item), pending, earlier) for item in fresh if not item.is_knowledge):
        return "GAINED"
    onset = find_symptom(events(case.observations), question, asked_from(case))[1] or asked_from(case)
    gained = any(_is_new_fact(item, _said(case, known, item), question, onset) for item in fresh)
    return "GAINED" if gained else "NO_GAIN"


def _bears(event: Event, case: Case, question: Question, chain: Collection[str]) -> bool:
    """A series or a firing alert of the asked service that is asked for, named by a document, or of a failure."""
    if event.service and chain and event.service not in chain:
        return False
    if event.is_alert:
        named = bool(question.alert) and event.measure.alert == question.alert
        asked = bool(question.is_about_alerts and not question.alert and not chain)
        return named or asked or (bool(event.service) and event.service in chain)
    documents = (item for item in case.items if is_document(item))
    markers = [marker for cause in candidates(documents) for marker in (*cause.markers, *cause.against)]
    named_by = any(found_words(m, event) and m.trend in {"", event.measure.trend} for m in markers)
    is_trouble = event.measure.shows_slowness or event.measure.shows_failures
    return named_by or event.measure.metric == question.metric or is_trouble


def _said(case: Case, known: Iterable[SeenItem], item: SeenItem) -> frozenset[Term]:
    """Terms of the question and of what is visible: for a document of everything, for telemetry of telemetry."""
    alike = (other for other in known if item.is_knowledge or not other.is_knowledge)
    return frozenset[Term]().union(term_set(case.question), *(term_set(other.text) for other in alike))


def _is_new_fact(item: SeenItem, said: frozenset[Term], question: Question, onset: datetime | None) -> bool:
    new = sum(not term.startswith("n:") for term in term_set(item.text) - said)
    if new < NEW_TERMS_MIN:
        return False
    if item.is_knowledge:
        return _names_fitting_cause(item, said, question)
    event = event_of(item)
    if event.reason and _has_failed_since(event, onset):
        return True
    if event.is_count:
        return False
    is_near = event.is_row and event.first is not None and bool(near_changes((event,), onset))
    return event.is_notable or is_near


def _has_failed_since(event: Event, onset: datetime | None) -> bool:
    """Failing rows are news if they begin with the incident, not before it."""
    return event.first is not None and (onset is None or event.first >= onset - NEAR)


def _names_fitting_cause(item: SeenItem, said: frozenset[Term], question: Question) -> bool:
    """A cause is news only if its text shares words with the question or with what telemetry showed."""
    found = candidates((item,))
    return any(
        len((cause.body_terms | cause.phrase_terms) & (said | question.content)) >= RELEVANT_TERMS_MIN
        for cause in found
    )


def _tells_a_marker(event: Event, pending: Observation, earlier: list[Observation]) -> bool:
    """True for something unusual that carries a telltale: one that was searched for, or that visible causes name."""
    if event.is_usual:
        return False
    if pending.filters.get("contains"):
        return True
    knowledge = [item for result in earlier for item in result.items if is_document(item)]
    markers = [marker for cause in candidates(knowledge) for marker in (*cause.markers, *cause.against)]
    return any(marker.weight >= TELLING and found_words(marker, event) for marker in markers)
