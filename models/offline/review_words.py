"""Is there evidence at all, and does it hold the conclusion's words? Pure."""

import re

from models.offline.causal import says_cause
from models.offline.reading import has_cjk
from models.offline.review_case import ReviewCase, searchable
from models.offline.review_reasons import Refusal
from models.offline.terms import Term, term_set

COVERED_MIN = 0.45
_DENIED = re.compile(
    r"\b(?:no|none|not|nothing|without|zero)\b(?:\s+\w+)?|(?:没有|未|无)[\u3400-\u9fff]{1,2}", re.IGNORECASE
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|「[^」]*」")


def has_basis(case: ReviewCase) -> Refusal | None:
    """A cause needs telemetry that was found; an observation at least a search."""
    if case.telemetry or (case.kind == "OBSERVATION" and case.absences):
        return None
    return Refusal.NO_TELEMETRY


def is_plain_observation(case: ReviewCase) -> Refusal | None:
    """No causal word, and presence or absence as the searches answered."""
    if says_cause(case.text):
        return Refusal.CAUSAL_OBSERVATION
    denied = [match.group().casefold() for match in _DENIED.finditer(_QUOTED.sub(" ", case.text))]
    shown = " ".join(e.item.text for e in case.telemetry).casefold()
    if not case.telemetry and not denied:
        return Refusal.NEGATION
    return Refusal.NEGATION if not case.absences and any(words not in shown for words in denied) else None


def words_are_covered(case: ReviewCase) -> Refusal | None:
    """Enough of the conclusion's words occur in the evidence, its scopes or the question."""
    shown = " ".join((case.question, *(_everything(case))))
    known = term_set(shown)
    words = {t for t in term_set(case.text) if not t.startswith("i:") and (not t.startswith("z:") or has_cjk(shown))}
    missing = {term for term in words if not _is_known(term, known)}
    return Refusal.UNCOVERED if words and 1 - len(missing) / len(words) < COVERED_MIN else None


def _everything(case: ReviewCase) -> list[str]:
    return [f"{searchable(e)} {e.ref}" for e in case.evidence] + [s.text for s in case.statements]


def _is_known(term: Term, known: frozenset[Term]) -> bool:
    return term in known or (
        term.startswith("n:") and any(other.startswith(term) for other in known if other.startswith("n:"))
    )
