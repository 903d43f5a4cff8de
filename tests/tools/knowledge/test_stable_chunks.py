"""A local edit stays local: what stands elsewhere is cut as before."""

import random

import pytest

from tests.tools.knowledge.reading import read_document
from tools.knowledge.chunking import ChunkSettings, _split
from tools.knowledge.markdown_blocks import Block, BlockKind

SEED = random.Random(7)
WORDS = ["".join(SEED.choice("abcdefghijklmnop") for _ in range(SEED.randint(2, 9))) for _ in range(500)]


def sentences(count: int) -> list[str]:
    return [" ".join(SEED.choice(WORDS) for _ in range(SEED.randint(5, 20))).capitalize() + "." for _ in range(count)]


SHAPES = {
    "one paragraph": " ".join(sentences(700)),
    "paragraphs": "\n\n".join(" ".join(sentences(3)) for _ in range(230)),
    "lines without sentences": "\n".join(" ".join(SEED.choice(WORDS) for _ in range(12)) for _ in range(700)),
    "words without lines": " ".join(SEED.choice(WORDS) for _ in range(8000)),
    "sections": "\n\n".join(f"## Part {n}\n\n" + " ".join(sentences(12)) for n in range(60)),
}


def cut(text: str) -> set[str]:
    document = read_document(text, path="a.md", kb_scope="s", settings=ChunkSettings())
    return {f"{chunk.breadcrumb}\n{chunk.content}" for chunk in document.chunks}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_inserted_sentence_changes_few_chunks(shape):
    text = SHAPES[shape]
    place = text.index(" ", len(text) // 3) + 1
    before, after = cut(text), cut(text[:place] + "an inserted sentence of several words. " + text[place:])

    assert len(before) > 40
    assert 1 <= len(after - before) <= 10


def pieces(text: str) -> set[str]:
    block = Block(0, len(text), BlockKind.TEXT)
    return {text[piece.start : piece.end] for piece in _split(text, block, 900)}


def test_wherever_a_sentence_is_inserted_into_an_endless_paragraph_the_pieces_behind_it_stay():
    text = " ".join(sentences(2000))
    before = pieces(text)
    places = [text.index(" ", len(text) * part // 100) + 1 for part in range(1, 60)]

    changed = [len(pieces(text[:place] + "One more. " + text[place:]) - before) for place in places]

    assert len(before) > 150
    assert max(changed) <= 12
