"""Did a result move the diagnosis: GAINED or NO_GAIN, by comparison with what is known. Pure. Unsure is NO_GAIN."""

from collections.abc import Iterable
from datetime import datetime

from models.offline.causes import candidates
from models.offline.question import Question
from models.offline.reading import Case, Observation, SeenItem, asked_from
from models.offline.symptoms import find_symptom
from models.offline.telemetry import Event, event_of, events
from models.offline.terms import Term, term_set
from models.offline.weighing import near_changes

NEW_TERMS_MIN = 2
"""New words, names or concepts from which an item says something new; numbers alone are not news."""
RELEVANT_TERMS_MIN = 2


def assess(case: Case, question: Question, pending: Observation) -> str:
    """``GAINED`` if the result holds a new fact about this incident, else ``NO_GAIN``."""
    earlier = [result for result in case.observations if result.call_id != pending.call_id]
    known = [item for result in earlier for item in result.items]
    seen_ids = {item.item_id for item in known}
    fresh = [item for item in pending.items if item.item_id not in seen_ids]
    said = _known_terms(case, known)
    onset = find_symptom(events(case.observations), question, asked_from(case))[1]
    gained = any(_is_new_fact(item, said, question, earlier, onset) for item in fresh)
    return "GAINED" if gained else "NO_GAIN"


def _known_terms(case: Case, known: Iterable[SeenItem]) -> frozenset[Term]:
    """Terms of the question's own words and of everything still visible."""
    return frozenset[Term]().union(term_set(case.question), *(term_set(item.text) for item in known))


def _is_new_fact(
    item: SeenItem, said: frozenset[Term], question: Question, earlier: list[Observation], onset: datetime | None
) -> bool:
    new = sum(not term.startswith("n:") for term in term_set(item.text) - said)
    if new < NEW_TERMS_MIN:
        return False
    if item.is_knowledge:
        return _names_fitting_cause(item, said, question)
    event = event_of(item)
    is_near = event.is_row and event.first is not None and bool(near_changes((event,), onset))
    return event.is_notable or is_near or _tells_a_marker(event, earlier)


def _names_fitting_cause(item: SeenItem, said: frozenset[Term], question: Question) -> bool:
    """A cause is news only if its text shares words with the question or with what telemetry showed."""
    found = candidates((item,))
    return any(
        len((cause.body_terms | cause.phrase_terms) & (said | question.content)) >= RELEVANT_TERMS_MIN
        for cause in found
    )


def _tells_a_marker(event: Event, earlier: list[Observation]) -> bool:
    knowledge = [item for result in earlier for item in result.items if item.is_knowledge]
    markers = [marker for cause in candidates(knowledge) for marker in (*cause.markers, *cause.against)]
    return any(marker.weight >= 0.5 and marker.found_in(event.text) for marker in markers)
