"""What the audit keeps of a search (``rag_lookup_v1``): ranks, qualities, decisions, times.

Never a question, never text. A category appears only if the knowledge base has it: any other is words of the model.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from state.model.base import Value
from state.model.enums import Coverage, RelevanceLevel
from tools.knowledge.fusion import Candidate
from tools.knowledge.search import Attempt, FallbackReason, Found
from tools.knowledge.selection import Dropped, SearchPolicy, level_of, quality
from tools.knowledge.stages import Outcome

MAX_CANDIDATES = 20
"""Listed one by one; the others are counted."""


class AttemptTrace(Value):
    """One attempt."""

    name: Attempt
    candidate_count: int
    usable: bool
    """False: replaced by the retry, or would have been."""
    top_similarity: float
    """Quality of the best candidate; 0 without any."""
    duration_ms: int
    embed_ms: int
    """Of the duration, the vector of the question."""


class CandidateTrace(Value):
    """One candidate of the attempt that counts; a rank is 1-based, null: not on that list."""

    evidence_key: str
    fused_rank: int
    dense_rank: int | None
    bm25_rank: int | None
    name_rank: int | None
    similarity: float
    """Its quality, 0–1."""
    level: RelevanceLevel
    dropped: Dropped | None
    """Null: returned."""
    returned_rank: int | None
    """Place in the result, which a reranker may have changed."""


class StageTrace(Value):
    """One optional stage that ran."""

    stage: str
    name: str
    outcome: Outcome
    duration_ms: int


class LookupTrace(Value):
    """One search."""

    trace_schema: Literal["rag_lookup_v1"] = "rag_lookup_v1"
    selected_attempt: Attempt
    fallback_reason: FallbackReason | None
    category_filter: str | None
    """As asked; null if none was, or none of the knowledge base."""
    category_known: bool
    """False: a category was asked for that no document has."""
    coverage: Coverage
    relevance_level: RelevanceLevel | None
    """The best level of the result; null if it is empty."""
    precise_min: float
    reference_min: float
    evidence_candidate_count: int
    evidence_block_count: int
    """Returned, without neighbours."""
    evidence_keys: tuple[str, ...]
    neighbour_keys: tuple[str, ...]
    attempts: tuple[AttemptTrace, ...]
    candidates: tuple[CandidateTrace, ...]
    candidates_not_listed: int
    stages: tuple[StageTrace, ...]


def trace_of(found: Found, policy: SearchPolicy, asked_category: str | None) -> LookupTrace:
    """The trace of a search; at most 20 candidates, those returned always among them."""
    listed = _listed(found)
    graded = found.selection.graded
    levels = {item.level for item in graded}
    return LookupTrace(
        selected_attempt=found.tried[-1].attempt,
        fallback_reason=found.fallback_reason,
        category_filter=asked_category if found.category_known else None,
        category_known=found.category_known,
        coverage=found.coverage,
        relevance_level=next((level for level in RelevanceLevel if level in levels), None),
        precise_min=policy.precise_min,
        reference_min=policy.reference_min,
        evidence_candidate_count=found.tried[-1].candidates,
        evidence_block_count=len(graded),
        evidence_keys=tuple(item.hit.evidence_key for item in graded),
        neighbour_keys=tuple(neighbour.item.hit.evidence_key for neighbour in found.neighbours),
        attempts=tuple(_attempts(found)),
        candidates=tuple(candidate_trace(candidate, found, policy) for candidate in listed),
        candidates_not_listed=len(found.candidates) - len(listed),
        stages=tuple(
            StageTrace(stage=run.stage, name=run.name, outcome=run.outcome, duration_ms=run.ms) for run in found.stages
        ),
    )


def candidate_trace(candidate: Candidate, found: Found, policy: SearchPolicy) -> CandidateTrace:
    """Where one candidate came from and what became of it."""
    key, own = candidate.hit.evidence_key, quality(candidate.hit)
    returned = [item.hit.evidence_key for item in found.selection.graded]
    return CandidateTrace(
        evidence_key=key,
        fused_rank=candidate.rank,
        dense_rank=candidate.dense_rank,
        bm25_rank=candidate.word_rank,
        name_rank=candidate.name_rank,
        similarity=round(own, 4),
        level=level_of(own, policy),
        dropped=found.selection.dropped.get(key),
        returned_rank=returned.index(key) + 1 if key in returned else None,
    )


def _listed(found: Found) -> Sequence[Candidate]:
    returned = {item.hit.evidence_key for item in found.selection.graded}
    others = MAX_CANDIDATES - len(returned)
    kept: list[Candidate] = []
    for candidate in found.candidates:
        if candidate.hit.evidence_key in returned:
            kept.append(candidate)
        elif others > 0:
            others -= 1
            kept.append(candidate)
    return kept


def _attempts(found: Found) -> Iterator[AttemptTrace]:
    for tried in found.tried:
        yield AttemptTrace(
            name=tried.attempt,
            candidate_count=tried.candidates,
            usable=tried.usable,
            top_similarity=round(tried.top_quality, 4),
            duration_ms=tried.ms,
            embed_ms=tried.embed_ms,
        )
