"""A document cut into chunks along its headings. Pure.

Every chunk is a verbatim slice of the body. A heading begins a new chunk; tables and code blocks are
never split (unless one alone exceeds what the index can hold); a section too long for one chunk goes on in
the next one with a small overlap.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from pydantic import Field

from state.model.base import Value
from state.model.ids import digest, digest8
from state.model.redaction import redact_text
from tools.knowledge.boundaries import begin_at, cut_back
from tools.knowledge.formats.extracted import Piece
from tools.knowledge.formats.kinds import DocumentFormat
from tools.knowledge.formats.read_file import ReadFile
from tools.knowledge.front_matter import FrontMatter, clean_head
from tools.knowledge.markdown_blocks import Block, BlockKind, markdown_blocks

MAX_ATOMIC_BYTES = 48 * 1024
"""A larger table or code block is cut at lines: the index holds no larger text."""
MAX_TITLE_CHARS = 200
MAX_BREADCRUMB_CHARS = 500

LONG_BLOCK = 8
"""A paragraph of more pieces than this is cut where an edit elsewhere in it changes nothing."""
_GOOD_END = re.compile(r"[。！？；]|[.!?;]\s|\n")
_SPACE = re.compile(r"\s")


class ChunkSettings(Value):
    """How documents are cut; recorded with each document."""

    chunk_chars: int = Field(1000, ge=200, le=8000)
    """Characters a chunk aims at; only a table, a code block or its heading may take it over."""
    overlap_chars: int = Field(100, ge=0, le=1000)
    """Characters repeated where a section goes on in the next chunk."""


class Chunk(Value):
    """One retrievable piece."""

    doc_id: str
    chunk_index: int
    """0-based, in order of the document."""
    title: str
    """Heading of its section, else the document's title."""
    breadcrumb: str
    """Document title and headings above it, joined by `` > ``."""
    content: str
    """Verbatim slice of the document, secrets apart."""
    content_sha256: str

    @property
    def evidence_key(self) -> str:
        """Identity of the chunk, cited as item id."""
        return f"{self.doc_id}#chunk-{self.chunk_index}"


class Document(Value):
    """A document read and cut."""

    doc_id: str
    title: str
    head: FrontMatter
    chunks: tuple[Chunk, ...]
    """Empty if the document has no text."""
    problem: str = ""
    """What was wrong with its front matter; empty if nothing."""


@dataclass(frozen=True)
class _Section:
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]


class _Piece(NamedTuple):
    start: int
    end: int
    kind: BlockKind


def document_id(path: str, kb_scope: str) -> str:
    """Slug of the path plus eight hex digits of scope and path: readable and unique in its scope."""
    ascii_path = unicodedata.normalize("NFKD", path).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_path.rsplit(".", 1)[0]).strip("-")[:80].strip("-")
    return f"{slug or 'document'}-{digest8(f'{kb_scope}{chr(10)}{path}')}"


def cut_document(file: ReadFile, *, path: str, kb_scope: str, settings: ChunkSettings) -> Document:
    """The document with its chunks. ``path`` is relative to its folder, or its name in a library.

    Secrets are removed before the text is cut: no chunk, title or keyword holds one.
    """
    head = clean_head(file.head)
    body, blocks = _body(file)
    title = (head.title or _first_heading(blocks) or PurePosixPath(path).stem)[:MAX_TITLE_CHARS]
    doc_id = document_id(path, kb_scope)
    chunks = tuple(_chunks(body, blocks, doc_id, title, settings))
    problem = file.note if chunks else "; ".join(part for part in (file.note, "has no text") if part)
    return Document(doc_id=doc_id, title=title, head=head, chunks=chunks, problem=problem)


def _body(file: ReadFile) -> tuple[str, Sequence[Block]]:
    """Text without secrets, and its blocks."""
    if file.pieces:
        return _built(file.pieces)
    body = redact_text(file.markdown)
    return body, _plain_blocks(body) if file.format is DocumentFormat.TEXT else markdown_blocks(body)


def _built(pieces: Sequence[Piece]) -> tuple[str, Sequence[Block]]:
    texts = [redact_text(piece.text) for piece in pieces]
    body = "\n\n".join(texts)
    whole = redact_text(body)
    if whole != body:
        # A secret went over several pieces (a key of many lines): without it, the pieces no longer fit.
        return whole, _plain_blocks(whole)
    starts = accumulate((len(text) + 2 for text in texts), initial=0)
    return body, [
        Block(start, start + len(text), piece.kind, piece.level, text if piece.level else "")
        for start, text, piece in zip(starts, texts, pieces, strict=False)
    ]


def _first_heading(blocks: Sequence[Block]) -> str:
    return next((redact_text(b.title) for b in blocks if b.kind is BlockKind.HEADING and b.title), "")


