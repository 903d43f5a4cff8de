"""A Word table as the lines of a Markdown table."""

from collections.abc import Iterator

from docx.oxml.ns import qn
from lxml import etree  # type: ignore[import-untyped]  # lxml has no types

from tools.knowledge.formats.docx_text import nested_blocks, paragraph_text


def table_lines(table: etree._Element) -> Iterator[str]:
    """One line a row, a rule after the first; nothing for a table without text. Tables inside cells become text."""
    rows = [[_cell(cell) for cell in row.iterchildren(qn("w:tc"))] for row in table.iterchildren(qn("w:tr"))]
    if not any(cell for row in rows for cell in row):
        return
    width = max(len(row) for row in rows)
    for number, row in enumerate(rows):
        yield f"| {' | '.join([*row, *([''] * (width - len(row)))])} |"
        if number == 0:
            yield f"|{' --- |' * width}"


def _cell(cell: etree._Element) -> str:
    return " ".join(" ".join(_texts(cell)).replace("|", "\\|").split())


def _texts(container: etree._Element) -> Iterator[str]:
    for block in nested_blocks(container):
        if block.tag == qn("w:tbl"):
            for inner in block.iter(qn("w:tc")):
                yield from (paragraph_text(paragraph) for paragraph in inner.iterchildren(qn("w:p")))
        else:
            yield paragraph_text(block)
