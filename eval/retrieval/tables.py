"""Markdown tables of what was measured. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from eval.retrieval.asking import MODES
from eval.retrieval.scoring import (
    Answered,
    Interval,
    choose_precise_min,
    choose_reference_min,
    dropped,
    figures,
    kept,
    precise_hits,
)
from models.embedding import Thresholds

Answers = Mapping[str, Mapping[str, Sequence[Answered]]]
"""By corpus and mode."""
_KINDS = ("title", "symptom", "zh", "mixed", "topic", "log", "vague")
_LANGUAGES = ("en", "zh", "mixed")


def by_mode(answers: Answers, half: str) -> Iterator[str]:
    """Each corpus in each mode, all questions with an answer."""
    yield "| corpus | search | n | recall@1 | recall@3 | recall@5 | MRR | nDCG@5 |"
    yield "|---|---|---|---|---|---|---|---|"
    for corpus, modes in answers.items():
        for mode in MODES:
            found = figures(_of(modes[mode], half))
            cells = (found.recall_at_1, found.recall_at_3, found.recall_at_5, found.mrr, found.ndcg_at_5)
            yield f"| {corpus} | {mode} | {found.n} | {' | '.join(map(_spread, cells))} |"


def by_style(answers: Answers, half: str) -> Iterator[str]:
    """Each style of question: recall at 1 and 5 in each mode."""
    yield f"| corpus | style | n | {' | '.join(f'{mode}, @1 / @5' for mode in MODES)} |"
    yield "|---|---|---|" + "---|" * len(MODES)
    for corpus, modes in answers.items():
        for kind in _KINDS:
            rows = [[a for a in _of(modes[mode], half) if a.question.kind == kind] for mode in MODES]
            found = [figures(row) for row in rows]
            if found[0].n:
                cells = (f"{f.recall_at_1.mean:.2f} / {_spread(f.recall_at_5)}" for f in found)
                yield f"| {corpus} | {kind} | {found[0].n} | {' | '.join(cells)} |"


def by_language(name: str, answers: Sequence[Answered], speed: str) -> Iterator[str]:
    """One row for one embedding model: recall at 1 and 5 by language of the question, and its speed."""
    cells = []
    for lang in _LANGUAGES:
        found = figures([answer for answer in answers if answer.question.lang == lang])
        cells.append(f"{found.recall_at_1.mean:.2f} / {_spread(found.recall_at_5)}")
    everything = figures(answers)
    yield f"| {name} | {' | '.join(cells)} | {_spread(everything.mrr)} | {speed} |"


def thresholds(answers: Sequence[Answered]) -> Thresholds:
    """Chosen on the tune half."""
    tune = _of(answers, "tune")
    reference = choose_reference_min(tune)
    return Thresholds(choose_precise_min(tune, reference), reference)


def judged(name: str, answers: Sequence[Answered]) -> Iterator[str]:
    """One row for one embedding model: its thresholds and how they do on the held-out half."""
    chosen, held = thresholds(answers), _of(answers, "held")
    hits = precise_hits(held, chosen.precise_min)
    precision = f"{sum(hits)} of {len(hits)}" if hits else "none"
    silent = {
        kind: dropped([a for a in held if a.question.kind == kind], chosen.reference_min) for kind in ("near", "off")
    }
    loud = [a for a in held if not a.question.expects and precise_hits([a], chosen.precise_min)]
    without = sum(not a.question.expects for a in held)
    yield (
        f"| {name} | {chosen.reference_min:.2f} | {chosen.precise_min:.2f} | {kept(held, chosen.reference_min):.2f} "
        f"| {silent['near']:.2f} / {silent['off']:.2f} | {precision} | {len(loud)} of {without} |"
    )


def _of(answers: Sequence[Answered], half: str) -> list[Answered]:
    return [answer for answer in answers if answer.question.half == half]


def _spread(value: Interval) -> str:
    return f"{value.mean:.2f} ({value.low:.2f}–{value.high:.2f})"
