"""What one marker seen in one event is worth, and which recorded change fits a cause. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from models.offline.causes import Candidate
from models.offline.lexicon import CHANGE_KINDS
from models.offline.markers import Marker
from models.offline.measures import names_metric
from models.offline.telemetry import Event, core, shape_of
from models.offline.terms import Term, term_set

_ONE_NUMBER = re.compile(r"#(?:\.#)+")
"""A masked decimal: a record writes two numbers where its pattern leaves out one."""
LATE = timedelta(seconds=180)
"""A telltale may be logged this long after the symptom it explains (detection thresholds, sampling)."""
LONG_BEFORE = timedelta(minutes=90)
"""A log record that ended this long before the onset has nothing to do with it."""
SOON_BEFORE = timedelta(minutes=10)
CHANGE_BEFORE = timedelta(hours=6)
CHANGE_AFTER = timedelta(seconds=60)
_STEADY_MIN = 5
_STEADY_GAPS = 2
_LONE_FACTOR = 0.5
_NAMED_MIN = 0.4
_SYMPTOM_FACTOR = 0.6
"""What is asked about is shown by every cause of it."""


@dataclass(frozen=True)
class Scene:
    """What the candidates are weighed against."""

    events: tuple[Event, ...]
    onset: datetime | None = None
    """None: time plays no part."""
    symptom: Event | None = None
    """What the question asks about; None if it is not known."""
    changes_searched: bool = False
    windows: Mapping[str, tuple[datetime, datetime]] = field(default_factory=dict, hash=False)
    """Searched window by call."""
    chain: frozenset[str] = frozenset()
    """Services the incident reaches, lower case; what measures another one proves nothing. Empty: not known."""

    vain_metrics: frozenset[str] = frozenset()
    """Metrics that were read, judged to tell nothing and are shown no more."""

    usual_rows: frozenset[tuple[str, str]] = frozenset()
    """Table and reason of failing rows that were there all along."""

    def concerns(self, event: Event) -> bool:
        """False for what is told of a service that the incident does not reach."""
        return not self.chain or not event.service or event.service in self.chain

    @property
    def searched_span(self) -> timedelta:
        """The longest window that was searched; zero if none is known."""
        return max((end - start for start, end in self.windows.values()), default=timedelta(0))

    @cached_property
    def usual_kinds(self) -> frozenset[str]:
        """Kinds of log records that were there before the onset as often as after it."""
        return frozenset(kind_of(e) for e in self.events if e.is_log and (e.is_usual or self._is_steady(e)))

    def is_usual(self, event: Event) -> bool:
        """True for a log record whose kind was about as frequent before the onset: it proves nothing. So for a flat series."""
        if event.is_row:
            return bool(event.reason) and (event.table, event.reason) in self.usual_rows
        return kind_of(event) in self.usual_kinds if event.is_log else event.is_usual

    def _is_steady(self, event: Event) -> bool:
        """A pattern already under way when a window opened that reaches back well before the onset."""
        window = self.windows.get(event.item.call_id)
        if not event.is_pattern or event.count < _STEADY_MIN or window is None or self.onset is None:
            return False
        if event.first is None or event.last is None or self.onset - window[0] < SOON_BEFORE:
            return False
        gap = (event.last - event.first) / (event.count - 1)
        return event.first <= window[0] + _STEADY_GAPS * gap and event.first <= self.onset - SOON_BEFORE

    @cached_property
    def kinds(self) -> Counter[str]:
        """How often each kind of log record is visible."""
        return Counter(kind_of(event) for event in self.events if event.is_log)

    def times(self, event: Event) -> int:
        """How often records of its kind were seen, as far as is visible."""
        counts = (other.count for other in self.events if other.is_log and kind_of(other) == kind_of(event))
        return max(*counts, self.kinds[kind_of(event)], event.count)

    @property
    def is_told_by_rows(self) -> bool:
        """True if the symptom is a kind of failing rows."""
        return self.symptom is not None and self.symptom.is_row

    def is_symptom(self, event: Event) -> bool:
        """True for the symptom itself and records of its kind; an alert tells only that something is wrong."""
        if event.is_alert:
            return True
        if self.symptom is not None and self.symptom.is_row and event.is_row:
            return bool(event.reason) and (event.table, event.reason) == (self.symptom.table, self.symptom.reason)
        return self.symptom is not None and not event.is_row and kind_of(event) == kind_of(self.symptom)

    def is_over(self, event: Event) -> bool:
        """True for a log record that had ended well before the onset."""
        last = event.last or event.first
        return event.is_log and self.onset is not None and last is not None and last < self.onset - SOON_BEFORE

    def is_lone(self, event: Event) -> bool:
        """True for a record below error level that was seen once only, and a series that moved at no known moment."""
        if event.is_series:
            return event.first is None
        return event.is_log and not event.is_error and max(event.count, self.kinds[kind_of(event)]) < 2


@dataclass(frozen=True)
class Hit:
    """A marker seen in telemetry."""

    marker: Marker
    event: Event
    words: str
    """Verbatim stretch of the event's text."""
    worth: float
    """The marker's weight over the number of causes that claim it, less if it was usual, lone, late or the symptom."""
    is_own: bool
    """True if no other visible cause claims the marker."""


