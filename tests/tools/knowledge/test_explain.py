"""What a search tells a person, and what it tells the audit."""

import json

import pytest

from tests.tools.knowledge.sample_docs import SCOPE
from tools.knowledge.explain import explain
from tools.knowledge.lookup_trace import MAX_CANDIDATES, trace_of
from tools.knowledge.search import Attempt, search
from tools.knowledge.selection import Dropped, SearchPolicy

POLICY = SearchPolicy(precise_min=0.5, reference_min=0.2)


def explained(base, question="the certificate expired", *, category=None, policy=POLICY):
    return explain(base, policy, question, kb_scope=SCOPE, category=category)


def test_each_hit_says_where_it_stood_in_every_list(base):
    best = explained(base).hits[0]

    assert (best.path, best.place.returned_rank, best.place.fused_rank) == ("network/tls.md", 1, 1)
    assert best.sources == ("dense", "bm25")
    assert (best.place.dense_rank, best.place.bm25_rank) == (1, 1)
    assert 0.2 <= best.place.similarity <= 1
    assert best.excerpt.startswith("## Expired")


def test_what_is_not_returned_is_told_with_its_reason(base):
    found = explained(base)

    assert {hit.place.dropped for hit in found.dropped} == {Dropped.BELOW_REFERENCE}
    assert all(hit.place.returned_rank is None and hit.place.similarity < 0.2 for hit in found.dropped)


def test_attempts_and_the_reason_of_the_retry_are_told(base):
    found = explained(base, category="消息")

    assert [attempt.name for attempt in found.trace.attempts] == [
        Attempt.FILTERED_VECTOR,
        Attempt.UNFILTERED_VECTOR_RETRY,
    ]
    assert found.trace.fallback_reason == "filtered_vector_low_quality"
    assert found.trace.category_filter == "消息"


def test_the_same_hits_as_a_search_in_the_same_order(base):
    found = search(base, POLICY, "the certificate expired", kb_scope=SCOPE, category=None)

    assert [hit.place.evidence_key for hit in explained(base).hits] == [
        item.hit.evidence_key for item in found.selection.graded
    ]


def test_an_explanation_survives_json(base):
    found = explained(base)

    assert type(found).model_validate_json(found.model_dump_json()) == found


@pytest.mark.parametrize("category", [None, "消息", "my-secret-category"])
def test_the_trace_holds_neither_question_nor_text_nor_words_of_the_model(base, category):
    asked = "zebra certificate handshake intermediate"
    found = search(base, POLICY, asked, kb_scope=SCOPE, category=category)

    text = json.dumps(trace_of(found, POLICY, category).model_dump(mode="json"), ensure_ascii=False)

    assert not [word for word in ("zebra", "certificate", "handshake", "my-secret-category") if word in text]


def test_the_trace_lists_what_is_returned_and_counts_the_rest(base):
    found = search(base, POLICY, "the certificate expired", kb_scope=SCOPE, category=None)

    trace = trace_of(found, POLICY, None)

    assert trace.trace_schema == "rag_lookup_v1"
    assert len(trace.candidates) + trace.candidates_not_listed == trace.evidence_candidate_count
    assert len(trace.candidates) <= MAX_CANDIDATES
    assert set(trace.evidence_keys) <= {candidate.evidence_key for candidate in trace.candidates}
    assert trace.attempts[0].embed_ms <= trace.attempts[0].duration_ms
