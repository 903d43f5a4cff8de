"""Word documents into pieces."""

import zipfile
from io import BytesIO

import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tests.tools.knowledge.sample_files import word
from tools.knowledge.formats import zip_bounds
from tools.knowledge.formats.docx import extract_docx
from tools.knowledge.formats.kinds import Unreadable


def shapes(content: bytes) -> list[tuple[str, int, str]]:
    return [(piece.kind.value, piece.level, piece.text) for piece in extract_docx(content).pieces]


def test_headings_lists_tables_and_code_keep_their_shape():
    def build(document):
        document.core_properties.title = "Runbook"
        document.core_properties.keywords = "pool; db"
        document.add_heading("Whole", 0)
        document.add_heading("Cause", 2)
        document.add_paragraph("order_id is # 7")
        document.add_paragraph("one", style="List Bullet")
        document.add_paragraph("two", style="List Number")
        table = document.add_table(2, 2)
        for cell, text in zip(
            (c for row in table.rows for c in row.cells), ["code", "means", "E|17", "a\nb"], strict=True
        ):
            cell.text = text
        document.styles.add_style("Source Code", 1)
        document.add_paragraph("ls -l", style="Source Code")
        document.add_paragraph("| wc", style="Source Code")

    content = word(build)

    assert shapes(content) == [
        ("heading", 1, "Whole"),
        ("heading", 2, "Cause"),
        ("text", 0, "order_id is # 7"),
        ("text", 0, "- one\n- two"),
        ("atomic", 0, "| code | means |\n| --- | --- |\n| E\\|17 | a b |"),
        ("atomic", 0, "ls -l"),
        ("atomic", 0, "| wc"),
    ]
    assert (extract_docx(content).title, extract_docx(content).keywords) == ("Runbook", ("pool", "db"))


def test_hidden_and_deleted_text_is_left_out_and_inserted_text_kept():
    def build(document):
        paragraph = document.add_paragraph("seen ")
        paragraph.add_run("HIDDEN").font.hidden = True
        for tag, inner in (("del", "w:delText"), ("ins", "w:t")):
            xml = f'<w:{tag} {nsdecls("w")} w:id="1" w:author="a"><w:r><{inner}>{tag}ed</{inner}></w:r></w:{tag}>'
            paragraph._p.append(parse_xml(xml))

    assert shapes(word(build)) == [("text", 0, "seen insed")]


def test_text_boxes_are_read_once():
    box = (
        f'<w:r {nsdecls("w")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p>"
        "</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p>"
        "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )

    assert shapes(word(lambda document: document.add_paragraph("around")._p.append(parse_xml(box)))) == [
        ("text", 0, "around"),
        ("text", 0, "boxed"),
    ]


def changed(content: bytes, changes: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            after.writestr(name, changes.pop(name, before.read(name)))
        for name, part in changes.items():
            after.writestr(name, part)
    return out.getvalue()


PLAIN = word(lambda document: document.add_paragraph("text"))
BOMB = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>"""


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04 nothing", "no complete Word document"),
        (PLAIN[:2000], "no complete Word document"),
        (changed(PLAIN, {"word/document.xml": b"<broken"}), "no complete Word document"),
        (changed(PLAIN, {"word/document.xml": BOMB}), "declares XML entities"),
        (changed(PLAIN, {"customXml/item.xml": BOMB}), "declares XML entities"),
    ],
    ids=["no zip", "cut off", "broken XML", "entities in the text", "entities beside it"],
)
def test_what_is_no_document_is_refused(content, why):
    with pytest.raises(Unreadable, match=why):
        extract_docx(content)


def test_a_container_of_something_else_is_named():
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        container.writestr("xl/workbook.xml", "<x/>")

    with pytest.raises(Unreadable, match="zip container but no Word document"):
        extract_docx(out.getvalue())


def test_a_zip_bomb_is_refused_before_it_unpacks():
    bomb = changed(PLAIN, {"word/media/zeros.bin": b"\0" * (zip_bounds.MAX_UNPACKED_BYTES + 1)})

    assert len(bomb) < 1024 * 1024
    with pytest.raises(Unreadable, match="unpacks to more"):
        extract_docx(bomb)


def test_macros_and_external_references_are_not_opened():
    external = (
        b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" '
        b'Target="http://127.0.0.1:9/evil.dotm" TargetMode="External"/></Relationships>'
    )
    content = changed(PLAIN, {"word/_rels/settings.xml.rels": external, "word/vbaProject.bin": b"macro text"})

    assert shapes(content) == [("text", 0, "text")]
