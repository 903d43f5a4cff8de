"""The event that is what the question asks about, and when it began. Pure."""

import math
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from models.offline.lexicon import ALIKE, FAILURE_KINDS
from models.offline.question import Question
from models.offline.telemetry import Event, shape_of
from models.offline.terms import term_set

NEAR = timedelta(minutes=10)
DENSE = 3
_TIMED = re.compile(r"\b(?:duration|took|elapsed|latency)\b|\bslow|耗时|慢", re.IGNORECASE)


def find_symptom(
    events: Sequence[Event], question: Question, asked_from: datetime | None = None
) -> tuple[Event | None, datetime | None]:
    """The best symptom and when it set in; (None, None) if nothing failed.

    ``asked_from``: the start of the asked-for window; what was seen long before it is not the onset.
    """
    failing = [event for event in events if event.is_error and not event.is_row]
    if not failing:
        return None, None
    repeats = {shape: sum(shape_of(e.text) == shape for e in failing) for shape in {shape_of(e.text) for e in failing}}
    best = max(failing, key=lambda event: _strength(event, question, repeats[shape_of(event.text)]))
    alike = [
        e
        for e in failing
        if e.service == best.service and (shape_of(e.text) == shape_of(best.text) or _is_alike(e, best))
    ]
    return best, _onset([event.first for event in alike if event.first is not None], asked_from)


def _onset(times: Sequence[datetime], asked_from: datetime | None) -> datetime | None:
    """The first time near or after the asked-for start; without one the first time that others soon follow."""
    ordered = sorted(times)
    if asked_from is not None:
        return next((at for at in ordered if at >= asked_from - NEAR), asked_from)
    dense = (at for at in ordered if sum(at <= other <= at + NEAR for other in ordered) >= DENSE)
    return next(dense, ordered[0] if ordered else None)


def _strength(event: Event, question: Question, repeats: int) -> float:
    asked = len(term_set(event.text) & question.content)
    ours = 1.5 if event.service and event.service in {name.lower() for name in question.services} else 0.0
    new = 1.0 + math.log(max(event.count, 1)) * 0.3 if event.count_before == 0 else 0.0
    unusual = -1.5 if event.is_usual else 0.0
    return (
        ours
        + min(2.0, 0.7 * asked)
        + new
        + unusual
        + 0.4 * math.log(max(event.count, repeats))
        - 0.01 * event.is_pattern
    )


def answers_question(symptom: Event, question: Question) -> bool:
    """True if the symptom is unusual and of the kind the question asks about (any failure where it names no kind)."""
    asked = question.terms & FAILURE_KINDS
    alike = asked | ALIKE if asked & ALIKE else asked
    return not symptom.is_usual and (not asked or bool(term_set(symptom.text) & alike))


def shows_slowness(event: Event, question: Question) -> bool:
    """True for an unusual, repeated record of how long something took, where the question is about slowness."""
    is_unusual = event.is_pattern and not event.is_usual and event.count >= DENSE
    return is_unusual and "c:slow" in question.terms and _TIMED.search(event.text) is not None


def _is_alike(event: Event, best: Event) -> bool:
    """A pattern and an event of one kind: most words are shared."""
    one, other = term_set(event.text), term_set(best.text)
    return len(one & other) >= 0.7 * max(1, min(len(one), len(other)))
