"""The door to Milvus, against the real embedded engine."""

import json
import os
import signal

import numpy as np
import pytest

from state.model.errors import Misconfigured
from tests.tools.knowledge.sample_docs import axis
from tools.knowledge import milvus_schema
from tools.knowledge.fusion import RRF_K, fuse
from tools.knowledge.index_port import IndexQuery, IndexRow, IndexSpec, IndexUnavailable
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.milvus_process import MilvusLite
from tools.knowledge.milvus_rows import literal
from tools.knowledge.naming import Naming

NASTY = ["plain", 'a" or category != "', "网络", "back\\slash", "\\", '"', "it's", "%s {t}"]


def spec(kb="index-test", **changes):
    values = {"kb": kb, "model": "axis", "dimension": 16, "precise_min": 0.5, "reference_min": 0.2}
    return IndexSpec(**(values | changes))


def row(number, *, category="db", scope="s", words="pool", vector=None):
    return IndexRow(
        evidence_key=f"d{number}#chunk-0",
        doc_id=f"d{number}",
        kb_scope=scope,
        category=category,
        path=f"p/{number}.md",
        title="Titel 标题",
        breadcrumb="A > B",
        content=f"内容 {number}",
        search_text=words,
        vector=axis(number) if vector is None else vector,
    )


def query(vector, words="", *, scope="s", category=None, limit=20):
    return IndexQuery(vector, words, scope, category, limit)


def search(index, asked):
    """The hits as a search orders them."""
    return tuple(candidate.hit for candidate in fuse(index.ranked(asked), Naming(""), asked.limit))


@pytest.fixture(scope="module")
def index(engine):
    opened = MilvusIndex(engine.address, spec())
    yield opened
    opened.close()


@pytest.fixture
def empty(index):
    index.clear()
    return index


def test_a_collection_is_named_after_base_model_and_dimension():
    assert spec("Runbooks 运行手册", model="USE/3", dimension=512).collection.endswith("_use_3_512_s2r3")
    assert len({spec(kb).collection for kb in ("a", "b", "运行", "手册")}) == 4
    assert spec("x" * 500).collection.replace("_", "").isalnum()


def test_a_written_row_is_found_at_once_and_complete(empty):
    empty.upsert([row(3)])

    (hit,) = search(empty, query(axis(3), "pool"))

    assert (hit.evidence_key, hit.doc_id, hit.category, hit.path) == ("d3#chunk-0", "d3", "db", "p/3.md")
    assert (hit.title, hit.breadcrumb, hit.content) == ("Titel 标题", "A > B", "内容 3")


def test_order_is_the_fused_rank_and_every_hit_has_its_own_cosine(empty):
    near = np.zeros(16, np.float32)
    near[[0, 1]] = 0.8, 0.6
    empty.upsert([row(1, words="other"), row(2, words="rare words"), row(0, words="other", vector=near)])

    hits = search(empty, query(axis(0), "rare"))

    assert [hit.evidence_key for hit in hits][0] in ("d2#chunk-0", "d0#chunk-0")
    assert {hit.evidence_key: round(hit.cosine, 3) for hit in hits} == {
        "d0#chunk-0": 0.8,
        "d1#chunk-0": 0.0,
        "d2#chunk-0": 0.0,
    }
    assert [hit.fused_score for hit in hits] == sorted((hit.fused_score for hit in hits), reverse=True)


def test_a_hit_on_both_lists_scores_twice_the_first_rank(empty):
    empty.upsert([row(0, words="a b"), row(1, words="c d")])

    assert search(empty, query(axis(0), "a b"))[0].fused_score == pytest.approx(2 / (RRF_K + 1), abs=1e-5)


def test_without_words_the_vector_alone_decides(empty):
    empty.upsert([row(0, words="pool"), row(1, words="x")])

    assert search(empty, query(axis(1)))[0].evidence_key == "d1#chunk-0"


def test_an_unknown_word_is_no_error(empty):
    empty.upsert([row(0)])

    assert len(search(empty, query(axis(0), "zzz qqq"))) == 1


