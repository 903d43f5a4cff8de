"""Figures of a retrieval run: ranks, qualities, intervals. Pure."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

_RESAMPLES = 2000
_SEED = 20261130


@dataclass(frozen=True)
class Question:
    """One question with its known answer."""

    ask: str
    lang: str
    """``en``, ``zh`` or ``mixed``."""
    kind: str
    """Style (title, symptom, …), or why there is no answer (near, off)."""
    expects: tuple[str, ...]
    """Paths of documents of which any is right; empty: none is."""
    half: str = "tune"
    """``tune`` or ``held``: thresholds and rules are chosen on the first, judged on the second."""


@dataclass(frozen=True)
class Item:
    """One hit in the order it would be returned."""

    path: str
    quality: float
    holds_identifier: bool = False
    """True if it holds an identifier of the question, which keeps it below the threshold."""


@dataclass(frozen=True)
class Answered:
    """What one search would return without thresholds, after its caps, best first."""

    question: Question
    items: tuple[Item, ...]
    best_candidate: float = 0.0
    """Quality of the best candidate, returned or not."""

    @property
    def rank(self) -> int | None:
        """1-based place of the first item of a right document, or None."""
        return next((n for n, item in enumerate(self.items, 1) if item.path in self.question.expects), None)

    @property
    def right_quality(self) -> float | None:
        """Of the best item of a right document; None if there is none."""
        return max((item.quality for item in self.items if item.path in self.question.expects), default=None)


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Figures:
    """Over questions that have an answer; a place is that of an item, not of a document."""

    n: int
    recall_at_1: Interval
    recall_at_3: Interval
    recall_at_5: Interval
    mrr: Interval
    ndcg_at_5: Interval


def figures(answers: Sequence[Answered]) -> Figures:
    """Shares in 0–1; all zero for no question."""
    asked = [answer for answer in answers if answer.question.expects]
    return Figures(
        n=len(asked),
        recall_at_1=interval([_within(answer, 1) for answer in asked]),
        recall_at_3=interval([_within(answer, 3) for answer in asked]),
        recall_at_5=interval([_within(answer, 5) for answer in asked]),
        mrr=interval([1 / answer.rank if answer.rank else 0.0 for answer in asked]),
        ndcg_at_5=interval([ndcg(answer, 5) for answer in asked]),
    )


def interval(values: Sequence[float]) -> Interval:
    """Mean and percentile bootstrap; the same values give the same interval."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(_SEED).choice(np.asarray(values, np.float64), (_RESAMPLES, len(values)))
    low, high = np.quantile(drawn.mean(axis=1), (0.025, 0.975))
    return Interval(mean(values), float(low), float(high))


def ndcg(answer: Answered, depth: int) -> float:
    """Gain 1 for the first item of each right document, over what the best order could have."""
    seen: set[str] = set()
    gain = 0.0
    for place, item in enumerate(answer.items[:depth], 1):
        if item.path in answer.question.expects and item.path not in seen:
            seen.add(item.path)
            gain += 1 / math.log2(place + 1)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(answer.question.expects), depth) + 1))
    return gain / ideal if ideal else 0.0


def gated(answer: Answered, reference_min: float) -> Answered:
    """What is left of it with the threshold."""
    kept = tuple(item for item in answer.items if item.quality >= reference_min or item.holds_identifier)
    return Answered(answer.question, kept, answer.best_candidate)


def choose_reference_min(answers: Sequence[Answered], *, keep: float = 0.95) -> float:
    """The highest threshold, to 0.01, at which ``keep`` of the questions that got a right hit still get one.

    The highest rejects the most questions without an answer. Identifiers, which save hits below it, do not count here.
    0.01 if there is none.
    """
    nameless = [_without_identifiers(answer) for answer in answers]
    return max((at for at in _steps() if kept(nameless, at) >= keep), default=0.01)


def choose_precise_min(answers: Sequence[Answered], reference_min: float, *, precision: float = 0.90) -> float:
    """The lowest threshold, not below ``reference_min``, from which on ``precision`` of the hits are right.

    "From which on": at every higher threshold too, as long as ten hits are left. Hits for questions without an answer
    count as wrong. 1.0 if there is none.
    """
    chosen = 1.0
    for at in reversed(_steps()):
        judged = precise_hits(answers, at)
        if at < reference_min or (len(judged) >= _ENOUGH and mean(judged) < precision):
            break
        if len(judged) >= _ENOUGH:
            chosen = at
    return chosen


_ENOUGH = 10
"""Fewer hits say nothing about a precision."""


def kept(answers: Sequence[Answered], at: float) -> float:
    """Of the questions with a right hit, the share for which one passes the threshold (or holds an identifier)."""
    got = [answer for answer in answers if answer.question.expects and answer.rank]
    return _share(got, lambda answer: gated(answer, at).rank is not None)


def dropped(answers: Sequence[Answered], at: float) -> float:
    """Share of the questions without an answer that get nothing."""
    return _share([a for a in answers if not a.question.expects], lambda answer: not gated(answer, at).items)


def precise_hits(answers: Sequence[Answered], at: float) -> list[bool]:
    """For each PRECISE hit, first or not: whether it is of a right document."""
    hits = [(answer.question, item) for answer in answers for item in answer.items]
    return [item.path in question.expects for question, item in hits if item.quality >= at]


def _without_identifiers(answer: Answered) -> Answered:
    items = tuple(Item(item.path, item.quality) for item in answer.items)
    return Answered(answer.question, items, answer.best_candidate)


def _within(answer: Answered, depth: int) -> float:
    return float(answer.rank is not None and answer.rank <= depth)


def _share(answers: Sequence[Answered], holds: Callable[[Answered], bool]) -> float:
    return mean(map(holds, answers)) if answers else 0.0


def _steps() -> list[float]:
    return [step / 100 for step in range(1, 100)]
