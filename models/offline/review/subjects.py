"""Is each thing said of the component that the evidence shows it for? Pure."""

import re

from models.offline.lexicon import CHANGE_DEEDS
from models.offline.review.case import Case, Proof
from models.offline.review.likeness import closest, content
from models.offline.review.reasons import Refusal
from models.offline.review.telling import clauses

CLEAR = 1.5
"""Weight a clause must share with an item before its subject is compared."""
_SET_ASIDE = (
    r"(?:\bnot(?: in| by| from| at| with| caused by)?(?: the)?|\brather than(?: in| by)?|\binstead of"
    r"|不在|不是|并非|而非|而不是)"
)


def subjects_agree(case: Case) -> Refusal | None:
    """Each component named in a clause is named by an item that tells what the clause tells."""
    parts = [part for text in (case.text, *(s.text for s in case.statements)) for part in clauses(text)]
    return Refusal.SUBJECT if any(_is_wrong(case, part) for part in parts) else None


def _is_wrong(case: Case, part: str) -> bool:
    names = affirmed(case, part)
    if not names:
        return False
    words = content(case, part)
    tellers = closest(case, words, case.telemetry, at_least=CLEAR)
    if tellers and all(_has_other(case, p) for p in tellers):
        if not any(p.mentions(name) for p in tellers for name in names):
            return True
    return _is_anothers_change(case, words, names)


def _has_other(case: Case, proof: Proof) -> bool:
    return bool(proof.owners)


def _is_anothers_change(case: Case, words: frozenset[str], names: tuple[str, ...]) -> bool:
    """A clause tells of a change, and the recorded changes that speak of it were made to other components."""
    if not words & CHANGE_DEEDS:
        return False
    rows = [p for p in closest(case, words, case.telemetry, at_least=CLEAR) if p.is_row and p.owners]
    return bool(rows) and not any(p.mentions(name) for p in rows for name in names)


def affirmed(case: Case, part: str) -> tuple[str, ...]:
    """Names of the clause that it does not set aside ("not in X")."""
    return tuple(
        name
        for name in case.named_in(part)
        if not re.search(rf"{_SET_ASIDE}\s*{re.escape(name)}", part, re.IGNORECASE)
    )
