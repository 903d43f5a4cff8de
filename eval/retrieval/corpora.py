"""The document collections that retrieval is measured on, and the questions about them.

The public runbooks are not part of this project. They are looked for in ``$ROOTPROOF_PUBLIC_RUNBOOKS`` and in a folder
``shared/data/runbooks`` beside the project; whoever does not find them must say so.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml

from eval.retrieval.scoring import Question

VARIABLE = "ROOTPROOF_PUBLIC_RUNBOOKS"
_ROOT = Path(__file__).resolve().parents[2]
_QUESTIONS = Path(__file__).with_name("questions")
LIBRARY = "library"
PUBLIC = ("prometheus_operator", "openshift")
_STYLES = {"title": "en", "symptom": "en", "zh": "zh", "mixed": "mixed"}


@dataclass(frozen=True)
class Corpus:
    """One collection with its questions."""

    name: str
    folder: Path
    questions: tuple[Question, ...]
    """With and without an answer in it."""


def public_folder(environment: Mapping[str, str] | None = None, root: Path = _ROOT) -> Path | None:
    """Folder of the public runbooks, or None if they are not here."""
    named = (os.environ if environment is None else environment).get(VARIABLE)  # noqa: TID251 - says where data lies
    folder = Path(named) if named else root.parent / "shared" / "data" / "runbooks"
    return folder if folder.is_dir() else None


def library_corpus() -> Corpus:
    """The bundled library."""
    return Corpus(LIBRARY, _ROOT / "worlds" / "library", load_questions(Path(__file__).with_name("questions.yaml")))


def public_corpora(folder: Path, questions: Path = _QUESTIONS) -> tuple[Corpus, ...]:
    """The public collections, each with all questions that have no answer in either."""
    unanswerable = load_unanswerable(questions / "unanswerable.yaml")
    return tuple(_public(name, folder, questions, unanswerable) for name in PUBLIC)


def load_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a plain list, in its order."""
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(_plain(entry) for entry in loaded["questions"])


def load_unanswerable(path: Path) -> tuple[Question, ...]:
    """Questions without an answer, by kind and language."""
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(
        Question(ask, lang, kind, (), half_of(ask))
        for kind, by_language in loaded.items()
        for lang, asks in by_language.items()
        for ask in asks
    )


def half_of(name: str) -> str:
    """``tune`` or ``held``, for ever the same for a name: by document, so that no document is in both."""
    return ("tune", "held")[hashlib.sha256(name.casefold().encode()).digest()[0] % 2]


def _public(name: str, folder: Path, questions: Path, unanswerable: Sequence[Question]) -> Corpus:
    loaded = yaml.safe_load((questions / f"{name}.yaml").read_text(encoding="utf-8"))
    asked = [question for entry in loaded["documents"] for question in _styled(entry)]
    return Corpus(name, folder / loaded["folder"], (*asked, *unanswerable))


def _styled(entry: Mapping[str, object]) -> Iterator[Question]:
    also = entry.get("also", [])
    assert isinstance(also, list)
    path = str(entry["doc"])
    half = half_of(PurePosixPath(path).stem)
    for style, lang in _STYLES.items():
        yield Question(str(entry[style]), lang, style, (path, *map(str, also)), half)


def _plain(entry: Mapping[str, str | list[str]]) -> Question:
    ask, expects = str(entry["ask"]), tuple(entry["expects"])
    half = half_of(PurePosixPath(expects[0]).stem if expects else ask)
    return Question(ask, str(entry["lang"]), str(entry["kind"]), expects, half)
