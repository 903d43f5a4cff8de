"""How large a zip container may become, looked up before anything is unpacked. Pure.

What the directory promises is what the reader delivers at most, so that its sum bounds the memory.
"""

import zipfile
from io import BytesIO

from tools.knowledge.formats.kinds import Unreadable

MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_XML_BYTES = 64 * 1024 * 1024
"""Of one XML part."""
MAX_ENTRIES = 5000
DOCUMENT_PART = "word/document.xml"
_HEAD = 1024


def check_container(content: bytes) -> None:
    """Returns if the container is a Word document within bounds.

    Raises:
        Unreadable: it is broken, no Word document, would unpack to more than 200 MiB, or declares XML entities.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as container:
            _check_sizes(container.infolist())
            names = [name for name in container.namelist() if name.endswith((".xml", ".rels"))]
            if DOCUMENT_PART not in names:
                raise Unreadable("is a zip container but no Word document")
            for name in names:
                _check_declarations(_head(container, name))
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError):
        raise Unreadable("is no complete Word document") from None


def _head(container: zipfile.ZipFile, name: str) -> bytes:
    with container.open(name) as part:
        return part.read(_HEAD)


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    too_large = any(entry.file_size > MAX_XML_BYTES for entry in entries if entry.filename.endswith(".xml"))
    unpacked = sum(entry.file_size for entry in entries)
    if too_large or len(entries) > MAX_ENTRIES or unpacked > MAX_UNPACKED_BYTES:
        raise Unreadable("unpacks to more than a document can be")


def _check_declarations(head: bytes) -> None:
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise Unreadable("declares XML entities, which no Word document does")
