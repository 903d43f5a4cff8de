"""A new index beside the old one."""

import threading

import pytest

from state.model.errors import Misconfigured, ModelFailed
from tests.tools.knowledge.library_room import SCOPE, Ids, add, found, state
from tests.tools.knowledge.sample_docs import CountingEmbedder, open_base
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.rebuilding import CODE, RebuildInProgress, RebuildStopped

LONG = "# Pool\n\n" + " ".join(f"word{n}." for n in range(120))


@pytest.fixture
def base(tmp_path):
    with open_base(tmp_path / "home", CountingEmbedder()) as opened:
        yield opened


@pytest.fixture
def library(base):
    made = DocumentLibrary(base, Ids())
    add(made, LONG)
    add(made, "# Disk\n\nfull\n", "b.md")
    made.run_due()
    return made


class Paused(CountingEmbedder):
    """Stops at the first text that is embedded, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.let_go = threading.Event(), threading.Event()

    def embed(self, texts):
        if any("word119" in text for text in texts):
            self.reached.set()
            assert self.let_go.wait(30)
        return super().embed(texts)


def test_other_chunk_settings_are_in_force_at_once_and_searches_never_stop(base, library):
    before = found(base, "pool")
    base.embedder = paused = Paused()
    thread = threading.Thread(
        target=library.rebuild, kwargs={"chunks": ChunkSettings(chunk_chars=200, overlap_chars=0)}
    )
    thread.start()
    assert paused.reached.wait(30)

    assert library.is_rebuilding
    during = found(base, "pool")
    for refused in (
        lambda: add(library, "# New\n", "n.md"),
        lambda: library.delete("x", kb_scope=SCOPE),
        library.rebuild,
    ):
        with pytest.raises(RebuildInProgress) as caught:
            refused()
    paused.let_go.set()
    thread.join()

    assert caught.value.code == CODE == "E_REBUILD_IN_PROGRESS"
    assert during == before
    assert len(found(base, "pool")) > len(before)
    assert not library.is_rebuilding
    assert {ChunkSettings.model_validate_json(record.settings).chunk_chars for record in library.documents(SCOPE)} == {
        200
    }
    assert not add(library, "# New\n\nx\n", "n.md").is_duplicate


def test_a_rebuild_without_changes_embeds_nothing_and_leaves_one_collection(base, library):
    summary = library.rebuild()
    again = library.rebuild()

    assert (summary.documents, summary.embedded, again.embedded, summary.failed) == (2, 0, 0, 0)
    assert base.records.collection.endswith("_g2")
    assert base.index._index._client.list_collections() == [base.records.collection]
    assert base.index.count() == base.records.chunk_count() == summary.chunks


def test_what_was_rebuilt_is_there_after_reopening(tmp_path):
    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        add(library, LONG)
        library.run_due()
        library.rebuild()

    with open_base(tmp_path / "home") as base:
        assert found(base, "pool") == [LONG.strip()]
        assert DocumentLibrary(base, Ids()).waiting() == ()


def test_a_model_that_fails_leaves_the_old_index_and_no_other(base, library):
    base.embedder.failures = 9

    with pytest.raises(ModelFailed):
        library.rebuild(chunks=ChunkSettings(chunk_chars=300, overlap_chars=0))

    base.embedder.failures = 0
    assert base.index._index._client.list_collections() == [base.records.collection] == [base.records.base]
    assert len(found(base, "pool")) == 2
    assert not library.is_rebuilding


def test_a_rebuild_that_was_killed_is_cleared_away_at_the_next_opening(tmp_path, monkeypatch):
    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        add(library, LONG)
        library.run_due()
        new = f"{base.records.base}_g1"
        base.records.begin_building(new)
        base.index.open(new)
        base.records.of_collection(new).put(library.documents(SCOPE)[0])

    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        assert not library.is_rebuilding
        assert base.index._index._client.list_collections() == [base.records.base]
        assert found(base, "pool") == [LONG.strip()]
        assert base.records.of_collection(new).documents() == ()


def test_a_killed_rebuild_does_not_block_a_library_that_is_open(base, library):
    base.records.begin_building(f"{base.records.base}_g1")

    assert not add(library, "# New\n\nx\n", "n.md").is_duplicate


def test_a_stored_file_that_is_gone_is_named_and_nothing_changes(base, library):
    library._files.delete(library.documents(SCOPE)[0].sha256)

    with pytest.raises(Misconfigured, match=r"a\.md is gone"):
        library.rebuild()

    assert len(found(base, "pool")) == 2


def test_a_newer_file_that_waits_goes_on_waiting(base, library):
    add(library, "# Pool\n\nnewer\n")
    library.rebuild()

    assert state(library) == ("PENDING", "")
    library.run_due()
    assert found(base, "newer") == ["# Disk\n\nfull", "# Pool\n\nnewer"]


def test_one_that_is_stopped_leaves_the_old_index_and_no_other(base, library):
    before = base.records.collection

    with pytest.raises(RebuildStopped):
        library.rebuild(is_stopped=lambda: True)

    assert base.index._index._client.list_collections() == [before] == [base.records.collection]
    assert not library.is_rebuilding
    assert len(found(base, "pool")) > 0


def test_searches_answer_in_full_while_files_are_rewritten(base, library):
    ended, failures, numbers = threading.Event(), [], set()

    def search():
        while not ended.is_set():
            try:
                numbers.add(len(found(base, "pool disk full")))
            except IndexUnavailable as error:
                failures.append(error.detail)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        library.rebuild()
    ended.set()
    for thread in threads:
        thread.join()

    assert (failures, numbers) == ([], {2})
