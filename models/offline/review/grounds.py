"""Is there evidence at all, and is enough of the conclusion in it? Pure."""

import re

from models.offline.review.borne import own_markers, passages, seen, told_by
from models.offline.review.case import Case
from models.offline.review.likeness import content, plain_weight, weight
from models.offline.review.links import ACTIVE
from models.offline.review.reasons import Refusal
from models.offline.review.telling import tell
from models.offline.terms import Term, term_set

COVERED_MIN = 0.2
SHOWN_MIN = 0.8
NAME_WEIGHT = 0.4
"""What it adds that the telemetry names a component of the cause."""
NEW_MIN = 0.65
ACCOUNT_MIN = 2.0
"""Weight of an account in the telemetry from which it may speak for a cause that only it words."""
_DENIED = re.compile(
    r"\b(?:no|none|nothing|zero)\b(?:\s+\w+)?|没有(?:出现|发现|记录|任何)?[\u3400-\u9fff]{1,2}|未(?:发现|出现|见)",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"\bbecause\b|\bdue to\b|\bowing to\b|\bcaus(?:e[ds]?|ing)\b|\b(?:led|leads|leading) to\b|"
    r"\bas a (?:result|consequence)\b|"
    r"\bresult(?:ed|s|ing)? (?:in|from)\b|\btrigger(?:ed|s|ing)? by\b|\btherefore\b|\bculprit\b|"
    r"\broot cause\b|\bthe reason\b|"
    r"\bwhich is why\b|\bmade\b|导致|引起|造成|引发|因为|由于|因此|所以|根因|起因|的原因|致使",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|「[^」]*」")


def has_basis(case: Case) -> Refusal | None:
    """A cause needs telemetry that was found; an observation at least a search."""
    if case.telemetry or (case.kind == "OBSERVATION" and case.absences):
        return None
    return Refusal.NO_TELEMETRY


def is_covered(case: Case) -> Refusal | None:
    """Enough of the conclusion occurs in the evidence, its analyses or the question."""
    known = term_set(case.question).union(*(p.terms for p in case.proofs), *(term_set(s.text) for s in case.statements))
    words = {t for t in term_set(case.text) if not t.startswith(("i:", "z:"))} or set(term_set(case.text))
    found = weight(case, words & known)
    return Refusal.UNCOVERED if words and found < COVERED_MIN * weight(case, words) else None


def is_plain_observation(case: Case) -> Refusal | None:
    """No causal word, and presence or absence as the searches answered."""
    said = _QUOTED.sub(" ", case.text)
    shown = " ".join(p.item.text for p in case.telemetry).casefold()
    if _CAUSAL.search(said) or any(match.group().casefold() not in shown for match in ACTIVE.finditer(said)):
        return Refusal.CAUSAL_OBSERVATION
    denied = [match.group().casefold() for match in _DENIED.finditer(said)]
    if not case.telemetry and not denied:
        return Refusal.POLARITY
    return Refusal.POLARITY if not case.absences and any(words not in shown for words in denied) else None


def cause_is_new(case: Case) -> Refusal | None:
    """What is called the cause says something beyond the symptom asked about and the effect told."""
    told = tell(case.text)
    if not told.is_explicit:
        return None
    cause = content(case, told.cause)
    known = content(case, case.question) | content(case, told.effect)
    fresh = {t for t in cause - known if not t.startswith("n:")}
    return Refusal.SYMPTOM if cause and plain_weight(fresh) < NEW_MIN else None


def cause_is_shown(case: Case) -> Refusal | None:
    """Something of the cause beyond names is in the telemetry, or the telltales of its documented account are."""
    told = tell(case.text)
    said = told.opening if told.is_explicit else case.text
    cause = content(case, said)
    shown = frozenset[Term]().union(*(p.terms for p in case.telemetry))
    among = passages(case)
    account = told_by(case, told.opening, among)
    is_borne = account is not None and (
        bool(seen(case, own_markers(account, among))) or weight(case, account.terms & shown) >= ACCOUNT_MIN
    )
    return (
        Refusal.NOT_SEEN
        if cause and not is_borne and plain_weight(cause & shown) + NAME_WEIGHT * bool(case.named_in(said)) < SHOWN_MIN
        else None
    )
