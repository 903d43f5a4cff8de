"""Is what is called the cause one, is it the right way round, and is no other cause shown better? Pure."""

from models.offline.causal import tell
from models.offline.causes import same_cause
from models.offline.lexicon import COMMON, FAILURE_KINDS, TROUBLE_TERMS
from models.offline.ranking import Match
from models.offline.review_case import ReviewCase
from models.offline.review_clauses import cause_spans, cause_words, clauses, main_words, match_of
from models.offline.review_order import effect_words, named_changes, times
from models.offline.review_reasons import Refusal
from models.offline.terms import Term, term_set

REVERSED_BY = 0.1
CAUSE_WORD = 0.2
EFFECT_MEAN = -0.25
PHRASE_SHARE = 0.34
OWN_TELLTALE = 0.4
RIVAL_LEAD = 0.25
RIVAL_TELLTALE = 0.8


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
    """True if the words share enough of what a documented cause is called, and tell of causes rather than effects."""
    telling = {term for term in words if (role := case.roles.of(term)) is not None and role >= CAUSE_WORD}
    enough = len(telling) >= 2 or any(_shares_enough(telling, words, c.phrase_terms) for c in case.candidates)
    return enough and case.roles.of_span(words) > EFFECT_MEAN


def _shares_enough(telling: set[Term], words: frozenset[Term], phrase: frozenset[Term]) -> bool:
    """Two words of the phrase, a good part of a short one, or one that no failure is told with, where none is told."""
    shared = len(words & phrase)
    own = telling & phrase
    return bool(own) and (
        shared >= 2
        or shared > PHRASE_SHARE * len(phrase)
        or ("c:fail" not in words and bool(own - FAILURE_KINDS - COMMON))
    )


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
    effect = effect_words(case, span)
    cause_at, effect_at = times(case, own, effect)
    return bool(own) and cause_at is not None and effect_at is not None and cause_at < effect_at


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
    if not any(case.roles.of(term) is not None for term in before) and named_changes(case, first):
        return False
    return case.roles.of_span(before) < case.roles.of_span(after) - REVERSED_BY


def no_better_rival(case: ReviewCase) -> Refusal | None:
    """The cited telemetry does not exclude the cause, nor carry another cause's telltales while carrying none of it."""
    for span in cause_spans(case):
        match = match_of(case, main_words(case, span))
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
