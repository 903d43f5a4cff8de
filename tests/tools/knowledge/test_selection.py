"""Which hits are returned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.model.enums import RelevanceLevel
from tools.knowledge.index_port import IndexHit
from tools.knowledge.selection import Dropped, SearchPolicy, graded, is_low, is_worth, quality, select

POLICY = SearchPolicy(precise_min=0.6, reference_min=0.3)
NONE: frozenset[str] = frozenset()


def hit(document="d", chunk=0, cosine=0.5, content="text", breadcrumb="B", score=0.01):
    return IndexHit(f"{document}#chunk-{chunk}", document, "", "p.md", "T", breadcrumb, content, score, cosine)


def chosen(hits, named=NONE, policy=POLICY):
    judged = graded(hits, policy)
    return select(judged, [item for item in judged if is_worth(item, named, policy)], policy)


def keys(selection):
    return [item.hit.evidence_key for item in selection.graded]


def test_order_is_the_fused_rank_and_never_the_quality():
    hits = [hit("a", cosine=0.4), hit("b", cosine=0.9), hit("c", cosine=0.5)]

    assert keys(chosen(hits)) == ["a#chunk-0", "b#chunk-0", "c#chunk-0"]


def test_rank_is_never_turned_into_quality():
    """The source system graded by rank, so a filter that found only decoys looked perfect."""
    assert is_low([hit(cosine=0.1, score=0.0328)], POLICY)


@pytest.mark.parametrize(
    ("cosine", "level"),
    [(0.6, RelevanceLevel.PRECISE), (0.59, RelevanceLevel.REFERENCE), (0.3, RelevanceLevel.REFERENCE)],
)
def test_the_level_is_that_of_the_hits_own_quality(cosine, level):
    assert [item.level for item in chosen([hit(cosine=cosine)]).graded] == [level]


def test_a_hit_below_the_threshold_is_dropped():
    selection = chosen([hit(cosine=0.29)])

    assert (selection.graded, selection.dropped) == ((), {"d#chunk-0": Dropped.BELOW_REFERENCE})


def test_a_hit_below_the_threshold_that_holds_an_identifier_of_the_question_is_kept_as_reference():
    hits = [hit("a", cosine=0.1, content="ProxyLeakTask names it"), hit("b", cosine=0.1, content="nothing")]

    (kept,) = chosen(hits, frozenset({"proxyleaktask"})).graded

    assert (kept.hit.doc_id, kept.level) == ("a", RelevanceLevel.REFERENCE)


def test_an_identifier_in_the_breadcrumb_counts_but_not_as_part_of_another_word():
    in_breadcrumb = hit("a", cosine=0.1, breadcrumb="Pool > HikariPool-1")
    part_of_other = hit("b", cosine=0.1, content="HikariPool-12")

    assert keys(chosen([in_breadcrumb, part_of_other], frozenset({"hikaripool-1"}))) == ["a#chunk-0"]


def test_at_most_two_chunks_of_a_document_and_five_in_all():
    hits = [hit("a", n) for n in range(4)] + [hit(name) for name in "bcdef"]

    selection = chosen(hits)

    assert keys(selection) == ["a#chunk-0", "a#chunk-1", "b#chunk-0", "c#chunk-0", "d#chunk-0"]
    assert selection.left_out == 4
    assert selection.dropped == {
        "a#chunk-2": Dropped.DOCUMENT_CAP,
        "a#chunk-3": Dropped.DOCUMENT_CAP,
        "e#chunk-0": Dropped.RETURN_CAP,
        "f#chunk-0": Dropped.RETURN_CAP,
    }


def test_the_order_of_what_is_worth_decides_who_gets_a_place():
    judged = graded([hit("a"), hit("b"), hit("c")], POLICY)

    selection = select(judged, [judged[2], judged[0]], POLICY.model_copy(update={"return_n": 1}))

    assert keys(selection) == ["c#chunk-0"]
    assert selection.dropped == {"b#chunk-0": Dropped.BELOW_REFERENCE, "a#chunk-0": Dropped.RETURN_CAP}


def test_a_file_named_by_the_question_is_kept_below_the_threshold():
    named = IndexHit("a#chunk-0", "a", "", "alerts/KubePodNotReady.md", "T", "B", "text", 0.0, 0.1)

    assert keys(chosen([named], frozenset({"kubepodnotready"}))) == ["a#chunk-0"]


def test_the_same_chunk_twice_is_one():
    assert len(chosen([hit(), hit()]).graded) == 1


def test_nothing_found_is_low_quality():
    assert is_low([], POLICY)


HITS = st.lists(
    st.builds(hit, st.sampled_from("abcdefg"), st.integers(0, 5), st.floats(-1, 1.001, allow_nan=False)), max_size=25
)


@given(HITS)
def test_whatever_comes_in_the_caps_the_order_and_the_gate_hold(hits):
    selection = chosen(hits)

    documents = [item.hit.doc_id for item in selection.graded]
    ranks = [item.rank for item in selection.graded]
    assert len(documents) <= POLICY.return_n
    assert all(documents.count(name) <= 2 for name in documents)
    assert ranks == sorted(set(ranks))
    assert len(set(keys(selection))) == len(documents)
    assert all(0.3 <= item.quality <= 1 and item.quality == quality(item.hit) for item in selection.graded)
    assert {*keys(selection), *selection.dropped} == {h.evidence_key for h in hits}
    assert bool(documents) is not is_low(list({h.evidence_key: h for h in reversed(hits)}.values()), POLICY)
