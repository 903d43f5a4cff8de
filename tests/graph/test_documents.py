"""The documents of a served process, over the real index and the packaged embedding model."""

import asyncio
import threading
from contextlib import ExitStack

import pytest

from config.settings import Settings
from graph.document_desk import DocumentDesk, DocumentRefused, RebuildInProgress, open_desk
from graph.documents import list_documents
from graph.knowledge import DOCUMENTS_KB, has_documents, open_base
from graph.runbooks import Runbooks
from graph.system import SystemClock, SystemIds
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.records import DocumentState

POOL = b"# Pool\n\n## Cause\n\nThe connection pool of checkout is exhausted; raise it or return leaked connections.\n"
DISK = b"# Disk\n\n## Cause\n\nThe disk of the broker is full because retention is off.\n"
_FINISHED = {DocumentState.READY, DocumentState.FAILED}


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home")


async def finished(desk: DocumentDesk, task_id: str):
    while (task := await desk.task(task_id)) is not None and task.state not in _FINISHED:
        await asyncio.sleep(0.02)
    return task


def paths(found) -> list[str]:
    return [hit.path for one in found for hit in one.found.hits]


async def test_a_document_is_found_right_after_its_task_is_ready(settings):
    async with open_desk(settings, None) as desk:
        added = await desk.add(POOL, name="pool.md", category="Database")
        assert (added.state, await desk.task("another")) == (DocumentState.PENDING, None)
        task = await finished(desk, added.task_id)
        found = await desk.search("connection pool exhausted")
        (kept,) = await desk.documents()
        again = await desk.add(POOL, name="pool.md", category="Database")

    assert (task.state, task.problem) == (DocumentState.READY, "")
    assert "pool.md" in paths(found)
    assert (kept.record.doc_id, kept.record.category, kept.chunks) == (added.doc_id, "database", 1)
    assert (again.state, again.task_id, again.doc_id) == (DocumentState.READY, None, added.doc_id)


async def test_what_is_deleted_is_neither_listed_nor_found(settings):
    async with open_desk(settings, None) as desk:
        pool = await desk.add(POOL, name="pool.md")
        disk = await desk.add(DISK, name="disk.md")
        await finished(desk, pool.task_id)
        await finished(desk, disk.task_id)

        assert await desk.delete(pool.doc_id)
        assert not await desk.delete(pool.doc_id)
        assert await desk.document(pool.doc_id) is None
        assert [kept.record.path for kept in await desk.documents()] == ["disk.md"]
        assert "pool.md" not in paths(await desk.search("connection pool exhausted"))


async def test_a_refused_document_leaves_no_empty_knowledge_base_behind(settings):
    async with open_desk(settings, None) as desk:
        with pytest.raises(DocumentRefused):
            await desk.add(b"", name="empty.md")
        assert await desk.documents() == ()

    assert not has_documents(settings)


async def test_without_documents_the_bundled_runbooks_answer(settings):
    async with open_desk(settings, None) as desk:
        (only,) = await desk.search("connection pool exhausted")

    assert (only.source, bool(only.found.hits)) == ("library", True)
    assert not has_documents(settings)


async def test_the_knowledge_base_of_the_diagnosis_is_shared_where_it_is_the_same(settings):
    with ExitStack() as opened:
        runbooks = Runbooks(settings, None, SystemClock(), opened)
        async with open_desk(settings, runbooks) as desk:
            added = await desk.add(POOL, name="pool.md")
            await finished(desk, added.task_id)
            found = await desk.search("connection pool exhausted")

        base = runbooks.documents()
        assert [one.source for one in found] == [DOCUMENTS_KB]
        assert [record.path for record in base.records.documents()] == ["pool.md"]
        assert not base.is_private


async def test_tasks_that_a_dead_process_left_are_done_after_the_start(settings):
    with ExitStack() as opened:
        base = open_base(settings, DOCUMENTS_KB, SystemClock(), opened)
        left = DocumentLibrary(base, SystemIds()).add(POOL, kb_scope="local", name="pool.md")
        base.records.file.rows("UPDATE job SET state = 'PROCESSING', attempts = 1")

    async with open_desk(settings, None) as desk:
        task = await finished(desk, left.task_id)

    assert (task.state, task.attempts) == (DocumentState.READY, 2)


async def test_a_rebuild_refuses_changes_while_searches_go_on(settings, held_embedder):
    async with open_desk(settings, None) as desk:
        added = await desk.add(POOL, name="pool.md")
        await finished(desk, added.task_id)
        held_embedder.hold(desk)
        await desk.rebuild()
        await asyncio.to_thread(held_embedder.reached.wait)

        for refused in (desk.add(DISK, name="disk.md"), desk.delete(added.doc_id), desk.rebuild()):
            with pytest.raises(RebuildInProgress):
                await refused
        assert "pool.md" in paths(await desk.search("connection pool exhausted"))

        held_embedder.go_on.set()
        while desk.is_rebuilding:
            await asyncio.sleep(0.02)
        assert "pool.md" in paths(await desk.search("connection pool exhausted"))
        assert (await desk.add(DISK, name="disk.md")).task_id is not None


async def test_a_rebuild_without_documents_is_no_error(settings):
    async with open_desk(settings, None) as desk:
        await desk.rebuild()

    assert not has_documents(settings)


async def test_the_event_loop_goes_on_while_the_index_is_busy(settings, held_embedder):
    async with open_desk(settings, None) as desk:
        added = await desk.add(POOL, name="pool.md")
        await finished(desk, added.task_id)
        held_embedder.hold(desk)
        waiting = await desk.add(DISK, name="disk.md")
        await asyncio.to_thread(held_embedder.reached.wait)
        deleting = asyncio.create_task(desk.delete(added.doc_id))

        assert (await desk.task(waiting.task_id)).state is DocumentState.PROCESSING
        assert not deleting.done()

        held_embedder.go_on.set()
        assert await deleting


async def test_what_was_added_is_there_for_the_next_process(settings):
    async with open_desk(settings, None) as desk:
        added = await desk.add(POOL, name="pool.md")
        await finished(desk, added.task_id)

    assert [record.path for record in await asyncio.to_thread(list_documents, settings)] == ["pool.md"]


class HeldEmbedder:
    """The embedding model of a desk, held up when it is asked for documents."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.go_on = threading.Event()

    def hold(self, desk: DocumentDesk) -> None:
        inner = desk._base.embedder
        held = self

        class Holding:
            name, dimension = inner.name, inner.dimension

            def embed(self, texts):  # type: ignore[no-untyped-def]
                if threading.current_thread().name.startswith(("knowledge-writer", "knowledge-tasks")):
                    held.reached.set()
                    held.go_on.wait()
                return inner.embed(texts)

        desk._base.embedder = Holding()
        desk._base.vectors.forget({key for (key,) in desk._base.vectors._connection.execute(_TEXTS)})


_TEXTS = "SELECT text_sha256 FROM vector"


@pytest.fixture
def held_embedder():
    held = HeldEmbedder()
    yield held
    held.go_on.set()
