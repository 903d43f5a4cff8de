"""One search of a knowledge base: at most two attempts, one selection, one account of both. Blocking."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from state.model.enums import Coverage
from tools.knowledge.index_port import IndexHit, IndexQuery
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, all_ready
from tools.knowledge.segmentation import identifiers
from tools.knowledge.selection import SearchPolicy, Selection, is_low, quality, select


class Attempt(StrEnum):
    """How the index was asked."""

    FILTERED_VECTOR = "FILTERED_VECTOR"
    UNFILTERED_VECTOR = "UNFILTERED_VECTOR"
    UNFILTERED_VECTOR_RETRY = "UNFILTERED_VECTOR_RETRY"


class FallbackReason(StrEnum):
    """Why a filtered attempt was replaced."""

    FILTERED_VECTOR_LOW_QUALITY = "filtered_vector_low_quality"
    FILTERED_VECTOR_NO_EVIDENCE = "filtered_vector_no_evidence"


@dataclass(frozen=True)
class Tried:
    """One attempt, for the audit."""

    attempt: Attempt
    candidates: int
    top_quality: float
    """0 if there were none."""
    usable: bool
    """False if the retry replaced it, or would have."""
    ms: int


@dataclass(frozen=True)
class Found:
    """Everything one search has to say."""

    selection: Selection
    tried: tuple[Tried, ...]
    """One or two; the last one counts."""
    fallback_reason: FallbackReason | None
    category: str | None
    """The filter that the result holds for; None if there was none or it was given up."""
    coverage: Coverage


def search(base: KnowledgeBase, policy: SearchPolicy, question: str, *, kb_scope: str, category: str | None) -> Found:
    """What the knowledge base holds on the question, within the scope and, if that is any good, the category.

    Raises:
        IndexUnavailable: the index does not answer in time.
        ModelFailed: the embedding model does not answer.
    """
    records = base.records.documents(kb_scope)
    hits, tried = _ask(base, policy, question, kb_scope, category, first=True)
    attempts = [tried]
    reason: FallbackReason | None = None
    if category is not None and is_low(hits, policy):
        reason = FallbackReason.FILTERED_VECTOR_LOW_QUALITY if hits else FallbackReason.FILTERED_VECTOR_NO_EVIDENCE
        category = None
        hits, tried = _ask(base, policy, question, kb_scope, None, first=False)
        attempts.append(tried)
    return Found(
        selection=select(hits, identifiers(question), policy),
        tried=tuple(attempts),
        fallback_reason=reason,
        category=category,
        coverage=coverage_of(records, category),
    )


def coverage_of(records: Sequence[DocumentRecord], category: str | None) -> Coverage:
    """How much of the documents in scope could be searched."""
    # A document that is not READY may yet turn out to have any category.
    in_scope = [r for r in records if category is None or r.category == category or not all_ready([r])]
    if not in_scope:
        return Coverage.NO_DATA
    return Coverage.COMPLETE if all_ready(in_scope) else Coverage.PARTIAL


def _ask(
    base: KnowledgeBase, policy: SearchPolicy, question: str, kb_scope: str, category: str | None, *, first: bool
) -> tuple[tuple[IndexHit, ...], Tried]:
    began = base.clock.monotonic()
    query = IndexQuery(
        vector=base.query_vector(question),
        search_text=base.segmenter.search_text(question) if policy.hybrid else "",
        kb_scope=kb_scope,
        category=category,
        limit=policy.retrieve_k,
    )
    hits = base.index.search(query)
    tried = Tried(
        attempt=_name(category, first=first),
        candidates=len(hits),
        top_quality=max(map(quality, hits), default=0.0),
        usable=not is_low(hits, policy),
        ms=round((base.clock.monotonic() - began) * 1000),
    )
    return hits, tried


def _name(category: str | None, *, first: bool) -> Attempt:
    if category is not None:
        return Attempt.FILTERED_VECTOR
    return Attempt.UNFILTERED_VECTOR if first else Attempt.UNFILTERED_VECTOR_RETRY
