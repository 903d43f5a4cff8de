"""Is what is called the cause one, is it before its effect, and is it the right way round? Pure."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from models.offline.causal import Chain, tell
from models.offline.causes import same_cause
from models.offline.lexicon import CHANGE_TERMS, COMMON, FAILURE_KINDS, TROUBLE_TERMS
from models.offline.moments import parse_instant
from models.offline.ranking import Match
from models.offline.review_case import Evidence, ReviewCase, searchable
from models.offline.review_clauses import Clause, candidate_of, clauses, main_words, overlap, speaking_of
from models.offline.review_reasons import Refusal
from models.offline.roles import without_names
from models.offline.sentences import sentences
from models.offline.terms import Term, term_set

_EXCEPTION = re.compile(r"\b[A-Za-z][\w.]*(?:Exception|Error)\b")
GRACE = timedelta(seconds=30)
"""Two records this close say nothing about which came first."""
REVERSED_BY = 0.1
LAG = timedelta(seconds=180)
"""A telltale may be recorded this long after the effect where what brought it about is recorded before."""
CAUSE_WORD = 0.2
EFFECT_MEAN = -0.25
PHRASE_SHARE = 0.34
OWN_TELLTALE = 0.4
RIVAL_LEAD = 0.25
RIVAL_TELLTALE = 0.8


def cause_spans(case: ReviewCase) -> tuple[str, ...]:
    """What the conclusion calls the cause; without any causal wording its first sentence."""
    return case.told.causes or sentences(case.text)[:1]


def cause_words(case: ReviewCase, span: str) -> frozenset[Term]:
    """Words of a stretch without names of services and of exceptions, which are what a failure looks like."""
    return term_set(_EXCEPTION.sub(" ", without_names(span, case.services)))


def cause_is_named(case: ReviewCase) -> Refusal | None:
    """Every cause told is one the documents name; without documents, one that telemetry shows before the effect."""
    spans = cause_spans(case)
    if not spans:
        return Refusal.NOT_NAMED
    if case.candidates or any(chain.spans for e in case.knowledge for chain in tell(e.item.text).chains):
        told = [span for span in spans if cause_words(case, span)]
        with_deed = [" ".join(chain.spans[:2]) for chain in case.told.chains if len(chain.spans) > 2]
        is_named = any(_names_documented(case, span) for span in (*told[:2], *with_deed[:1]))
        is_named = is_named and not any(_is_effect(case, span) for span in told)
        return None if is_named else Refusal.NOT_NAMED
    return None if all(_is_shown_first(case, span) for span in spans) else Refusal.NOT_NAMED


def _is_documented(case: ReviewCase, words: frozenset[Term]) -> bool:
    """True if the words share enough of what one documented cause is called, and tell of causes rather than of effects."""
    telling = {term for term in words if (role := case.roles.of(term)) is not None and role >= CAUSE_WORD}
    enough = len(telling) >= 2 or any(_shares_enough(telling, words, c.phrase_terms) for c in case.candidates)
    return enough and case.roles.of_span(words) > EFFECT_MEAN


def _shares_enough(telling: set[Term], words: frozenset[Term], phrase: frozenset[Term]) -> bool:
    """Two words of the phrase, a good part of a short one, or one that no failure is told with, where none is told."""
    shared = len(words & phrase)
    own = telling & phrase
    return bool(own) and (shared >= 2 or shared > PHRASE_SHARE * len(phrase) or ("c:fail" not in words and bool(own - FAILURE_KINDS - COMMON)))


def _names_documented(case: ReviewCase, span: str) -> bool:
    """True if the stretch, or one clause of it, is told in words of a documented cause."""
    return _is_documented(case, cause_words(case, span)) or any(
        _is_documented(case, cause_words(case, c.text)) for c in clauses(case, span)
    )


def _is_effect(case: ReviewCase, span: str) -> bool:
    """True for words that documents and question tell of effects, none of a cause."""
    return case.roles.of_span(cause_words(case, span)) <= EFFECT_MEAN and not _names_documented(case, span)


def _is_shown_first(case: ReviewCase, span: str) -> bool:
    """No document names causes: the stretch must say more than the question, and be seen clearly before the effect."""
    own = cause_words(case, span) - term_set(case.question) - TROUBLE_TERMS
    effect = _effect_words(case, span)
    times = _times(case, own, effect)
    return bool(own) and times[0] is not None and times[1] is not None and times[0] < times[1]


def direction_agrees(case: ReviewCase) -> Refusal | None:
    """In every chain the first stretch is told in words of causes more than the last one."""
    for chain in case.told.chains:
        if len(chain.spans) > 1 and _is_reversed(case, chain.spans[0], chain.spans[-1]):
            return Refusal.REVERSED
    return None


def _is_reversed(case: ReviewCase, first: str, last: str) -> bool:
    """A recorded change that no document speaks of may well have led to a documented cause."""
    left, right = cause_words(case, first), cause_words(case, last)
    if _names_documented(case, first) and not _names_documented(case, last):
        left = main_words(case, first)
    before, after = left - right or left, right - left or right
    if not any(case.roles.of(term) is not None for term in before) and _named_changes(case, first):
        return False
    return case.roles.of_span(before) < case.roles.of_span(after) - REVERSED_BY


def no_better_rival(case: ReviewCase) -> Refusal | None:
    """The cited telemetry does not exclude the cause, nor carry another cause's telltales while carrying none of it."""
    for span in cause_spans(case):
        match = _match_of(case, main_words(case, span))
        if match is None:
            continue
        if match.is_excluded:
            return Refusal.RIVAL
        others = [m for m in case.matches if m is not match and not m.is_excluded]
        if match.telltale < OWN_TELLTALE and any(_fits_better(m, match) for m in others):
            return Refusal.RIVAL
    return None


