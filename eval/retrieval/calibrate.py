"""Asks the library every question of ``questions.yaml`` and prints figures and the thresholds they suggest.

``python -m eval.retrieval.calibrate [--library FOLDER] [--embedder packaged|hashing] [--questions FILE] [--dense]``.
Thresholds are chosen on all questions; five-fold cross-validation says how they do on others.
Exit code 0; 2 if an input is missing.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import yaml

from eval.retrieval.scoring import (
    Answered,
    Question,
    Validated,
    choose_precise_min,
    choose_reference_min,
    cross_validate,
    dropped,
    figures,
    kept,
)
from models.embedding import Embedder
from models.embedding_hashing import HashingEmbedder
from models.embedding_packaged import PackagedEmbedder
from tools.knowledge.index_port import IndexHit, IndexQuery
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase, LibrarySettings
from tools.knowledge.segmentation import identifiers
from tools.knowledge.selection import SearchPolicy, quality, select

_ROOT = Path(__file__).resolve().parents[2]
_SCOPE = "calibration"
_RETRIEVE_K = 20

Asked = tuple[Question, tuple[IndexHit, ...]]


class _Stopwatch:
    """A clock that only measures: its wall time is the epoch."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(0, UTC)

    def monotonic(self) -> float:
        return time.monotonic()


