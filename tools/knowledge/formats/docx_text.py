"""The visible text of Word paragraphs, in reading order."""

from collections.abc import Iterator

from docx.oxml.ns import qn
from lxml import etree  # type: ignore[import-untyped]  # lxml has no types

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_GONE = frozenset({
    qn("w:del"), qn("w:moveFrom"), qn("w:rPr"), qn("w:pPr"), qn("w:instrText"), qn("w:object"), f"{_MC}Fallback",
})  # fmt: skip
"""Deleted text, properties, field codes, embedded objects, and the second copy of a drawing."""
_BREAKS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_OFF = frozenset({"0", "false", "off"})


def nested_blocks(container: etree._Element) -> Iterator[etree._Element]:
    """Paragraphs and tables of a container, those in text boxes after the paragraph that holds them."""
    for child in container.iterchildren():
        if child.tag in _GONE or not isinstance(child.tag, str):
            continue
        if child.tag == qn("w:tbl"):
            yield child
        elif child.tag == qn("w:p"):
            yield child
            for box in _boxes(child):
                yield from nested_blocks(box)
        else:
            yield from nested_blocks(child)


def paragraph_text(paragraph: etree._Element) -> str:
    """Its visible text without blanks at the ends; lines broken where it breaks them."""
    return "".join(_visible(paragraph)).replace("\0", "").strip()


def _visible(element: etree._Element) -> Iterator[str]:
    for child in element.iterchildren():
        if child.tag in _GONE or child.tag == qn("w:txbxContent") or not isinstance(child.tag, str):
            continue
        if child.tag == qn("w:r") and _is_vanished(child):
            continue
        if child.tag == qn("w:t"):
            yield child.text or ""
        elif child.tag in _BREAKS:
            yield _BREAKS[child.tag]
        else:
            yield from _visible(child)


def _is_vanished(run: etree._Element) -> bool:
    properties = run.find(qn("w:rPr"))
    mark = properties.find(qn("w:vanish")) if properties is not None else None
    return mark is not None and str(mark.get(qn("w:val"), "1")).lower() not in _OFF


def _boxes(paragraph: etree._Element) -> Iterator[etree._Element]:
    for child in paragraph.iterchildren():
        if child.tag in _GONE or not isinstance(child.tag, str):
            continue
        if child.tag == qn("w:txbxContent"):
            yield child
        else:
            yield from _boxes(child)
