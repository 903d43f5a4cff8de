"""Files and folders of a command line."""

from pathlib import Path

import pytest

from state.model.errors import Misconfigured
from tests.tools.knowledge.library_room import SCOPE, Ids, found
from tests.tools.knowledge.sample_docs import CountingEmbedder, open_base, write_docs
from tests.tools.knowledge.sample_files import pdf
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.ingest_paths import ingest_paths


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with open_base(tmp_path_factory.mktemp("paths") / "home", CountingEmbedder()) as opened:
        yield opened


@pytest.fixture
def library(base):
    base.index.clear()
    base.records.clear()
    base.records.file.rows("DELETE FROM job")
    return DocumentLibrary(base, Ids())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runbooks = write_docs(tmp_path / "runbooks")
    (runbooks / "page.pdf").write_bytes(pdf(["Pool on a page"]))
    (runbooks / "scan.pdf").write_bytes(pdf([]))
    (runbooks / "logo.png").write_bytes(b"\x89PNG")
    (runbooks / ".draft.md").write_text("# Draft")
    (runbooks / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "note.txt").write_text("a single note")
    return tmp_path


def test_everything_named_is_taken_or_named(base, library, folder):
    told = []

    summary = ingest_paths(library, [folder / "runbooks", folder / "note.txt"], kb_scope=SCOPE, progress=told.append)

    assert (summary.added, summary.unchanged) == (6, 0)
    assert [(p.path, p.why.split(":")[0]) for p in summary.failed] == [("runbooks/scan.pdf", "holds no text")]
    assert {p.path: p.why for p in summary.ignored} == {
        "runbooks/out.md": "leads out of the folder",
        "runbooks/.draft.md": "is hidden",
        "runbooks/logo.png": "is none of Markdown, HTML, plain text, PDF or Word (.docx)",
    }
    assert [step.done for step in told] == [1, 2, 3, 4, 5, 6, 7]
    assert {step.total for step in told} == {7}
    assert {record.path for record in library.documents(SCOPE)} >= {"runbooks/database/pool.md", "note.txt"}
    assert "Pool on a page" in found(base, "pool")


def test_a_second_time_nothing_is_done(base, library, folder):
    ingest_paths(library, [folder / "runbooks"], kb_scope=SCOPE)
    base.embedder.texts.clear()
    (folder / "runbooks/scan.pdf").unlink()

    summary = ingest_paths(library, [folder / "runbooks", folder / "runbooks/plain.md"], kb_scope=SCOPE)

    assert (summary.added, summary.unchanged, base.embedder.texts) == (0, 5, [])


def test_a_path_that_is_not_there_stops_before_anything_is_added(library, folder):
    with pytest.raises(Misconfigured, match="typo does not exist"):
        ingest_paths(library, [folder / "note.txt", folder / "typo"], kb_scope=SCOPE)

    assert library.documents(SCOPE) == ()
