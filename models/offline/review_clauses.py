"""Clauses of a conclusion, the names they hold, and the telemetry that speaks of the same. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from models.offline.causal import link_spans
from models.offline.causes import Candidate
from models.offline.question import mentions
from models.offline.ranking import Match
from models.offline.review_case import Evidence, ReviewCase, searchable
from models.offline.roles import without_names
from models.offline.sentences import sentences
from models.offline.terms import Term, is_identifier, term_set

_CLAUSE = re.compile(
    r"[;；。,，!！：]|:(?=\s)|[.](?=\s|$)|\s+[-–—]\s+|\b(?:and|while|whereas|but|which|before)\b|\b(?:the "
    r")?(?:root |real |actual |underlying )*(?:cause|reason)s?(?: of| for| behind| is| was|:)|"
    r"的?(?:根本原因|根因|原因)(?:是|在于|在|为)?|并且|而且|同时|以及|随后",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|「[^」]*」|`[^`]*`")
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)+|[A-Za-z]+\d+[A-Za-z0-9]*")
_EXCEPTION = re.compile(r"\b[A-Za-z][\w.]*(?:Exception|Error)\b")
CLOSE_RATIO = 0.5


@dataclass(frozen=True)
class Clause:
    """A stretch of the conclusion that says one thing."""

    text: str
    names: tuple[str, ...]
    words: frozenset[Term]
    """Without the words of the names."""


def clauses(case: ReviewCase, text: str) -> tuple[Clause, ...]:
    """Clauses with words, in order. Quoted stretches are not cut; a name that stands alone goes with what follows."""
    known = known_names(case, text)
    found: list[Clause] = []
    head = ""
    for part in _cut(text):
        clause = _clause(f"{head} {part}".strip(), known)
        head = clause.text if clause.names and not clause.words else ""
        found += [clause] if clause.words else []
    return tuple(found)


def known_names(case: ReviewCase, text: str) -> tuple[str, ...]:
    """Names of the text that telemetry knows: services, and identifiers that occur in an item."""
    services = [name for name in case.services if mentions(text, name)]
    tokens = {token.strip("._-/") for token in _TOKEN.findall(text)}
    others = [
        t
        for t in sorted(tokens)
        if is_identifier(t) and not t[0].isdigit() and any(e.mentions(t) for e in case.telemetry)
    ]
    return tuple(
        dict.fromkeys((*services, *(name for name in others if name.lower() not in {s.lower() for s in services})))
    )


def overlap(case: ReviewCase, words: Iterable[Term], evidence: Evidence) -> float:
    """Rarity-weighted words that the evidence shares."""
    own = term_set(searchable(evidence))
    return sum(0.2 + case.rarity.of(term) for term in words if term in own)


def speaking_of(case: ReviewCase, words: frozenset[Term]) -> tuple[Evidence, ...]:
    """Telemetry that shares most with the words; empty if none shares anything."""
    scored = [(overlap(case, words, evidence), evidence) for evidence in case.telemetry]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(evidence for score, evidence in scored if score > 0 and score >= CLOSE_RATIO * best)


def cause_spans(case: ReviewCase) -> tuple[str, ...]:
    """What the conclusion calls the cause; without any causal wording its first sentence."""
    return case.told.causes or sentences(case.text)[:1]


def cause_words(case: ReviewCase, span: str) -> frozenset[Term]:
    """Words of a stretch without names of services and of exceptions, which are what a failure looks like."""
    return term_set(_EXCEPTION.sub(" ", without_names(span, case.services)))


def main_words(case: ReviewCase, span: str) -> frozenset[Term]:
    """Words of the clause that comes nearest to a documented cause; of the whole stretch where none does."""
    parts = [clause.words for clause in clauses(case, span)]
    scored = [
        (max((_closeness(case, words, c) for c in case.candidates), default=0.0), n) for n, words in enumerate(parts)
    ]
    best = max(scored, key=lambda pair: (pair[0], -pair[1]), default=(0.0, 0))
    return parts[best[1]] if best[0] > 0 else term_set(without_names(span, case.services))


def candidate_of(case: ReviewCase, words: frozenset[Term]) -> Candidate | None:
    """The documented cause whose wording shares most words that only causes are told with; None if none shares any."""
    scored = [(_closeness(case, words, candidate), n) for n, candidate in enumerate(case.candidates)]
    best = max(scored, key=lambda pair: (pair[0], -pair[1]), default=(0.0, 0))
    return case.candidates[best[1]] if best[0] > 0 else None


def match_of(case: ReviewCase, words: frozenset[Term]) -> Match | None:
    """The documented cause nearest to the words, weighed against the cited telemetry; None if none is near."""
    candidate = candidate_of(case, words)
    return next((match for match in case.matches if match.candidate is candidate), None) if candidate else None


def _closeness(case: ReviewCase, words: frozenset[Term], candidate: Candidate) -> float:
    own = sum(_weight(case, term) for term in words & candidate.phrase_terms)
    size = sum(_weight(case, term) for term in candidate.phrase_terms)
    body = sum(_weight(case, term) for term in (words & candidate.body_terms) - candidate.phrase_terms)
    return own + (own / size if size else 0.0) + 0.15 * body if own else 0.0


def _weight(case: ReviewCase, term: Term) -> float:
    """More for a word that few documented causes use."""
    claims = sum(term in candidate.phrase_terms for candidate in case.candidates)
    role = case.roles.of(term)
    return (1.0 if role is None or role > 0 else 0.3) / max(1, claims)


def _clause(text: str, known: tuple[str, ...]) -> Clause:
    names = tuple(name for name in known if mentions(text, name))
    return Clause(text.strip(), names, term_set(without_names(text, names)))


def _cut(text: str) -> list[str]:
    masked = _QUOTED.sub(lambda match: "□" * len(match.group()), text)
    parts: list[str] = []
    start = 0
    for begin, end in sorted([*(match.span() for match in _CLAUSE.finditer(masked)), *link_spans(masked)]):
        parts.append(text[start : max(start, begin)])
        start = max(start, end)
    return [part for part in (*parts, text[start:]) if part.strip()]
