"""What of a folder is opened, and under which name it is known."""

import os
import socket

import pytest

from tests.tools.knowledge.reading import read_document
from tests.tools.knowledge.sample_docs import SCOPE, CountingEmbedder, open_base
from tools.knowledge import catalogue
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.folder import MARKDOWN, documents_of, read_file, shown_path
from tools.knowledge.ingest import ingest_folder

SECRETS = ("hunter2X9", "Tkn77Qwx8812ab", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "jane.secret", "FileQ77x9")
DOCUMENT = (
    "---\ntitle: Pool password=hunter2X9\nkeywords: [pool, 'token=Tkn77Qwx8812ab']\n"
    "category: mail jane.secret@example.com\nsummary: log in with password hunter2X9\n---\n"
    "# Pool **password**=hunter2X9\n\n"
    "**Password:** `hunter2X9`. Log in with password=hunter2X9 and"
    " ghp_16C7e42F292c6912E7710c838347Ae178B4a or mail jane.secret@example.com.\n"
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "knowledge"
    (folder / "sub").mkdir(parents=True)
    (folder / "good.md").write_text("# Good\n\ntext\n", encoding="utf-8")
    return folder


def test_links_out_pipes_sockets_and_devices_are_named_and_never_opened(folder):
    (folder.parent / "secret.md").write_text("# Secret\n\nx\n", encoding="utf-8")
    (folder / "out.md").symlink_to("../secret.md")
    (folder / "sub/outside").symlink_to("/etc")
    (folder / "zero.md").symlink_to("/dev/zero")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "near.md").symlink_to("good.md")
    os.mkfifo(folder / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "s.md"))

    found = documents_of(folder, MARKDOWN)

    assert [path.as_posix() for path in found.paths] == ["good.md", "near.md"]
    assert {problem.path: problem.why for problem in found.ignored} == {
        "loop.md": "leads out of the folder",
        "out.md": "leads out of the folder",
        "pipe.md": "is not a regular file",
        "s.md": "is not a regular file",
        "sub/outside": "leads out of the folder",
        "zero.md": "leads out of the folder",
    }


def test_a_file_that_became_a_link_after_it_was_listed_is_not_read(folder):
    found = documents_of(folder, MARKDOWN)
    (folder / "good.md").unlink()
    (folder / "good.md").symlink_to("/etc/hosts")

    assert read_file(folder, found.paths[0]).content is None


def test_a_name_that_holds_a_secret_or_no_text_is_known_by_a_clean_one(folder):
    (folder / "password=FileQ77x9.md").write_text("# A\n\na\n", encoding="utf-8")
    (folder / "password=FileQ77x8.md").write_text("# B\n\nb\n", encoding="utf-8")
    with open(os.fsencode(folder) + b"/bad\xff.md", "w", encoding="utf-8") as file:
        file.write("# C\n\nc\n")

    names = [shown_path(path) for path in documents_of(folder, MARKDOWN).paths]

    assert len(set(names)) == 4
    assert not [name for name in names if "FileQ77" in name]
    assert all(name.encode() for name in names)


def test_nothing_that_is_stored_or_shown_of_a_document_holds_its_secrets(folder, tmp_path):
    (folder / "token=FileQ77x9.md").write_text(DOCUMENT, encoding="utf-8")
    os.mkfifo(folder / "pipe.md")
    embedder = CountingEmbedder()

    with open_base(tmp_path / "home", embedder) as base:
        summary = ingest_folder(base, folder, kb_scope=SCOPE)
        again = ingest_folder(base, folder, kb_scope=SCOPE)
        records = base.records.documents(SCOPE)
        shown = catalogue.describe("kb", records, return_n=5) + " ".join(catalogue.terms("kb", records))

    stored = b"".join(path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file())
    told = "\n".join([*embedder.texts, shown, repr(records), repr(summary)])
    assert not [secret for secret in SECRETS if secret.encode() in stored or secret in told]
    assert [problem.path for problem in summary.ignored] == ["pipe.md"]
    assert (summary.documents, again.unchanged, again.embedded) == (2, 2, 0)
    assert "REDACTED" not in " ".join(catalogue.terms("kb", records))


@pytest.mark.parametrize("title", ["9" * 15_000, "1" + ":59" * 5000, '"\\ud800"', "0x" + "f" * 15_000, "!!int ''"])
def test_a_head_with_a_hostile_title_is_noted_and_kept_as_body(title):
    text = f"---\ntitle: {title}\n---\n# Pool\n\ntext\n"

    document = read_document(text, path="a.md", kb_scope=SCOPE, settings=ChunkSettings())

    assert document.problem
    assert "".join(chunk.content for chunk in document.chunks).encode()
    assert any("text" in chunk.content for chunk in document.chunks)
