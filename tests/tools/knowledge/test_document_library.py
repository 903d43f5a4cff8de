"""Documents that are added and deleted one by one."""

import threading

import pytest

from state.model.errors import Misconfigured
from tests.tools.knowledge.library_room import SCOPE, Ids, MovedClock, add, found, state
from tests.tools.knowledge.sample_docs import CountingEmbedder, open_base
from tests.tools.knowledge.sample_files import pdf, word
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.document_library import DocumentLibrary, DocumentRefused
from tools.knowledge.formats.kinds import MAX_FILE_BYTES
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.milvus_index import MilvusIndex
from tools.knowledge.records import DocumentState
from tools.knowledge.task_runner import TaskRunner
from tools.knowledge.tasks import Task, Tasks


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with open_base(tmp_path_factory.mktemp("library") / "home", CountingEmbedder()) as base:
        base.clock = MovedClock()
        yield base


@pytest.fixture
def base(opened):
    """An empty knowledge base in the same engine."""
    opened.index.clear()
    opened.records.clear()
    opened.records.file.rows("DELETE FROM job")
    opened.vectors.forget({key for (key,) in opened.vectors._connection.execute("SELECT text_sha256 FROM vector")})
    opened.embedder.texts.clear()
    opened.embedder.failures = 0
    opened.embedder.retryable = True
    return opened


@pytest.fixture
def library(base):
    return DocumentLibrary(base, Ids())


def test_an_added_document_waits_and_is_then_found(base, library):
    added = add(library, "# Pool\n\nThe pool is full.\n", category="Data  Base")

    assert (added.document.state, added.task_id, added.is_duplicate) == (DocumentState.PENDING, "task-1", False)
    assert found(base, "pool") == []
    assert library.run_due() == 1
    assert library.task("task-1", kb_scope=SCOPE).state is DocumentState.READY
    record = library.document(added.document.doc_id, kb_scope=SCOPE)
    assert (record.state.value, record.title, record.category, record.format) == (
        "READY",
        "Pool",
        "data base",
        "markdown",
    )
    assert found(base, "pool") == ["# Pool\n\nThe pool is full."]
    assert library.run_due() == 0


def test_every_format_is_taken(base, library):
    add(library, pdf(["Pool from a page"]), "a.pdf")
    add(library, word(lambda document: document.add_paragraph("Pool from a letter")), "a.docx")
    add(library, "<h1>Pool from the web</h1><p>text", "a.html")
    add(library, "Pool from a note", "a.txt")

    assert library.run_due() == 4
    assert {record.format for record in library.documents(SCOPE)} == {"pdf", "docx", "html", "text"}
    assert len(found(base, "pool")) == 4


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (pdf([], []), "a.pdf", "need text recognition"),
        (b"%PDF-1.4 broken", "a.pdf", "is no complete PDF"),
        (b"a\0b", "a.md", "is not text"),
        (b"\x89PNG", "a.png", "is none of Markdown"),
    ],
)
def test_what_cannot_be_read_has_failed_with_one_sentence(base, library, content, name, why):
    added = add(library, content, name)
    library.run_due()

    task = library.task(added.task_id, kb_scope=SCOPE)
    assert (task.state.value, task.attempts) == ("FAILED", 1)
    assert why in task.problem
    assert state(library, name) == ("FAILED", task.problem)
    assert base.index.count() == 0


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"", "a.md", "is empty"),
        (b"x" * (MAX_FILE_BYTES + 1), "a.md", "larger than 20 MiB"),
        (b"x", " / ", "needs a name"),
        (b"x", "../..", "needs a name"),
        (b"x", "n" * 301, "needs a name"),
    ],
)
def test_what_can_never_be_a_document_is_refused_at_once(library, content, name, why):
    with pytest.raises(DocumentRefused, match=why):
        add(library, content, name)

    assert library.documents(SCOPE) == ()


def test_a_name_leads_nowhere(library):
    assert add(library, "x", "../../etc/./pass\nwd.md").document.path == "etc/pass wd.md"


