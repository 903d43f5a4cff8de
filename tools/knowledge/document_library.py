"""Documents that people add and delete one by one: their files, records and tasks. For API, command line and tool.

Adding only writes rows and a file; ``TaskRunner`` (or ``run_due``) of whichever process holds the index does the work,
so that a command line can add while a server runs. Decision note: ``docs/knowledge.md``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from state.model.errors import Misconfigured, RootproofError
from state.ports import IdSource
from tools.knowledge.chunking import ChunkSettings, document_id
from tools.knowledge.folder import shown_path
from tools.knowledge.formats.kinds import MAX_FILE_BYTES
from tools.knowledge.indexing import fold, remove_document
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.rebuilding import RebuildInProgress, RebuildSummary, rebuild
from tools.knowledge.records import DocumentRecord, DocumentState, Records
from tools.knowledge.stored_files import StoredFiles
from tools.knowledge.task_work import TaskWork
from tools.knowledge.tasks import Task, TaskId, Tasks
from tools.regular_file import read_regular

MAX_NAME_CHARS = 300
_WAIT_S = 60.0
_HELD_ELSEWHERE = "another process holds the index; do it through that process, or when it has ended"


class DocumentRefused(RootproofError):
    """The caller must send something else: the document cannot be added at all."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the document {why}")
        self.why = why
        """Half a sentence written by code, safe to show."""


@dataclass(frozen=True)
class Added:
    """What adding did."""

    document: DocumentRecord
    """As it is now; of a duplicate the one that was there."""
    task_id: TaskId | None
    """The task to ask for; None if there is nothing to do."""
    is_duplicate: bool
    """True if the scope already held these bytes, under whatever name, and nothing was done."""


