"""Which cited items tell what a stretch of text says. Pure."""

import re
from collections.abc import Iterable

from models.offline.review.case import Case, Proof
from models.offline.terms import Term, term_set

_VAGUE = frozenset(
    "c:service c:fail c:request c:response c:start c:log c:raise c:host c:connection c:user c:run c:hold "
    "c:entry c:change".split()
)
"""Concepts that most incidents are told with: they weigh little."""
VAGUE_WEIGHT = 0.4
CONCEPT_WEIGHT = 0.8
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[T ]?\d\d?:\d\d(?::\d\d)?)?|\d{1,2}\s?月\s?\d{1,2}\s?日|\d{1,2}:\d\d(?::\d\d)?"
)
CLOSE = 0.7
"""An item nearly as close as the closest one counts as well."""


def content(case: Case, text: str) -> frozenset[Term]:
    """Terms of a text without the names of components and without numbers of one digit."""
    bare = _DATE.sub(" ", without_names(case, text))
    return frozenset(t for t in term_set(bare) if not (t.startswith("n:") and len(t) < 4))


def without_names(case: Case, text: str) -> str:
    """The text with each component's name taken out."""
    for name in case.named_in(text):
        text = re.sub(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_])", " ", text, flags=re.IGNORECASE)
    return text


def weight(case: Case, terms: Iterable[Term]) -> float:
    """How much the terms tell, by rarity among the evidence."""
    return sum(weight_of(case, term) for term in terms)


def weight_of(case: Case, term: Term) -> float:
    """Of one term: 0 to about 1."""
    rare = 0.25 + 0.75 * case.rarity.of(term)
    return rare * _kind_weight(term)


def likeness(case: Case, terms: frozenset[Term], proof: Proof) -> float:
    """Weight of the terms that the item has."""
    return weight(case, terms & proof.terms)


def closest(case: Case, terms: frozenset[Term], proofs: Iterable[Proof], *, at_least: float) -> tuple[Proof, ...]:
    """The items that share most with the terms; empty if none shares ``at_least`` that weight."""
    scored = [(likeness(case, terms, proof), proof) for proof in proofs]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(proof for score, proof in scored if best >= at_least and score >= CLOSE * best)


def telling_weight(case: Case, terms: Iterable[Term]) -> float:
    """How well the terms tell one telemetry item from the others: 1 for a term of a single item."""
    return sum(_telling_kind(term) / max(1, case.spread.get(term, 0)) for term in terms)


def _telling_kind(term: Term) -> float:
    """A concept is a paraphrase: it tells a little less than the word itself."""
    return _kind_weight(term) * (CONCEPT_WEIGHT if term.startswith("c:") else 1.0)


def _kind_weight(term: Term) -> float:
    return VAGUE_WEIGHT if term in _VAGUE else 0.7 if term.startswith("z:") else 1.0


def plain_weight(terms: Iterable[Term]) -> float:
    """How much the terms tell by their kind alone."""
    return sum(_kind_weight(term) for term in terms)
