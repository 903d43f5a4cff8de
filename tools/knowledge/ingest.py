"""A folder of documents into an open knowledge base: only what changed is indexed, only what is new is embedded.

The folder is the whole content of its scope: documents no longer in it leave index, records and vector cache.
One bad document never stops the others; an engine or model that does not answer stops them all, by name.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from state.model.base import Value
from state.model.errors import ModelFailed
from tools.knowledge.chunking import cut_document, document_id
from tools.knowledge.folder import Problem, SourceFile, documents_of, fingerprint, read_file, without_duplicates
from tools.knowledge.formats.kinds import ALL_SUFFIXES, Unreadable
from tools.knowledge.formats.read_file import read_file as read_format
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.indexing import Cut, in_force, index_all, remove_document, texts_of
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState

MAX_ATTEMPTS = 3
WINDOW = 16
"""Documents that are embedded and written together."""
_WAIT_S = 60.0


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


@dataclass(frozen=True)
class _Window:
    """Documents read, cut and embedded together."""

    cuts: tuple[Cut, ...]
    unreadable: tuple[DocumentRecord, ...]
    error: ModelFailed | None
    """Why they could not be embedded at the first attempt."""


def ingest_folder(
    base: KnowledgeBase, folder: Path, *, kb_scope: str, suffixes: frozenset[str] = ALL_SUFFIXES
) -> IngestSummary:
    """What the documents of the folder became; hidden ones are ignored. Blocking.

    Effects: index, records and vector cache of ``base`` follow the folder.

    Raises:
        Misconfigured: the folder does not exist or holds more than 20 000 documents; another process keeps writing.
        ModelFailed: the embedding model did not answer in three attempts.
        IndexUnavailable: the index did not answer in three attempts.
    """
    began = base.clock.monotonic()
    documents = documents_of(folder, suffixes)
    firsts, duplicates = without_duplicates([fingerprint(folder, path) for path in documents.paths])
    with base.writer.held(within_s=_WAIT_S):
        known = {record.path: record for record in base.records.documents(kb_scope)}
        removed = known.keys() - {file.path for file in firsts}
        for path in sorted(removed):
            remove_document(base, known[path])
        changed = [file for file in firsts if not _is_current(base, file, known.get(file.path))]
        replaced = any(file.path in known for file in changed)
        embedded = _take_in_all(base, folder, changed, kb_scope)
        if removed or replaced:
            base.forget_deleted()
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


def _is_current(base: KnowledgeBase, file: SourceFile, record: DocumentRecord | None) -> bool:
    if record is None or record.state is not DocumentState.READY:
        return False
    return record.sha256 == file.sha256 and record.settings == base.chunk_settings.model_dump_json()


def _take_in_all(base: KnowledgeBase, folder: Path, files: Sequence[SourceFile], kb_scope: str) -> int:
    """How many texts were embedded. While one window is written, the next one is read and embedded."""
    known = {record.path: record for record in base.records.documents(kb_scope)}
    pending = [_pending(base, file, kb_scope, known.get(file.path)) for file in files]
    base.records.put_all(pending)
    windows = _windows([(file, record) for file, record in zip(files, pending, strict=True)])
    embedded = 0
    with ThreadPoolExecutor(1, thread_name_prefix="ingest") as ahead:
        coming = [ahead.submit(_prepare, base, folder, window) for window in islice(windows, 1)]
        while coming:
            window, counted = coming.pop().result()
            coming = [ahead.submit(_prepare, base, folder, following) for following in islice(windows, 1)]
            embedded += counted + _take_in(base, window)
    return embedded


def _windows(
    files: Sequence[tuple[SourceFile, DocumentRecord]],
) -> Iterator[Sequence[tuple[SourceFile, DocumentRecord]]]:
    return (files[first : first + WINDOW] for first in range(0, len(files), WINDOW))


def _pending(base: KnowledgeBase, file: SourceFile, kb_scope: str, before: DocumentRecord | None) -> DocumentRecord:
    """The record of a document that is not yet in the index as it is; until it is READY, searches are PARTIAL."""
    return DocumentRecord(
        kb_scope=kb_scope,
        path=file.path,
        doc_id=document_id(file.path, kb_scope),
        sha256=file.sha256,
        settings=base.chunk_settings.model_dump_json(),
        state=DocumentState.PENDING,
        title=before.title if before else "",
        category=before.category if before else "",
        version=before.version if before else "",
    )


def _prepare(
    base: KnowledgeBase, folder: Path, window: Sequence[tuple[SourceFile, DocumentRecord]]
) -> tuple[_Window, int]:
    """The documents of the window, and how many texts were embedded for them."""
    cuts: list[Cut] = []
    unreadable: list[DocumentRecord] = []
    for file, record in window:
        try:
            cuts.append(_cut(base, folder, file, record))
        except Unreadable as error:
            unreadable.append(record.model_copy(update={"problem": str(error)}))
    try:
        computed = base.vectors.embed(base.embedder, texts_of(cuts)).computed
    except ModelFailed as error:
        return _Window(tuple(cuts), tuple(unreadable), error), 0
    return _Window(tuple(cuts), tuple(unreadable), None), computed


def _cut(base: KnowledgeBase, folder: Path, file: SourceFile, record: DocumentRecord) -> Cut:
    """The document as the file is now.

    Raises:
        Unreadable: it cannot be read.
    """
    read = read_file(folder, file.location)
    if read.content is None:
        raise Unreadable(read.why)
    found = read_format(read.content, file.location.name, base.parser)
    document = cut_document(found, path=file.path, kb_scope=record.kb_scope, settings=base.chunk_settings)
    update = {"sha256": read.sha256, "format": found.format.value, "size_bytes": len(read.content)}
    return Cut(document, record.model_copy(update=update))


def _take_in(base: KnowledgeBase, window: _Window) -> int:
    """How many texts were embedded beyond the first attempt; records then say READY or FAILED.

    Raises:
        ModelFailed: the model failed for good or three times.
        IndexUnavailable: the index failed three times.
    """
    for record in window.unreadable:
        _refuse(base, record)
    outcome = window.error or _index(base, window.cuts, 1)
    return outcome if isinstance(outcome, int) else sum(_retry(base, cut, outcome) for cut in window.cuts)


def _refuse(base: KnowledgeBase, record: DocumentRecord) -> None:
    """The document leaves the index, and its record says why."""
    remove_document(base, record)
    gone = {"state": DocumentState.FAILED, "attempts": 1, "version": "", "title": "", "category": ""}
    base.records.put(record.model_copy(update=gone))


def _index(base: KnowledgeBase, cuts: Sequence[Cut], attempt: int) -> int | ModelFailed | IndexUnavailable:
    """How many texts were embedded for the documents, READY now; else what prevented it."""
    begun = {"state": DocumentState.PROCESSING, "attempts": attempt}
    base.records.put_all([cut.record.model_copy(update=begun) for cut in cuts])
    try:
        begun_cuts = [Cut(cut.document, cut.record.model_copy(update=begun)) for cut in cuts]
        return sum(done.embedded for done in index_all(base, begun_cuts, in_force(base)))
    except (ModelFailed, IndexUnavailable) as error:
        return error


def _retry(base: KnowledgeBase, cut: Cut, error: ModelFailed | IndexUnavailable) -> int:
    """One document by itself, as often as is left.

    Raises:
        ModelFailed: the model failed for good or three times.
        IndexUnavailable: the index failed three times.
    """
    outcome: int | ModelFailed | IndexUnavailable = error
    attempt = 1
    while not isinstance(outcome, int) and attempt < MAX_ATTEMPTS and getattr(outcome, "retryable", True):
        attempt += 1
        outcome = _index(base, [cut], attempt)
    if isinstance(outcome, int):
        return outcome
    state = {"state": DocumentState.FAILED, "attempts": attempt, "problem": str(outcome)[:200]}
    base.records.put(cut.record.model_copy(update=state))
    raise outcome


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