def _fits_better(rival: Match, match: Match) -> bool:
    """True for another cause whose telltales are seen, or whose words the telemetry speaks clearly more."""
    is_other = not same_cause(rival.candidate, match.candidate)
    return is_other and (rival.telltale >= RIVAL_TELLTALE or rival.score >= match.score + RIVAL_LEAD)


def _match_of(case: ReviewCase, words: frozenset[Term]) -> Match | None:
    candidate = candidate_of(case, words)
    return next((match for match in case.matches if match.candidate is candidate), None) if candidate else None


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
    told += [e.event.first for e in _named_changes(case, first)]
    known = [at for at in (*told, _change_time(case, first)) if at is not None]
    led_to = _effect_time(case, term_set(first), effect)
    if led_to is None:
        return any(_is_last(case, at) for at in known)
    shown = _telltale_time(case, first)
    is_shown_late = shown is not None and shown > led_to + (LAG if known else GRACE)
    return is_shown_late or any(at > led_to + GRACE for at in known)


def _is_last(case: ReviewCase, at: datetime) -> bool:
    """Where no item tells of the effect: what is said to be the cause must at least not follow everything else."""
    others = [time for time in _dated(case.telemetry) if time != at]
    return bool(others) and at > max(others) + GRACE


def _effect_time(case: ReviewCase, cause: frozenset[Term], effect: frozenset[Term]) -> datetime | None:
    """When the effect is first seen; where nothing tells of it, the first failure that does not tell of the cause."""
    found = _times(case, cause, effect)[1]
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


def _named_changes(case: ReviewCase, span: str) -> list[Evidence]:
    """Rows that hold a name or number that the stretch holds, and no event outside the database does earlier."""
    named = {term for term in term_set(span) if term.startswith(("i:", "n:"))}
    rows = [e for e in case.telemetry if e.event.is_row and e.event.first is not None]
    return [row for row in rows if named & term_set(searchable(row))]


def _change_time(case: ReviewCase, span: str) -> datetime | None:
    """When the recorded change that fits the documented cause was made; None if none is cited."""
    match = _match_of(case, main_words(case, span))
    return match.change.first if match is not None and match.change is not None else None


def _telltale_time(case: ReviewCase, span: str) -> datetime | None:
    """When the surest telltale of the documented cause is first seen; None if none is cited."""
    match = _match_of(case, main_words(case, span))
    own = [hit for hit in match.hits if hit.is_own and not hit.event.is_row] if match is not None else []
    best = max((hit.worth for hit in own), default=0.0)
    dated = [hit.event.first for hit in own if hit.worth > 0.8 * best and hit.event.first is not None]
    return min(dated, default=None)


def _effect_words(case: ReviewCase, span: str) -> frozenset[Term]:
    """What the question asks about and the rest of the conclusion says."""
    return term_set(case.question) | term_set(case.text.replace(span, " "))


def _times(
    case: ReviewCase, cause: frozenset[Term], effect: frozenset[Term]
) -> tuple[datetime | None, datetime | None]:
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
    match = _match_of(case, words)
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