class DocumentLibrary:
    """The managed documents of one open knowledge base. Thread-safe; every method blocks."""

    def __init__(self, base: KnowledgeBase, ids: IdSource) -> None:
        """Documents whose index was lost, or was made by another embedding model, are queued again."""
        self._base = base
        self._ids = ids
        # A private copy of the index is for searching; what is added goes to the process that holds the index.
        self._records = (
            Records(base.shared_home / "records.db", base.spec.collection) if base.is_private else base.records
        )
        self._tasks = Tasks(self._records.file, self._records.base)
        self._files = StoredFiles(base.shared_home / "files")
        self._work = TaskWork(base, self._tasks, self._files)
        if not base.is_private:
            with base.writer.held_if_free() as is_free:
                if is_free:
                    self._take_over()

    @property
    def holds_index(self) -> bool:
        """False if another process holds the index: ``run_due`` does nothing then, and that process does the tasks."""
        return not self._base.is_private

    def add(
        self, content: bytes, *, kb_scope: str, name: str, chunks: ChunkSettings | None = None, category: str = ""
    ) -> Added:
        """The document, PENDING, or the one that is there. The same name again replaces the document.

        Effects: one private file and two rows; nothing is read or embedded yet.

        Raises:
            DocumentRefused: empty, larger than 20 MiB, or without a usable name.
            RebuildInProgress: try again when it is done.
        """
        path = document_name(content, name)
        self._refuse_during_rebuild()
        settings = (chunks or self._base.chunk_settings).model_dump_json()
        with self._files.adding():
            return self._added(content, kb_scope, path, settings, fold(category))

    def add_file(
        self, path: Path, *, kb_scope: str, name: str, chunks: ChunkSettings | None = None, category: str = ""
    ) -> Added:
        """The same for a regular file on this machine.

        Raises:
            DocumentRefused: it cannot be read, or as for ``add``.
            RebuildInProgress: try again when it is done.
        """
        try:
            content = read_regular(path, max_bytes=MAX_FILE_BYTES)
        except OSError:
            raise DocumentRefused("cannot be read") from None
        return self.add(content, kb_scope=kb_scope, name=name, chunks=chunks, category=category)

    def documents(self, kb_scope: str) -> tuple[DocumentRecord, ...]:
        """Documents of the scope, by name."""
        return self._records.documents(kb_scope)

    def document(self, doc_id: str, *, kb_scope: str) -> DocumentRecord | None:
        """The document; None if the scope has none of that id."""
        found = self._records.document(doc_id)
        return found if found is not None and found.kb_scope == kb_scope else None

    def chunk_count(self, doc_id: str) -> int:
        """How many chunks of the document can be found."""
        return len(self._records.chunks(doc_id))

    def newest_task(self, doc_id: str) -> Task | None:
        """The newest task of the document; None if it is long finished."""
        return self._tasks.of_document(doc_id)

    def task(self, task_id: str, *, kb_scope: str) -> Task | None:
        """The task; None if the scope has none of that id, or it is long finished."""
        task = self._tasks.task(task_id)
        return task if task is not None and task.kb_scope == kb_scope else None

    def waiting(self) -> tuple[Task, ...]:
        """Tasks that are not finished, oldest first."""
        return self._tasks.waiting()

    def delete(self, doc_id: str, *, kb_scope: str) -> bool:
        """True if the document is gone from searches, index, records, vector cache and disk; False if there was none.

        Raises:
            RebuildInProgress: try again when it is done.
            Misconfigured: another process holds the index or keeps writing.
            IndexUnavailable: it is no longer found, but its rows go only when the base is next opened.
        """
        self._refuse_during_rebuild()
        if not self.holds_index:
            raise Misconfigured("knowledge index", _HELD_ELSEWHERE)
        with self._base.writer.held(within_s=_WAIT_S):
            record = self.document(doc_id, kb_scope=kb_scope)
            if record is None:
                return False
            self._tasks.forget(doc_id)
            remove_document(self._base, record)
            self._work.drop_unused_files()
            self._base.forget_deleted()
        return True

    def run_due(self, limit: int = 8) -> int:
        """How many tasks this call took up; 0 if none is due, or another process is writing.

        What goes wrong with a task is written into its row.
        """
        return self._work.run_due(limit) if self.holds_index else 0

    def rebuild(
        self, *, chunks: ChunkSettings | None = None, is_stopped: Callable[[], bool] = lambda: False
    ) -> RebuildSummary:
        """The index made anew from the stored files; searches use the old one until the new one is complete.

        ``chunks``: cut all documents this way; None: each as it was added. ``is_stopped`` is asked every 16 documents.

        Raises:
            RebuildInProgress: one is under way.
            RebuildStopped: ``is_stopped`` said so; nothing has changed.
            Misconfigured: another process holds the index or keeps writing; a stored file is gone.
            ModelFailed: the embedding model did not answer; nothing has changed.
            IndexUnavailable: the index did not answer; nothing has changed.
        """
        self.check_rebuild()
        with self._base.writer.held(within_s=_WAIT_S):
            return rebuild(self._base, self._files, chunks, is_stopped=is_stopped)

    def check_rebuild(self) -> None:
        """Return if a rebuild could begin now.

        Raises:
            RebuildInProgress: one is under way.
            Misconfigured: another process holds the index.
        """
        if not self.holds_index:
            raise Misconfigured("knowledge index", _HELD_ELSEWHERE)
        self._refuse_during_rebuild()

    @property
    def is_rebuilding(self) -> bool:
        """True while a rebuild is under way in any process."""
        return bool(self._records.building)

    def close(self) -> None:
        """Close what this object opened; the knowledge base stays open."""
        if not self.holds_index:
            self._records.close()

    def _refuse_during_rebuild(self) -> None:
        if not self._records.building:
            return
        # One that was killed holds nothing any more.
        if self.holds_index:
            self._base.recover()
        if self._records.building:
            raise RebuildInProgress

    def _added(self, content: bytes, kb_scope: str, path: str, settings: str, category: str) -> Added:
        sha256 = self._files.put(content)
        doc_id = document_id(path, kb_scope)
        same = self._same(kb_scope, sha256)
        if same is not None and (same.doc_id != doc_id or self._is_current(same, settings, category)):
            waiting = self._tasks.of_document(same.doc_id)
            is_waiting = waiting is not None and same.state is not DocumentState.READY
            return Added(same, waiting.task_id if waiting and is_waiting else None, is_duplicate=True)
        return self._queued(kb_scope, path, sha256, settings, category, len(content))

    def _same(self, kb_scope: str, sha256: str) -> DocumentRecord | None:
        """The document of the scope that has these bytes, or will have them."""
        coming = {task.doc_id for task in self._tasks.waiting() if task.sha256 == sha256}
        found = [r for r in self._records.documents(kb_scope) if r.sha256 == sha256 or r.doc_id in coming]
        return next((r for r in found if r.state is not DocumentState.FAILED), None)

    def _is_current(self, record: DocumentRecord, settings: str, category: str) -> bool:
        task = self._tasks.of_document(record.doc_id)
        is_waiting = task is not None and task.state in {DocumentState.PENDING, DocumentState.PROCESSING}
        wanted = (
            (task.settings, task.category)
            if task is not None and is_waiting
            else (record.settings, record.given_category)
        )
        return wanted == (settings, category)

    def _queued(self, kb_scope: str, path: str, sha256: str, settings: str, category: str, size: int) -> Added:
        record = DocumentRecord(
            kb_scope=kb_scope, path=path, doc_id=document_id(path, kb_scope), sha256=sha256, settings=settings,
            state=DocumentState.PENDING, given_category=category, category=category, size_bytes=size,
        )  # fmt: skip
        task = self._task(record, sha256, settings, category)
        # The task first: a document that waits for nothing would wait for ever.
        self._tasks.put(task)
        return Added(self._records.queue(record), task.task_id, is_duplicate=False)

    def _task(self, record: DocumentRecord, sha256: str, settings: str, category: str) -> Task:
        now = self._base.clock.now().isoformat()
        return Task(
            task_id=TaskId(self._ids.uuid()), kb_scope=record.kb_scope, path=record.path, doc_id=record.doc_id,
            sha256=sha256, settings=settings, category=category, state=DocumentState.PENDING, created_at=now,
            updated_at=now,
        )  # fmt: skip

    def _take_over(self) -> None:
        self._tasks.take_up()
        self._queue_again([record for record in self._base.lost if self._files.has(record.sha256)])
        if not self._records.documents():
            self._queue_again(self._of_another_model())
        self._work.drop_unused_files()

    def _of_another_model(self) -> Sequence[DocumentRecord]:
        """Documents that this knowledge base has under another embedding model."""
        own = self._records.base
        prefix = self._base.spec.of_every_model
        others = sorted(name for name in self._records.collections() if name.startswith(prefix) and name != own)
        found = (self._records.of_collection(name).documents() for name in others)
        return next((tuple(r for r in records if self._files.has(r.sha256)) for records in found if records), ())

    def _queue_again(self, records: Sequence[DocumentRecord]) -> None:
        for record in records:
            fresh = record.model_copy(update={"state": DocumentState.PENDING, "version": "", "problem": ""})
            self._records.put(fresh)
            if not any(task.doc_id == record.doc_id for task in self._tasks.waiting()):
                self._tasks.put(self._task(fresh, record.sha256, record.settings, record.given_category))


def document_name(content: bytes, name: str) -> str:
    """The name under which a document of these bytes is stored and shown. Pure.

    Raises:
        DocumentRefused: empty, too large, or no usable name.
    """
    if not content:
        raise DocumentRefused("is empty")
    if len(content) > MAX_FILE_BYTES:
        raise DocumentRefused(f"is larger than {MAX_FILE_BYTES // 1024**2} MiB")
    plain = "".join(char if char.isprintable() else " " for char in name).strip().strip("/")
    parts = [part for part in plain.split("/") if part not in {"", ".", ".."}]
    if not parts or len(plain) > MAX_NAME_CHARS:
        raise DocumentRefused(f"needs a name of 1 to {MAX_NAME_CHARS} characters")
    return shown_path(Path("/".join(parts)))
