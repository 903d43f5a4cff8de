"""A deterministic embedding of words without meaning: for tests, and for machines that must not load a model."""

import hashlib
import re
from collections.abc import Iterator, Sequence

import numpy as np

from models.embedding import Vectors, unit

_WORD = re.compile(r"[A-Za-z0-9]+|[^\W_]")


class HashingEmbedder:
    """Texts that share words (or Chinese characters and pairs of them) are near each other. Same on every machine."""

    name = "hashing"

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature in _features(text):
                seed = hashlib.blake2b(feature.encode(), digest_size=8).digest()
                row[int.from_bytes(seed[:7]) % self.dimension] += 1.0 if seed[7] % 2 else -1.0
        return unit(vectors)


def _features(text: str) -> Iterator[str]:
    words = [word.lower() for word in _WORD.findall(text)]
    yield from words
    yield from (first + second for first, second in zip(words, words[1:], strict=False) if not first.isascii())
