"""Chunks beside a hit."""

from state.model.enums import RelevanceLevel
from tools.knowledge.index_port import IndexHit
from tools.knowledge.neighbours import MAX_ITEMS, expand
from tools.knowledge.selection import SearchPolicy, graded

POLICY = SearchPolicy(precise_min=0.6, reference_min=0.3, neighbours=1)


def hit(chunk, document="d", section="S", cosine=0.5):
    return IndexHit(f"{document}#chunk-{chunk}", document, "", "p.md", "T", f"D > {section}", "text", 0.0, cosine)


class Index:
    """Chunks by key."""

    def __init__(self, *hits):
        self.hits = {each.evidence_key: each for each in hits}
        self.asked = []

    def fetch(self, keys):
        self.asked.append(set(keys))
        return [self.hits[key] for key in sorted(keys) if key in self.hits]


def keys(neighbours):
    return [neighbour.item.hit.evidence_key for neighbour in neighbours]


def test_the_chunks_before_and_after_in_the_section_are_added():
    index = Index(hit(1), hit(3))

    found = expand(graded([hit(2)], POLICY), POLICY, index.fetch)

    assert keys(found) == ["d#chunk-3", "d#chunk-1"]
    assert {neighbour.of for neighbour in found} == {"d#chunk-2"}


def test_another_section_or_another_document_is_no_neighbour():
    index = Index(hit(1, section="Other"), hit(3, section="S > Deeper"))

    assert expand(graded([hit(2)], POLICY), POLICY, index.fetch) == ()


def test_a_chunk_that_is_a_hit_or_a_neighbour_already_is_not_added_again():
    index = Index(hit(1), hit(2), hit(3), hit(4))

    found = expand(graded([hit(1), hit(3)], POLICY), POLICY, index.fetch)

    assert keys(found) == ["d#chunk-2", "d#chunk-4"]


def test_hits_and_neighbours_together_are_at_most_eight():
    hits = [hit(10 * n, document=f"d{n}") for n in range(5)]
    index = Index(*(hit(10 * n + step, document=f"d{n}") for n in range(5) for step in (-1, 1)))

    found = expand(graded(hits, POLICY), POLICY, index.fetch)

    assert len(hits) + len(found) == MAX_ITEMS
    assert keys(found)[0] == "d0#chunk-1"


def test_a_neighbour_has_the_level_of_its_own_quality():
    index = Index(hit(1, cosine=0.9), hit(3, cosine=0.1))

    found = expand(graded([hit(2)], POLICY), POLICY, index.fetch)

    assert [(n.item.quality, n.item.level) for n in found] == [
        (0.1, RelevanceLevel.REFERENCE),
        (0.9, RelevanceLevel.PRECISE),
    ]


def test_switched_off_the_index_is_not_asked():
    index = Index(hit(1))

    assert expand(graded([hit(2)], POLICY), POLICY.model_copy(update={"neighbours": 0}), index.fetch) == ()
    assert index.asked == []


def test_the_first_chunk_has_none_before_it():
    index = Index(hit(1))

    assert keys(expand(graded([hit(0)], POLICY), POLICY, index.fetch)) == ["d#chunk-1"]
    assert index.asked == [{"d#chunk-1"}]
