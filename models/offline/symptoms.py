"""The event that is what the question asks about, and when it began. Pure."""

import math
import re
from collections.abc import Sequence
from datetime import datetime

from models.offline.question import Question
from models.offline.telemetry import Event, first_time
from models.offline.terms import term_set

_VARYING = re.compile(r"<[^<>]{1,20}>|0x[0-9a-f]+|[0-9a-f]{8,}|\d+")


def find_symptom(events: Sequence[Event], question: Question) -> tuple[Event | None, datetime | None]:
    """The best symptom and the first time anything of its kind was seen; (None, None) if nothing failed."""
    failing = [event for event in events if event.is_error and not event.is_row]
    if not failing:
        return None, None
    repeats = {shape: sum(shape_of(e.text) == shape for e in failing) for shape in {shape_of(e.text) for e in failing}}
    best = max(failing, key=lambda event: _strength(event, question, repeats[shape_of(event.text)]))
    alike = [e for e in failing if e.service == best.service and (shape_of(e.text) == shape_of(best.text) or _is_alike(e, best))]
    return best, first_time(alike)


def shape_of(text: str) -> str:
    """The text with numbers and ids masked: equal for two events of one kind."""
    return _VARYING.sub("#", text).casefold()


def _strength(event: Event, question: Question, repeats: int) -> float:
    asked = len(term_set(event.text) & question.content)
    ours = 1.5 if event.service and event.service in {name.lower() for name in question.services} else 0.0
    new = 1.0 if event.count_before == 0 else 0.0
    unusual = -1.5 if event.is_usual else 0.0
    return ours + min(2.0, 0.7 * asked) + new + unusual + 0.4 * math.log(max(event.count, repeats)) - 0.01 * event.is_pattern


def _is_alike(event: Event, best: Event) -> bool:
    """A pattern and an event of one kind: most words are shared."""
    one, other = term_set(event.text), term_set(best.text)
    return len(one & other) >= 0.7 * max(1, min(len(one), len(other)))
