"""Folders into the index."""

import pytest

from state.model.errors import Misconfigured, ModelFailed
from tests.tools.knowledge.sample_docs import DOCS, SCOPE, CountingEmbedder, open_base, write_docs
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.records import DocumentState


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with open_base(tmp_path_factory.mktemp("ingest") / "home", CountingEmbedder()) as base:
        yield base


@pytest.fixture
def base(opened):
    """An empty knowledge base in the same engine."""
    opened.index.clear()
    opened.records.clear()
    opened.vectors.forget({key for (key,) in opened.vectors._connection.execute("SELECT text_sha256 FROM vector")})
    opened.embedder.texts.clear()
    opened.embedder.failures = 0
    return opened


def states(base):
    return {record.path: record.state for record in base.records.documents(SCOPE)}


def test_a_first_ingest_reads_and_embeds_everything(base, docs):
    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert (summary.documents, summary.chunks, summary.embedded, summary.reused) == (4, 8, 8, 0)
    assert (summary.unchanged, summary.removed, summary.failed, summary.duplicates) == (0, 0, (), ())
    assert summary.seconds == 1.0
    assert set(states(base).values()) == {DocumentState.READY}
    assert base.index.count() == 8


def test_a_second_ingest_embeds_nothing(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert (summary.unchanged, summary.embedded, summary.reused) == (4, 0, 8)


def test_one_changed_section_embeds_one_chunk(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    changed = DOCS["database/pool.md"].replace("peak", "summit")
    (docs / "database/pool.md").write_text(changed, encoding="utf-8")
    base.embedder.texts.clear()

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert (summary.unchanged, summary.embedded, summary.reused) == (3, 1, 7)
    assert "summit" in base.embedder.texts[0]


def test_a_shrunk_document_leaves_no_chunk_behind(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    (docs / "database/pool.md").write_text("# Pool\n\nshort\n", encoding="utf-8")

    ingest_folder(base, docs, kb_scope=SCOPE)

    assert base.index.count() == base.records.chunk_count() == 6


def test_a_deleted_document_leaves_index_records_and_vectors(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    (docs / "database/pool.md").unlink()

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert (summary.removed, summary.documents, base.index.count()) == (1, 3, 5)
    write_docs(docs)
    assert ingest_folder(base, docs, kb_scope=SCOPE).embedded == 3


def test_a_renamed_document_gets_a_new_identity_without_being_embedded_anew(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    before = {record.doc_id for record in base.records.documents(SCOPE)}
    (docs / "plain.md").rename(docs / "renamed.md")
    (docs / "plain.md").write_text("Something else entirely.\n", encoding="utf-8")

    ingest_folder(base, docs, kb_scope=SCOPE)

    assert len({record.doc_id for record in base.records.documents(SCOPE)} - before) == 1


def test_a_copy_of_a_document_is_named_and_not_indexed_twice(base, docs):
    (docs / "zz-copy.md").write_text(DOCS["plain.md"], encoding="utf-8")

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert [(d.path, d.why) for d in summary.duplicates] == [("zz-copy.md", "same as plain.md")]
    assert summary.documents == 4


def test_the_same_folder_in_another_scope_is_another_set_of_documents(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)

    summary = ingest_folder(base, docs, kb_scope="team-b")

    assert (summary.documents, summary.embedded, base.index.count()) == (4, 0, 16)


def test_other_chunk_settings_cut_anew(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    usual = base.chunk_settings
    base.chunk_settings = ChunkSettings(chunk_chars=300)

    try:
        assert ingest_folder(base, docs, kb_scope=SCOPE).unchanged == 0
    finally:
        base.chunk_settings = usual


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\x00\x01binary", "is not text"), (b"\xff\xff\xff\xfe", "is neither UTF-8 nor GB18030 text")],
)
def test_an_unreadable_document_fails_alone_and_says_why(base, docs, content, why):
    (docs / "bad.md").write_bytes(content)

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert [(p.path, p.why) for p in summary.failed] == [("bad.md", why)]
    assert summary.documents == 4
    assert states(base)["bad.md"] is DocumentState.FAILED


def test_a_document_that_becomes_unreadable_leaves_the_index(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)
    (docs / "plain.md").write_bytes(b"\x00")

    ingest_folder(base, docs, kb_scope=SCOPE)

    assert base.index.count() == base.records.chunk_count() == 7


def test_gb18030_text_is_read(base, docs):
    (docs / "gb.md").write_bytes("# 磁盘\n\n空间不足时先清理日志。\n".encode("gb18030"))

    ingest_folder(base, docs, kb_scope=SCOPE)

    assert {r.path: r.title for r in base.records.documents(SCOPE)}["gb.md"] == "磁盘"


def test_an_empty_document_is_ready_and_noted(base, docs):
    (docs / "empty.md").write_text("", encoding="utf-8")

    summary = ingest_folder(base, docs, kb_scope=SCOPE)

    assert [(p.path, p.why) for p in summary.noted] == [("empty.md", "has no text")]
    assert states(base)["empty.md"] is DocumentState.READY


def test_hidden_files_and_other_types_are_ignored(base, docs):
    for name in (".hidden.md", ".git/x.md", "picture.png", "data.json"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text(f"text {name}")

    assert ingest_folder(base, docs, kb_scope=SCOPE).documents == 4


def test_plain_text_files_are_read_where_asked_for(base, docs):
    (docs / "notes.txt").write_text("# no heading\n")

    summary = ingest_folder(base, docs, kb_scope=SCOPE, suffixes=frozenset({".md", ".txt"}))

    assert summary.documents == 5


def test_a_folder_that_is_not_there_deletes_nothing(base, docs):
    ingest_folder(base, docs, kb_scope=SCOPE)

    with pytest.raises(Misconfigured, match="is not a folder"):
        ingest_folder(base, docs / "typo", kb_scope=SCOPE)

    assert base.index.count() == 8


def test_a_model_that_stumbles_twice_is_asked_a_third_time(base, docs):
    # The first attempt is for all documents of a window, each later one for a single document.
    base.embedder.failures = 2

    assert ingest_folder(base, docs, kb_scope=SCOPE).documents == 4
    assert sorted(record.attempts for record in base.records.documents(SCOPE)) == [2, 2, 2, 3]


def test_a_model_that_stays_silent_stops_the_ingest_and_leaves_it_repeatable(base, docs):
    base.embedder.failures = 3

    with pytest.raises(ModelFailed):
        ingest_folder(base, docs, kb_scope=SCOPE)

    assert sorted(states(base).values()) == ["FAILED", "PENDING", "PENDING", "PENDING"]
    assert ingest_folder(base, docs, kb_scope=SCOPE).documents == 4


def test_a_model_that_refuses_is_not_asked_again(base, docs):
    base.embedder.failures = 2
    base.embedder.retryable = False

    with pytest.raises(ModelFailed):
        ingest_folder(base, docs, kb_scope=SCOPE)

    assert base.embedder.failures == 1
    base.embedder.retryable = True
