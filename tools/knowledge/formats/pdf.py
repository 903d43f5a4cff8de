"""A PDF into pieces: one a page, and headings where the file's own outline names a line of the page.

No text recognition: a page that is only a picture holds no text, and the record says how many there were.
"""

from collections.abc import Iterator
from io import BytesIO

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, PyPdfError
from pypdf.generic import Destination

from tools.knowledge.formats.extracted import Extracted, Piece
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.markdown_blocks import BlockKind

MAX_PAGES = 2000
MAX_OUTLINE = 5000
MAX_OUTLINE_DEPTH = 6
_LOCKED = "is protected by a password; save it without one"
_BROKEN_WAYS = (
    PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, NotImplementedError, OSError,
)  # fmt: skip
"""How the parser fails at broken files."""
_BROKEN = "is no complete PDF"
_SCANNED = "holds no text: its pages are pictures and need text recognition first"

Outline = dict[int, list[tuple[int, str]]]
"""Page number → (level, title) of the headings on it."""


def extract_pdf(content: bytes) -> Extracted:
    """The pages that hold text, in order.

    Raises:
        Unreadable: broken, protected by a password, of more than 2000 pages, or of pictures alone.
    """
    try:
        reader = PdfReader(BytesIO(content))
        _unlock(reader)
        pages = len(reader.pages)
        if pages > MAX_PAGES:
            raise Unreadable(f"has more than {MAX_PAGES} pages; split it")
        outline = _outline(reader)
        pieces = [list(_page(page, outline.get(number, []))) for number, page in enumerate(reader.pages)]
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except DependencyError:
        raise Unreadable(_LOCKED) from None
    except _BROKEN_WAYS:
        raise Unreadable(_BROKEN) from None
    empty = sum(1 for found in pieces if not found)
    note = f"{empty} of {pages} pages hold no text" if 0 < empty < pages else ""
    if pages and empty == pages:
        raise Unreadable(_SCANNED)
    return Extracted(pieces=tuple(piece for found in pieces for piece in found), title=_line(title), note=note)


def _unlock(reader: PdfReader) -> None:
    """Opens a file whose owner only forbids changes.

    Raises:
        Unreadable: it needs a password to be read.
    """
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable(_LOCKED)


def _outline(reader: PdfReader) -> Outline:
    """Empty if there is none or it cannot be read: headings are a help, not the content."""
    found: Outline = {}
    try:
        for count, (level, entry) in enumerate(_entries(reader.outline, 1)):
            if count >= MAX_OUTLINE:
                break
            number = reader.get_destination_page_number(entry)
            if number is not None and number >= 0:
                found.setdefault(number, []).append((level, _line(str(entry.title))))
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return found


def _entries(entries: object, level: int) -> Iterator[tuple[int, Destination]]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Destination):
            yield level, entry
        elif level < MAX_OUTLINE_DEPTH:
            yield from _entries(entry, level + 1)


def _page(page: PageObject, headings: list[tuple[int, str]]) -> Iterator[Piece]:
    """Runs of lines, cut at the lines that the outline names."""
    wanted = {_folded(title): level for level, title in headings}
    run: list[str] = []
    for line in page.extract_text().replace("\0", "").split("\n"):
        level = wanted.pop(_folded(line), 0) if wanted else 0
        if level:
            yield from _text(run)
            run = []
            yield Piece(text=_line(line), kind=BlockKind.HEADING, level=level)
        else:
            run.append(line.rstrip())
    yield from _text(run)


def _text(lines: list[str]) -> Iterator[Piece]:
    text = "\n".join(lines).strip("\n")
    if text.strip():
        yield Piece(text=text)


def _line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _folded(text: str) -> str:
    return "".join(text.casefold().split())
