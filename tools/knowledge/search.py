"""One search of a knowledge base: at most two attempts, one selection, one account of both. Blocking.

Two lists (vectors, words) are fused here; quality is each hit's own cosine with the question as asked.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from state.model.enums import Coverage
from tools.knowledge.cross_language import english_terms
from tools.knowledge.fusion import Candidate, fuse
from tools.knowledge.index_port import IndexHit, IndexQuery, IndexUnavailable
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.naming import Naming
from tools.knowledge.neighbours import Neighbour, expand
from tools.knowledge.segmentation import identifiers
from tools.knowledge.selection import Graded, SearchPolicy, Selection, graded, is_low, is_worth, quality, select
from tools.knowledge.stages import NO_STAGES, Outcome, StageRun, Stages, reranked, rewritten


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
    embed_ms: int = 0
    """Of ``ms``, what the vector of the question took."""


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
    candidates: tuple[Candidate, ...] = ()
    """Of the attempt that counts, in fused order."""
    neighbours: tuple[Neighbour, ...] = ()
    stages: tuple[StageRun, ...] = ()
    """Optional stages that ran, in order."""
    searched: str = ""
    """The question as searched: rewritten, or as asked."""
    category_known: bool = True
    """False: no document of the scope has the category that was asked for."""


@dataclass(frozen=True)
class Request:
    """What is asked of a knowledge base."""

    question: str
    kb_scope: str
    category: str | None = None
    """Folded; None for all."""


def search(
    base: KnowledgeBase,
    policy: SearchPolicy,
    question: str,
    *,
    kb_scope: str,
    category: str | None,
    stages: Stages = NO_STAGES,
) -> Found:
    """What the knowledge base holds on the question, within the scope and, if that is any good, the category.

    Raises:
        IndexUnavailable: the index does not answer in time.
        ModelFailed: the embedding model does not answer.
    """
    return _Search(base, policy, stages).run(Request(question, kb_scope, category))


def coverage_of(readiness: Collection[tuple[str, bool]], category: str | None) -> Coverage:
    """How much of the documents in scope could be searched; pairs of a category and whether READY."""
    # A document that is not READY may yet turn out to have any category.
    in_scope = [is_ready for name, is_ready in readiness if category is None or name == category or not is_ready]
    if not in_scope:
        return Coverage.NO_DATA
    return Coverage.COMPLETE if all(in_scope) else Coverage.PARTIAL


@dataclass(frozen=True)
class _Search:
    base: KnowledgeBase
    policy: SearchPolicy
    stages: Stages

    def run(self, request: Request) -> Found:
        readiness = self.base.records.readiness(request.kb_scope)
        searched, runs = self._searched(request.question)
        candidates, tried = self._ask(request, searched, first=True)
        attempts, category, reason = [tried], request.category, None
        if category is not None and not tried.usable:
            reason = _reason(candidates)
            category, searched = None, request.question
            candidates, tried = self._ask(Request(request.question, request.kb_scope), searched, first=False)
            attempts.append(tried)
        selection, ordering = self._selected(request.question, candidates)
        neighbours, beside = self._beside(request, selection.graded)
        return Found(
            selection=selection,
            tried=tuple(attempts),
            fallback_reason=reason,
            category=category,
            coverage=coverage_of(readiness, category),
            candidates=candidates,
            neighbours=neighbours,
            stages=(*runs, *ordering, *beside),
            searched=searched,
            category_known=request.category in {None, *(name for name, _ in readiness)},
        )

    def _searched(self, question: str) -> tuple[str, Iterable[StageRun]]:
        if self.stages.rewriter is None:
            return question, ()
        staged = rewritten(self.stages.rewriter, question, self.base.clock.monotonic)
        return staged.value, (staged.run,)

    def _ask(self, request: Request, searched: str, *, first: bool) -> tuple[tuple[Candidate, ...], Tried]:
        began = self.base.clock.monotonic()
        asked = self.base.query_vector(request.question)
        query = IndexQuery(
            vector=asked if searched == request.question else self.base.query_vector(searched),
            search_text=self._words(searched) if self.policy.hybrid else "",
            kb_scope=request.kb_scope,
            category=request.category,
            limit=self.policy.retrieve_k,
            judged_by=asked,
        )
        embedded = self.base.clock.monotonic()
        naming = Naming(request.question if self.policy.naming and self.policy.hybrid else "")
        candidates = fuse(self.base.index.ranked(query), naming, self.policy.retrieve_k)
        hits = [candidate.hit for candidate in candidates]
        if not all(math.isfinite(hit.cosine) for hit in hits):
            # What cannot be judged is not "below the threshold": nothing found would be said of what was not compared.
            raise IndexUnavailable("search", detail="vectors that cannot be compared")
        tried = Tried(
            attempt=_name(request.category, first=first),
            candidates=len(hits),
            top_quality=max(map(quality, hits), default=0.0),
            usable=not is_low(hits, self.policy),
            ms=round((self.base.clock.monotonic() - began) * 1000),
            embed_ms=round((embedded - began) * 1000),
        )
        return candidates, tried

    def _words(self, searched: str) -> str:
        also = english_terms(searched) if self.policy.cross_language else ""
        return self.base.segmenter.search_text(f"{searched}\n{also}")

    def _selected(self, question: str, candidates: Sequence[Candidate]) -> tuple[Selection, Iterable[StageRun]]:
        judged = graded((candidate.hit for candidate in candidates), self.policy)
        named = identifiers(question)
        worth = [item for item in judged if is_worth(item, named, self.policy)]
        if self.stages.reranker is None or not worth:
            return select(judged, worth, self.policy), ()
        texts = [f"{item.hit.breadcrumb}\n{item.hit.content}" for item in worth]
        staged = reranked(self.stages.reranker, question, texts, self.base.clock.monotonic)
        return select(judged, [worth[place] for place in staged.value], self.policy), (staged.run,)

    def _beside(self, request: Request, hits: Sequence[Graded]) -> tuple[tuple[Neighbour, ...], Iterable[StageRun]]:
        """Neighbours of the hits; an index that cannot give them costs them, not the result."""
        if self.policy.neighbours == 0:
            return (), ()
        began, outcome = self.base.clock.monotonic(), Outcome.APPLIED
        vector = self.base.query_vector(request.question)

        def fetch(keys: Collection[str]) -> Sequence[IndexHit]:
            return self.base.index.fetch(keys, kb_scope=request.kb_scope, vector=vector)

        neighbours: tuple[Neighbour, ...] = ()
        try:
            neighbours = expand(hits, self.policy, fetch)
        except IndexUnavailable:
            outcome = Outcome.FAILED
        ms = round((self.base.clock.monotonic() - began) * 1000)
        return neighbours, (StageRun("neighbours", "same-section", outcome, ms),)


def _reason(candidates: Sequence[Candidate]) -> FallbackReason:
    if candidates:
        return FallbackReason.FILTERED_VECTOR_LOW_QUALITY
    return FallbackReason.FILTERED_VECTOR_NO_EVIDENCE


def _name(category: str | None, *, first: bool) -> Attempt:
    if category is not None:
        return Attempt.FILTERED_VECTOR
    return Attempt.UNFILTERED_VECTOR if first else Attempt.UNFILTERED_VECTOR_RETRY
