"""One file into a document's text, whatever its format: the only entrance to the formats."""

from typing import Protocol

from tools.knowledge.formats.decoding import decode_text
from tools.knowledge.formats.extracted import MAX_TEXT_CHARS, Extracted
from tools.knowledge.formats.kinds import MAX_FILE_BYTES, DocumentFormat, Unreadable, format_of, mismatch
from tools.knowledge.front_matter import FrontMatter, split_front_matter

MAX_LINES = 200_000
"""Of a text file: each may be a block of its own, and each block costs time."""


class Parser(Protocol):
    """What reads the formats that are not plain text (``worker.ParsingProcess``)."""

    def extract(self, format_: DocumentFormat, content: bytes) -> Extracted:
        """The document. Raises Unreadable."""
        ...


class ReadFile(Extracted):
    """A file as it was read. Without markdown and pieces if it holds no text."""

    format: DocumentFormat
    head: FrontMatter = FrontMatter()


def read_file(content: bytes, name: str, parser: Parser) -> ReadFile:
    """The text, its head and what to note. ``name`` only tells the format.

    Raises:
        Unreadable: too large, of no known format, or its parser refused it; one sentence.
    """
    if len(content) > MAX_FILE_BYTES:
        raise Unreadable(f"is larger than {MAX_FILE_BYTES // 1024**2} MiB")
    format_ = format_of(content, name)
    note = mismatch(name, format_)
    if format_ in {DocumentFormat.MARKDOWN, DocumentFormat.TEXT}:
        return _text_file(content, format_, note)
    if format_ is DocumentFormat.HTML:
        return _page(content, parser, note)
    found = parser.extract(format_, content)
    return _read(found, format_, FrontMatter(title=found.title, keywords=found.keywords, summary=found.summary), note)


def _text_file(content: bytes, format_: DocumentFormat, note: str) -> ReadFile:
    text = _lines(decode_text(content))
    if len(text) > MAX_TEXT_CHARS:
        raise Unreadable(f"holds more than {MAX_TEXT_CHARS} characters of text; split it")
    if text.count("\n") > MAX_LINES:
        raise Unreadable(f"holds more than {MAX_LINES} lines; split it")
    split = split_front_matter(text)
    return _read(Extracted(markdown=split.body), format_, split.head, note, split.problem)


def _page(content: bytes, parser: Parser, note: str) -> ReadFile:
    """A page may have a YAML head, as static site generators have it; what that says wins over the page's own."""
    if not content.removeprefix(b"\xef\xbb\xbf").startswith(b"---"):
        found = parser.extract(DocumentFormat.HTML, content)
        head = FrontMatter(title=found.title, keywords=found.keywords, summary=found.summary)
        return _read(found, DocumentFormat.HTML, head, note)
    split = split_front_matter(_lines(decode_text(content)))
    found = parser.extract(DocumentFormat.HTML, split.body.encode())
    own = {"title": found.title, "keywords": found.keywords, "summary": found.summary}
    head = split.head.model_copy(update={key: value for key, value in own.items() if not getattr(split.head, key)})
    return _read(found, DocumentFormat.HTML, head, note, split.problem)


def _read(found: Extracted, format_: DocumentFormat, head: FrontMatter, *notes: str) -> ReadFile:
    note = "; ".join(part for part in (*notes, found.note) if part)
    values = found.model_dump(exclude={"note", "pieces"})
    return ReadFile(**values, pieces=found.pieces, note=note, format=format_, head=head)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
