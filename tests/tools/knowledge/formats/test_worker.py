"""The parsing process, and the one entrance to all formats."""

import os
import signal
import threading

import pytest

from tests.tools.knowledge.sample_files import pdf, word
from tools.knowledge.formats import child, read_file
from tools.knowledge.formats.extracted import Extracted
from tools.knowledge.formats.kinds import MAX_FILE_BYTES, DocumentFormat, Unreadable
from tools.knowledge.formats.worker import ParsingProcess


@pytest.fixture(scope="module")
def parser():
    process = ParsingProcess(timeout_s=30)
    yield process
    process.close()


def test_all_formats_come_through_the_same_entrance(parser):
    files = {
        "a.md": b"---\ntitle: M\n---\n# H\n",
        "a.txt": b"---\ntitle: T\n---\ntext\n",
        "a.html": b"---\ntitle: F\n---\n<title>P</title><meta name=keywords content=k><h1>H</h1>",
        "b.html": b"<title>P</title><p>text",
        "a.pdf": pdf(["text"]),
        "a.docx": word(lambda document: document.add_paragraph("text")),
    }

    found = {name: read_file.read_file(content, name, parser) for name, content in files.items()}

    assert {name: file.format.value for name, file in found.items()} == {
        "a.md": "markdown", "a.txt": "text", "a.html": "html", "b.html": "html", "a.pdf": "pdf", "a.docx": "docx",
    }  # fmt: skip
    assert [found[name].head.title for name in ("a.md", "a.txt", "a.html", "b.html")] == ["M", "T", "F", "P"]
    assert found["a.html"].head.keywords == ("k",)
    assert all(file.markdown or file.pieces for file in found.values())


def test_a_refusal_comes_back_as_its_sentence_and_the_process_goes_on(parser):
    with pytest.raises(Unreadable, match="no complete PDF"):
        parser.extract(DocumentFormat.PDF, b"%PDF-broken")

    assert parser.extract(DocumentFormat.PDF, pdf(["next"])).pieces[0].text == "next"


def test_a_file_that_takes_too_long_ends_its_process_and_only_itself():
    parser = ParsingProcess(timeout_s=0.5)
    slow = pdf(*[["word " * 50] * 40] * 400)

    with pytest.raises(Unreadable, match="takes too long"):
        parser.extract(DocumentFormat.PDF, slow)

    assert parser._child is None
    parser._timeout_s = 30
    assert parser.extract(DocumentFormat.PDF, pdf(["next"])).pieces[0].text == "next"
    parser.close()


def test_a_process_that_dies_is_replaced():
    parser = ParsingProcess()
    parser.extract(DocumentFormat.PDF, pdf(["first"]))
    os.kill(parser._child.pid, signal.SIGSTOP)
    victim = parser._child.pid
    killer = threading.Timer(0.2, os.kill, (victim, signal.SIGKILL))
    killer.start()

    with pytest.raises(Unreadable, match="its parser ended"):
        parser.extract(DocumentFormat.PDF, pdf(["second"]))

    assert parser.extract(DocumentFormat.PDF, pdf(["third"])).pieces[0].text == "third"
    killer.join()
    parser.close()


def test_a_process_serves_a_limited_number_of_files(monkeypatch):
    monkeypatch.setattr("tools.knowledge.formats.worker.FILES_A_PROCESS", 1)
    parser = ParsingProcess()
    parser.extract(DocumentFormat.HTML, b"<p>a")
    first = parser._child.pid
    parser.extract(DocumentFormat.HTML, b"<p>a")

    assert parser._child.pid != first
    parser.close()


def test_closing_ends_the_process():
    parser = ParsingProcess()
    parser.extract(DocumentFormat.HTML, b"<p>a")
    pid = parser._child.pid
    parser.close()
    parser.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_memory_is_limited(monkeypatch):
    def exhausted(format_, content):
        raise MemoryError

    monkeypatch.setattr(child, "_extract", exhausted)

    assert child._answer(DocumentFormat.PDF, b"") == {"why": child.TOO_MUCH_MEMORY}


def test_a_text_beyond_the_bound_is_refused(monkeypatch):
    monkeypatch.setattr(child, "MAX_TEXT_CHARS", 10)
    monkeypatch.setattr(child, "_extract", lambda format_, content: Extracted(markdown="x" * 11))

    assert "more than 10 characters" in str(child._answer(DocumentFormat.HTML, b"")["why"])


class NoParser:
    def extract(self, format_, content):
        raise AssertionError("no parser is needed")


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"x" * (MAX_FILE_BYTES + 1), "a.md", "larger than 20 MiB"),
        (b"a\n" * 200_001, "a.md", "more than 200000 lines"),
        (b"x" * 4_000_001, "a.txt", "more than 4000000 characters"),
        (b"a\0", "a.md", "is not text"),
    ],
)
def test_size_is_bounded_before_anything_is_parsed(content, name, why):
    with pytest.raises(Unreadable, match=why):
        read_file.read_file(content, name, NoParser())


def test_a_note_names_the_mismatch(parser):
    assert read_file.read_file(pdf(["x"]), "a.txt", parser).note == "is named .txt but was read as pdf"
