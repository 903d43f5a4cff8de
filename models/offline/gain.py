"""Did a result move the diagnosis: GAINED or NO_GAIN, by comparison with what is known. Pure. Unsure is NO_GAIN."""

from collections.abc import Iterable
from datetime import datetime

from models.offline.causes import candidates
from models.offline.question import Question
from models.offline.reading import Case, Observation, SeenItem, asked_from
from models.offline.symptoms import find_symptom
from models.offline.telemetry import Event, event_of, events
from models.offline.terms import Term, term_set
from models.offline.weighing import found_words, near_changes

NEW_TERMS_MIN = 2
"""New words, names or concepts from which an item says something new; numbers alone are not news."""
TELLING = 0.5
RELEVANT_TERMS_MIN = 2


def assess(case: Case, question: Question, pending: Observation) -> str:
    """``GAINED`` if the result holds a new fact about this incident, else ``NO_GAIN``."""
    earlier = [result for result in case.observations if result.call_id != pending.call_id]
    known = [item for result in earlier for item in result.items]
    seen_ids = {item.item_id for item in known}
    fresh = [item for item in pending.items if item.item_id not in seen_ids]
    if any(_tells_a_marker(event_of(item), pending, earlier) for item in fresh if not item.is_knowledge):
        return "GAINED"
    onset = find_symptom(events(case.observations), question, asked_from(case))[1]
    gained = any(_is_new_fact(item, _said(case, known, item), question, onset) for item in fresh)
    return "GAINED" if gained else "NO_GAIN"


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
    is_near = event.is_row and event.first is not None and bool(near_changes((event,), onset))
    return event.is_notable or is_near


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
    knowledge = [item for result in earlier for item in result.items if item.is_knowledge]
    markers = [marker for cause in candidates(knowledge) for marker in (*cause.markers, *cause.against)]
    return any(marker.weight >= TELLING and found_words(marker, event) for marker in markers)