def test_the_same_bytes_answer_with_the_document_that_has_them(library):
    first = add(library, "# Pool\n")
    again = add(library, "# Pool\n")
    library.run_due()
    other_name = add(library, "# Pool\n", "b.md", category="other")

    assert (again.is_duplicate, again.task_id, again.document.doc_id) == (True, first.task_id, first.document.doc_id)
    assert (other_name.is_duplicate, other_name.task_id, other_name.document.path) == (True, None, "a.md")
    assert len(library.documents(SCOPE)) == 1


def test_another_scope_has_its_own_documents(base, library):
    mine = add(library, "# Pool\n\nx\n")
    other = add(library, "# Pool\n\nx\n", scope="team-b")
    library.run_due()

    assert not other.is_duplicate
    assert library.document(other.document.doc_id, kb_scope=SCOPE) is None
    assert library.task(other.task_id, kb_scope=SCOPE) is None
    assert not library.delete(other.document.doc_id, kb_scope=SCOPE)
    assert found(base, "pool", scope="team-b") == ["# Pool\n\nx"]
    assert library.delete(mine.document.doc_id, kb_scope=SCOPE)
    assert found(base, "pool", scope="team-b") == ["# Pool\n\nx"]


def test_other_chunk_settings_or_category_take_the_same_bytes_in_again(library):
    text = "# Pool\n\n" + "word " * 300
    add(library, text)
    library.run_due()
    smaller = add(library, text, chunks=ChunkSettings(chunk_chars=200, overlap_chars=0))
    library.run_due()
    filed = add(library, text, chunks=ChunkSettings(chunk_chars=200, overlap_chars=0), category="DB")
    library.run_due()

    assert (smaller.is_duplicate, filed.is_duplicate) == (False, False)
    (record,) = library.documents(SCOPE)
    assert (ChunkSettings.model_validate_json(record.settings).chunk_chars, record.category) == (200, "db")
    assert library.chunk_count(record.doc_id) >= 7


def pages(word="full") -> str:
    sections = (f"Page {n}. " + " ".join(f"sentence{n}x{m} of the page." for m in range(40)) for n in range(100))
    return "\n\n".join(sections).replace("sentence50x20", word)


def test_one_changed_word_of_a_long_document_embeds_about_one_chunk(base, library):
    add(library, pages(), "long.txt")
    library.run_due()
    whole = len(base.embedder.texts)

    changed = add(library, pages("empty"), "long.txt")
    library.run_due()

    task = library.task(changed.task_id, kb_scope=SCOPE)
    assert whole > 100
    assert 1 <= task.embedded <= 3
    assert task.embedded + task.reused == library.chunk_count(changed.document.doc_id) == base.index.count()


def test_a_changed_document_replaces_the_old_one_and_its_file(base, library):
    first = add(library, "# Pool\n\nold words\n")
    library.run_due()
    add(library, "# Pool\n\nnew words\n")
    library.run_due()

    assert found(base, "words") == ["# Pool\n\nnew words"]
    assert not library._files.has(first.document.sha256)
    assert base.records.hidden() == frozenset()


class Watched:
    """Asks a question of the index before and after each call that changes it."""

    def __init__(self, base, ask) -> None:
        self.base, self.ask, self.seen = base, ask, []

    def __enter__(self):
        for name in ("upsert", "delete_versions"):
            self._wrap(name)
        return self

    def __exit__(self, *_):
        for name in ("upsert", "delete_versions"):
            delattr(self.base.index.current, name)

    def _wrap(self, name):
        inner = getattr(self.base.index.current, name)

        def wrapped(*arguments):
            self.seen.append(self.ask())
            inner(*arguments)
            self.seen.append(self.ask())

        setattr(self.base.index.current, name, wrapped)


def test_no_search_sees_a_document_half_old_and_half_new(base, library):
    old = "\n\n".join(f"# Pool {n}\n\nold {n}" for n in range(3))
    new = "\n\n".join(f"# Pool {n}\n\nnew {n}" for n in range(5))
    add(library, old)
    library.run_due()
    add(library, new)

    with Watched(base, lambda: found(base, "pool")) as watched:
        library.run_due()

    before, after = (sorted(text.split("\n\n# ")) for text in (old, new))
    assert len(watched.seen) == 4
    assert [len(seen) for seen in watched.seen] == [len(before), len(before), len(after), len(after)]
    assert all("old" in text for seen in watched.seen[:2] for text in seen)
    assert all("new" in text for seen in watched.seen[2:] for text in seen)


