"""Opening a knowledge base."""

import pytest

from state.model.enums import Language
from state.model.errors import Misconfigured
from tests.tools.knowledge.sample_docs import SCOPE, CountingEmbedder, SteppingClock, open_base, write_docs
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.library import KnowledgeBase, LibrarySettings


def test_what_was_ingested_is_there_after_reopening_without_embedding_again(tmp_path, docs):
    model = CountingEmbedder()
    with open_base(tmp_path / "home", model) as base:
        before = ingest_folder(base, docs, kb_scope=SCOPE)
    model.texts.clear()

    with open_base(tmp_path / "home", model) as base:
        after = ingest_folder(base, docs, kb_scope=SCOPE)
        assert base.index.count() == before.chunks

    assert (after.unchanged, after.embedded, model.texts) == (4, 0, [])


def test_a_second_opener_gets_a_private_copy_from_the_vector_cache_and_says_so(tmp_path, docs):
    model = CountingEmbedder()
    with open_base(tmp_path / "home", model) as first:
        ingest_folder(first, docs, kb_scope=SCOPE)
        model.texts.clear()
        with open_base(tmp_path / "home", model) as second:
            summary = ingest_folder(second, docs, kb_scope=SCOPE)
            assert second.index.count() == first.index.count()
            notices = second.notices
        assert first.notices == ()

    assert (summary.embedded, summary.documents, model.texts) == (0, 4, [])
    assert "in use" in notices[0].text(Language.EN)
    assert "正被" in notices[0].text(Language.ZH)


def test_a_private_copy_never_takes_vectors_from_the_shared_cache(tmp_path, docs):
    model = CountingEmbedder()
    with open_base(tmp_path / "home", model) as first, open_base(tmp_path / "home", model) as second:
        ingest_folder(first, docs, kb_scope=SCOPE)
        ingest_folder(second, docs, kb_scope=SCOPE)
        (docs / "database/pool.md").unlink()
        ingest_folder(second, docs, kb_scope=SCOPE)
        model.texts.clear()

        first.vectors.embed(model, [])
        write_docs(docs)
        assert ingest_folder(first, docs, kb_scope=SCOPE).embedded == 0


def test_a_lost_index_file_is_refilled_from_the_cache(tmp_path, docs):
    with open_base(tmp_path / "home") as base:
        ingest_folder(base, docs, kb_scope=SCOPE)
    (tmp_path / "home" / "index.db").unlink()

    with open_base(tmp_path / "home") as base:
        summary = ingest_folder(base, docs, kb_scope=SCOPE)
        assert base.index.count() == summary.chunks

    assert (summary.unchanged, summary.embedded) == (0, 0)


def test_an_index_that_holds_other_rows_than_its_records_say_is_refilled(tmp_path, docs):
    with open_base(tmp_path / "home") as base:
        ingest_folder(base, docs, kb_scope=SCOPE)
        gone = base.records.documents()[0]
        base.index.current.delete(base.records.chunks(gone.doc_id), gone.version)

    with open_base(tmp_path / "home") as base:
        assert base.records.documents() == ()
        assert ingest_folder(base, docs, kb_scope=SCOPE).documents == 4


def test_two_knowledge_bases_share_a_home_without_seeing_each_other(tmp_path, docs):
    with open_base(tmp_path / "home", kb="one") as base:
        ingest_folder(base, docs, kb_scope=SCOPE)

    with open_base(tmp_path / "home", kb="two") as base:
        assert (base.index.count(), base.records.documents()) == (0, ())


def test_folder_and_files_are_their_owners_alone(tmp_path):
    with open_base(tmp_path / "home"):
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "home").glob("*.db*")}

        assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
        assert {"index.db", "records.db", "vectors.db"} <= modes.keys()
        assert set(modes.values()) == {0o600}


def test_a_question_is_embedded_once(tmp_path):
    model = CountingEmbedder()
    with open_base(tmp_path / "home", model) as base:
        base.query_vector("why")
        base.query_vector("why")

    assert model.texts == ["why"]


def server(home, uri):
    return LibrarySettings(home=home, kb="by address", precise_min=0.5, reference_min=0.2, uri=uri, timeout_s=1.0)


def test_a_server_that_does_not_answer_is_named(tmp_path):
    with pytest.raises(Misconfigured, match="127.0.0.1:9"):
        KnowledgeBase(server(tmp_path, "http://127.0.0.1:9"), CountingEmbedder(), SteppingClock())


def test_a_server_is_reached_by_its_address(tmp_path, docs, engine, segmenter):
    settings = server(tmp_path / "home", engine.address)

    with KnowledgeBase(settings, CountingEmbedder(), SteppingClock(), segmenter=segmenter) as base:
        assert ingest_folder(base, docs, kb_scope=SCOPE).documents == 4

    assert not (tmp_path / "home" / "index.db").exists()
