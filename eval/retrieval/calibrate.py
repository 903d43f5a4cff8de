"""Prints the thresholds of an embedding model, chosen on the tune half of all questions that can be asked here.

``python -m eval.retrieval.calibrate [--embedder packaged] [--endpoint URL --model NAME] [--library FOLDER --questions
FILE]``. With a folder and questions of one's own, only these are asked. The key of an endpoint is read from
``ROOTPROOF_EMBEDDER_API_KEY``. Exit code 0; 2 if an input is missing.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eval.retrieval.asking import measure
from eval.retrieval.corpora import Corpus, library_corpus, load_questions, public_corpora, public_folder
from eval.retrieval.embedders import EMBEDDERS
from eval.retrieval.scoring import Answered, dropped, kept, precise_hits
from eval.retrieval.tables import thresholds
from models.embedding import Embedder
from models.embedding_endpoint import EndpointEmbedder
from state.model.errors import Misconfigured, ModelFailed


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="eval.retrieval.calibrate", description="Thresholds of an embedding model.")
    parser.add_argument("--embedder", choices=tuple(EMBEDDERS), default="packaged")
    parser.add_argument("--endpoint", help="address of an OpenAI-compatible endpoint, before /embeddings")
    parser.add_argument("--model", default="", help="name of the model at the endpoint")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--questions", type=Path)
    given = parser.parse_args(arguments)
    try:
        corpora = _corpora(given.library, given.questions)
        embedder = _endpoint(given.endpoint, given.model) if given.endpoint else EMBEDDERS[given.embedder]()
        with tempfile.TemporaryDirectory() as home:
            answers = measure(embedder, corpora, Path(home), say=_err)
    except (Misconfigured, ModelFailed) as error:
        _err(str(error))
        return 2
    hybrid = [answer for modes in answers.values() for answer in modes["hybrid"]]
    sys.stdout.write("\n".join(_report(embedder.name, hybrid)) + "\n")
    return 0


def _corpora(library: Path | None, questions: Path | None) -> Sequence[Corpus]:
    if library is None and questions is None:
        public = public_folder()
        return (*(public_corpora(public) if public else ()), library_corpus())
    if library is None or questions is None:
        raise Misconfigured("--library, --questions", "give both or neither")
    for path in (library, questions):
        if not path.exists():
            raise Misconfigured("input", f"{path} does not exist")
    return (Corpus("given", library, load_questions(questions)),)


def _endpoint(url: str, model: str) -> Embedder:
    key = os.environ.get("ROOTPROOF_EMBEDDER_API_KEY", "")  # noqa: TID251 - a command of its own
    return EndpointEmbedder(url, model, api_key=key)


def _err(line: str) -> None:
    sys.stderr.write(line + "\n")


def _report(name: str, answers: Sequence[Answered]) -> Sequence[str]:
    chosen = thresholds(answers)
    held = [answer for answer in answers if answer.question.half == "held"]
    hits = precise_hits(held, chosen.precise_min)
    return (
        f"{name}: reference_min {chosen.reference_min:.2f}  precise_min {chosen.precise_min:.2f}",
        f"held-out: a right hit is kept for {kept(held, chosen.reference_min):.2f}, "
        f"nothing is returned for {dropped(held, chosen.reference_min):.2f} of questions without an answer, "
        f"{sum(hits)} of {len(hits)} PRECISE hits are right",
    )


if __name__ == "__main__":
    raise SystemExit(main())
