"""Texts of tests into documents, without a file in between."""

from tools.knowledge.chunking import ChunkSettings, Document, cut_document
from tools.knowledge.formats.kinds import DocumentFormat
from tools.knowledge.formats.read_file import ReadFile
from tools.knowledge.front_matter import split_front_matter


def read_document(text: str, *, path: str, kb_scope: str, settings: ChunkSettings) -> Document:
    """The document of a Markdown text, or of plain text if ``path`` ends in .txt, with its chunks.

    ``path`` is relative to its folder, with ``/``.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    split = split_front_matter(text)
    kind = DocumentFormat.TEXT if path.lower().endswith(".txt") else DocumentFormat.MARKDOWN
    file = ReadFile(markdown=split.body, head=split.head, format=kind, note=split.problem)
    return cut_document(file, path=path, kb_scope=kb_scope, settings=settings)