def kind_of(event: Event) -> str:
    """One text for each row, and for all log records of one service and wording."""
    if event.is_row or event.is_alert:
        return event.item.item_id
    if event.is_series:
        return f"metric {event.measure.metric} {event.service}"
    shape = " ".join(shape_of(core(event)).split())
    return f"{event.service} {_ONE_NUMBER.sub('#', shape)[:60]}"


def find_hits(markers: Sequence[Marker], scene: Scene, rivals: Sequence[Candidate]) -> tuple[Hit, ...]:
    """The best event for each marker that occurs, best first."""
    found = (best for marker in markers if (best := _best_hit(marker, scene, rivals)) is not None)
    return tuple(sorted(found, key=lambda hit: -hit.worth))


def _best_hit(marker: Marker, scene: Scene, rivals: Sequence[Candidate]) -> Hit | None:
    claims = 1 + sum(any(_overlaps(marker, theirs) for theirs in rival.markers) for rival in rivals)
    hits = [
        Hit(marker, event, words, _worth(marker, event, scene) / claims, claims == 1)
        for event in scene.events
        if (words := found_words(marker, event))
    ]
    return min(hits, key=lambda hit: (-hit.worth, *_place(hit.event, scene.onset))) if hits else None


def _place(event: Event, onset: datetime | None) -> tuple[float, bool, float]:
    """Order of equally good events: not after the onset, or soon after; a record before its pattern; near the onset."""
    if event.first is None:
        return float("inf"), event.is_pattern, 0.0
    if onset is None:
        return event.first.timestamp(), event.is_pattern, 0.0
    after = (event.first - onset).total_seconds()
    return max(0.0, after), event.is_pattern, abs(after)


def found_words(marker: Marker, event: Event) -> str:
    """The verbatim stretch of the event that carries the marker.

    In a row only values count, or a column with its value; of a series only its name; of an alert only its name.
    """
    if event.is_series:
        return event.measure.metric if names_metric(marker.text, event.measure) else ""
    if event.is_alert:
        return event.measure.alert if marker.text == event.measure.alert else ""
    if not event.is_row:
        return marker.found_in(event.text)
    name, is_pair, value = marker.text.partition("=")
    if is_pair and str(event.item.fields.get(name.strip(), "")) == value.strip(" '\"") != "":
        return f"{name.strip()}={value.strip()}" if f"{name.strip()}={value.strip()}" in event.text else ""
    values = (marker.found_in(str(value)) for value in event.item.fields.values() if value is not None)
    return next((words for words in values if words and words in event.text), "")


def _overlaps(one: Marker, other: Marker) -> bool:
    return bool(one.found_in(other.text) or other.found_in(one.text))


def _worth(marker: Marker, event: Event, scene: Scene) -> float:
    """Nothing for what is out of time or usual; less for the symptom itself and the lone warning."""
    if scene.onset is not None and _is_out_of_time(event, scene.onset):
        return 0.0
    if not (event.is_log or scene.concerns(event)) and (not event.is_row or scene.is_told_by_rows):
        return 0.0
    if event.is_series:
        agreed = _agreement(marker, event) * (_LONE_FACTOR if scene.is_lone(event) else 1.0)
        return marker.weight * agreed * (_SYMPTOM_FACTOR if scene.is_symptom(event) else 1.0)
    is_weak = scene.is_lone(event) or scene.is_over(event)
    factor = 0.0 if scene.is_usual(event) else _LONE_FACTOR if is_weak else 1.0
    return marker.weight * factor * (_SYMPTOM_FACTOR if scene.is_symptom(event) else 1.0)


def _agreement(marker: Marker, event: Event) -> float:
    """1 for a series that goes as the document says, half where it does not say, 0 where it says otherwise."""
    if not marker.trend:
        return _LONE_FACTOR if event.measure.is_marked else 0.0
    return 1.0 if event.measure.trend == marker.trend else 0.0


def _is_out_of_time(event: Event, onset: datetime) -> bool:
    last = event.last or event.first
    if event.first is None or last is None:
        return False
    return event.first > onset + LATE or last < onset - (CHANGE_BEFORE if event.is_row else LONG_BEFORE)


def change_kinds(candidate: Candidate) -> frozenset[Term]:
    """The kinds of change the cause speaks of; empty if it is no change somebody made."""
    return candidate.phrase_terms & CHANGE_KINDS


def near_changes(events: Iterable[Event], onset: datetime | None) -> tuple[Event, ...]:
    """Dated rows shortly before the onset, latest first."""
    dated = [(event.first, event) for event in events if event.is_row and event.first is not None]
    near = [(at, row) for at, row in dated if onset is None or onset - CHANGE_BEFORE <= at <= onset + CHANGE_AFTER]
    return tuple(row for _, row in sorted(near, key=lambda pair: pair[0], reverse=True))


def fitting_change(candidate: Candidate, scene: Scene, hits: Sequence[Hit]) -> Event | None:
    """The latest change before the onset of a kind the cause speaks of, in a service that shows its telltales."""
    telling = [hit.event for hit in hits if hit.worth > 0]
    services = {event.service for event in telling if event.service and not event.is_row}
    named = {hit.event.item.item_id for hit in hits if hit.worth >= _NAMED_MIN and hit.event.is_row}
    wanted = change_kinds(candidate)
    for row in near_changes(scene.events, scene.onset):
        is_kind = bool(wanted & term_set(f"{row.table} {' '.join(row.item.fields)} {row.text}"))
        if is_kind and (row.item.item_id in named or (row.service and row.service in services)):
            return row
    return None
