"""Embedding models: what one is, and which exist. Everything here blocks: callers use threads.

A model's name is its identity: vectors are cached and collections named by it. Quality thresholds belong to the model.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from state.model.errors import Misconfigured

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """One embedding model."""

    @property
    def name(self) -> str:
        """Identity: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order; an empty sequence gives no rows. Raises ModelFailed."""
        ...


class Thresholds(NamedTuple):
    """From which cosine a passage is worth showing, for one model; 0–1."""

    precise_min: float
    """PRECISE from here on."""
    reference_min: float
    """Dropped below."""


SHIPPED_THRESHOLDS: dict[str, Thresholds] = {
    "use-multilingual-3": Thresholds(0.57, 0.20),
    "hashing": Thresholds(1.0, 0.01),
}
"""Calibrated with ``python -m eval.retrieval.calibrate``; figures in ``docs/retrieval.md``. No quality of hashing says
anything about meaning: its hits are never PRECISE and hardly ever dropped."""


def thresholds_for(model: str, configured: Thresholds | None = None) -> Thresholds:
    """The configured thresholds, else those shipped for the model.

    Raises:
        Misconfigured: neither exist, or they are not 0 < reference_min ≤ precise_min ≤ 1.
    """
    chosen = configured or SHIPPED_THRESHOLDS.get(model)
    if chosen is None:
        known = ", ".join(sorted(SHIPPED_THRESHOLDS))
        raise Misconfigured("embedding thresholds", f"none for {model!r}: calibrate them and set both (known: {known})")
    if not 0 < chosen.reference_min <= chosen.precise_min <= 1:
        raise Misconfigured("embedding thresholds", "must be 0 < reference_min <= precise_min <= 1")
    return chosen


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; a zero row becomes the first axis, so that every cosine is defined."""
    rows = np.array(vectors, dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows[norms[:, 0] == 0, 0] = 1.0
    return (rows / np.where(norms == 0, 1, norms)).astype(np.float32)
