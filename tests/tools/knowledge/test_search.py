"""One search, against the real index."""

import pytest

from state.model.enums import Coverage
from tests.tools.knowledge.sample_docs import SCOPE
from tools.knowledge.index_port import IndexQuery
from tools.knowledge.records import DocumentRecord
from tools.knowledge.search import Attempt, FallbackReason, coverage_of, search
from tools.knowledge.selection import SearchPolicy

POLICY = SearchPolicy(precise_min=0.5, reference_min=0.2)


def ask(base, question, *, category=None, scope=SCOPE, policy=POLICY):
    return search(base, policy, question, kb_scope=scope, category=category)


def paths(found):
    return [graded.hit.path for graded in found.selection.graded]


def record(state="READY", category="db", path="a.md"):
    return DocumentRecord.model_validate(
        {
            "kb_scope": "s",
            "path": path,
            "doc_id": path,
            "sha256": "",
            "settings": "",
            "state": state,
            "category": category,
        }
    )


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("who never returns the connection to the pool", "database/pool.md"),
        ("the certificate expired", "network/tls.md"),
        ("消息在队列里堆积", "messaging/backlog.md"),
        ("printers and paper trays", "plain.md"),
    ],
)
def test_the_right_document_comes_first(base, question, path):
    assert paths(ask(base, question))[0] == path


def test_another_subject_finds_nothing(base):
    found = ask(base, "zebra xylophone quartz")

    assert (paths(found), found.coverage) == ([], Coverage.COMPLETE)


def test_a_category_that_holds_the_answer_is_kept(base):
    found = ask(base, "the certificate expired", category="network")

    assert [tried.attempt for tried in found.tried] == [Attempt.FILTERED_VECTOR]
    assert (set(paths(found)), found.category, found.fallback_reason) == ({"network/tls.md"}, "network", None)


def test_a_category_of_low_quality_is_given_up_once_and_replaced(base):
    found = ask(base, "the certificate expired", category="消息")

    assert [tried.attempt for tried in found.tried] == [Attempt.FILTERED_VECTOR, Attempt.UNFILTERED_VECTOR_RETRY]
    assert found.fallback_reason is FallbackReason.FILTERED_VECTOR_LOW_QUALITY
    assert (paths(found)[0], found.category) == ("network/tls.md", None)


def test_a_category_without_documents_is_given_up_for_another_reason(base):
    found = ask(base, "the certificate expired", category="no such category")

    assert found.fallback_reason is FallbackReason.FILTERED_VECTOR_NO_EVIDENCE
    assert paths(found)[0] == "network/tls.md"


def test_the_retry_is_the_last_attempt_even_if_it_finds_nothing(base):
    found = ask(base, "zebra xylophone quartz", category="network")

    assert (len(found.tried), paths(found)) == (2, [])


def test_an_identifier_is_found_below_the_threshold(base):
    found = ask(base, "ProxyLeakTask " + "zebra xylophone quartz " * 4)

    assert paths(found) == ["database/pool.md"]
    assert found.selection.graded[0].quality < POLICY.reference_min


def test_another_scope_has_no_documents(base):
    found = ask(base, "the certificate expired", scope="team-b")

    assert (paths(found), found.coverage) == ([], Coverage.NO_DATA)


def test_dense_search_is_a_control_without_words(base):
    found = ask(base, "the certificate expired", policy=POLICY.model_copy(update={"hybrid": False}))

    assert paths(found)[0] == "network/tls.md"
    assert found.selection.graded[0].hit.fused_score == pytest.approx(1 / 61, abs=1e-4)


@pytest.mark.parametrize(
    ("readiness", "category", "coverage"),
    [
        ([], None, Coverage.NO_DATA),
        ([("db", True)], None, Coverage.COMPLETE),
        ([("db", True), ("db", False)], None, Coverage.PARTIAL),
        ([("db", False)], None, Coverage.PARTIAL),
        ([("net", True)], "db", Coverage.NO_DATA),
        ([("db", True), ("", False)], "db", Coverage.PARTIAL),
        ([("db", True), ("net", True)], "db", Coverage.COMPLETE),
    ],
)
def test_coverage_is_that_of_the_documents_in_scope(readiness, category, coverage):
    assert coverage_of(readiness, category) is coverage


def test_a_hit_that_words_alone_found_has_its_own_cosine(base):
    asked = base.query_vector("printers and paper trays")
    query = IndexQuery(asked, base.segmenter.search_text("the certificate expired"), SCOPE, None, 1)

    lists = base.index.ranked(query)

    (by_word,) = lists.matching
    (again,) = base.index.fetch([by_word.evidence_key], kb_scope=SCOPE, vector=base.query_vector("the certificate"))
    assert (lists.nearest[0].path, by_word.path) == ("plain.md", "network/tls.md")
    assert abs(by_word.cosine) < 0.2 < again.cosine


def test_a_document_named_in_the_question_is_on_a_third_list(base):
    asked = "connection pool runbook: expired certificate handshake chain intermediate"

    named = {c.hit.path for c in ask(base, asked).candidates if c.name_rank}
    unnamed = ask(base, asked, policy=POLICY.model_copy(update={"naming": False})).candidates

    assert (named, paths(ask(base, asked))[0]) == ({"database/pool.md"}, "database/pool.md")
    assert [c for c in unnamed if c.name_rank] == []


def test_chinese_terms_find_english_documents_by_word(base):
    asked, plain = "证书过期", POLICY.model_copy(update={"cross_language": False})

    assert {c.hit.path for c in ask(base, asked).candidates if c.word_rank} == {"network/tls.md"}
    assert not [c for c in ask(base, asked, policy=plain).candidates if c.word_rank]


def test_neighbours_stand_in_the_section_of_their_hit(base):
    found = ask(base, "消息在队列里堆积", policy=POLICY.model_copy(update={"neighbours": 1}))

    assert found.neighbours == ()
    assert [run.stage for run in found.stages] == ["neighbours"]
