"""Small files of the binary formats, made by the libraries that write them or by hand."""

from collections.abc import Sequence
from io import BytesIO

from docx import Document
from docx.document import Document as WordDocument
from pypdf import PdfReader, PdfWriter


def pdf(*pages: Sequence[str]) -> bytes:
    """One page for each list of lines; a page without lines is empty, as a picture without text would be."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        text = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F1 12 Tf 50 780 Td {text}ET" if lines else ""
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        content = len(objects)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R "
            "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _assembled(objects)


def _assembled(objects: Sequence[str]) -> bytes:
    out, offsets = BytesIO(b""), []
    out.write(b"%PDF-1.4\n")
    for number, text in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1"))
    start = out.tell()
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}".encode())
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def rewritten_pdf(
    content: bytes, *, title: str = "", outline: Sequence[tuple[str, int]] = (), password: str = "", owner: str = ""
) -> bytes:
    """The same with properties, an outline of (title, page), or passwords."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    if title:
        writer.add_metadata({"/Title": title})
    for name, page in outline:
        writer.add_outline_item(title=name, page_number=page)
    if password or owner:
        writer.encrypt(password, owner or None)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def word(build) -> bytes:  # type: ignore[no-untyped-def]
    """The document that ``build`` filled."""
    document: WordDocument = Document()
    build(document)
    out = BytesIO()
    document.save(out)
    return out.getvalue()
