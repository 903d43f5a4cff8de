"""Works off jobs, several documents at once. Whatever goes wrong with one document is written into its row."""

from collections.abc import Sequence

from state.model.errors import ModelFailed
from tools.knowledge.chunking import ChunkSettings, cut_document
from tools.knowledge.formats.kinds import Unreadable
from tools.knowledge.formats.read_file import read_file
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.indexing import Cut, Indexed, in_force, index_all
from tools.knowledge.jobs import BACKOFF_S, MAX_ATTEMPTS, Job, Jobs
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.stored_files import StoredFiles

_FILE_GONE = "its stored file is gone; add it again"
_NOT_TAKEN = "a newer file of this name was not taken: {why}"


class JobWork:
    """The worker's side of a document library. One thread at a time, by the writer's lock."""

    def __init__(self, base: KnowledgeBase, jobs: Jobs, files: StoredFiles) -> None:
        self._base = base
        self._jobs = jobs
        self._files = files
        self._left_traces = False

    def run_due(self, limit: int) -> int:
        """How many jobs were taken up."""
        with self._base.writer.held_if_free() as is_free:
            if not is_free or self._base.records.building:
                return 0
            if self._jobs.take_up():
                self._base.recover()
            jobs = self._jobs.claim(limit, now=self._base.clock.now().timestamp())
            if jobs:
                self._work_off(jobs)
            elif self._left_traces:
                self._left_traces = False
                self._base.forget_deleted()
            return len(jobs)

    def drop_unused_files(self) -> None:
        """Deletes stored bytes that no document and no unfinished job has."""
        records = self._base.records
        kept = {record.sha256 for name in records.collections() | {records.collection}
                for record in records.of_collection(name).documents()}  # fmt: skip
        self._files.keep_only(frozenset(kept | {job.sha256 for job in self._jobs.waiting()}))

    def _work_off(self, jobs: Sequence[Job]) -> None:
        cuts: list[tuple[Job, Cut]] = []
        for job in jobs:
            record = self._base.records.document(job.doc_id) or self._base.records.queue(_record(job))
            self._base.records.put(
                record.model_copy(update={"state": DocumentState.PROCESSING, "attempts": job.attempts})
            )
            try:
                cuts.append((job, self._cut(job, record)))
            except Unreadable as error:
                self._failed(job, record, str(error))
        if cuts and not self._indexed(cuts) and len(cuts) > 1:
            for one in cuts:
                self._indexed([one], is_last=True)

    def _cut(self, job: Job, record: DocumentRecord) -> Cut:
        """The document as it was added.

        Raises:
            Unreadable: it cannot be read.
        """
        content = self._files.get(job.sha256)
        if content is None:
            raise Unreadable(_FILE_GONE)
        file = read_file(content, job.path, self._base.parser)
        settings = ChunkSettings.model_validate_json(job.settings)
        document = cut_document(file, path=job.path, kb_scope=job.kb_scope, settings=settings)
        new = {"sha256": job.sha256, "settings": job.settings, "given_category": job.category, "attempts": job.attempts,
               "format": file.format.value, "size_bytes": len(content)}  # fmt: skip
        return Cut(document, record.model_copy(update=new))

    def _indexed(self, cuts: Sequence[tuple[Job, Cut]], *, is_last: bool = False) -> bool:
        """True if the documents are READY; else, once nothing smaller can be tried, their jobs wait or have FAILED."""
        try:
            done = index_all(self._base, [cut for _, cut in cuts], in_force(self._base))
        except (ModelFailed, IndexUnavailable) as error:
            if len(cuts) == 1 or is_last:
                for job, _ in cuts:
                    self._again(job, str(error), may_retry=getattr(error, "retryable", True))
            return False
        for (job, cut), one in zip(cuts, done, strict=True):
            self._ready(job, cut, one)
        if any(cut.record.version for _, cut in cuts):
            self._left_traces = True
            self.drop_unused_files()
        return True

    def _ready(self, job: Job, cut: Cut, done: Indexed) -> None:
        self._put(
            job, DocumentState.READY, cut.document.problem, embedded=done.embedded, reused=done.chunks - done.embedded
        )

    def _again(self, job: Job, why: str, *, may_retry: bool) -> None:
        record = self._base.records.document(job.doc_id)
        if record is None:
            return
        if not may_retry or job.attempts >= MAX_ATTEMPTS:
            self._failed(job, record, why)
            return
        due = self._base.clock.now().timestamp() + BACKOFF_S[job.attempts - 1]
        self._base.records.put(record.model_copy(update={"state": DocumentState.PENDING, "problem": why}))
        self._put(job, DocumentState.PENDING, why, not_before=due)

    def _failed(self, job: Job, record: DocumentRecord, why: str) -> None:
        """The job FAILED. A version that was searchable before stays so; else the document FAILED too."""
        now = self._base.clock.now().isoformat()
        kept = {"state": DocumentState.READY, "problem": _NOT_TAKEN.format(why=why)}
        lost = {"state": DocumentState.FAILED, "problem": why, "attempts": job.attempts, "updated_at": now}
        self._base.records.put(record.model_copy(update=kept if record.version else lost))
        self._put(job, DocumentState.FAILED, why)

    def _put(self, job: Job, state: DocumentState, problem: str, **counts: float) -> None:
        now = self._base.clock.now().isoformat()
        self._jobs.put(job.model_copy(update={"state": state, "problem": problem, "updated_at": now, **counts}))


def _record(job: Job) -> DocumentRecord:
    """The document of a job whose adding ended before the document was written."""
    return DocumentRecord(
        kb_scope=job.kb_scope, path=job.path, doc_id=job.doc_id, sha256=job.sha256, settings=job.settings,
        state=DocumentState.PENDING, given_category=job.category, category=job.category,
    )  # fmt: skip
