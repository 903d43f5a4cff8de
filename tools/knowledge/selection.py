"""Which hits are worth returning: gate, level, de-duplication, caps. Pure.

Order and quality are separate: the fused rank orders, the hit's own cosine gates and grades. Neither ever
becomes the other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import Field

from state.model.base import Value
from state.model.enums import RelevanceLevel
from tools.knowledge.index_port import IndexHit
from tools.knowledge.segmentation import words_whole


class SearchPolicy(Value):
    """How a search selects."""

    precise_min: float = Field(gt=0, le=1)
    """Quality from which a hit is PRECISE; belongs to the embedding model."""
    reference_min: float = Field(gt=0, le=1)
    """Quality below which a hit is dropped, unless it holds an identifier of the question."""
    retrieve_k: int = Field(20, ge=1, le=200)
    """Hits fetched."""
    return_n: int = Field(5, ge=1, le=8)
    """Hits returned."""
    per_document: int = Field(2, ge=1)
    """Hits returned of one document."""
    hybrid: bool = True
    """False: vectors alone, as a control."""


@dataclass(frozen=True)
class Graded:
    """One hit worth returning."""

    hit: IndexHit
    rank: int
    """1-based place in the fused order."""
    quality: float
    level: RelevanceLevel


@dataclass(frozen=True)
class Selection:
    """What is returned of one attempt."""

    graded: tuple[Graded, ...]
    """In fused order."""
    left_out: int
    """Hits good enough that the caps left out."""


def quality(hit: IndexHit) -> float:
    """The hit's own cosine, in [0, 1]."""
    return min(1.0, max(0.0, hit.cosine))


def is_low(hits: Sequence[IndexHit], policy: SearchPolicy) -> bool:
    """True if nothing was found or even the best hit is below ``reference_min``."""
    return max(map(quality, hits), default=0.0) < policy.reference_min


def select(hits: Iterable[IndexHit], named: frozenset[str], policy: SearchPolicy) -> Selection:
    """The hits to return; ``named`` are the identifiers of the question."""
    graded = [item for item in _graded(_unique(hits), policy) if _is_worth(item, named, policy)]
    kept = _capped(graded, policy)
    return Selection(tuple(kept), len(graded) - len(kept))


def _unique(hits: Iterable[IndexHit]) -> list[IndexHit]:
    first: dict[str, IndexHit] = {}
    for hit in hits:
        first.setdefault(hit.evidence_key, hit)
    return list(first.values())


def _graded(hits: Iterable[IndexHit], policy: SearchPolicy) -> list[Graded]:
    return [
        Graded(
            hit=hit,
            rank=rank,
            quality=quality(hit),
            level=RelevanceLevel.PRECISE if quality(hit) >= policy.precise_min else RelevanceLevel.REFERENCE,
        )
        for rank, hit in enumerate(hits, start=1)
    ]


def _is_worth(item: Graded, named: frozenset[str], policy: SearchPolicy) -> bool:
    if item.quality >= policy.reference_min:
        return True
    return bool(named) and not named.isdisjoint(words_whole(f"{item.hit.breadcrumb}\n{item.hit.content}"))


def _capped(graded: Iterable[Graded], policy: SearchPolicy) -> list[Graded]:
    of_document: Counter[str] = Counter()
    kept: list[Graded] = []
    for item in graded:
        if len(kept) < policy.return_n and of_document[item.hit.doc_id] < policy.per_document:
            of_document[item.hit.doc_id] += 1
            kept.append(item)
    return kept
