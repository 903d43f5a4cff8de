"""Measures retrieval and prints Markdown tables; exit code 1 if a gate is missed, 2 if an embedder is not there.

``python -m eval.retrieval [--embedders packaged,hashing] [--corpora library] [--home FOLDER]``. The gates judge the
first embedder.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from eval.retrieval import tables
from eval.retrieval.asking import measure
from eval.retrieval.corpora import PUBLIC, VARIABLE, Corpus, library_corpus, public_corpora, public_folder
from eval.retrieval.embedders import EMBEDDERS
from eval.retrieval.gates import missed
from eval.retrieval.scale_rows import pieces_of
from eval.retrieval.scoring import Answered
from models.embedding import Embedder
from state.model.errors import Misconfigured

_LANGUAGE_HEAD = (
    "| model | English, @1 / @5 | Chinese | mixed | MRR, all | ms a question, chunks a second |",
    "|---|---|---|---|---|---|",
)
_THRESHOLD_HEAD = (
    "| model | reference_min | precise_min | right hit kept | nothing returned, near / off "
    "| PRECISE hits right | PRECISE without an answer |",
    "|---|---|---|---|---|---|---|",
)
_TIMED = 100
_CHUNKS_TIMED = 64


def speed(embedder: Embedder, corpora: Sequence[Corpus]) -> str:
    """Median milliseconds of one question, and chunks of 700 characters a second."""
    asks = [question.ask for corpus in corpora for question in corpus.questions][:_TIMED]
    embedder.embed(asks[:1])
    times = [_seconds(embedder, [ask]) for ask in asks]
    chunks = list(pieces_of(library_corpus().folder))[:_CHUNKS_TIMED]
    return f"{median(times) * 1000:.1f}, {len(chunks) / _seconds(embedder, chunks):.0f}"


def _seconds(embedder: Embedder, texts: Sequence[str]) -> float:
    began = time.perf_counter()
    embedder.embed(texts)
    return time.perf_counter() - began


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="eval.retrieval", description="Measure knowledge retrieval.")
    parser.add_argument("--embedders", default="packaged", help=f"comma-separated: {', '.join(EMBEDDERS)}")
    parser.add_argument("--home", type=Path, help="keep vectors here from run to run")
    parser.add_argument("--corpora", help="comma-separated names; without, all that are here")
    given = parser.parse_args(arguments)
    wanted = given.corpora.split(",") if given.corpora else None
    corpora = [corpus for corpus in _corpora() if wanted is None or corpus.name in wanted]
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _run(given.embedders.split(","), corpora, given.home or Path(folder))
    except Misconfigured as error:
        _err(str(error))
        return 2


def _corpora() -> list[Corpus]:
    folder = public_folder()
    if folder is None:
        _err(f"The public runbooks are absent: {', '.join(PUBLIC)} are not measured. Name their folder in {VARIABLE}.")
        return [library_corpus()]
    return [*public_corpora(folder), library_corpus()]


def _run(names: Sequence[str], corpora: Sequence[Corpus], home: Path) -> int:
    measured, speeds = {}, {}
    for name in names:
        if name not in EMBEDDERS:
            raise Misconfigured("--embedders", f"no {name!r}; there are {', '.join(EMBEDDERS)}")
        embedder = EMBEDDERS[name]()
        (home / name).mkdir(parents=True, exist_ok=True)
        measured[embedder.name] = measure(embedder, corpora, home / name, say=_err)
        speeds[embedder.name] = speed(embedder, corpora)
    first = next(iter(measured.values()))
    _out("\n## Search modes, held-out half\n", *tables.by_mode(first, "held"))
    _out("\n## Styles of question, held-out half\n", *tables.by_style(first, "held"))
    _out("\n## Embedding models, held-out half, hybrid\n", *_LANGUAGE_HEAD)
    for name, answers in measured.items():
        held = [a for a in _hybrid(answers) if a.question.half == "held" and a.question.expects]
        _out(*tables.by_language(name, held, speeds[name]))
    _out("\n## Thresholds: chosen on the tune half, judged on the held-out half\n", *_THRESHOLD_HEAD)
    for name, answers in measured.items():
        _out(*tables.judged(name, list(_hybrid(answers))))
    lines = list(missed(first))
    _err("\n".join(lines) if lines else "All gates are passed.")
    return 1 if lines else 0


def _hybrid(answers: dict[str, dict[str, list[Answered]]]) -> Iterator[Answered]:
    for modes in answers.values():
        yield from modes["hybrid"]


def _out(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")


def _err(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
