"""Chunks beside a hit in its section: what a passage leans on. Pure but for the fetch it is given.

Same document and same breadcrumb only: what stands under another heading is another subject.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.knowledge.index_port import IndexHit
from tools.knowledge.selection import Graded, SearchPolicy, level_of, quality

MAX_ITEMS = 8
"""Hits and neighbours together."""
_MARK = "#chunk-"


@dataclass(frozen=True)
class Neighbour:
    """A chunk returned because it stands beside a hit."""

    item: Graded
    """Its own quality; its rank is that of the hit."""
    of: str
    """Evidence key of the hit."""


def expand(
    hits: Sequence[Graded], policy: SearchPolicy, fetch: Callable[[Collection[str]], Sequence[IndexHit]]
) -> tuple[Neighbour, ...]:
    """Neighbours of the hits, best hit first, nearest first, none twice; with the hits at most ``MAX_ITEMS``."""
    room = MAX_ITEMS - len(hits)
    if policy.neighbours == 0 or room <= 0:
        return ()
    taken = {item.hit.evidence_key for item in hits}
    wanted = [(item, key) for item in hits for key in _beside(item.hit.evidence_key, policy.neighbours)]
    found = {hit.evidence_key: hit for hit in fetch({key for _, key in wanted} - taken)}
    return tuple(_chosen(wanted, found, taken, policy))[:room]


def _chosen(
    wanted: Sequence[tuple[Graded, str]], found: Mapping[str, IndexHit], taken: set[str], policy: SearchPolicy
) -> Iterator[Neighbour]:
    for item, key in wanted:
        beside = found.get(key)
        if beside is None or key in taken or not _same_section(item.hit, beside):
            continue
        taken.add(key)
        own = quality(beside)
        yield Neighbour(Graded(beside, item.rank, own, level_of(own, policy)), item.hit.evidence_key)


def _beside(evidence_key: str, reach: int) -> Iterator[str]:
    document, mark, number = evidence_key.rpartition(_MARK)
    if not mark or not number.isdecimal():
        return
    for step in range(1, reach + 1):
        for index in (int(number) + step, int(number) - step):
            if index >= 0:
                yield f"{document}{_MARK}{index}"


def _same_section(hit: IndexHit, beside: IndexHit) -> bool:
    return (hit.doc_id, hit.breadcrumb) == (beside.doc_id, beside.breadcrumb)
