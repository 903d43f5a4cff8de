"""Which hits are worth returning: gate, level, de-duplication, caps. Pure.

Order and quality are separate: the fused rank (or a reranker) orders, the hit's own cosine gates and grades. Neither
ever becomes the other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

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
    naming: bool = True
    """False: a document named in the question has no advantage, as a control."""
    cross_language: bool = True
    """False: a Chinese question is not also searched by the English words of its terms, as a control."""
    neighbours: int = Field(0, ge=0, le=2)
    """Chunks of the same section added before and after each hit; 8 items in all."""


class Dropped(StrEnum):
    """Why a candidate is not returned."""

    BELOW_REFERENCE = "BELOW_REFERENCE"
    """Its quality is below ``reference_min`` and it holds no identifier of the question."""
    DOCUMENT_CAP = "DOCUMENT_CAP"
    """Its document has all the places it may have."""
    RETURN_CAP = "RETURN_CAP"
    """Better candidates took all places."""


@dataclass(frozen=True)
class Graded:
    """One candidate, judged."""

    hit: IndexHit
    rank: int
    """1-based place in the fused order."""
    quality: float
    level: RelevanceLevel


@dataclass(frozen=True)
class Selection:
    """What is returned of one attempt, and what is not."""

    graded: tuple[Graded, ...]
    """Best first."""
    left_out: int
    """Hits good enough that the caps left out."""
    dropped: Mapping[str, Dropped] = field(default_factory=dict)
    """By evidence key; every candidate that is not returned."""


def quality(hit: IndexHit) -> float:
    """The hit's own cosine, in [0, 1]."""
    return min(1.0, max(0.0, hit.cosine))


def is_low(hits: Iterable[IndexHit], policy: SearchPolicy) -> bool:
    """True if nothing was found or even the best hit is below ``reference_min``."""
    return max(map(quality, hits), default=0.0) < policy.reference_min


def graded(hits: Iterable[IndexHit], policy: SearchPolicy) -> tuple[Graded, ...]:
    """Every hit once, with its place, quality and level, whether worth returning or not."""
    return tuple(
        Graded(hit, rank, quality(hit), level_of(quality(hit), policy)) for rank, hit in enumerate(_unique(hits), 1)
    )


def level_of(hit_quality: float, policy: SearchPolicy) -> RelevanceLevel:
    """PRECISE from ``precise_min`` on, else REFERENCE."""
    return RelevanceLevel.PRECISE if hit_quality >= policy.precise_min else RelevanceLevel.REFERENCE


def is_worth(item: Graded, named: frozenset[str], policy: SearchPolicy) -> bool:
    """True if it is good enough, or holds one of the identifiers ``named`` in the question."""
    if item.quality >= policy.reference_min:
        return True
    return bool(named) and not named.isdisjoint(_words(item.hit))


def select(candidates: Sequence[Graded], worth: Sequence[Graded], policy: SearchPolicy) -> Selection:
    """Those of ``worth``, in that order, that the caps admit; ``candidates`` are all there were."""
    of_document: Counter[str] = Counter()
    kept: list[Graded] = []
    passed = {item.hit.evidence_key for item in worth}
    dropped = {
        item.hit.evidence_key: Dropped.BELOW_REFERENCE for item in candidates if item.hit.evidence_key not in passed
    }
    for item in worth:
        if len(kept) >= policy.return_n:
            dropped[item.hit.evidence_key] = Dropped.RETURN_CAP
        elif of_document[item.hit.doc_id] >= policy.per_document:
            dropped[item.hit.evidence_key] = Dropped.DOCUMENT_CAP
        else:
            of_document[item.hit.doc_id] += 1
            kept.append(item)
    return Selection(tuple(kept), len(worth) - len(kept), dropped)


def _unique(hits: Iterable[IndexHit]) -> list[IndexHit]:
    first: dict[str, IndexHit] = {}
    for hit in hits:
        first.setdefault(hit.evidence_key, hit)
    return list(first.values())


def _words(hit: IndexHit) -> frozenset[str]:
    return words_whole(f"{PurePosixPath(hit.path).stem}\n{hit.breadcrumb}\n{hit.content}")
