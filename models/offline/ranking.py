"""How specifically the telemetry of this run matches each candidate cause. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from models.offline.causes import Candidate, same_cause
from models.offline.lexicon import CHANGE_TERMS
from models.offline.markers import Marker
from models.offline.telemetry import Event, core, first_time, shape_of
from models.offline.terms import Term, term_set

LATE = timedelta(seconds=180)
"""A telltale may be logged this long after the symptom it explains (detection thresholds, sampling)."""
CHANGE_BEFORE = timedelta(hours=6)
CHANGE_AFTER = timedelta(seconds=60)
TELLTALE_MIN = 0.9
"""Weight of markers seen, from which telemetry can be said to show the cause."""
SUPPORT_MIN = 1.2
MARGIN_MIN = 0.4
MARGIN_RATIO = 0.2
SHARED_MAX = 1.5
_TERM_WEIGHT = {"i": 0.6, "w": 0.2, "c": 0.15, "n": 0.2, "z": 0.1}
_USUAL_FACTOR = 0.2
_SAME_RECORD = 0.3
FULL_TELLTALE = 0.8
LONG_BEFORE = timedelta(minutes=90)
"""A record that ended this long before the onset has nothing to do with it; rows of changes have longer."""
_AGAINST_MIN = 0.4
_EARLIER = timedelta(seconds=60)


@dataclass(frozen=True)
class Hit:
    """A marker seen in telemetry."""

    marker: Marker
    event: Event
    words: str
    """Verbatim stretch of the event's text."""
    worth: float
    """The marker's weight over the number of causes that claim it, less if it was usual or too late."""
    is_own: bool
    """True if no other visible cause claims the marker."""


@dataclass(frozen=True)
class Match:
    """A candidate and what this run's telemetry has to say about it."""

    candidate: Candidate
    hits: tuple[Hit, ...]
    """Best first."""
    against: tuple[Hit, ...]
    change: Event | None
    """The change that fits it; None if none does."""
    shared: float
    score: float

    @property
    def telltale(self) -> float:
        """Weight of what was seen in its favour and no other cause claims; further markers of one record add little."""
        groups = _by_record(hit for hit in self.hits if hit.is_own)
        return sum(max(worths) + _SAME_RECORD * (sum(worths) - max(worths)) for worths in groups.values())

    @property
    def is_corroborated(self) -> bool:
        """True if more than one kind of record bears it out, or an outright failure does."""
        kinds = [kind for kind, worths in _by_record(self.hits).items() if sum(worths) >= _AGAINST_MIN * 0.5]
        failed = any(hit.is_own and hit.worth >= FULL_TELLTALE and hit.event.is_error for hit in self.hits)
        return failed or len(kinds) + (self.change is not None and self.change.item.item_id not in kinds) >= 2

    @property
    def is_excluded(self) -> bool:
        """True if telemetry shows what the document says rules it out."""
        return bool(self.against)

    @property
    def is_shown(self) -> bool:
        """True if telemetry can be said to show this cause."""
        is_seen = self.telltale >= TELLTALE_MIN and self.score >= SUPPORT_MIN
        return is_seen and self.is_corroborated and not self.is_excluded

    @property
    def first(self) -> datetime | None:
        """When its telemetry first appears."""
        return first_time(hit.event for hit in self.hits if hit.worth > 0)


def _by_record(hits: Iterable[Hit]) -> dict[str, list[float]]:
    """Worths of the hits by kind of record: lines of one shape, or one row."""
    groups: dict[str, list[float]] = {}
    for hit in hits:
        if hit.worth > 0:
            kind = hit.event.item.item_id if hit.event.is_row else shape_of(core(hit.event))[:60]
            groups.setdefault(f"{hit.event.service} {kind}" if not hit.event.is_row else kind, []).append(hit.worth)
    return groups


def rank(
    candidates: Sequence[Candidate], events: Sequence[Event], *, onset: datetime | None, changes_searched: bool
) -> tuple[Match, ...]:
    """All candidates, best first; ties keep reading order. ``onset`` None: time plays no part."""
    noted = [event for event in events if event.is_notable or event.is_row]
    seen = frozenset[Term]().union(*(term_set(event.text) for event in noted)) if noted else frozenset[Term]()
    matches = [
        _match(candidate, _rivals(candidate, candidates), events, seen, onset=onset, changes_searched=changes_searched)
        for candidate in candidates
    ]
    return tuple(sorted((_with_order(match, matches) for match in matches), key=lambda match: -match.score))


def leader(matches: Sequence[Match]) -> Match | None:
    """The cause that may be concluded: shown, and ahead of every other cause by a margin; else None."""
    if not matches or not matches[0].is_shown:
        return None
    best = matches[0]
    rival = runner_up(matches)
    lead = best.score - (rival.score if rival else 0.0)
    return best if lead >= max(MARGIN_MIN, MARGIN_RATIO * best.score) else None


def runner_up(matches: Sequence[Match]) -> Match | None:
    """The best match that names another cause than the first; excluded ones do not count."""
    others = (m for m in matches[1:] if not m.is_excluded and not same_cause(m.candidate, matches[0].candidate))
    return next(others, None)


