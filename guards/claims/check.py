"""Which claims of a visible text are not carried: the one entrance for guards."""

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from guards.claims.borrowed import is_copied
from guards.claims.claim import Claim
from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.support import Support
from guards.claims.time_spans import reversed_spans
from guards.claims.wording import ATTRIBUTION

_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?=\s|$)")


class Standing(StrEnum):
    """What a text says about the world, and so which evidence may carry its claims."""

    FINDING = "FINDING"
    """It was found here, or is the cause: no document carries it, however it is attributed."""
    FACT = "FACT"
    """It happened here: documents carry only what a sentence attributes to them."""
    ADVICE = "ADVICE"
    """What to do or consider: documents carry it."""


def uncarried(text: str, support: Support, *, question: str, standing: Standing) -> tuple[Claim, ...]:
    """Claims of the text that neither the evidence nor a span copied from the question carries, each once, in order."""
    folded = fold(text)
    documents_count = standing is Standing.ADVICE or not support.telemetry
    attributed = replace(support, everything=support.told)
    carried: dict[tuple[Claim, bool], bool] = {}
    missing: dict[str, Claim] = {}
    claims = extract_claims(text, support.vocabulary)
    for claim in claims:
        is_told = not documents_count and standing is Standing.FACT and _is_attributed(folded, claim)
        key = (replace(claim, start=0, end=0), is_told)
        if key not in carried:
            source = attributed if is_told else support
            carried[key] = source.carries(claim, documents_count=documents_count or is_told)
        if not carried[key] and not (question and is_copied(text, claim, question)):
            missing.setdefault(claim.text, claim)
    for span in reversed_spans(claims, tuple(piece.instants for piece in support.everything), support.zone):
        missing.setdefault(span.text, span)
    return tuple(missing.values())


def _is_attributed(folded: str, claim: Claim) -> bool:
    """True if the sentence around the claim names the document it comes from."""
    start = max((end for end in _ends(folded[: claim.start])), default=0)
    following = _SENTENCE_END.search(folded, claim.end)
    return bool(ATTRIBUTION.find(folded[start : following.start() if following else len(folded)]))


def _ends(before: str) -> Iterator[int]:
    return (match.end() for match in _SENTENCE_END.finditer(before))
