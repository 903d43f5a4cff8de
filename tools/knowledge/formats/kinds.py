"""Which format a file has, told by its content first and its name second. Pure."""

from enum import StrEnum
from pathlib import PurePosixPath

MAX_FILE_BYTES = 20 * 1024 * 1024
"""A larger file is refused before anything reads it."""
_PDF_WITHIN = 1024
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HTML_STARTS = ("<!doctype html", "<html")


class DocumentFormat(StrEnum):
    """What a document is written in."""

    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    PDF = "pdf"
    DOCX = "docx"


SUFFIXES = {
    ".md": DocumentFormat.MARKDOWN,
    ".markdown": DocumentFormat.MARKDOWN,
    ".html": DocumentFormat.HTML,
    ".htm": DocumentFormat.HTML,
    ".txt": DocumentFormat.TEXT,
    ".pdf": DocumentFormat.PDF,
    ".docx": DocumentFormat.DOCX,
}
"""Lower-case endings of names that are read."""
ALL_SUFFIXES = frozenset(SUFFIXES)
READABLE = "Markdown, HTML, plain text, PDF or Word (.docx)"
_BINARY = frozenset({DocumentFormat.PDF, DocumentFormat.DOCX})


class Unreadable(Exception):
    """The file gives no document; the message is one sentence written by code, without a word of the file."""


def format_by_content(content: bytes) -> DocumentFormat | None:
    """The format that the bytes show by themselves; None for what is text or nothing known.

    Raises:
        Unreadable: an older or encrypted Office file, which nothing here can read.
    """
    if b"%PDF-" in content[:_PDF_WITHIN]:
        return DocumentFormat.PDF
    if content.startswith(_ZIP):
        return DocumentFormat.DOCX
    if content.startswith(_OLE):
        raise Unreadable("is an older or password-protected Office file; save it as .docx without a password")
    return None


def format_of(content: bytes, name: str) -> DocumentFormat:
    """The format to read the file as. Content wins over the name; ``mismatch`` says when they differ.

    Raises:
        Unreadable: neither content nor name is one of the five formats, or a binary name holds something else.
    """
    named = SUFFIXES.get(PurePosixPath(name).suffix.lower())
    shown = format_by_content(content)
    if shown is not None:
        return shown
    if named in _BINARY:
        raise Unreadable(f"is named as {named} but holds something else")
    if named is None:
        raise Unreadable(f"is none of {READABLE}")
    return DocumentFormat.HTML if named is DocumentFormat.TEXT and _looks_like_html(content) else named


def mismatch(name: str, found: DocumentFormat) -> str:
    """What to say of a file read as another format than its name promises; empty if they agree."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in SUFFIXES:
        return "" if SUFFIXES[suffix] is found else f"is named {suffix} but was read as {found}"
    return f"has no known suffix and was read as {found}"


def _looks_like_html(content: bytes) -> bool:
    return content[:200].decode("latin-1").lstrip("\ufeffï»¿ \r\n\t").lower().startswith(_HTML_STARTS)
