"""A Word document into pieces: headings by style, lists, tables as one piece each, code by style.

Text marked hidden, deleted revisions, headers, footers, comments and footnotes are left out; macros, embedded objects
and external references are never opened.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile

from docx import Document
from docx.document import Document as WordDocument
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from lxml import etree  # type: ignore[import-untyped]  # lxml has no types

from tools.knowledge.formats.docx_table import table_lines
from tools.knowledge.formats.docx_text import nested_blocks, paragraph_text
from tools.knowledge.formats.extracted import MAX_PIECES, Extracted, Piece
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.formats.zip_bounds import check_container
from tools.knowledge.markdown_blocks import BlockKind

_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_CODE = re.compile(r"code|preformatted|listing|macro|代码", re.IGNORECASE)
_MAX_LEVEL = 6

Style = tuple[str, int]
"""Name, and outline level 1–6 or 0."""


def extract_docx(content: bytes) -> Extracted:
    """The body in order.

    Raises:
        Unreadable: it is no Word document, unpacks to too much, or is broken.
    """
    check_container(content)
    try:
        document = Document(BytesIO(content))
        styles = _styles(document)
        pieces = tuple(_joined_code(_pieces(document.element.body, styles)))
        properties = document.core_properties
        title, keywords = properties.title or "", properties.keywords or ""
    except (etree.XMLSyntaxError, OpcError, BadZipFile, ValueError, LookupError, TypeError, AttributeError):
        raise Unreadable("is no complete Word document") from None
    words = tuple(part for word in re.split(r"[,;，；]", keywords) if (part := word.strip()))
    return Extracted(pieces=pieces, title=" ".join(title.split()), keywords=words[:50])


def _styles(document: WordDocument) -> dict[str, Style]:
    return {
        style.get(qn("w:styleId"), ""): (_name(style), _outline(style))
        for style in document.styles.element.iterchildren(qn("w:style"))
    }


def _name(style: etree._Element) -> str:
    name = style.find(qn("w:name"))
    return str(name.get(qn("w:val"), "")) if name is not None else ""


def _outline(style: etree._Element) -> int:
    name = _name(style)
    if match := _HEADING.fullmatch(name.strip()):
        return min(int(match[1]), _MAX_LEVEL)
    if name.strip().lower() == "title":
        return 1
    return _outline_level(style.find(qn("w:pPr")))


def _outline_level(properties: etree._Element | None) -> int:
    level = properties.find(qn("w:outlineLvl")) if properties is not None else None
    value = str(level.get(qn("w:val"), "")) if level is not None else ""
    return min(int(value) + 1, _MAX_LEVEL) if value.isdecimal() and int(value) < 9 else 0


def _pieces(container: etree._Element, styles: dict[str, Style]) -> Iterator[Piece]:
    """Paragraphs and tables at any depth of wrappers.

    Raises:
        Unreadable: more than 200 000 of them.
    """
    for count, block in enumerate(nested_blocks(container)):
        if count >= MAX_PIECES:
            raise Unreadable(f"holds more than {MAX_PIECES} paragraphs")
        if block.tag == qn("w:tbl"):
            if text := "\n".join(table_lines(block)):
                yield Piece(text=text, kind=BlockKind.ATOMIC)
        elif text := paragraph_text(block):
            yield _paragraph(block, text, styles)


def _paragraph(block: etree._Element, text: str, styles: dict[str, Style]) -> Piece:
    properties = block.find(qn("w:pPr"))
    style = properties.find(qn("w:pStyle")) if properties is not None else None
    name, level = styles.get(style.get(qn("w:val"), "") if style is not None else "", ("", 0))
    level = level or _outline_level(properties)
    if level:
        return Piece(text=" ".join(text.split()), kind=BlockKind.HEADING, level=level)
    if _CODE.search(name):
        return Piece(text=text, kind=BlockKind.ATOMIC, level=0)
    depth = _list_depth(properties, name)
    return Piece(text=text if depth is None else f"{'  ' * depth}- {text}")


def _list_depth(properties: etree._Element | None, style: str) -> int | None:
    """0 for an entry of a list itself, 1 for one inside another; None for no entry."""
    numbering = properties.find(qn("w:numPr")) if properties is not None else None
    if numbering is None:
        return 0 if style.lower().startswith(("list bullet", "list number")) else None
    level = numbering.find(qn("w:ilvl"))
    value = str(level.get(qn("w:val"), "0")) if level is not None else "0"
    return min(int(value), 8) if value.isdecimal() else 0


def _joined_code(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Lines of code that follow each other, and entries of one list, are one piece each."""
    last: Piece | None = None
    for piece in pieces:
        if last is not None and _belongs(last, piece):
            last = last.model_copy(update={"text": f"{last.text}\n{piece.text}"})
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


def _belongs(last: Piece, piece: Piece) -> bool:
    if last.kind is not piece.kind or piece.kind is BlockKind.HEADING:
        return False
    if piece.kind is BlockKind.ATOMIC:
        return not (last.text.startswith("| ") or piece.text.startswith("| "))
    return last.text.startswith("- ") and piece.text.lstrip().startswith("- ")
