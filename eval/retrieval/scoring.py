"""Figures of a retrieval run: ranks, qualities and the thresholds that separate them. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean


@dataclass(frozen=True)
class Question:
    """One question with its known answer."""

    ask: str
    lang: str
    kind: str
    expects: tuple[str, ...]
    """Paths of documents of which any is right; empty: none is."""


@dataclass(frozen=True)
class Answered:
    """What the index returned, before any threshold."""

    question: Question
    paths: tuple[str, ...]
    """Document of each hit in fused order, each document once."""
    top_quality: float
    """Of the best hit of any document."""
    right_quality: float | None
    """Of the best hit of a right document among the candidates; None if there is none."""

    @property
    def rank(self) -> int | None:
        """1-based rank of the first right document, or None."""
        return next((n for n, path in enumerate(self.paths, 1) if path in self.question.expects), None)


@dataclass(frozen=True)
class Figures:
    """Figures over questions that have an answer."""

    n: int
    hit_at_1: float
    hit_at_5: float
    mrr: float


def figures(answers: Sequence[Answered]) -> Figures:
    """Shares in 0–1; all zero for no question."""
    ranks = [answer.rank for answer in answers if answer.question.expects]
    if not ranks:
        return Figures(0, 0.0, 0.0, 0.0)
    return Figures(
        n=len(ranks),
        hit_at_1=mean(rank == 1 for rank in ranks),
        hit_at_5=mean(rank is not None and rank <= 5 for rank in ranks),
        mrr=mean(1 / rank if rank else 0.0 for rank in ranks),
    )


@dataclass(frozen=True)
class Validated:
    """How thresholds do on questions they were not chosen on."""

    reference_mins: tuple[float, ...]
    """Chosen by each fold."""
    precise_mins: tuple[float, ...]
    kept: float
    """Share of answerable questions for which a right document passes."""
    dropped: float
    """Share of unanswerable questions for which nothing passes."""
    precise: int
    """Questions whose best hit is PRECISE."""
    precise_right: int
    """Of them, those with a right document first."""


def cross_validate(answers: Sequence[Answered], folds: int = 5) -> Validated:
    """Thresholds chosen without each fold, judged on it; folds take every n-th question."""
    parts = [answers[fold::folds] for fold in range(folds)]
    rests = [[a for n, a in enumerate(answers) if n % folds != fold] for fold in range(folds)]
    references = [choose_reference_min(rest) for rest in rests]
    precises = [choose_precise_min(rest, at) for rest, at in zip(rests, references, strict=True)]
    judged = list(zip(parts, references, precises, strict=True))
    above = [a for part, _, at in judged for a in part if a.top_quality >= at]
    return Validated(
        reference_mins=tuple(references),
        precise_mins=tuple(precises),
        kept=_pooled([_passes(part, at) for part, at, _ in judged]),
        dropped=_pooled([_fails(part, at) for part, at, _ in judged]),
        precise=len(above),
        precise_right=sum(a.rank == 1 for a in above),
    )


def choose_reference_min(answers: Sequence[Answered]) -> float:
    """The threshold that best keeps answerable questions and drops the others (mean of both rates), to 0.01.

    Of equally good ones the middle.
    """
    return _best(lambda at: (kept(answers, at) + dropped(answers, at)) / 2)


def choose_precise_min(answers: Sequence[Answered], reference_min: float, *, precision: float = 0.95) -> float:
    """The lowest threshold, not below ``reference_min``, above which ``precision`` of the answers are right at 1.

    Questions without an answer count as wrong. If no threshold is that precise, 1.0.
    """
    steps = (step / 100 for step in range(round(reference_min * 100), 100))
    return next((at for at in steps if _precision(answers, at) >= precision), 1.0)


def kept(answers: Sequence[Answered], at: float) -> float:
    """Share of answerable questions for which a right document passes the threshold."""
    return _pooled([_passes(answers, at)])


def dropped(answers: Sequence[Answered], at: float) -> float:
    """Share of unanswerable questions for which nothing passes the threshold."""
    return _pooled([_fails(answers, at)])


def _passes(answers: Sequence[Answered], at: float) -> list[bool]:
    return [(a.right_quality or 0.0) >= at for a in answers if a.question.expects]


def _fails(answers: Sequence[Answered], at: float) -> list[bool]:
    return [a.top_quality < at for a in answers if not a.question.expects]


def _pooled(parts: Sequence[Sequence[bool]]) -> float:
    flat = [value for part in parts for value in part]
    return mean(flat) if flat else 0.0


def _precision(answers: Sequence[Answered], at: float) -> float:
    above = [answer for answer in answers if answer.top_quality >= at]
    return mean(answer.rank == 1 for answer in above) if above else 0.0


def _best(score: Callable[[float], float]) -> float:
    steps = [step / 100 for step in range(1, 100)]
    scores = [score(at) for at in steps]
    best = [at for at, value in zip(steps, scores, strict=True) if value == max(scores)]
    return best[len(best) // 2]