def _plain_blocks(body: str) -> tuple[Block, ...]:
    """Paragraphs: runs of non-blank lines."""
    blocks: list[Block] = []
    start: int | None = None
    position = 0
    for line in [*body.split("\n"), ""]:
        if line.strip():
            start = position if start is None else start
        elif start is not None:
            blocks.append(Block(start, position - 1, BlockKind.TEXT))
            start = None
        position += len(line) + 1
    return tuple(blocks)


def _chunks(body: str, blocks: Sequence[Block], doc_id: str, title: str, settings: ChunkSettings) -> Iterator[Chunk]:
    index = 0
    for section in _sections(blocks):
        trail = [title, *(heading for heading in section.headings if heading != title)]
        for start, end in _pack(body, _pieces(body, section.blocks, settings), settings):
            content = body[start:end].strip("\n").rstrip()
            yield Chunk(
                doc_id=doc_id,
                chunk_index=index,
                title=trail[-1][:MAX_TITLE_CHARS],
                breadcrumb=" > ".join(trail)[:MAX_BREADCRUMB_CHARS],
                content=content,
                content_sha256=digest(content),
            )
            index += 1


def _sections(blocks: Sequence[Block]) -> Iterator[_Section]:
    """Runs of blocks under one heading; headings without text below give none, unless nothing else is there."""
    sections = list(_heading_runs(blocks))
    with_text = [s for s in sections if any(b.kind is not BlockKind.HEADING for b in s.blocks)]
    if with_text or not blocks:
        yield from with_text
    else:
        yield _Section((), tuple(blocks))


def _heading_runs(blocks: Sequence[Block]) -> Iterator[_Section]:
    stack: list[tuple[int, str]] = []
    run: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            yield _Section(tuple(title for _, title in stack), tuple(run))
            stack = [entry for entry in stack if entry[0] < block.level] + [(block.level, redact_text(block.title))]
            run = []
        run.append(block)
    yield _Section(tuple(title for _, title in stack), tuple(run))


def _pieces(body: str, blocks: Sequence[Block], settings: ChunkSettings) -> Iterator[_Piece]:
    """Blocks, the over-long ones cut at sentences and lines."""
    for block in blocks:
        if _fits(body, block, settings):
            yield _Piece(block.start, block.end, block.kind)
        else:
            limit = MAX_ATOMIC_BYTES // 4 if block.kind is BlockKind.ATOMIC else settings.chunk_chars
            yield from _split(body, block, limit - min(settings.overlap_chars, limit // 2))


def _fits(body: str, block: Block, settings: ChunkSettings) -> bool:
    if block.kind is BlockKind.ATOMIC:
        return len(body[block.start : block.end].encode()) <= MAX_ATOMIC_BYTES
    return block.end - block.start <= settings.chunk_chars


def _split(body: str, block: Block, limit: int) -> Iterator[_Piece]:
    start = block.start
    cut = _stable_cut if block.end - start > LONG_BLOCK * limit else cut_back
    while block.end - start > limit:
        end = cut(body, start, start + limit)
        yield _Piece(start, end, block.kind)
        start = end
    yield _Piece(start, block.end, block.kind)


def _stable_cut(text: str, start: int, limit: int) -> int:
    """An end in the second half of the span, chosen by the words before it alone.

    After an edit the same words are met again and chosen again, so that the pieces behind it stay as they were.
    """
    floor = start + (limit - start) // 2
    ends = [match.end() for match in _GOOD_END.finditer(text, floor, limit)]
    ends = ends or [match.end() for match in _SPACE.finditer(text, floor, limit)]
    if not ends:
        return limit
    return min(ends, key=lambda end: zlib.crc32(text[max(start, end - 24) : end].encode()))


def _pack(body: str, pieces: Iterator[_Piece], settings: ChunkSettings) -> Iterator[tuple[int, int]]:
    """Slices of consecutive pieces within ``chunk_chars``; a heading always keeps its next piece."""
    start: int | None = None
    last: _Piece | None = None
    for piece in pieces:
        if start is None or last is None:
            start = piece.start
        elif last.kind is not BlockKind.HEADING and piece.end - start > settings.chunk_chars:
            yield start, last.end
            start = _overlap(body, last, piece, settings)
        last = piece
    if start is not None and last is not None and body[start : last.end].strip():
        yield start, last.end


def _overlap(body: str, last: _Piece, piece: _Piece, settings: ChunkSettings) -> int:
    if BlockKind.ATOMIC in (last.kind, piece.kind) or not settings.overlap_chars:
        return piece.start
    earliest = max(last.start, last.end - settings.overlap_chars)
    start = begin_at(body, earliest, last.end)
    return start if piece.end - start <= settings.chunk_chars and start < last.end else piece.start
