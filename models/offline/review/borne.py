"""Which documented passage a cause is about, and whether its telltales are in the telemetry. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from models.offline.causes import speaks_against
from models.offline.markers import Marker, markers_in
from models.offline.review.case import Case, Proof
from models.offline.review.likeness import content, weight
from models.offline.review.runbook import is_symptom
from models.offline.sentences import sentences
from models.offline.terms import Term

TOLD_MIN = 0.6
_ASIDE = re.compile(
    r"^\W*(?:if|when|where|should)\b[^.]*\b(?:instead|otherwise|by contrast)\b"
    r"|^\W*(?:by contrast|otherwise|in other cases)\b"
    r"|^\W*(?:如果是|若是|若为|反之|否则|另一种)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Passage:
    """One document's account of one cause."""

    proof: Proof
    terms: frozenset[Term]
    """Without those of sentences that speak against it."""
    markers: tuple[Marker, ...]
    against: tuple[Marker, ...]
    """Telltales that rule it out."""
    is_aside: bool = False
    """True for another case that the document only mentions."""


def passages(case: Case) -> tuple[Passage, ...]:
    """The accounts in order of citation, another case told in one sentence apart; lists of symptoms left out."""
    return tuple(one for proof in case.knowledge if not is_symptom(proof) for one in _accounts(case, proof))


def _accounts(case: Case, proof: Proof) -> Iterator[Passage]:
    said = sentences(proof.item.text)
    asides = [s for n, s in enumerate(said) if n and _ASIDE.search(s)]
    crumb = str(proof.item.fields.get("breadcrumb") or proof.item.fields.get("title") or "")
    yield _passage(case, proof, crumb, [s for s in said if s not in asides])
    for aside in asides:
        yield _passage(case, proof, "", [aside], is_aside=True)


def _passage(case: Case, proof: Proof, crumb: str, said: list[str], *, is_aside: bool = False) -> Passage:
    against = [s for s in said if speaks_against(s)]
    kept = [s for s in said if s not in against]
    terms = content(case, " ".join((crumb, *kept)))
    return Passage(proof, terms, markers_in("\n".join(kept)), markers_in("\n".join(against)), is_aside)


def told_by(case: Case, cause: str, among: tuple[Passage, ...]) -> Passage | None:
    """The account that shares most with the cause; None if none shares much."""
    words = content(case, cause)
    scored = [(weight(case, words & one.terms), -n, one) for n, one in enumerate(among)]
    best = max(scored, key=lambda entry: entry[:2], default=None)
    return best[2] if best is not None and best[0] >= TOLD_MIN else None


def seen(case: Case, markers: tuple[Marker, ...]) -> tuple[Marker, ...]:
    """The markers that some telemetry item carries."""
    return tuple(m for m in markers if any(m.found_in(p.item.text) for p in case.telemetry))


def own_markers(one: Passage, among: tuple[Passage, ...]) -> tuple[Marker, ...]:
    """Markers that no other account names."""
    others = [m for other in among if other is not one for m in other.markers]
    return tuple(m for m in one.markers if not any(m.found_in(o.text) or o.found_in(m.text) for o in others))
