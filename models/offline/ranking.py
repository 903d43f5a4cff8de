"""How specifically the telemetry of this run matches each candidate cause. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from models.offline.causes import Candidate, same_cause
from models.offline.measures import FLAT
from models.offline.telemetry import Event, first_time
from models.offline.terms import Term, term_set
from models.offline.weighing import Hit, Scene, change_kinds, find_hits, fitting_change, kind_of

TELLTALE_MIN = 0.9
"""Weight of markers of its own, from which telemetry can be said to show the cause."""
SUPPORT_MIN = 1.2
MARGIN_MIN = 0.4
MARGIN_RATIO = 0.2
SHARED_MAX = 1.5
FULL_TELLTALE = 0.8
_AGAINST_MIN = 0.4
_KIND_MIN = 0.2
_TELLING_MIN = 0.4
_MANY = 3
_SAME_RECORD = 0.3
_CHANGE_WORTH = 0.6
_EARLIER = timedelta(seconds=60)
_EARLIER_WORTH = 0.5
_TERM_WEIGHT = {"i": 0.6, "w": 0.2, "c": 0.15, "n": 0.2, "z": 0.1}


@dataclass(frozen=True)
class Match:
    """A candidate and what this run's telemetry has to say about it."""

    candidate: Candidate
    hits: tuple[Hit, ...]
    """Best first."""
    against: tuple[Hit, ...]
    change: Event | None
    """The change that fits it; None if none does."""
    score: float
    change_worth: float = 0.0
    """The part of the score that recorded changes make up; negative where none fits."""
    is_repeated: bool = False
    """True if a record that keeps recurring carries several telltales of its own at once."""

    @property
    def telltale(self) -> float:
        """Weight of what was seen in its favour and no other cause claims; further markers of one record add little."""
        return _total(hit for hit in self.hits if hit.is_own)

    @property
    def is_corroborated(self) -> bool:
        """True if more than one kind of record bears it out, or an outright failure does, or one full of telltales."""
        worths: dict[str, float] = {}
        for hit in self.hits:
            worths[_record(hit.event)] = worths.get(_record(hit.event), 0.0) + hit.worth
        kinds = [kind for kind, worth in worths.items() if worth >= _KIND_MIN]
        failed = any(hit.is_own and hit.worth >= FULL_TELLTALE and hit.event.is_error for hit in self.hits)
        return (
            failed
            or self.is_repeated
            or len(kinds) + (self.change is not None and _record(self.change) not in kinds) >= 2
        )

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


def rank(candidates: Sequence[Candidate], scene: Scene) -> tuple[Match, ...]:
    """All candidates, best first; ties keep reading order."""
    noted = [event for event in scene.events if event.is_notable or event.is_row]
    seen = frozenset[Term]().union(*(term_set(event.text) for event in noted))
    open_ = [candidate for candidate in candidates if not _against(candidate, scene)]
    matches = [_match(candidate, _rivals(candidate, open_), scene, seen) for candidate in candidates]
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


def _match(candidate: Candidate, rivals: Sequence[Candidate], scene: Scene, seen: frozenset[Term]) -> Match:
    hits = find_hits([marker for marker in candidate.markers if marker.trend != FLAT], scene, rivals)
    against = _against(candidate, scene)
    change = fitting_change(candidate, scene, hits)
    changed = _change_worth(candidate, change, scene)
    pro = _total(hits) + _shared(candidate, rivals, seen) + changed
    return Match(
        candidate,
        hits,
        against,
        change,
        pro - 2.0 * sum(hit.worth for hit in against),
        changed,
        _is_repeated(hits, scene),
    )


def _against(candidate: Candidate, scene: Scene) -> tuple[Hit, ...]:
    """What rules the candidate out; a cause that is ruled out claims no telltale of another one."""
    return tuple(hit for hit in find_hits(candidate.against, scene, ()) if hit.worth >= _AGAINST_MIN)


def _is_repeated(hits: Sequence[Hit], scene: Scene) -> bool:
    own = [hit for hit in hits if hit.is_own and hit.worth >= _TELLING_MIN and hit.event.is_log]
    kinds = Counter(kind_of(hit.event) for hit in own)
    full = {kind_of(hit.event) for hit in own if hit.worth >= FULL_TELLTALE}
    return any(
        kinds[kind_of(h.event)] >= _MANY and kind_of(h.event) in full and scene.times(h.event) >= _MANY for h in own
    )


def _record(event: Event) -> str:
    """Rows of one table are one kind of record, and so is all that is measured: series and the alerts made of them."""
    if event.is_series or event.is_alert:
        return "measured"
    return f"row {event.table or event.item.item_id}" if event.is_row else kind_of(event)


def _by_record(hits: Iterable[Hit]) -> dict[str, list[float]]:
    """Worths of the hits by kind of record, best first."""
    groups: dict[str, list[float]] = {}
    for hit in hits:
        if hit.worth > 0:
            groups.setdefault(kind_of(hit.event), []).append(hit.worth)
    return {kind: sorted(worths, reverse=True) for kind, worths in groups.items()}


def _total(hits: Iterable[Hit]) -> float:
    return sum(worth for worths in _by_record(hits).values() for worth in _faded(worths))


def _faded(worths: Sequence[float]) -> Iterator[float]:
    """Further markers of one record add little."""
    return (worth * (1.0 if place == 0 else _SAME_RECORD) for place, worth in enumerate(worths))


def _shared(candidate: Candidate, rivals: Sequence[Candidate], seen: frozenset[Term]) -> float:
    own = (candidate.phrase_terms | candidate.body_terms) & seen
    weights = (_TERM_WEIGHT.get(term[0], 0.1) / (1 + 2 * _claims(term, rivals)) for term in own)
    return min(SHARED_MAX, sum(weights) * 0.5)


def _claims(term: Term, rivals: Sequence[Candidate]) -> int:
    return sum(term in rival.phrase_terms or term in rival.body_terms for rival in rivals)


def _change_worth(candidate: Candidate, change: Event | None, scene: Scene) -> float:
    if not change_kinds(candidate):
        return 0.0
    if change is not None:
        return _CHANGE_WORTH
    return -_CHANGE_WORTH if scene.changes_searched else 0.0


def _with_order(match: Match, matches: Sequence[Match]) -> Match:
    """A shown cause whose telemetry begins clearly before another shown cause's is the better one."""
    others = [
        m.first for m in matches if m is not match and m.is_shown and not same_cause(m.candidate, match.candidate)
    ]
    first = match.first
    if not match.is_shown or first is None or not others:
        return match
    is_earlier = all(other is not None and other >= first + _EARLIER for other in others)
    return replace(match, score=match.score + _EARLIER_WORTH) if is_earlier else match
