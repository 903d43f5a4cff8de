"""Asks a knowledge base every question, in every mode, from one look at the index. Blocking."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from eval.retrieval.corpora import Corpus
from eval.retrieval.scoring import Answered, Item, Question
from models.embedding import Embedder
from tools.knowledge.cross_language import english_terms
from tools.knowledge.fusion import fuse
from tools.knowledge.index_port import IndexHit, IndexQuery, RankedLists
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase, LibrarySettings
from tools.knowledge.naming import Naming
from tools.knowledge.segmentation import identifiers
from tools.knowledge.selection import SearchPolicy, graded, is_worth, quality, select

MODES = ("hybrid", "no names", "no terms", "dense", "bm25")
"""``no names``: a document named in the question has no advantage. ``no terms``: Chinese terms get no English words."""
POLICY = SearchPolicy(precise_min=1.0, reference_min=1.0)
"""Caps as in the product; thresholds are applied to the answers afterwards."""
_NAMELESS = Naming("")


class Stopwatch:
    """A clock that only measures: its wall time is the epoch."""

    def now(self) -> datetime:
        """The epoch."""
        return datetime.fromtimestamp(0, UTC)

    def monotonic(self) -> float:
        """Seconds."""
        return time.monotonic()


@dataclass(frozen=True)
class Filled:
    """What one corpus became in the knowledge base."""

    documents: int
    chunks: int


@contextmanager
def opened(embedder: Embedder, home: Path) -> Iterator[KnowledgeBase]:
    """A knowledge base under ``home`` that keeps vectors from run to run."""
    settings = LibrarySettings(home=home, kb="evaluation", precise_min=1.0, reference_min=1.0)
    with KnowledgeBase(settings, embedder, Stopwatch()) as base:
        yield base


def measure(
    embedder: Embedder, corpora: Sequence[Corpus], home: Path, *, say: Callable[[str], None]
) -> dict[str, dict[str, list[Answered]]]:
    """Answers by corpus and mode. Every corpus is in before the first question: they share word statistics."""
    with opened(embedder, home) as base:
        for corpus in corpora:
            filled = fill(base, corpus)
            say(f"{embedder.name}: {corpus.name}, {filled.documents} documents, {filled.chunks} chunks")
        return {corpus.name: dict(ask_all(base, corpus)) for corpus in corpora}


def fill(base: KnowledgeBase, corpus: Corpus) -> Filled:
    """Brings the corpus up to date under a scope of its name."""
    summary = ingest_folder(base, corpus.folder, kb_scope=corpus.name)
    return Filled(summary.documents, summary.chunks)


def ask_all(base: KnowledgeBase, corpus: Corpus) -> Mapping[str, list[Answered]]:
    """Answers by mode, each in the order of the questions."""
    answers: dict[str, list[Answered]] = {mode: [] for mode in MODES}
    for question in corpus.questions:
        lists = look_up(base, corpus.name, question.ask)
        plain = look_up(base, corpus.name, question.ask, terms=False) if question.lang != "en" else lists
        for mode in MODES:
            hits = _hits(plain if mode == "no terms" else lists, question, mode)
            answers[mode].append(_answered(question, hits))
    return answers


def look_up(base: KnowledgeBase, kb_scope: str, ask: str, *, terms: bool = True) -> RankedLists:
    """Both lists for a question."""
    words = base.segmenter.search_text(f"{ask}\n{english_terms(ask) if terms else ''}")
    return base.index.ranked(IndexQuery(base.query_vector(ask), words, kb_scope, None, POLICY.retrieve_k))


def _hits(lists: RankedLists, question: Question, mode: str) -> Sequence[IndexHit]:
    if mode == "dense":
        return lists.nearest
    if mode == "bm25":
        return lists.matching
    naming = _NAMELESS if mode == "no names" else Naming(question.ask)
    return [candidate.hit for candidate in fuse(lists, naming, POLICY.retrieve_k)]


def _answered(question: Question, hits: Sequence[IndexHit]) -> Answered:
    """What would be returned without thresholds: the caps alone."""
    judged = graded(hits, POLICY)
    named = identifiers(question.ask)
    returned = select(judged, judged, POLICY).graded
    items = (Item(item.hit.path, item.quality, is_worth(item, named, POLICY)) for item in returned)
    return Answered(question, tuple(items), max(map(quality, hits), default=0.0))
