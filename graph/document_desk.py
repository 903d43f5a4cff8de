"""The documents of a served process: one open knowledge base, one thread that works off what was added.

Every method of the desk may be awaited on the event loop: what blocks runs in threads of its own. The knowledge base of
the documents is opened when there are any, or by the first addition, and shared with the runs of this process.
"""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import structlog

from config.settings import Settings
from graph.knowledge import KB_SCOPE, build_policy, build_stages, has_documents
from graph.runbooks import Runbooks
from graph.system import SystemClock, SystemIds
from state.model.errors import RootproofError, TruthUnavailable
from tools.knowledge.document_library import DocumentLibrary, document_name
from tools.knowledge.document_library import DocumentRefused as DocumentRefused
from tools.knowledge.explain import ExplainedHit as ExplainedHit
from tools.knowledge.explain import Explanation as Explanation
from tools.knowledge.explain import explain
from tools.knowledge.formats.kinds import MAX_FILE_BYTES as MAX_FILE_BYTES
from tools.knowledge.index_port import IndexUnavailable as IndexUnavailable
from tools.knowledge.indexing import fold
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.rebuilding import RebuildInProgress as RebuildInProgress
from tools.knowledge.records import DocumentRecord, DocumentState
from tools.knowledge.task_runner import TaskRunner
from tools.knowledge.tasks import Task as IngestTask

T = TypeVar("T")
READERS = 4
"""Threads for what is short: lists, searches, additions."""
log = structlog.get_logger("graph.document_desk")


@dataclass(frozen=True)
class KeptDocument:
    """One document as it is listed."""

    record: DocumentRecord
    chunks: int
    """How many chunks of it can be found."""
    updated_at: str
    """When it was added, or last became READY or FAILED; ISO 8601 UTC."""


@dataclass(frozen=True)
class AddedDocument:
    """What adding did."""

    doc_id: str
    state: DocumentState
    task_id: str | None
    """The task to ask for; None: these bytes are there already and nothing is to be done."""


@dataclass(frozen=True)
class BaseSearch:
    """What one knowledge base answered."""

    source: str
    """Name of the knowledge base."""
    found: Explanation


