"""Works off tasks, several documents at once. Whatever goes wrong with one document is written into its row."""

from collections.abc import Sequence

from state.model.errors import ModelFailed
from tools.knowledge.chunking import ChunkSettings, cut_document
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.formats.read_file import read_file
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.indexing import Cut, Indexed, in_force, index_all
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.stored_files import StoredFiles
from tools.knowledge.tasks import BACKOFF_S, MAX_ATTEMPTS, Task, Tasks

_FILE_GONE = "its stored file is gone; add it again"
_NOT_TAKEN = "a newer file of this name was not taken: {why}"


class TaskWork:
    """The worker's side of a document library. One thread at a time, by the writer's lock."""

    def __init__(self, base: KnowledgeBase, tasks: Tasks, files: StoredFiles) -> None:
        self._base = base
        self._tasks = tasks
        self._files = files
        self._left_traces = False

    def run_due(self, limit: int) -> int:
        """How many tasks were taken up."""
        with self._base.writer.held_if_free() as is_free:
            if not is_free or self._base.records.building:
                return 0
            if self._tasks.take_up():
                self._base.recover()
            tasks = self._tasks.claim(limit, now=self._base.clock.now().timestamp())
            if tasks:
                self._work_off(tasks)
            elif self._left_traces:
                self._left_traces = False
                self._base.forget_deleted()
            return len(tasks)

    def drop_unused_files(self) -> None:
        """Deletes stored bytes that no document and no unfinished task has."""
        self._files.keep_only(self._used)

    def _used(self) -> frozenset[str]:
        records = self._base.records
        kept = {record.sha256 for name in records.collections() | {records.collection}
                for record in records.of_collection(name).documents()}  # fmt: skip
        return frozenset(kept | {task.sha256 for task in self._tasks.waiting()})

    def _work_off(self, tasks: Sequence[Task]) -> None:
        cuts: list[tuple[Task, Cut]] = []
        for task in tasks:
            record = self._base.records.document(task.doc_id) or self._base.records.queue(_record(task))
            self._base.records.put(
                record.model_copy(update={"state": DocumentState.PROCESSING, "attempts": task.attempts})
            )
            try:
                cuts.append((task, self._cut(task, record)))
            except Unreadable as error:
                self._failed(task, record, str(error))
        if cuts and not self._indexed(cuts) and len(cuts) > 1:
            for one in cuts:
                self._indexed([one], is_last=True)

    def _cut(self, task: Task, record: DocumentRecord) -> Cut:
        """The document as it was added.

        Raises:
            Unreadable: it cannot be read.
        """
        content = self._files.get(task.sha256)
        if content is None:
            raise Unreadable(_FILE_GONE)
        file = read_file(content, task.path, self._base.parser)
        settings = ChunkSettings.model_validate_json(task.settings)
        document = cut_document(file, path=task.path, kb_scope=task.kb_scope, settings=settings)
        new = {"sha256": task.sha256, "settings": task.settings, "given_category": task.category,
               "attempts": task.attempts, "format": file.format.value, "size_bytes": len(content)}  # fmt: skip
        return Cut(document, record.model_copy(update=new))

    def _indexed(self, cuts: Sequence[tuple[Task, Cut]], *, is_last: bool = False) -> bool:
        """True if the documents are READY; else, once nothing smaller can be tried, their tasks wait or have FAILED."""
        try:
            done = index_all(self._base, [cut for _, cut in cuts], in_force(self._base))
        except (ModelFailed, IndexUnavailable) as error:
            if len(cuts) == 1 or is_last:
                for task, _ in cuts:
                    self._again(task, str(error), may_retry=getattr(error, "retryable", True))
            return False
        for (task, cut), one in zip(cuts, done, strict=True):
            self._ready(task, cut, one)
        if any(cut.record.version for _, cut in cuts):
            self._left_traces = True
            self.drop_unused_files()
        return True

    def _ready(self, task: Task, cut: Cut, done: Indexed) -> None:
        self._put(
            task, DocumentState.READY, cut.document.problem, embedded=done.embedded, reused=done.chunks - done.embedded
        )

    def _again(self, task: Task, why: str, *, may_retry: bool) -> None:
        record = self._base.records.document(task.doc_id)
        if record is None:
            return
        if not may_retry or task.attempts >= MAX_ATTEMPTS:
            self._failed(task, record, why)
            return
        due = self._base.clock.now().timestamp() + BACKOFF_S[task.attempts - 1]
        self._base.records.put(record.model_copy(update={"state": DocumentState.PENDING, "problem": why}))
        self._put(task, DocumentState.PENDING, why, not_before=due)

    def _failed(self, task: Task, record: DocumentRecord, why: str) -> None:
        """The task FAILED. A version that was searchable before stays so; else the document FAILED too."""
        now = self._base.clock.now().isoformat()
        kept = {"state": DocumentState.READY, "problem": _NOT_TAKEN.format(why=why)}
        lost = {"state": DocumentState.FAILED, "problem": why, "attempts": task.attempts, "updated_at": now}
        self._base.records.put(record.model_copy(update=kept if record.version else lost))
        self._put(task, DocumentState.FAILED, why)

    def _put(self, task: Task, state: DocumentState, problem: str, **counts: float) -> None:
        now = self._base.clock.now().isoformat()
        self._tasks.put(task.model_copy(update={"state": state, "problem": problem, "updated_at": now, **counts}))


def _record(task: Task) -> DocumentRecord:
    """The document of a task whose adding ended before the document was written."""
    return DocumentRecord(
        kb_scope=task.kb_scope, path=task.path, doc_id=task.doc_id, sha256=task.sha256, settings=task.settings,
        state=DocumentState.PENDING, given_category=task.category, category=task.category,
    )  # fmt: skip