def _rivals(candidate: Candidate, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(other for other in candidates if other is not candidate and not same_cause(candidate, other))


def _match(
    candidate: Candidate,
    rivals: Sequence[Candidate],
    events: Sequence[Event],
    seen: frozenset[Term],
    *,
    onset: datetime | None,
    changes_searched: bool,
) -> Match:
    hits = _hits(candidate.markers, events, rivals, onset)
    against = tuple(hit for hit in _hits(candidate.against, events, (), None) if hit.worth >= _AGAINST_MIN)
    change = fitting_change(candidate, events, hits, onset)
    shared = _shared(candidate, rivals, seen)
    score = (
        sum(hit.worth for hit in hits) + shared + _change_worth(candidate, change, changes_searched=changes_searched)
    )
    return Match(candidate, hits, against, change, shared, score - 2.0 * sum(hit.worth for hit in against))


def _hits(
    markers: Sequence[Marker], events: Sequence[Event], rivals: Sequence[Candidate], onset: datetime | None
) -> tuple[Hit, ...]:
    found = (best for marker in markers if (best := _best_hit(marker, events, rivals, onset)) is not None)
    return tuple(sorted(found, key=lambda hit: -hit.worth))


def _best_hit(
    marker: Marker, events: Sequence[Event], rivals: Sequence[Candidate], onset: datetime | None
) -> Hit | None:
    claims = 1 + sum(any(_overlaps(marker, theirs) for theirs in rival.markers) for rival in rivals)
    hits = [
        Hit(marker, event, words, _worth(marker, event, onset) / claims, claims == 1)
        for event in events
        if (words := found_words(marker, event))
    ]
    return min(hits, key=lambda hit: (-hit.worth, hit.event.is_pattern, str(hit.event.first))) if hits else None


def found_words(marker: Marker, event: Event) -> str:
    """The verbatim stretch of the event that carries the marker; in a row only its values count, not its column names."""
    if not event.is_row:
        return marker.found_in(event.text)
    values = (marker.found_in(str(value)) for value in event.item.fields.values() if value is not None)
    return next((words for words in values if words and words in event.text), "")


def _overlaps(one: Marker, other: Marker) -> bool:
    return bool(one.found_in(other.text) or other.found_in(one.text))


def _worth(marker: Marker, event: Event, onset: datetime | None) -> float:
    if onset is not None and event.first is not None and event.first > onset + LATE:
        return 0.0
    last = event.last or event.first
    if onset is not None and last is not None and last < onset - (CHANGE_BEFORE if event.is_row else LONG_BEFORE):
        return 0.0
    return marker.weight * (_USUAL_FACTOR if event.is_usual else 1.0)


def _shared(candidate: Candidate, rivals: Sequence[Candidate], seen: frozenset[Term]) -> float:
    own = (candidate.phrase_terms | candidate.body_terms) & seen
    weights = (_TERM_WEIGHT.get(term[0], 0.1) / (1 + 2 * _claims(term, rivals)) for term in own)
    return min(SHARED_MAX, sum(weights) * 0.5)


def _claims(term: Term, rivals: Sequence[Candidate]) -> int:
    return sum(term in rival.phrase_terms or term in rival.body_terms for rival in rivals)


def is_change(candidate: Candidate) -> bool:
    """True if the cause is a change somebody made."""
    return bool(candidate.phrase_terms & CHANGE_TERMS)


def near_changes(events: Iterable[Event], onset: datetime | None) -> tuple[Event, ...]:
    """Dated rows shortly before the onset, latest first."""
    rows = [event for event in events if event.is_row and event.first is not None]
    near = [row for row in rows if onset is None or onset - CHANGE_BEFORE <= _at(row) <= onset + CHANGE_AFTER]
    return tuple(sorted(near, key=lambda row: row.first or datetime.min, reverse=True))


def _at(row: Event) -> datetime:
    assert row.first is not None
    return row.first


def fitting_change(
    candidate: Candidate, events: Sequence[Event], hits: Sequence[Hit], onset: datetime | None
) -> Event | None:
    """The latest change before the onset that concerns a service of the telltales or speaks the cause's words."""
    services = {hit.event.service for hit in hits if hit.event.service and not hit.event.is_row and hit.worth > 0}
    named = {hit.event.item.item_id for hit in hits if hit.event.is_row and hit.worth > 0}
    wanted = (candidate.phrase_terms | candidate.body_terms) - CHANGE_TERMS
    for row in near_changes(events, onset):
        ours = not row.service or not services or row.service in services
        if row.item.item_id in named or (ours and (row.service in services or len(term_set(row.text) & wanted) >= 2)):
            return row
    return None


def _change_worth(candidate: Candidate, change: Event | None, *, changes_searched: bool) -> float:
    if not is_change(candidate):
        return 0.0
    if change is not None:
        return 0.6
    return -0.6 if changes_searched else 0.0


def _with_order(match: Match, matches: Sequence[Match]) -> Match:
    """A shown cause whose telemetry begins clearly before another shown cause's is the better one."""
    others = [
        m.first for m in matches if m is not match and m.is_shown and not same_cause(m.candidate, match.candidate)
    ]
    first = match.first
    if not match.is_shown or first is None or not others or any(o is None or o < first + _EARLIER for o in others):
        return match
    return Match(match.candidate, match.hits, match.against, match.change, match.shared, match.score + 0.5)
