"""Documents into the index, several at once: embedded together, written together, in force in one moment each.

Order, so that a search sees each document either as it was or as it is: the new version is hidden, its rows are
written, one transaction brings it in force and hides the old one, the old rows are deleted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from state.model.ids import digest, digest8
from tools.knowledge.chunking import Chunk, Document
from tools.knowledge.index_port import IndexRow
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.target import Target, delete_versions
from tools.knowledge.vectors import Vectors


@dataclass(frozen=True)
class Cut:
    """A document that was read, and the record it had until now."""

    document: Document
    record: DocumentRecord
    """``sha256``, ``settings`` and ``given_category`` are the new ones; ``version`` that of its rows in the index."""


@dataclass(frozen=True)
class Indexed:
    """What indexing one document did."""

    record: DocumentRecord
    embedded: int
    """Texts the model was asked for; a text that several documents have counts for the first."""
    chunks: int


def in_force(base: KnowledgeBase) -> Target:
    """The collection that searches see. Raises IndexUnavailable."""
    return Target(base.index.current, base.records)


def fold(text: str) -> str:
    """A category as it is compared."""
    return " ".join(text.casefold().split())


def enriched(document: Document, chunk: Chunk) -> str:
    """The text that is embedded and searched for a chunk: where it stands, what it is about, what it says."""
    keywords = ", ".join(document.head.keywords)
    return "\n".join(part for part in (chunk.breadcrumb, keywords, chunk.content) if part)


def version_of(record: DocumentRecord) -> str:
    """Names the rows of this content, cut this way, under this category."""
    return digest8(f"{record.doc_id}\n{record.sha256}\n{record.settings}\n{record.given_category}")


def texts_of(cuts: Sequence[Cut]) -> list[str]:
    """Every text that will be embedded for the documents, in order."""
    return [enriched(cut.document, chunk) for cut in cuts for chunk in cut.document.chunks]


def index_all(base: KnowledgeBase, cuts: Sequence[Cut], target: Target) -> tuple[Indexed, ...]:
    """The documents with their new records, READY and searchable, in order.

    Raises:
        ModelFailed: the embedding model did not answer; nothing has changed.
        IndexUnavailable: the index did not answer; every document is as it was, or READY.
    """
    computed = base.vectors.embed_groups(base.embedder, [texts_of([cut]) for cut in cuts])
    fresh = [_fresh(base, cut) for cut in cuts]
    versions = {record.version for record in fresh}
    target.records.hide(versions - {cut.record.version for cut in cuts})
    rows: list[IndexRow] = []
    for cut, record, embedded in zip(cuts, fresh, computed, strict=True):
        rows += _rows(base, record, cut.document, embedded.vectors)
    target.index.upsert(rows)
    orphans = target.records.bring_in_force([(r, _keys(cut.document)) for r, cut in zip(fresh, cuts, strict=True)])
    delete_versions(target, {cut.record.version for cut in cuts} - versions)
    base.forget_texts(orphans)
    return tuple(
        Indexed(record, embedded.computed, len(cut.document.chunks))
        for cut, record, embedded in zip(cuts, fresh, computed, strict=True)
    )


def remove_document(base: KnowledgeBase, record: DocumentRecord) -> None:
    """The document leaves searches, then records, index and vector cache.

    Raises:
        IndexUnavailable: its rows could not be deleted; they stay hidden and go when the base is next opened.
    """
    target = in_force(base)
    target.records.hide([record.version])
    base.forget_texts(target.records.remove(record))
    delete_versions(target, {record.version})


def _fresh(base: KnowledgeBase, cut: Cut) -> DocumentRecord:
    document = cut.document
    changed = {
        "state": DocumentState.READY,
        "title": document.title,
        "category": cut.record.given_category or fold(document.head.category),
        "problem": document.problem,
        "version": version_of(cut.record),
        "updated_at": base.clock.now().isoformat(),
    }
    return cut.record.model_copy(update=changed)


def _keys(document: Document) -> dict[str, str]:
    return {chunk.evidence_key: digest(enriched(document, chunk)) for chunk in document.chunks}


def _rows(base: KnowledgeBase, record: DocumentRecord, document: Document, vectors: Vectors) -> Iterator[IndexRow]:
    for chunk, vector in zip(document.chunks, vectors, strict=True):
        yield IndexRow(
            evidence_key=chunk.evidence_key,
            doc_id=record.doc_id,
            kb_scope=record.kb_scope,
            category=record.category,
            path=record.path,
            title=chunk.title,
            breadcrumb=chunk.breadcrumb,
            content=chunk.content,
            search_text=base.segmenter.search_text(enriched(document, chunk)),
            vector=vector,
            version=record.version,
        )
