"""A folder of documents into an open knowledge base: only what changed is indexed, only what is new is embedded.

The folder is the whole content of its scope: documents no longer in it leave index, records and vector cache.
One bad document never stops the others; an engine or model that does not answer stops them all, by name.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from state.model.base import Value
from state.model.errors import ModelFailed
from state.model.ids import digest
from tools.knowledge.chunking import Chunk, Document, document_id, read_document
from tools.knowledge.folder import (
    MARKDOWN,
    Problem,
    SourceFile,
    decode,
    documents_of,
    read_file,
    without_duplicates,
)
from tools.knowledge.index_port import IndexRow, IndexUnavailable
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.vectors import Vectors

MAX_ATTEMPTS = 3


class IngestCounts(Value):
    """What one ingest did."""

    embedded: int
    """Texts the model was asked for."""
    unchanged: int
    """Documents whose index was left as it is."""
    removed: int
    """Documents that left."""
    duplicates: tuple[Problem, ...]
    """Files with the content of another one, which is named; only that one is indexed."""
    ignored: tuple[Problem, ...]
    """Entries that were never opened: links that lead out of the folder, and what is no regular file."""
    seconds: float


class IngestSummary(IngestCounts):
    """What one ingest did and what is there now. ``chunks = embedded + reused``."""

    documents: int
    """READY documents of the scope."""
    chunks: int
    """Chunks of the scope in the index."""
    reused: int
    """Chunks whose vector was already known."""
    failed: tuple[Problem, ...]
    """Documents that cannot be searched."""
    noted: tuple[Problem, ...]
    """Indexed documents with a flaw, such as unreadable front matter."""


def ingest_folder(
    base: KnowledgeBase, folder: Path, *, kb_scope: str, suffixes: frozenset[str] = MARKDOWN
) -> IngestSummary:
    """What the documents of the folder became; hidden ones are ignored. Blocking.

    Effects: index, records and vector cache of ``base`` follow the folder.

    Raises:
        Misconfigured: the folder does not exist or holds more than 20 000 documents.
        ModelFailed: the embedding model did not answer in three attempts.
        IndexUnavailable: the index did not answer in three attempts.
    """
    began = base.clock.monotonic()
    documents = documents_of(folder, suffixes)
    files = [read_file(folder, path) for path in documents.paths]
    firsts, duplicates = without_duplicates(files)
    known = {record.path: record for record in base.records.documents(kb_scope)}
    removed = known.keys() - {file.path for file in firsts}
    for path in sorted(removed):
        _remove(base, known[path])
    changed = [file for file in firsts if not _is_current(base, file, known.get(file.path))]
    pending = [_pending(base, file, kb_scope) for file in changed]
    embedded = sum(_take_in(base, file, record) for file, record in zip(changed, pending, strict=True))
    return _summary(
        base,
        kb_scope,
        IngestCounts(
            embedded=embedded,
            unchanged=len(firsts) - len(changed),
            removed=len(removed),
            duplicates=duplicates,
            ignored=documents.ignored,
            seconds=base.clock.monotonic() - began,
        ),
    )


def enriched(document: Document, chunk: Chunk) -> str:
    """The text that is embedded and searched for a chunk: where it stands, what it is about, what it says."""
    keywords = ", ".join(document.head.keywords)
    return "\n".join(part for part in (chunk.breadcrumb, keywords, chunk.content) if part)


def fold(text: str) -> str:
    """A category as it is compared."""
    return " ".join(text.casefold().split())


def _is_current(base: KnowledgeBase, file: SourceFile, record: DocumentRecord | None) -> bool:
    if record is None or record.state is not DocumentState.READY:
        return False
    return record.sha256 == file.sha256 and record.settings == base.chunk_settings.model_dump_json()


def _remove(base: KnowledgeBase, record: DocumentRecord) -> None:
    base.index.delete(base.records.chunks(record.doc_id))
    base.forget_texts(base.records.remove(record))


def _pending(base: KnowledgeBase, file: SourceFile, kb_scope: str) -> DocumentRecord:
    """The record of a document that is not yet in the index as it is; until it is READY, searches are PARTIAL."""
    record = DocumentRecord(
        kb_scope=kb_scope,
        path=file.path,
        doc_id=document_id(file.path, kb_scope),
        sha256=file.sha256,
        settings=base.chunk_settings.model_dump_json(),
        state=DocumentState.PENDING,
    )
    base.records.put(record)
    return record


def _take_in(base: KnowledgeBase, file: SourceFile, record: DocumentRecord) -> int:
    """How many texts were embedded for the document, whose record then says READY or FAILED."""
    text = decode(file)
    if isinstance(text, Problem):
        base.index.delete(base.records.chunks(record.doc_id))
        base.forget_texts(base.records.put_chunks(record.doc_id, {}))
        base.records.put(record.model_copy(update={"state": DocumentState.FAILED, "problem": text.why, "attempts": 1}))
        return 0
    document = read_document(text, path=file.path, kb_scope=record.kb_scope, settings=base.chunk_settings)
    return _index(base, document, record.model_copy(update=_described(document)))


def _described(document: Document) -> dict[str, str]:
    problem = document.problem if document.chunks else "has no text"
    return {"title": document.title, "category": fold(document.head.category), "problem": problem}


def _index(base: KnowledgeBase, document: Document, record: DocumentRecord, attempt: int = 1) -> int:
    """How many texts were embedded.

    Raises:
        ModelFailed: the model failed for good or three times.
        IndexUnavailable: the index failed three times.
    """
    base.records.put(record.model_copy(update={"state": DocumentState.PROCESSING, "attempts": attempt}))
    try:
        embedded = _write(base, document, record)
    except (ModelFailed, IndexUnavailable) as error:
        if attempt < MAX_ATTEMPTS and getattr(error, "retryable", True):
            return _index(base, document, record, attempt + 1)
        failed = {"state": DocumentState.FAILED, "attempts": attempt, "problem": str(error)[:200]}
        base.records.put(record.model_copy(update=failed))
        raise
    base.records.put(record.model_copy(update={"state": DocumentState.READY, "attempts": attempt}))
    return embedded


def _write(base: KnowledgeBase, document: Document, record: DocumentRecord) -> int:
    texts = [enriched(document, chunk) for chunk in document.chunks]
    embedded = base.vectors.embed(base.embedder, texts)
    before = base.records.chunks(record.doc_id)
    keys = {chunk.evidence_key: digest(text) for chunk, text in zip(document.chunks, texts, strict=True)}
    base.index.delete(before.keys() - keys.keys())
    base.index.upsert(list(_rows(base, record, document.chunks, texts, embedded.vectors)))
    base.forget_texts(base.records.put_chunks(record.doc_id, keys))
    return embedded.computed


def _rows(
    base: KnowledgeBase, record: DocumentRecord, chunks: Sequence[Chunk], texts: Sequence[str], vectors: Vectors
) -> Iterator[IndexRow]:
    for chunk, text, vector in zip(chunks, texts, vectors, strict=True):
        yield IndexRow(
            evidence_key=chunk.evidence_key,
            doc_id=record.doc_id,
            kb_scope=record.kb_scope,
            category=record.category,
            path=record.path,
            title=chunk.title,
            breadcrumb=chunk.breadcrumb,
            content=chunk.content,
            search_text=base.segmenter.search_text(text),
            vector=vector,
        )


def _summary(base: KnowledgeBase, kb_scope: str, counts: IngestCounts) -> IngestSummary:
    records = base.records.documents(kb_scope)
    ready = [record for record in records if record.state is DocumentState.READY]
    chunks = sum(len(base.records.chunks(record.doc_id)) for record in records)
    return IngestSummary(
        **dict(counts),
        documents=len(ready),
        chunks=chunks,
        reused=chunks - counts.embedded,
        failed=tuple(Problem(path=r.path, why=r.problem) for r in records if r.state is DocumentState.FAILED),
        noted=tuple(Problem(path=r.path, why=r.problem) for r in ready if r.problem),
    )
