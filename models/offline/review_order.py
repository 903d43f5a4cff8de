"""Is the evidence of the cause there before the evidence of its effect? Pure."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from models.offline.causal import Chain
from models.offline.lexicon import CHANGE_TERMS
from models.offline.moments import parse_instant
from models.offline.review_case import Evidence, ReviewCase, searchable
from models.offline.review_clauses import (
    Clause,
    cause_spans,
    clauses,
    main_words,
    match_of,
    overlap,
    speaking_of,
)
from models.offline.review_reasons import Refusal
from models.offline.terms import Term, term_set

GRACE = timedelta(seconds=30)
"""Two records this close say nothing about which came first."""
LAG = timedelta(seconds=180)
"""A telltale may be recorded this long after the effect where what brought it about is recorded before."""


def order_agrees(case: ReviewCase) -> Refusal | None:
    """The first evidence of each cause is not later than the first evidence of what it is said to have led to."""
    for chain in case.told.chains or (Chain(cause_spans(case)[:1]),):
        first, last = chain.spans[0], chain.spans[-1] if len(chain.spans) > 1 else ""
        if _is_told_late(first, last) or _is_seen_late(case, first, last):
            return Refusal.LATE
    return None


def _is_told_late(first: str, last: str) -> bool:
    told = [parse_instant(span) for span in (first, last)]
    return told[0] is not None and told[1] is not None and told[0] > told[1] + GRACE


def _is_seen_late(case: ReviewCase, first: str, last: str) -> bool:
    effect = term_set(last) if last else term_set(case.question)
    told = [_clause_time(case, clause, effect) for clause in clauses(case, first)]
    told += [e.event.first for e in named_changes(case, first)]
    known = [at for at in (*told, _change_time(case, first)) if at is not None]
    led_to = _effect_time(case, term_set(first), effect)
    if led_to is None:
        return any(_is_last(case, at) for at in (*told[:1], *_dated(named_changes(case, first))) if at is not None)
    shown = _telltale_time(case, first)
    is_shown_late = shown is not None and shown > led_to + (LAG if known else GRACE)
    return is_shown_late or any(at > led_to + GRACE for at in known)


def _is_last(case: ReviewCase, at: datetime) -> bool:
    """Where no item tells of the effect: what is said to be the cause must at least not follow everything else."""
    others = [time for time in _dated(case.telemetry) if time != at]
    return bool(others) and at > max(others) + GRACE


def _effect_time(case: ReviewCase, cause: frozenset[Term], effect: frozenset[Term]) -> datetime | None:
    """When the effect is first seen; where nothing tells of it, the first failure that does not tell of the cause."""
    found = times(case, cause, effect)[1]
    others = [e for e in case.telemetry if e.event.is_error and overlap(case, effect, e) >= overlap(case, cause, e)]
    return found or min(_dated(others), default=None)


def _clause_time(case: ReviewCase, clause: Clause, effect: frozenset[Term]) -> datetime | None:
    """When what one clause of the cause says is first seen: telemetry that speaks of it more than of the effect."""
    speaking = [
        e
        for e in speaking_of(case, clause.words)
        if overlap(case, clause.words, e) > overlap(case, effect - clause.words, e)
    ]
    own = [e for e in case.telemetry if e.event.service in {name.lower() for name in clause.names}]
    return min(
        _dated([e for e in speaking if e in own] or speaking or ([] if speaking_of(case, clause.words) else own)),
        default=None,
    )


def named_changes(case: ReviewCase, span: str) -> list[Evidence]:
    """Rows that hold a name or number that the stretch holds, and no event outside the database does earlier."""
    named = {term for term in term_set(span) if term.startswith(("i:", "n:"))}
    rows = [e for e in case.telemetry if e.event.is_row and e.event.first is not None]
    return [row for row in rows if named & term_set(searchable(row))]


def _change_time(case: ReviewCase, span: str) -> datetime | None:
    """When the recorded change that fits the documented cause was made; None if none is cited."""
    match = match_of(case, main_words(case, span))
    return match.change.first if match is not None and match.change is not None else None


def _telltale_time(case: ReviewCase, span: str) -> datetime | None:
    """When the surest telltale of the documented cause is first seen; None if none is cited."""
    match = match_of(case, main_words(case, span))
    own = [hit for hit in match.hits if hit.is_own and not hit.event.is_row] if match is not None else []
    best = max((hit.worth for hit in own), default=0.0)
    dated = [hit.event.first for hit in own if hit.worth > 0.8 * best and hit.event.first is not None]
    return min(dated, default=None)


def effect_words(case: ReviewCase, span: str) -> frozenset[Term]:
    """What the question asks about and the rest of the conclusion says."""
    return term_set(case.question) | term_set(case.text.replace(span, " "))


def times(case: ReviewCase, cause: frozenset[Term], effect: frozenset[Term]) -> tuple[datetime | None, datetime | None]:
    """When cause and effect are first seen, each item counted for the one it speaks of more."""
    scored = [
        (
            e,
            _speaks(case, cause - effect or cause, e, as_cause=True),
            _speaks(case, effect - cause or effect, e, as_cause=False),
        )
        for e in case.telemetry
    ]
    causes = [(score, e) for e, score, against in scored if score > against]
    effects = [(score, e) for e, against, score in scored if score > against and not e.event.is_row]
    return _first(causes), _first(effects)


def _speaks(case: ReviewCase, words: frozenset[Term], evidence: Evidence, *, as_cause: bool) -> float:
    score = overlap(case, words, evidence)
    if not as_cause:
        return score
    match = match_of(case, words)
    hits = {hit.event.item.item_id for hit in match.hits if hit.is_own} if match is not None else set()
    is_change = evidence.event.is_row and bool(words & CHANGE_TERMS)
    return score + (1.5 if evidence.ref in hits else 0.0) + (1.0 if is_change else 0.0)


def _first(scored: Iterable[tuple[float, Evidence]]) -> datetime | None:
    """The earliest time among the items that speak of it at least half as much as the best one."""
    kept = list(scored)
    best = max((score for score, _ in kept), default=0.0)
    return min(_dated(e for score, e in kept if score >= 0.5 * best), default=None)


def _dated(found: Iterable[Evidence]) -> Iterator[datetime]:
    return (e.event.first for e in found if e.event.first is not None)