def test_a_newer_file_that_cannot_be_read_leaves_the_old_document_searchable(base, library):
    add(library, "# Pool\n\nold words\n")
    library.run_due()
    added = add(library, b"a\0b")
    library.run_due()

    assert library.task(added.task_id, kb_scope=SCOPE).state is DocumentState.FAILED
    assert state(library) == ("READY", "a newer file of this name was not taken: is not text")
    assert found(base, "words") == ["# Pool\n\nold words"]


def test_a_model_that_stumbles_is_asked_again_after_a_while(base, library):
    base.embedder.failures = 2
    added = add(library, "# Pool\n\nx\n")

    assert library.run_due() == 1
    assert state(library) == ("PENDING", "model call failed: connect")
    assert library.run_due() == 0
    base.clock.moved_s += 3
    assert library.run_due() == 1
    base.clock.moved_s += 11
    assert library.run_due() == 1
    task = library.task(added.task_id, kb_scope=SCOPE)
    assert (task.state.value, task.attempts, state(library)) == ("READY", 3, ("READY", ""))


def test_three_attempts_are_the_end_and_adding_again_begins_anew(base, library):
    base.embedder.failures = 3
    add(library, "# Pool\n\nx\n")
    for _ in range(3):
        library.run_due()
        base.clock.moved_s += 60

    assert state(library) == ("FAILED", "model call failed: connect")
    assert not add(library, "# Pool\n\nx\n").is_duplicate
    library.run_due()
    assert state(library)[0] == "READY"


def test_one_bad_document_does_not_take_its_neighbours_along(base, library, monkeypatch):
    inner = MilvusIndex.upsert

    def picky(index, rows):
        if any("poison" in row.content for row in rows):
            raise IndexUnavailable("upsert")
        inner(index, rows)

    monkeypatch.setattr(MilvusIndex, "upsert", picky)
    for name in ("a", "b", "c"):
        add(library, f"# {name}\n\n{'poison' if name == 'b' else 'fine'} {name}\n", f"{name}.md")
    library.run_due()

    assert [state(library, f"{name}.md")[0] for name in ("a", "b", "c")] == ["READY", "PENDING", "READY"]


def test_a_job_of_a_worker_that_died_is_taken_up_again(base, library):
    added = add(library, "# Pool\n\nx\n")
    (claimed,) = library._tasks.claim(8, now=base.clock.now().timestamp())
    base.records.put(added.document.model_copy(update={"state": DocumentState.PROCESSING}))

    assert claimed.state is DocumentState.PROCESSING
    assert library.run_due() == 1
    assert state(library)[0] == "READY"


def test_rows_that_a_killed_writer_left_are_never_seen_and_go_at_the_next_opening(base, library, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    add(library, "# Pool\n\nold\n")
    library.run_due()
    add(library, "# Pool\n\nnew\n")
    with monkeypatch.context() as patched:
        patched.setattr(type(base.records), "bring_in_force", killed)
        with pytest.raises(KeyboardInterrupt):
            library.run_due()

    assert (found(base, "pool"), base.index.count()) == (["# Pool\n\nold"], 2)
    base.recover()
    assert base.index.count() == 1
    assert DocumentLibrary(base, Ids()).run_due() == 1
    assert found(base, "pool") == ["# Pool\n\nnew"]


def on_disk(home) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file() and not path.name.startswith("."))


def test_a_deleted_document_is_gone_from_every_file(base, library):
    add(library, "# Kept words\n\nkeptword\n", "kept.md")
    gone = add(library, "---\ntitle: Goneword title\n---\n# Goneword\n\ngoneword stays nowhere\n", "gone.md")
    library.run_due()
    assert b"goneword" in on_disk(base.home).lower()

    assert library.delete(gone.document.doc_id, kb_scope=SCOPE)

    assert b"goneword" not in on_disk(base.home).lower()
    assert b"keptword" in on_disk(base.home)
    assert found(base, "words") == ["# Kept words\n\nkeptword"]
    assert library.task(gone.task_id, kb_scope=SCOPE) is None
    vectors = base.vectors._connection.execute("SELECT count(*) FROM vector").fetchone()
    assert vectors == (1,)
    assert not library.delete(gone.document.doc_id, kb_scope=SCOPE)


