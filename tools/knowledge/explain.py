"""A search told to a person: where each hit came from, how good it is, and why others are not returned.

Holds the question and text, so it is for the asker and never for the audit. Blocking.
"""

from state.model.base import Value
from tools.knowledge.boundaries import excerpt
from tools.knowledge.index_port import IndexHit
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.lookup_trace import CandidateTrace, LookupTrace, candidate_trace, trace_of
from tools.knowledge.search import Found, search
from tools.knowledge.selection import SearchPolicy
from tools.knowledge.stages import NO_STAGES, Stages

MAX_EXCERPT_CHARS = 300


class ExplainedHit(Value):
    """One candidate."""

    place: CandidateTrace
    """Ranks, quality, level, and why it is not returned."""
    sources: tuple[str, ...]
    """Lists that found it: ``dense``, ``bm25``, ``name``."""
    path: str
    title: str
    breadcrumb: str
    excerpt: str
    """Verbatim beginning, at most 300 characters."""


class ExplainedNeighbour(Value):
    """A chunk returned because it stands beside a hit."""

    evidence_key: str
    of: str
    """Evidence key of the hit."""
    path: str
    title: str
    breadcrumb: str
    excerpt: str


class Explanation(Value):
    """One search."""

    question: str
    searched: str
    """What was searched for: the question, or what a rewriter made of it."""
    trace: LookupTrace
    """Attempts, fallback reason, coverage, thresholds, stages and times."""
    hits: tuple[ExplainedHit, ...]
    """Returned, best first."""
    neighbours: tuple[ExplainedNeighbour, ...]
    dropped: tuple[ExplainedHit, ...]
    """Not returned, in fused order."""
    total_ms: int


def explain(
    base: KnowledgeBase,
    policy: SearchPolicy,
    question: str,
    *,
    kb_scope: str,
    category: str | None = None,
    stages: Stages = NO_STAGES,
) -> Explanation:
    """The same search as ``search``, with its reasons. ``category``: folded (``indexing.fold``).

    Raises:
        IndexUnavailable: the index does not answer in time.
        ModelFailed: the embedding model does not answer.
    """
    began = base.clock.monotonic()
    found = search(base, policy, question, kb_scope=kb_scope, category=category, stages=stages)
    total_ms = round((base.clock.monotonic() - began) * 1000)
    return explanation_of(found, policy, question, category=category, total_ms=total_ms)


def explanation_of(
    found: Found, policy: SearchPolicy, question: str, *, category: str | None, total_ms: int
) -> Explanation:
    """The explanation of a search that was made. Pure."""
    told = {
        candidate.hit.evidence_key: ExplainedHit(
            place=candidate_trace(candidate, found, policy),
            sources=candidate.sources,
            **_shown(candidate.hit),
        )
        for candidate in found.candidates
    }
    returned = [item.hit.evidence_key for item in found.selection.graded]
    return Explanation(
        question=question,
        searched=found.searched or question,
        trace=trace_of(found, policy, category),
        hits=tuple(told[key] for key in returned),
        neighbours=tuple(
            ExplainedNeighbour(
                evidence_key=neighbour.item.hit.evidence_key,
                of=neighbour.of,
                **_shown(neighbour.item.hit),
            )
            for neighbour in found.neighbours
        ),
        dropped=tuple(hit for key, hit in told.items() if key not in returned),
        total_ms=total_ms,
    )


def _shown(hit: IndexHit) -> dict[str, str]:
    return {
        "path": hit.path,
        "title": hit.title,
        "breadcrumb": hit.breadcrumb,
        "excerpt": excerpt(hit.content, MAX_EXCERPT_CHARS),
    }
