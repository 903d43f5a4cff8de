"""PDFs into pieces."""

import pytest

from tests.tools.knowledge.sample_files import pdf, rewritten_pdf
from tools.knowledge.formats import pdf as module
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.formats.pdf import extract_pdf


def test_each_page_is_a_piece():
    found = extract_pdf(pdf(["Pool is full", "wait"], ["Second page"]))

    assert [piece.text for piece in found.pieces] == ["Pool is full\nwait", "Second page"]
    assert found.note == ""


def test_lines_that_the_outline_names_are_headings():
    plain = pdf(["Pool exhausted", "text one", "Disk full", "text two"], ["text three"])

    found = extract_pdf(
        rewritten_pdf(plain, title="Book", outline=[("Pool  exhausted", 0), ("Disk Full", 0), ("Absent", 1)])
    )

    assert [(piece.kind.value, piece.level, piece.text) for piece in found.pieces] == [
        ("heading", 1, "Pool exhausted"),
        ("text", 0, "text one"),
        ("heading", 1, "Disk full"),
        ("text", 0, "text two"),
        ("text", 0, "text three"),
    ]
    assert found.title == "Book"


def test_pages_without_text_are_counted():
    assert extract_pdf(pdf(["text"], [], [])).note == "2 of 3 pages hold no text"


def test_a_scanned_file_says_what_it_needs():
    with pytest.raises(Unreadable, match="need text recognition"):
        extract_pdf(pdf([], []))


def test_a_password_is_named():
    with pytest.raises(Unreadable, match="protected by a password"):
        extract_pdf(rewritten_pdf(pdf(["text"]), password="secret"))


def test_a_file_that_only_forbids_changes_is_read():
    found = extract_pdf(rewritten_pdf(pdf(["text"]), owner="owner"))

    assert [piece.text for piece in found.pieces] == ["text"]


@pytest.mark.parametrize("content", [b"%PDF-1.4\n", b"%PDF-1.4\n%%EOF", b"%PDF-1.7" + b"\xff" * 500, pdf(["x"])[:300]])
def test_a_broken_file_is_refused_by_our_own_words(content):
    with pytest.raises(Unreadable, match="no complete PDF|protected"):
        extract_pdf(content)


def test_too_many_pages_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_PAGES", 2)

    with pytest.raises(Unreadable, match="more than 2 pages"):
        extract_pdf(pdf(["a"], ["b"], ["c"]))
