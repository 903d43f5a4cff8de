"""Question sets: enough of every sort, split by document, true to the collections where these are here."""

from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
import yaml

from eval.retrieval import corpora
from eval.retrieval.corpora import half_of, library_corpus, load_unanswerable, public_corpora, public_folder
from tools.knowledge.segmentation import Segmenter, name_words

ROOT = Path(__file__).parents[3]
SETS = ROOT / "eval" / "retrieval" / "questions"
NOWHERE = Path("/nowhere")
PUBLIC = public_corpora(NOWHERE)
RUNBOOKS = public_folder()
needs_runbooks = pytest.mark.skipif(
    RUNBOOKS is None, reason=f"the public runbooks are not here: name their folder in {corpora.VARIABLE}"
)


def answerable(corpus):
    return [question for question in corpus.questions if question.expects]


def test_there_are_enough_questions_of_every_style():
    prometheus, openshift = (Counter(q.kind for q in answerable(corpus)) for corpus in PUBLIC)

    assert min(prometheus[style] for style in ("title", "symptom", "zh", "mixed")) >= 60
    assert sum(openshift.values()) >= 60


def test_there_are_enough_questions_without_an_answer_in_both_languages():
    by_sort = Counter((q.kind, q.lang) for q in load_unanswerable(SETS / "unanswerable.yaml"))

    assert sum(by_sort.values()) >= 60
    assert min(by_sort[kind, lang] for kind in ("near", "off") for lang in ("en", "zh")) >= 10


@pytest.mark.parametrize("corpus", [*PUBLIC, library_corpus()], ids=lambda corpus: corpus.name)
def test_no_question_is_asked_twice(corpus):
    asked = Counter(question.ask for question in corpus.questions)

    assert [ask for ask, times in asked.items() if times > 1] == []


@pytest.mark.parametrize("corpus", PUBLIC, ids=lambda corpus: corpus.name)
def test_no_document_is_in_both_halves(corpus):
    halves = {}
    for question in answerable(corpus):
        halves.setdefault(PurePosixPath(question.expects[0]).stem, set()).add(question.half)

    assert all(len(found) == 1 for found in halves.values())
    assert 0.35 < sum(found == {"tune"} for found in halves.values()) / len(halves) < 0.65


def test_a_half_depends_on_the_name_alone():
    assert (half_of("KubePodNotReady"), half_of("kubepodnotready")) == ("held", "held")
    assert {half_of(name) for name in "abcdefgh"} == {"tune", "held"}


@pytest.mark.parametrize("name", corpora.PUBLIC)
def test_a_symptom_shares_no_rare_word_with_the_name_of_its_document(name, tmp_path):
    """Rare: in fewer than three names. Else the question would be a title in disguise."""
    words = Segmenter(tmp_path)
    entries = yaml.safe_load((SETS / f"{name}.yaml").read_text())["documents"]
    names = [_words(words, " ".join(name_words(PurePosixPath(entry["doc"]).stem))) for entry in entries]
    often = Counter(word for found in names for word in found)

    shared = [
        (entry["doc"], word)
        for entry, found in zip(entries, names, strict=True)
        for word in found & _words(words, entry["symptom"])
        if often[word] < 3
    ]

    assert shared == []


def _words(segmenter, text):
    return set(segmenter.search_text(text).split())


def test_runbooks_that_are_named_but_absent_are_none(tmp_path):
    assert public_folder({corpora.VARIABLE: str(tmp_path / "absent")}) is None
    assert public_folder({corpora.VARIABLE: str(tmp_path)}) == tmp_path


def test_without_a_name_they_are_looked_for_beside_the_project(tmp_path):
    folder = tmp_path / "shared" / "data" / "runbooks"
    project = tmp_path / "project"

    assert public_folder({}, project) is None
    folder.mkdir(parents=True)
    assert public_folder({}, project) == folder


@needs_runbooks
@pytest.mark.parametrize("place", range(2))
def test_every_expected_public_document_is_there(place):
    corpus = public_corpora(RUNBOOKS)[place]

    assert [path for q in corpus.questions for path in q.expects if not (corpus.folder / path).is_file()] == []


def test_every_expected_document_of_the_library_is_there():
    corpus = library_corpus()

    assert [path for q in corpus.questions for path in q.expects if not (corpus.folder / path).is_file()] == []