class DocumentDesk:
    """The documents people add, for as long as the process serves."""

    def __init__(self, settings: Settings, runbooks: Runbooks | None) -> None:
        """Opens nothing. ``runbooks``: what the runs of this process search, closed by its owner; None: there are none.

        Raises:
            Misconfigured: a stage of the search cannot be used.
        """
        self._settings = settings
        self._stages = build_stages(settings)
        self._readers = ThreadPoolExecutor(READERS, "knowledge-reader")
        self._writer = ThreadPoolExecutor(1, "knowledge-writer")
        self._lock = threading.Lock()
        self._opened = ExitStack()
        self._runbooks = runbooks or Runbooks(settings, None, SystemClock(), self._opened)
        self._library: DocumentLibrary | None = None
        self._base: KnowledgeBase | None = None
        self._runner: TaskRunner | None = None
        self._rebuild: asyncio.Task[None] | None = None
        self._is_rebuilding = False
        self._closing = threading.Event()

    async def open(self) -> None:
        """Open the knowledge base if documents are there, and take over what a process that died left undone.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """
        await self._read(self._present)

    async def close(self) -> None:
        """Return when the tasks under way are done; what waits goes on in the next process, a rebuild is given up."""
        self._closing.set()
        if self._rebuild is not None and not self._rebuild.done():
            await asyncio.wait([self._rebuild])
        await asyncio.to_thread(self._close)

    async def add(self, content: bytes, *, name: str, category: str = "") -> AddedDocument:
        """The document, waiting to be read and embedded, or the one that has these bytes already.

        Raises:
            DocumentRefused: empty, larger than 20 MiB, or without a usable name.
            RebuildInProgress: try again when it is done.
            Misconfigured: the index or the embedding model cannot be used.
        """
        document_name(content, name)
        self._refuse_during_rebuild()

        def add() -> AddedDocument:
            library = self._documents()
            added = library.add(content, kb_scope=KB_SCOPE, name=name, category=category)
            return AddedDocument(added.document.doc_id, added.document.state, added.task_id)

        added = await self._read(add)
        if self._runner is not None:
            self._runner.wake()
        return added

    async def documents(self) -> tuple[KeptDocument, ...]:
        """The documents by name; empty: nobody added any.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """

        def listed() -> tuple[KeptDocument, ...]:
            library = self._present()
            return tuple(_kept(library, record) for record in library.documents(KB_SCOPE)) if library else ()

        return await self._read(listed)

    async def document(self, doc_id: str) -> KeptDocument | None:
        """The document, or None.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """

        def one() -> KeptDocument | None:
            library = self._present()
            record = library.document(doc_id, kb_scope=KB_SCOPE) if library else None
            return _kept(library, record) if library and record else None

        return await self._read(one)

    async def task(self, task_id: str) -> IngestTask | None:
        """The task; None if there is none, or it is long finished.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
        """

        def one() -> IngestTask | None:
            library = self._present()
            return library.task(task_id, kb_scope=KB_SCOPE) if library else None

        return await self._read(one)

    async def delete(self, doc_id: str) -> bool:
        """True if the document is gone; False if there was none. Waits up to 60 s for tasks under way.

        Raises:
            RebuildInProgress: try again when it is done.
            Misconfigured: another process holds the index or keeps writing.
            IndexUnavailable: it is no longer found; its rows go when the base is next opened.
        """
        self._refuse_during_rebuild()

        def delete() -> bool:
            library = self._present()
            return library.delete(doc_id, kb_scope=KB_SCOPE) if library else False

        return await self._write(delete)

    async def rebuild(self) -> None:
        """Begin to make the index anew; returns at once. How it ended is logged; without documents nothing is done.

        Raises:
            RebuildInProgress: one is under way.
            Misconfigured: another process holds the index.
        """
        self._refuse_during_rebuild()
        # Before anything is awaited: a second call of this moment is refused.
        self._is_rebuilding = True
        try:
            library = await self._read(self._present)
            if library is not None:
                await self._read(library.check_rebuild)
        except BaseException:
            self._is_rebuilding = False
            raise
        self._rebuild = asyncio.create_task(self._rebuilt(library))

    async def search(self, question: str, *, category: str | None = None) -> tuple[BaseSearch, ...]:
        """What the documents, and what the knowledge base of a diagnosis if it is another, answer. Never empty.

        Raises:
            Misconfigured: the index or the embedding model cannot be used.
            IndexUnavailable: the index did not answer.
            ModelFailed: the embedding model did not answer.
        """
        return await self._read(lambda: tuple(self._ask(base, question, category) for base in self._bases()))

    @property
    def is_rebuilding(self) -> bool:
        """True while a rebuild of this process is under way."""
        return self._is_rebuilding

    async def _rebuilt(self, library: DocumentLibrary | None) -> None:
        try:
            if library is not None:
                summary = await self._write(lambda: library.rebuild(is_stopped=self._closing.is_set))
                log.info("knowledge rebuilt", **summary.model_dump())
        except RootproofError as error:
            log.warning("knowledge not rebuilt; what was in force stays so", error=str(error))
        finally:
            self._is_rebuilding = False

    def _refuse_during_rebuild(self) -> None:
        if self._is_rebuilding:
            raise RebuildInProgress

    def _ask(self, base: KnowledgeBase, question: str, category: str | None) -> BaseSearch:
        folded = fold(category) if category else None
        policy = build_policy(self._settings, base)
        found = explain(base, policy, question, kb_scope=KB_SCOPE, category=folded, stages=self._stages)
        return BaseSearch(base.name, found)

    def _bases(self) -> tuple[KnowledgeBase, ...]:
        """The documents first."""
        self._present()
        return self._runbooks.searched()

    def _present(self) -> DocumentLibrary | None:
        """The open library; None as long as nobody ever added a document."""
        return self._documents() if self._library or has_documents(self._settings) else None

    def _documents(self) -> DocumentLibrary:
        with self._lock:
            if self._library is None:
                self._library = self._open_library()
            return self._library

    def _open_library(self) -> DocumentLibrary:
        with ExitStack() as opening:
            base = self._runbooks.documents()
            library = DocumentLibrary(base, SystemIds())
            opening.callback(library.close)
            runner = TaskRunner(library)
            opening.enter_context(runner)
            self._opened.push(opening.pop_all())
        self._base, self._runner = base, runner
        return library

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._opened.close()

    async def _read(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, _closed(work))

    async def _write(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, _closed(work))


@asynccontextmanager
async def open_desk(settings: Settings, runbooks: Runbooks | None) -> AsyncIterator[DocumentDesk]:
    """The desk of a process that serves. ``runbooks``: what its runs search.

    Raises:
        Misconfigured: the index, the embedding model or a stage of the search cannot be used.
    """
    desk = DocumentDesk(settings, runbooks)
    try:
        await desk.open()
        yield desk
    finally:
        await desk.close()


def _closed(work: Callable[[], T]) -> Callable[[], T]:
    """The same work, whose trouble with records or disk is one of a store.

    Raises:
        TruthUnavailable: records or files cannot be read or written.
    """

    def closed() -> T:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            raise TruthUnavailable("knowledge", "documents") from error

    return closed


def _kept(library: DocumentLibrary, record: DocumentRecord) -> KeptDocument:
    # A document that nothing has become of yet is as old as its task; one whose file is replaced, as the replacement.
    task = library.newest_task(record.doc_id)
    is_waiting = record.state in {DocumentState.PENDING, DocumentState.PROCESSING}
    updated_at = task.updated_at if task and (is_waiting or not record.updated_at) else record.updated_at
    return KeptDocument(record, library.chunk_count(record.doc_id), updated_at)