@pytest.mark.parametrize("category", NASTY)
def test_a_category_matches_itself_only_whatever_characters_it_has(index, category):
    index.upsert([row(n, category=name) for n, name in enumerate(NASTY)])

    hits = search(index, query(axis(0), "pool", category=category))

    assert [hit.evidence_key for hit in hits] == [f"d{NASTY.index(category)}#chunk-0"]


@pytest.mark.parametrize("scope", ['s" or kb_scope != "', "other", "", "S"])
def test_a_scope_shows_nothing_of_another(index, scope):
    index.upsert([row(0, scope="s")])

    assert search(index, query(axis(0), "pool", scope=scope)) == ()


def test_deleted_rows_are_gone_and_absent_keys_are_no_error(empty):
    empty.upsert([row(n) for n in range(3)])

    empty.delete({"d0#chunk-0", "d1#chunk-0", 'never" there'})

    assert empty.count() == 1
    assert [hit.evidence_key for hit in search(empty, query(axis(0), "pool"))] == ["d2#chunk-0"]


def test_a_second_write_replaces_the_row(empty):
    empty.upsert([row(0, category="old")])
    empty.upsert([row(0, category="new")])

    assert [hit.category for hit in search(empty, query(axis(0)))] == ["new"]
    assert empty.count() == 1


def test_more_rows_than_one_batch(empty):
    empty.upsert([row(n, vector=axis(n % 16)) for n in range(450)])

    assert empty.count() == 450


def test_texts_longer_than_a_field_are_cut_between_characters(empty):
    long = IndexRow("k", "d", "s", "c", "p", "标" * 900, "b", "内" * 40_000, "w", axis(0))

    empty.upsert([long])

    (hit,) = search(empty, query(axis(0)))
    assert set(hit.content) == {"内"}
    assert 60_000 < len(hit.content.encode()) <= 65_000


def test_a_reopened_collection_keeps_its_rows(engine, empty):
    empty.upsert([row(0)])

    again = MilvusIndex(engine.address, spec())

    assert (again.is_new, again.count()) == (False, 1)
    again.close()


def test_other_rules_use_another_collection(monkeypatch):
    usual = spec().collection

    monkeypatch.setattr("tools.knowledge.index_port.SEGMENTATION", "s0")

    assert spec().collection != usual


def test_vectors_of_another_length_are_refused(empty):
    with pytest.raises(IndexUnavailable, match="search failed"):
        search(empty, query(np.zeros(3, np.float32)))


def test_an_analyzer_that_does_not_exist_is_found_at_opening(engine, monkeypatch):
    monkeypatch.setattr(milvus_schema, "ANALYZER", {"tokenizer": "no-such-tokenizer"})

    with pytest.raises(Misconfigured, match="knowledge index"):
        MilvusIndex(engine.address, spec("bad-analyzer"), timeout_s=0.5)


def test_an_engine_that_hangs_is_a_timeout_within_its_bound(tmp_path):
    engine = MilvusLite(tmp_path / "h.db", timeout_s=10)
    index = MilvusIndex(engine.address, spec(), timeout_s=0.5)
    os.kill(engine.pid, signal.SIGSTOP)
    try:
        with pytest.raises(IndexUnavailable) as caught:
            search(index, query(axis(0)))
    finally:
        os.kill(engine.pid, signal.SIGCONT)

    assert caught.value.timed_out
    index.close()
    engine.close()


def test_an_engine_that_died_is_named_without_its_own_words(tmp_path):
    engine = MilvusLite(tmp_path / "d.db", timeout_s=10)
    index = MilvusIndex(engine.address, spec(), timeout_s=0.5)
    os.kill(engine.pid, signal.SIGKILL)

    with pytest.raises(IndexUnavailable) as caught:
        search(index, query(axis(0)))

    assert str(caught.value) in ("knowledge index: search failed", "knowledge index: search timed out")
    index.close()
    engine.close()


def test_an_address_where_nothing_listens_is_an_error_in_time():
    with pytest.raises(IndexUnavailable, match="connect"):
        MilvusIndex("http://127.0.0.1:9", spec(), timeout_s=0.5)


def test_a_literal_reads_back_as_the_text():
    assert json.loads(literal('a"b\\c')) == 'a"b\\c'
