"""The event that is what the question asks about, and when it began. Pure."""

import math
import re
from collections.abc import Collection, Container, Mapping, Sequence
from datetime import datetime, timedelta

from models.offline.lexicon import ALIKE, FAILURE_KINDS
from models.offline.question import Question, mentions
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
    failing = [event for event in events if event.is_error]
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


def measured_symptom(
    events: Sequence[Event], question: Question, asked_from: datetime | None, chain: Collection[str]
) -> tuple[Event | None, datetime | None]:
    """An alert or a series of the asked service that is what the question asks about, where no log record is.

    The onset is where the window asked for begins, else when the series moved or the alert began to fire.
    """
    own = [e for e in events if (e.is_series or e.is_alert) and e.is_notable and _is_asked(e, question, chain)]
    best = max(own, key=lambda event: (event.is_series, _shared(event, question)), default=None)
    return (best, asked_from or best.first) if best is not None else (None, None)


def row_symptom(
    events: Sequence[Event], question: Question, asked_from: datetime | None, usual: Container[tuple[str, str]]
) -> tuple[Event | None, datetime | None]:
    """The most frequent new kind of failing rows that the question can be about; the onset is when it began."""
    failing = [e for e in events if e.is_count and e.reason and (e.table, e.reason) not in usual]
    named = {e.service for e in events if e.is_row and e.service and mentions(question.text, e.service)}
    asked = [e for e in failing if (not named or e.service in named) and _is_kind(e.text, question)]
    best = max(asked, key=lambda event: event.count, default=None)
    if best is None or (not named and len({e.service for e in asked}) > 1):
        return None, None
    return best, best.first or asked_from


def usual_rows(
    events: Sequence[Event], asked_from: datetime | None, windows: Mapping[str, tuple[datetime, datetime]]
) -> frozenset[tuple[str, str]]:
    """Table and reason of failing rows that were there all along, or about which that cannot be told."""
    counts = [event for event in events if event.is_count and event.reason]
    return frozenset((e.table, e.reason) for e in counts if not _is_new(e, asked_from, windows.get(e.item.call_id)))


def _is_new(event: Event, asked_from: datetime | None, window: tuple[datetime, datetime] | None) -> bool:
    """True if the counted rows begin well inside the searched window and not long before the time asked about."""
    if event.first is None or event.last is None or window is None:
        return False
    gap = (event.last - event.first) / max(1, event.count - 1)
    is_inside = event.first > window[0] + max(NEAR, 2 * gap)
    return is_inside and event.count >= DENSE and (asked_from is None or event.first >= asked_from - NEAR)


def _is_asked(event: Event, question: Question, chain: Collection[str]) -> bool:
    if event.is_alert:
        named = bool(question.alert) and question.alert == event.measure.alert
        return named or (bool(event.service) and event.service in chain and _is_kind(event.measure.alert, question))
    if chain and event.service not in chain:
        return False
    asked = question.terms & FAILURE_KINDS
    is_slow = event.measure.shows_slowness and bool(asked & ALIKE or not asked)
    return is_slow or (event.measure.shows_failures and (not asked or bool(term_set(event.measure.metric) & asked)))


def _is_kind(name: str, question: Question) -> bool:
    asked = question.terms & FAILURE_KINDS
    alike = asked | ALIKE if asked & ALIKE else asked
    return not asked or bool(term_set(name) & alike)


def _shared(event: Event, question: Question) -> int:
    return len(term_set(event.measure.metric or event.measure.alert) & question.terms)


def _is_alike(event: Event, best: Event) -> bool:
    """A pattern and an event of one kind: most words are shared."""
    one, other = term_set(event.text), term_set(best.text)
    return len(one & other) >= 0.7 * max(1, min(len(one), len(other)))
