"""Is each thing said of the component that the evidence shows it for? Pure."""

import re

from models.offline.lexicon import CHANGE_DEEDS
from models.offline.review.case import Case, Proof
from models.offline.review.likeness import closest, content, telling_weight
from models.offline.review.links import ACTIVE
from models.offline.review.reasons import Refusal
from models.offline.review.telling import parts

CLEAR = 1.0
"""Weight a clause must share with an item before its subject is compared."""
CLEAR_SUBJECT = 0.8
CLEAR_UNCITED = 1.5
"""The same where no cited telemetry names the component."""
OWN_SHARE = 0.45
"""Of that weight, how much an item that names the subject must share at least."""
ACTING_SHARE = 0.1
"""The same where the component does something to another one, whose item then tells it."""
CHANGE_MIN = 1.0
_SPARED = re.compile(r"\b(?:not|never|no longer|neither)\b|n't\b|没有|并未|不是|并非", re.IGNORECASE)
"""A clause that denies something of its subject says nothing about where it is shown."""
_SET_ASIDE = (
    r"(?:\bnot(?: in| by| from| at| with| caused by)?(?: the)?|\brather than(?: in| by)?|\binstead of"
    r"|不在|不是|并非|而非|而不是)"
)


def subjects_agree(case: Case) -> Refusal | None:
    """Each component named in a clause is named by an item that tells what the clause tells."""
    said = [part for text in (case.text, *(s.text for s in case.statements)) for part in parts(text)]
    return Refusal.SUBJECT if any(_is_wrong(case, part) for part in said) else None


def _is_wrong(case: Case, part: str) -> bool:
    names = affirmed(case, part)
    if not names or _SPARED.search(part):
        return False
    words = content(case, part)
    scored = [(telling_weight(case, words & p.terms), p) for p in case.telemetry]
    best, teller = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    own = max((score for score, p in scored if any(p.mentions(name) for name in case.named_in(part))), default=0.0)
    is_cited = any(p.mentions(name) for p in case.telemetry for name in names)
    if (
        teller is not None
        and teller.owners
        and best >= _clear(part, names, is_cited=is_cited)
        and own < (ACTING_SHARE if ACTIVE.search(part) else OWN_SHARE) * best
    ):
        return True
    return _is_anothers_change(case, words, names)


def _clear(part: str, names: tuple[str, ...], *, is_cited: bool) -> float:
    """The weight from which an item is taken to tell the clause: less where the component is its subject."""
    if not is_cited:
        return CLEAR_UNCITED
    start = re.sub(r"^\W*(?:the|that|because|when|if)?\s*", "", part.lower())
    return CLEAR_SUBJECT if any(start.startswith(name) for name in names) else CLEAR


def _is_anothers_change(case: Case, words: frozenset[str], names: tuple[str, ...]) -> bool:
    """A clause tells of a change, and the recorded changes that speak of it were made to other components."""
    if not words & CHANGE_DEEDS:
        return False
    rows = [p for p in closest(case, words, case.telemetry, at_least=CHANGE_MIN) if is_change(p) and p.owners]
    return bool(rows) and not any(p.mentions(name) for p in rows for name in names)


def is_change(proof: Proof) -> bool:
    """True for a row that records something done at an instant (not a sample)."""
    return proof.is_row and proof.onset is not None


def affirmed(case: Case, part: str) -> tuple[str, ...]:
    """Components the clause names and does not set aside ("not in X")."""
    return tuple(
        name
        for name in case.named_in(part)
        if case.is_component(name) and not re.search(rf"{_SET_ASIDE}\s*{re.escape(name)}", part, re.IGNORECASE)
    )