def load_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a YAML file, in its order."""
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(Question(q["ask"], q["lang"], q["kind"], tuple(q["expects"])) for q in loaded["questions"])


def ask(base: KnowledgeBase, question: Question, *, hybrid: bool = True) -> tuple[IndexHit, ...]:
    """What the index returns for the question, without thresholds and caps, in fused order."""
    words = base.segmenter.search_text(question.ask) if hybrid else ""
    return base.index.search(IndexQuery(base.query_vector(question.ask), words, _SCOPE, None, _RETRIEVE_K))


def answered(question: Question, hits: Sequence[IndexHit]) -> Answered:
    """The hits as the figures need them."""
    right = [quality(hit) for hit in hits if hit.path in question.expects]
    return Answered(
        question=question,
        paths=tuple(dict.fromkeys(hit.path for hit in hits)),
        top_quality=max(map(quality, hits), default=0.0),
        right_quality=max(right, default=None),
    )


def run(library: Path, questions: Path, embedder: Embedder, *, hybrid: bool) -> int:
    """Prints the tables. Effects: a knowledge base in a temporary folder, removed at the end."""
    with (
        tempfile.TemporaryDirectory() as home,
        KnowledgeBase(
            LibrarySettings(home=Path(home), kb="calibration", precise_min=1.0, reference_min=1.0),
            embedder,
            _Stopwatch(),
        ) as base,
    ):
        summary = ingest_folder(base, library, kb_scope=_SCOPE)
        base.warm()
        _say(f"{embedder.name}: {summary.documents} documents, {summary.chunks} chunks, ")
        _say(f"{summary.seconds:.1f} s to ingest, {'hybrid' if hybrid else 'dense'}\n\n")
        timed = [_timed(base, question, hybrid=hybrid) for question in load_questions(questions)]
    asked = [(question, hits) for question, hits, _ in timed]
    _say("\n".join(_report(asked, [ms for *_, ms in timed])) + "\n")
    return 0


def _timed(base: KnowledgeBase, question: Question, *, hybrid: bool) -> tuple[Question, tuple[IndexHit, ...], float]:
    began = time.perf_counter()
    hits = ask(base, question, hybrid=hybrid)
    return question, hits, (time.perf_counter() - began) * 1000


def _report(asked: Sequence[Asked], times_ms: Sequence[float]) -> Iterator[str]:
    answers = [answered(question, hits) for question, hits in asked]
    yield f"search median {median(times_ms):.1f} ms, max {max(times_ms):.1f} ms"
    yield from ("", "before the gate  n  hit@1  hit@5    MRR", *_figure_rows(answers))
    yield from ("", "quality of                     p10    p50    p90", *_distributions(answers))
    reference = choose_reference_min(answers)
    precise = choose_precise_min(answers, reference)
    yield from ("", "reference_min  answerable kept  others dropped", *_sweep(answers))
    yield f"\nchosen on all {len(answers)} questions: reference_min {reference:.2f}  precise_min {precise:.2f}"
    yield from _validated_rows(cross_validate(answers))
    policy = SearchPolicy(precise_min=precise, reference_min=reference, retrieve_k=_RETRIEVE_K)
    returned = [answered(question, _returned(question, hits, policy)) for question, hits in asked]
    silent = [not a.paths for a in returned if not a.question.expects]
    yield from ("", "as returned      n  hit@1  hit@5    MRR", *_figure_rows(returned))
    yield f"nothing returned for {sum(silent)} of {len(silent)} questions without an answer"
    yield from ("", "not first:", *(_miss_row(a) for a in returned if a.question.expects and a.rank != 1))
    yield from ("returned though uncovered:", *(_miss_row(a) for a in returned if not a.question.expects and a.paths))


def _returned(question: Question, hits: Sequence[IndexHit], policy: SearchPolicy) -> list[IndexHit]:
    return [item.hit for item in select(hits, identifiers(question.ask), policy).graded]


def _validated_rows(found: Validated) -> Iterator[str]:
    yield f"five folds chose reference_min {_range(found.reference_mins)}, precise_min {_range(found.precise_mins)}"
    yield f"  on questions not chosen on: answerable kept {found.kept:.2f}, others dropped {found.dropped:.2f}"
    yield f"  PRECISE {found.precise}, of them right {found.precise_right}"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f}-{max(values):.2f}"


def _sweep(answers: Sequence[Answered]) -> Iterator[str]:
    for percent in range(20, 50, 3):
        at = percent / 100
        yield f"{at:>13.2f}{kept(answers, at):>17.2f}{dropped(answers, at):>16.2f}"


def _figure_rows(answers: Sequence[Answered]) -> Iterator[str]:
    for name, group in _groups(answers):
        found = figures(group)
        yield f"{name:<15}{found.n:>3}{found.hit_at_1:>7.2f}{found.hit_at_5:>7.2f}{found.mrr:>7.2f}"


def _miss_row(answer: Answered) -> str:
    return f"  rank {answer.rank}, best {answer.top_quality:.2f}: {answer.question.ask} → {', '.join(answer.paths[:2])}"


def _say(text: str) -> None:
    sys.stdout.write(text)


def _groups(answers: Sequence[Answered]) -> list[tuple[str, list[Answered]]]:
    by_language = [(lang, [a for a in answers if a.question.lang == lang]) for lang in ("en", "zh", "mixed")]
    by_kind = [(kind, [a for a in answers if a.question.kind == kind]) for kind in ("topic", "symptom", "log", "vague")]
    return [("all", list(answers)), *by_language, *by_kind]


def _distributions(answers: Sequence[Answered]) -> list[str]:
    groups = {
        "right document": [a.right_quality or 0.0 for a in answers if a.question.expects],
        "best hit, near but uncovered": [a.top_quality for a in answers if a.question.kind == "near"],
        "best hit, another subject": [a.top_quality for a in answers if a.question.kind == "off"],
    }
    rows = {name: quantiles(values, n=10) for name, values in groups.items() if len(values) > 1}
    return [f"{name:<30}{row[0]:>5.2f}{row[4]:>7.2f}{row[8]:>7.2f}" for name, row in rows.items()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description="Calibrate the quality thresholds of an embedding model.")
    parser.add_argument("--library", type=Path, default=_ROOT / "worlds" / "library")
    parser.add_argument("--questions", type=Path, default=Path(__file__).with_name("questions.yaml"))
    parser.add_argument("--embedder", choices=("packaged", "hashing"), default="packaged")
    parser.add_argument("--dense", action="store_true", help="vectors alone")
    given = parser.parse_args(arguments)
    for path in (given.library, given.questions):
        if not path.exists():
            sys.stderr.write(f"{path} does not exist\n")
            return 2
    embedder: Embedder = PackagedEmbedder() if given.embedder == "packaged" else HashingEmbedder()
    return run(given.library, given.questions, embedder, hybrid=not given.dense)


if __name__ == "__main__":
    raise SystemExit(main())