def test_a_vector_that_another_document_needs_survives_a_deletion(base, library):
    shared = "---\ntitle: T\n---\nshared text\n"
    first = add(library, shared, "a.md")
    add(library, shared + "\n", "b.md")
    library.run_due()
    base.embedder.texts.clear()
    library.delete(first.document.doc_id, kb_scope=SCOPE)
    add(library, shared + "\n\n", "c.md")
    library.run_due()

    assert base.embedder.texts == []


def test_secrets_are_in_no_file_but_the_stored_original(base, library):
    add(library, "# Login\n\npassword: hunter2secret77\n")
    library.run_due()

    indexed = b"".join(path.read_bytes() for path in base.home.glob("[a-z]*.db*"))
    assert b"hunter2secret77" not in indexed
    assert "REDACTED" in found(base, "login")[0]


def test_files_are_their_owners_alone(base, library):
    add(library, "# Pool\n")

    (stored,) = (base.home / "files").iterdir()
    assert (stored.stat().st_mode & 0o777, stored.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_bytes_that_are_not_recorded_yet_are_not_cleaned_away(base, library, monkeypatch):
    recorded = Tasks.put
    cleaning = threading.Thread(target=library._work.drop_unused_files)

    def while_cleaning(tasks: Tasks, task: Task) -> None:
        cleaning.start()
        cleaning.join(0.2)
        recorded(tasks, task)

    monkeypatch.setattr(Tasks, "put", while_cleaning)
    added = add(library, "# Pool\n\nx\n")
    monkeypatch.undo()
    cleaning.join(10)

    assert not cleaning.is_alive()
    assert library._files.has(added.document.sha256)


def test_a_runner_works_off_what_others_add(base, library):
    with TaskRunner(library, poll_s=0.01) as runner:
        added = add(library, "# Pool\n\nx\n")
        runner.wake()
        for _ in range(1000):
            if library.task(added.task_id, kb_scope=SCOPE).state is DocumentState.READY:
                break
            runner._ending.wait(0.01)

    assert state(library)[0] == "READY"


def test_where_another_process_holds_the_index_adding_works_and_deleting_says_why(tmp_path):
    with open_base(tmp_path / "home") as holder, open_base(tmp_path / "home") as second:
        ours, theirs = DocumentLibrary(holder, Ids()), DocumentLibrary(second, Ids())
        theirs._ids.count = 100
        added = add(theirs, "# Pool\n\nfull\n")

        assert (theirs.holds_index, theirs.run_due()) == (False, 0)
        assert ours.run_due() == 1
        assert theirs.task(added.task_id, kb_scope=SCOPE).state is DocumentState.READY
        assert found(holder, "pool") == ["# Pool\n\nfull"]
        with pytest.raises(Misconfigured, match="another process holds the index"):
            theirs.delete(added.document.doc_id, kb_scope=SCOPE)
        theirs.close()


def test_a_private_copy_searches_what_the_holder_had(tmp_path):
    with open_base(tmp_path / "home") as holder:
        library = DocumentLibrary(holder, Ids())
        add(library, "# Pool\n\nfull\n")
        library.run_due()
        with open_base(tmp_path / "home") as second:
            assert found(second, "pool") == ["# Pool\n\nfull"]
            assert second.notices != ()


def test_documents_of_a_lost_index_are_queued_again_from_their_files(tmp_path):
    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        add(library, "# Pool\n\nfull\n")
        library.run_due()
    (tmp_path / "home" / "index.db").unlink()

    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        assert state(library)[0] == "PENDING"
        library.run_due()
        assert found(base, "pool") == ["# Pool\n\nfull"]


def test_another_embedding_model_takes_the_documents_over(tmp_path):
    with open_base(tmp_path / "home") as base:
        library = DocumentLibrary(base, Ids())
        add(library, "# Pool\n\nfull\n")
        library.run_due()
    other = CountingEmbedder()
    other.name = "another"

    with open_base(tmp_path / "home", other) as base:
        library = DocumentLibrary(base, Ids())
        assert [record.state.value for record in library.documents(SCOPE)] == ["PENDING"]
        library.run_due()
        assert found(base, "pool") == ["# Pool\n\nfull"]
