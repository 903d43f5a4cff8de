"""From ranked lists to one order: reciprocal rank fusion of vectors, words and names. Pure.

Done here and not in the engine, so that it is the same on every engine, ties have an order, and each hit can say
where it came from.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tools.knowledge.index_port import IndexHit, RankedLists
from tools.knowledge.naming import Naming

RRF_K = 60


@dataclass(frozen=True)
class Candidate:
    """One hit in the fused order; a rank is 1-based, None: not on that list."""

    hit: IndexHit
    """With the fused score."""
    rank: int
    dense_rank: int | None
    word_rank: int | None
    name_rank: int | None
    """Among hits of documents that the question names."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the lists it is on."""
        ranks = {"dense": self.dense_rank, "bm25": self.word_rank, "name": self.name_rank}
        return tuple(name for name, rank in ranks.items() if rank is not None)


def fuse(lists: RankedLists, naming: Naming, limit: int) -> tuple[Candidate, ...]:
    """The best ``limit`` hits of the lists; a chunk once. Ties: by vector, then by word, then by key.

    Of the word list the first half of ``limit`` counts: further down, hits share only everyday words with the question.

    Hits of documents that the question names form a third list, in the order of the other two.
    """
    matching = lists.matching[: max(1, limit // 2)]
    dense, words = _ranks(lists.nearest), _ranks(matching)
    hits = {hit.evidence_key: hit for hit in (*matching, *lists.nearest)}
    by_two = sorted(hits, key=_order([dense, words]))
    names = _named({key: naming.named(hits[key].path, hits[key].breadcrumb) for key in by_two})
    ranked = sorted(hits, key=_order([dense, words, names]))[:limit]
    return tuple(
        Candidate(
            hit=replace(hits[key], fused_score=_score(key, [dense, words, names])),
            rank=rank,
            dense_rank=dense.get(key),
            word_rank=words.get(key),
            name_rank=names.get(key),
        )
        for rank, key in enumerate(ranked, 1)
    )


def _ranks(hits: Sequence[IndexHit]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for rank, hit in enumerate(hits, 1):
        ranks.setdefault(hit.evidence_key, rank)
    return ranks


def _named(names: Mapping[str, str]) -> dict[str, int]:
    """Ranks of the keys that have a name; one that is only part of a longer one found (PodNotReady) is none."""
    found = {name for name in names.values() if name}
    whole = {name for name in found if not any(name != other and name in other for other in found)}
    return {key: rank for rank, key in enumerate((key for key, name in names.items() if name in whole), 1)}


def _score(key: str, lists: Sequence[dict[str, int]]) -> float:
    return sum(1 / (RRF_K + ranks[key]) for ranks in lists if key in ranks)


def _order(lists: Sequence[dict[str, int]]) -> Callable[[str], tuple[float, float, float, str]]:
    def place(key: str) -> tuple[float, float, float, str]:
        return (-_score(key, lists), lists[0].get(key, float("inf")), lists[1].get(key, float("inf")), key)

    return place
