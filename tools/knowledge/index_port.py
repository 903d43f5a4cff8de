"""What goes into the index and what comes out of it, and how it fails. Pure."""

import re
from dataclasses import dataclass

from state.model.base import Value
from state.model.errors import RootproofError
from state.model.ids import digest8
from tools.knowledge.segmentation import SEGMENTATION
from tools.knowledge.vectors import Vectors

_ROWS = "r3"
"""Names what a row holds: its fields, and the rules by which secrets leave its texts."""
_UNSAFE = ("s1r1", "s1r2", "s2r2")
"""Rules of earlier versions, whose rows may hold secrets or what was deleted: their collections are deleted."""


class IndexUnavailable(RootproofError):
    """The index did not do what it was asked: named operation failed or ran out of time."""

    def __init__(self, operation: str, *, timed_out: bool = False, detail: str = "") -> None:
        super().__init__(f"knowledge index: {operation} {'timed out' if timed_out else 'failed'}")
        self.operation = operation
        self.timed_out = timed_out
        self.detail = detail
        """Text of the engine, for the operator's log only."""


class IndexSpec(Value):
    """What an index is made for. Indexes of different specs are different collections."""

    kb: str
    """Name of the knowledge base."""
    model: str
    """Name of the embedding model."""
    dimension: int
    precise_min: float
    """Quality from which a hit is PRECISE, for this model; 0–1."""
    reference_min: float
    """Quality below which a hit is dropped; 0–1."""

    @property
    def collection(self) -> str:
        """Collection name: knowledge base, model, dimension and rules, at most 120 characters of [a-z0-9_].

        Whoever segments or stores otherwise uses another collection, so that versions can run side by side.
        """
        return self._collection(f"{SEGMENTATION}{_ROWS}")

    @property
    def unsafe_collections(self) -> tuple[str, ...]:
        """Collections that earlier versions filled with texts as they were written, secrets included."""
        return tuple(map(self._collection, _UNSAFE))

    @property
    def of_every_model(self) -> str:
        """How the names of all collections of this knowledge base begin."""
        return f"kb_{_slug(self.kb)}_{digest8(self.kb)}_"

    def _collection(self, rules: str) -> str:
        return f"{self.of_every_model}{_slug(self.model)}_{self.dimension}_{rules}"

    @property
    def description(self) -> str:
        """What is stored with the collection, for people and for those who calibrate."""
        return f"{self.kb}; {self.model}; precise_min {self.precise_min}; reference_min {self.reference_min}"


@dataclass(frozen=True)
class IndexRow:
    """One chunk as indexed."""

    evidence_key: str
    doc_id: str
    kb_scope: str
    category: str
    """Folded: compared exactly."""
    path: str
    title: str
    breadcrumb: str
    content: str
    search_text: str
    vector: Vectors
    """Unit vector of the embedded text."""
    version: str = ""
    """Of the document as it was then; rows of several versions can be in the index at once."""


@dataclass(frozen=True)
class IndexHit:
    """One chunk as found."""

    evidence_key: str
    doc_id: str
    category: str
    path: str
    title: str
    breadcrumb: str
    content: str
    fused_score: float
    """Of the fusion; on a single list the raw score of the engine. Orders hits, means nothing else."""
    cosine: float
    """Of query and chunk, computed here; −1–1."""
    version: str = ""
    """Of the document it was read from."""


@dataclass(frozen=True)
class IndexQuery:
    """One search."""

    vector: Vectors
    search_text: str
    """Segmented like the rows; empty searches by vector only."""
    kb_scope: str
    category: str | None
    """Folded; None for every category."""
    limit: int
    judged_by: Vectors | None = None
    """Vector whose cosine with a chunk is its quality; None: ``vector``."""
    hidden: frozenset[str] = frozenset()
    """Versions that are being written or removed, and are not to be found."""


@dataclass(frozen=True)
class RankedLists:
    """The two lists of one search, each best first, neither of them cut or judged."""

    nearest: tuple[IndexHit, ...]
    """By vector."""
    matching: tuple[IndexHit, ...]
    """By word (BM25); empty without words."""


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:32] or "x"
