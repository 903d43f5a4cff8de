"""Optional stages of a search: a query rewriter before it, a reranker after it. Both off unless configured.

They change which hits are found and in which order, never how good a hit is: quality stays the cosine with the
question as asked. A stage that fails is left out, and the search says so.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from state.model.errors import ModelFailed

T = TypeVar("T")

MAX_PASSAGE_CHARS = 2400
"""Of one passage given to a reranker."""
MAX_REWRITTEN_CHARS = 1000
_FAILURES = (ModelFailed, ValueError, TypeError, AttributeError, ArithmeticError, LookupError, OSError, RuntimeError)
"""What a stage may raise without ending the search."""


class Reranker(Protocol):
    """Judges passages against a question, better than vectors can."""

    @property
    def name(self) -> str:
        """Identity, for the trace."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """One finite score a passage, in order; higher is better. Blocks, in bounded time. Raises ModelFailed."""
        ...


class QueryRewriter(Protocol):
    """Says a question in the words of the documents."""

    @property
    def name(self) -> str:
        """Identity, for the trace."""
        ...

    def rewrite(self, question: str) -> str:
        """What to search for instead. Blocks, in bounded time. Raises ModelFailed."""
        ...


class Outcome(StrEnum):
    """What became of a stage."""

    APPLIED = "APPLIED"
    FAILED = "FAILED"
    """The search went on without it."""


@dataclass(frozen=True)
class StageRun:
    """One stage of one search, for the trace."""

    stage: str
    """``rewrite``, ``rerank`` or ``neighbours``."""
    name: str
    outcome: Outcome
    ms: int


@dataclass(frozen=True)
class Stages:
    """The stages that are switched on."""

    rewriter: QueryRewriter | None = None
    reranker: Reranker | None = None


NO_STAGES = Stages()


@dataclass(frozen=True)
class Staged(Generic[T]):
    """What a stage gave, or what was there before it."""

    value: T
    run: StageRun


def rewritten(rewriter: QueryRewriter, question: str, monotonic: Callable[[], float]) -> Staged[str]:
    """The question to search for; the one given if the rewriter fails or has nothing to say."""

    def work() -> str:
        text = " ".join(rewriter.rewrite(question).split())
        if not any(char.isalnum() for char in text) or len(text) > MAX_REWRITTEN_CHARS:
            raise ValueError("no usable question")
        return text

    return attempt("rewrite", rewriter.name, work, question, monotonic)


def reranked(
    reranker: Reranker, question: str, passages: Sequence[str], monotonic: Callable[[], float]
) -> Staged[tuple[int, ...]]:
    """Places of the passages, best first, ties as given; as given if the reranker fails."""

    def work() -> tuple[int, ...]:
        scores = [float(score) for score in reranker.scores(question, [text[:MAX_PASSAGE_CHARS] for text in passages])]
        if len(scores) != len(passages) or not all(map(math.isfinite, scores)):
            raise ValueError("not one finite score a passage")
        return tuple(sorted(range(len(scores)), key=lambda place: -scores[place]))

    return attempt("rerank", reranker.name, work, tuple(range(len(passages))), monotonic)


def attempt(stage: str, name: str, work: Callable[[], T], otherwise: T, monotonic: Callable[[], float]) -> Staged[T]:
    """What ``work`` returns, or ``otherwise`` if it fails."""
    began = monotonic()
    try:
        value, outcome = work(), Outcome.APPLIED
    except _FAILURES:
        value, outcome = otherwise, Outcome.FAILED
    return Staged(value, StageRun(stage, name, outcome, round((monotonic() - began) * 1000)))
