"""A new index from the stored files, filled beside the one in force and put in its place in one moment.

Killed on the way, the old one stays in force and the half-made one goes when the base is next opened.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice

from state.model.base import Value
from state.model.errors import Misconfigured, RootproofError
from tools.knowledge.chunking import ChunkSettings, cut_document
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.formats.read_file import read_file
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.indexing import Cut, index_all
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.stored_files import StoredFiles
from tools.knowledge.target import Target

CODE = "E_REBUILD_IN_PROGRESS"
_WINDOW = 16
_TAKEN = "a collection {name} is there that this home did not make; it was left alone"
_GENERATION = re.compile(r"_g(\d+)$")


class RebuildInProgress(RootproofError):
    """The caller tries again later: documents cannot be added or deleted while the index is made anew."""

    def __init__(self) -> None:
        super().__init__("the knowledge base is being rebuilt; documents can be added and deleted when it is done")
        self.code = CODE


class RebuildStopped(RootproofError):
    """Nobody acts: the process ends, and what was in force stays so."""

    def __init__(self) -> None:
        super().__init__("the rebuild was stopped")


class RebuildSummary(Value):
    """What a rebuild did."""

    documents: int
    """READY ones."""
    chunks: int
    embedded: int
    """Texts the model was asked for."""
    failed: int
    """Documents that can no longer be read."""
    seconds: float


def rebuild(
    base: KnowledgeBase,
    files: StoredFiles,
    chunks: ChunkSettings | None,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
) -> RebuildSummary:
    """The new index is in force when this returns. The caller holds the writer's lock.

    ``is_stopped`` is asked every 16 documents.

    Raises:
        RebuildInProgress: one is under way.
        RebuildStopped: ``is_stopped`` said so; nothing has changed.
        Misconfigured: a stored file is gone.
        ModelFailed: the embedding model did not answer; nothing has changed.
        IndexUnavailable: the index did not answer; nothing has changed.
    """
    began = base.clock.monotonic()
    old, new = base.records.collection, _next_name(base.records.collection, base.records.base)
    if not base.records.begin_building(new):
        raise RebuildInProgress
    made = False
    try:
        target = Target(base.index.open(new), base.records.of_collection(new))
        made = target.index.is_new
        if not made:
            raise Misconfigured("knowledge rebuild", _TAKEN.format(name=new))
        embedded = _fill(base, files, chunks, target, is_stopped)
    except BaseException:
        with suppress(IndexUnavailable):
            if made:
                base.index.drop(new)
        base.records.drop([new])
        base.records.stop_building()
        raise
    base.records.switch_to(new)
    if chunks is not None:
        base.chunk_settings = chunks
    _remove(base, target, old)
    records = target.records.documents()
    return RebuildSummary(
        documents=sum(1 for record in records if record.state is DocumentState.READY),
        chunks=target.records.chunk_count(),
        embedded=embedded,
        failed=sum(1 for record in records if record.state is DocumentState.FAILED),
        seconds=base.clock.monotonic() - began,
    )


def _next_name(current: str, base: str) -> str:
    match = _GENERATION.search(current.removeprefix(base))
    return f"{base}_g{int(match[1]) + 1 if match else 1}"


def _fill(
    base: KnowledgeBase,
    files: StoredFiles,
    chunks: ChunkSettings | None,
    target: Target,
    is_stopped: Callable[[], bool],
) -> int:
    """How many texts were embedded.

    Raises:
        RebuildStopped: ``is_stopped`` said so.
        Misconfigured: a stored file is gone.
    """
    records = iter(base.records.documents())
    embedded = 0
    while window := list(islice(records, _WINDOW)):
        if is_stopped():
            raise RebuildStopped
        cuts = []
        for record in window:
            try:
                cuts.append(_cut(base, files, record, chunks))
            except Unreadable as error:
                gone = {"state": DocumentState.FAILED, "problem": str(error), "version": ""}
                target.records.put(record.model_copy(update=gone))
        done = index_all(base, cuts, target)
        embedded += sum(one.embedded for one in done)
        _keep_waiting(target, window)
    return embedded


def _cut(base: KnowledgeBase, files: StoredFiles, record: DocumentRecord, chunks: ChunkSettings | None) -> Cut:
    """The document from its stored file.

    Raises:
        Unreadable: it cannot be read.
        Misconfigured: the file is gone.
    """
    content = files.get(record.sha256)
    if content is None:
        raise Misconfigured("knowledge rebuild", f"the stored file of {record.path} is gone; add it again or delete it")
    settings = chunks or ChunkSettings.model_validate_json(record.settings)
    file = read_file(content, record.path, base.parser)
    document = cut_document(file, path=record.path, kb_scope=record.kb_scope, settings=settings)
    update = {"settings": settings.model_dump_json(), "version": "", "format": file.format.value}
    return Cut(document, record.model_copy(update=update))


def _keep_waiting(target: Target, window: Sequence[DocumentRecord]) -> None:
    """A document whose newer file waits goes on waiting for it."""
    for record in window:
        made = target.records.document(record.doc_id)
        if made is not None and record.state is DocumentState.PENDING:
            target.records.put(made.model_copy(update={"state": record.state, "problem": record.problem}))


def _remove(base: KnowledgeBase, target: Target, old: str) -> None:
    """The old index goes; if the engine does not answer now, a later opening finds it unused."""
    base.forget_texts(base.records.drop([old]))
    with suppress(IndexUnavailable):
        target.index.name_as(f"{base.records.base}_current")
        base.index.drop(old)
    base.forget_deleted()
