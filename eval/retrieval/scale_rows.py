"""Made-up chunks for measuring size: words of the bundled library, vectors near those of its chunks. Seeded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.embedding import Embedder, Vectors, unit
from tools.knowledge.index_port import IndexRow
from tools.knowledge.segmentation import Segmenter

SCOPE = "bench"
CHUNKS_A_DOCUMENT = 8
CATEGORIES = 20
_PIECE_CHARS = 700
_SENTENCES = 6
_NOISE = 0.7
"""Length of the noise beside a unit vector: neighbours of a chunk are near it, not equal to it."""


@dataclass(frozen=True)
class Seeds:
    """What rows are made from."""

    pieces: tuple[str, ...]
    sentences: tuple[str, ...]
    words: tuple[str, ...]
    """Segmented, a sentence each."""
    vectors: Vectors


def seeds(folder: Path, embedder: Embedder, segmenter: Segmenter) -> Seeds:
    """Pieces of the Markdown files of a folder, embedded. Blocking."""
    pieces = pieces_of(folder)
    sentences = tuple(s.strip() for piece in pieces for s in piece.replace("\n", " ").split(". ") if len(s) > 20)
    return Seeds(pieces, sentences, tuple(map(segmenter.search_text, sentences)), embedder.embed(pieces))


def pieces_of(folder: Path) -> tuple[str, ...]:
    """Slices of 700 characters of every Markdown file."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))]
    return tuple(text[at : at + _PIECE_CHARS] for text in texts for at in range(0, len(text), _PIECE_CHARS))


def rows(made_from: Seeds, first: int, count: int) -> Iterator[IndexRow]:
    """Rows number ``first`` to ``first + count - 1``; the same number is always the same row."""
    rng = np.random.default_rng(first)
    near = rng.integers(len(made_from.pieces), size=count)
    noise = unit(rng.normal(size=(count, made_from.vectors.shape[1])).astype(np.float32)) * _NOISE
    vectors = unit(made_from.vectors[near] + noise)
    chosen = rng.integers(len(made_from.sentences), size=(count, _SENTENCES))
    for place in range(count):
        yield _row(made_from, first + place, chosen[place].tolist(), vectors[place])


def _row(made_from: Seeds, number: int, chosen: Sequence[int], vector: Vectors) -> IndexRow:
    document, chunk = divmod(number, CHUNKS_A_DOCUMENT)
    name = f"Service{document % 997} alert {document}"
    return IndexRow(
        evidence_key=f"doc-{document}#chunk-{chunk}",
        doc_id=f"doc-{document}",
        kb_scope=SCOPE,
        category=f"category {document % CATEGORIES}",
        path=f"team/{document}.md",
        title=name,
        breadcrumb=name,
        content=". ".join(made_from.sentences[n] for n in chosen),
        search_text=" ".join([f"service{document % 997} alert", *(made_from.words[n] for n in chosen)]),
        vector=vector,
    )
