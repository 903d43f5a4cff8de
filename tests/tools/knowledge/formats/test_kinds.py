"""Which format a file is read as."""

import pytest

from tools.knowledge.formats.kinds import DocumentFormat, Unreadable, format_of, mismatch


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"# A", "a.md", "markdown"),
        (b"# A", "A.MARKDOWN", "markdown"),
        (b"<p>a", "a.htm", "html"),
        (b"plain", "a.txt", "text"),
        (b"\xef\xbb\xbf <!DOCTYPE html><p>a", "a.txt", "html"),
        (b"%PDF-1.7 ...", "a.pdf", "pdf"),
        (b"junk first %PDF-1.7", "a.txt", "pdf"),
        (b"PK\x03\x04...", "a.md", "docx"),
    ],
)
def test_content_wins_and_the_suffix_decides_among_texts(content, name, expected):
    assert format_of(content, name) is DocumentFormat(expected)


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"plain text", "a.pdf", "is named as pdf but holds something else"),
        (b"plain text", "a.docx", "is named as docx but holds something else"),
        (b"\x89PNG", "a.png", "is none of Markdown"),
        (b"no suffix", "README", "is none of Markdown"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "older or password-protected Office file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.docx", "older or password-protected Office file"),
    ],
)
def test_what_is_no_document_is_refused_with_a_reason(content, name, why):
    with pytest.raises(Unreadable, match=why):
        format_of(content, name)


def test_a_name_that_promises_another_format_is_noted():
    assert mismatch("a.txt", DocumentFormat.PDF) == "is named .txt but was read as pdf"
    assert mismatch("a.bin", DocumentFormat.PDF) == "has no known suffix and was read as pdf"
    assert mismatch("a.PDF", DocumentFormat.PDF) == ""
