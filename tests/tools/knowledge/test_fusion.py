"""Ranked lists into one order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.fusion import RRF_K, fuse
from tools.knowledge.index_port import IndexHit, RankedLists
from tools.knowledge.naming import Naming

NAMELESS = Naming("")


def hit(name, chunk=0, cosine=0.5):
    return IndexHit(f"{name}#chunk-{chunk}", name, "", f"{name}.md", "T", "B", "text", 9.9, cosine)


def lists(nearest, matching=()):
    return RankedLists(tuple(map(hit, nearest)), tuple(map(hit, matching)))


def order(candidates):
    return [candidate.hit.doc_id for candidate in candidates]


def test_a_hit_on_both_lists_comes_before_one_on_the_top_of_one():
    candidates = fuse(lists("ab", "cb"), NAMELESS, 20)

    assert order(candidates)[0] == "b"
    assert candidates[0].hit.fused_score == pytest.approx(2 / (RRF_K + 2))


def test_each_candidate_says_where_it_came_from():
    first, second, third = fuse(lists("ab", "cb"), NAMELESS, 20)

    assert (first.dense_rank, first.word_rank, first.name_rank, first.sources) == (2, 2, None, ("dense", "bm25"))
    assert (second.hit.doc_id, second.dense_rank, second.word_rank, second.sources) == ("a", 1, None, ("dense",))
    assert (third.hit.doc_id, third.dense_rank, third.word_rank, third.sources) == ("c", None, 1, ("bm25",))


def test_equal_scores_are_ordered_by_vector_first():
    assert order(fuse(lists("ax", "by"), NAMELESS, 20)) == ["a", "b", "x", "y"]


def test_only_the_upper_half_of_the_word_list_counts():
    assert order(fuse(lists("a", "bcdef"), NAMELESS, 4)) == ["a", "b", "c"]


def test_a_hit_found_by_word_alone_keeps_its_own_cosine():
    found = fuse(RankedLists((hit("a", cosine=0.9),), (hit("b", cosine=0.12),)), NAMELESS, 20)

    assert {c.hit.doc_id: c.hit.cosine for c in found} == {"a": 0.9, "b": 0.12}


def test_the_document_that_the_question_names_comes_first_among_near_duplicates():
    """Names of alerts share most words; only the whole name tells them apart."""
    near = ["NodeFilesystemAlmostOutOfSpace", "NodeFilesystemFilesFillingUp", "NodeFilesystemSpaceFillingUp"]
    question = "NodeFilesystemSpaceFillingUp on node 7"

    candidates = fuse(lists(near, near), Naming(question), 20)

    assert order(fuse(lists(near, near), NAMELESS, 20))[0] == "NodeFilesystemAlmostOutOfSpace"
    assert order(candidates)[0] == "NodeFilesystemSpaceFillingUp"
    assert candidates[0].name_rank == 1
    assert candidates[1].name_rank is None


def test_a_name_that_is_only_part_of_a_longer_one_names_nothing():
    both = ["PodNotReady", "KubePodNotReady"]

    assert order(fuse(lists(both, both), Naming("KubePodNotReady"), 20))[0] == "KubePodNotReady"


def test_two_names_in_a_question_both_count():
    three = ["DiskFull", "KubePodNotReady", "NodeNotReady"]

    candidates = fuse(lists(three, three), Naming("KubePodNotReady and NodeNotReady at once"), 20)

    assert order(candidates) == ["KubePodNotReady", "NodeNotReady", "DiskFull"]


HITS = st.lists(
    st.builds(hit, st.sampled_from("abcdef"), st.integers(0, 3)), max_size=12, unique_by=lambda h: h.evidence_key
)


@given(HITS, HITS, st.integers(1, 20))
def test_every_hit_once_in_order_of_its_score(nearest, matching, limit):
    candidates = fuse(RankedLists(tuple(nearest), tuple(matching)), NAMELESS, limit)

    scores = [candidate.hit.fused_score for candidate in candidates]
    keys = [candidate.hit.evidence_key for candidate in candidates]
    assert scores == sorted(scores, reverse=True)
    assert len(set(keys)) == len(keys) <= limit
    assert [candidate.rank for candidate in candidates] == list(range(1, len(keys) + 1))
    assert all(candidate.sources for candidate in candidates)
    again = fuse(RankedLists(tuple(nearest), tuple(matching)), NAMELESS, limit)
    assert again == candidates
