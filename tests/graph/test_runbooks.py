"""What is searched, from run to run: documents that come and go are seen by the next diagnosis, without a restart."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import open_app
from graph.documents import ingest
from graph.knowledge import BUNDLED_KB, DOCUMENTS_KB, KB_SCOPE, has_documents
from graph.live_runs import RunOrder
from graph.run import Runner
from graph.runbooks import Runbooks
from graph.served import Served, open_served
from graph.sources import BUNDLED_LIBRARY
from graph.standing import describe
from graph.system import SystemClock
from state.model.enums import Intent, ReleaseOutcome
from state.model.errors import Misconfigured, TruthUnavailable
from state.model.release import Answer
from state.model.run import PublicEventType, RunRow
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.knowledge.records import DocumentState

pytestmark = pytest.mark.xdist_group("worlds")
LANTERN = b"# The blue lantern\n\n## Cause\n\nThe blue lantern of the harbour is dark because its valve is frozen.\n"
SECOND = LANTERN.replace(b"blue", b"red")
ASKED = "What does the runbook say about the blue lantern of the harbour?"
PATIENCE_S = 120.0


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Evidence without runbooks."""
    logs = tmp_path / "place" / "logs"
    logs.mkdir(parents=True)
    (logs / "app.jsonl").write_text(
        '{"ts": "2026-03-02T14:05:00Z", "service": "harbour", "level": "ERROR", "message": "valve stuck"}\n'
    )
    (logs.parent / "world.yaml").write_text("now: 2026-03-02T14:10:00Z\n")
    return logs.parent


async def added(served: Served, content: bytes, name: str) -> str:
    """The document, once it is found."""
    document = await served.documents.add(content, name=name)
    assert document.task_id is not None
    async with asyncio.timeout(PATIENCE_S):
        while True:
            task = await served.documents.task(document.task_id)
            if task is not None and task.state is DocumentState.READY:
                return document.doc_id
            await asyncio.sleep(0.02)


async def asked(served: Served, question: str) -> tuple[RunRow, str]:
    """An ended run and the text of its answer."""
    run_id = await served.live.start(RunOrder(query=question, owner_key="ann"))
    async with asyncio.timeout(PATIENCE_S):
        events = [event async for event in served.live.follow(run_id) if event is not None]
    assert events[-1].type is PublicEventType.DONE
    row = await served.records.run(run_id)
    assert row is not None
    content = row.decision.content if row.decision else None
    return row, content.text if isinstance(content, Answer) else ""


def lookup(runner: Runner) -> LookupKnowledge:
    found = runner.deps.boundary.tools["lookup_knowledge"]  # type: ignore[attr-defined]
    assert isinstance(found, LookupKnowledge)
    return found


async def test_a_document_is_used_by_the_next_diagnosis_and_no_more_once_it_is_deleted(
    settings: Settings, world: Path
) -> None:
    async with open_served(settings, world) as served:
        before = await asked(served, ASKED)
        doc_id = await added(served, LANTERN, "lantern.md")
        with_it = await asked(served, ASKED)
        await served.documents.delete(doc_id)
        without = await asked(served, ASKED)

    assert [row.intent for row, _ in (before, with_it, without)] == [Intent.KNOWLEDGE_QUERY] * 3
    assert ["valve is frozen" in text for _, text in (before, with_it, without)] == [False, True, False]
    bundled = [BUNDLED_LIBRARY.en in row.facts.notices for row, _ in (before, with_it, without)]
    assert bundled == [True, False, True]


async def test_a_run_that_began_keeps_the_runbooks_it_began_with(settings: Settings, world: Path) -> None:
    async with open_served(settings, world) as served:
        first = await served.app.current()
        shown = lookup(first).description
        await added(served, LANTERN, "lantern.md")
        second = await served.app.current()

        assert second is not first
        assert await served.app.current() is second
        assert (lookup(first)._base.name, lookup(second)._base.name) == (BUNDLED_KB, DOCUMENTS_KB)
        assert (lookup(first).description, first.deps.sources.notices) == (shown, (BUNDLED_LIBRARY,))
        assert [spec.name for spec in first.deps.boundary.specs] == [spec.name for spec in second.deps.boundary.specs]


async def test_what_models_and_people_are_shown_is_the_list_as_it_is(settings: Settings, world: Path) -> None:
    async with open_served(settings, world) as served:
        await added(served, LANTERN, "lantern.md")
        one = (await served.app.current()).deps
        await added(served, SECOND, "second.md")
        two = (await served.app.current()).deps
        _, listed = await asked(served, "Which documents are in the knowledge base?")
        standing = await describe(served, settings)

    assert one.sources.documents == ("The blue lantern",)
    assert two.sources.documents == ("The blue lantern", "The red lantern")
    assert "The red lantern" in two.boundary.specs[0].description
    assert "The red lantern" in two.catalogue_terms
    assert "The red lantern" not in one.catalogue_terms
    assert "- The red lantern" in listed
    assert standing.notices == ()


async def test_searching_and_diagnosing_look_at_the_same(settings: Settings, world: Path) -> None:
    async with open_served(settings, world) as served:
        bases = [[one.source for one in await served.documents.search("lantern")]]
        doc_id = await added(served, LANTERN, "lantern.md")
        bases.append([one.source for one in await served.documents.search("lantern")])
        await served.documents.delete(doc_id)
        bases.append([one.source for one in await served.documents.search("lantern")])

    assert bases == [[BUNDLED_KB], [DOCUMENTS_KB], [BUNDLED_KB]]


async def test_a_process_without_any_source_answers_from_the_documents(settings: Settings) -> None:
    async with open_served(settings, None) as served:
        nothing = (await served.app.current()).deps.tool_names
        doc_id = await added(served, LANTERN, "lantern.md")
        _, text = await asked(served, ASKED)
        await served.documents.delete(doc_id)
        again = (await served.app.current()).deps.tool_names

    assert (nothing, again) == (frozenset(), frozenset())
    assert "valve is frozen" in text


async def test_the_next_process_begins_with_the_documents(settings: Settings, world: Path) -> None:
    async with open_served(settings, world) as served:
        await added(served, LANTERN, "lantern.md")
    async with open_app(settings, world) as app:
        assert app.runner.deps.sources.documents == ("The blue lantern",)
        assert await app.current() is app.runner


async def test_runbooks_of_the_folder_win_over_documents(settings: Settings, world: Path) -> None:
    (world / "knowledge").mkdir()
    (world / "knowledge" / "own.md").write_bytes(SECOND)
    async with open_served(settings, world) as served:
        await added(served, LANTERN, "lantern.md")
        titles = (await served.app.current()).deps.sources.documents
        searched = [one.source for one in await served.documents.search("lantern")]

    assert titles == ("The red lantern",)
    assert searched == [DOCUMENTS_KB, "knowledge"]


async def test_runbooks_that_cannot_be_read_refuse_the_run_and_nothing_else(
    settings: Settings, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_served(settings, world) as served:
        runbooks = served.app.sources.runbooks
        assert runbooks is not None

        def broken() -> None:
            raise Misconfigured("knowledge index", "it is gone")

        monkeypatch.setattr(runbooks, "now", broken)
        with pytest.raises(TruthUnavailable):
            await served.live.start(RunOrder(query=ASKED, owner_key="ann"))
        assert served.live.n_running == 0
        assert await served.records.runs() == ()
        monkeypatch.undo()
        row, _ = await asked(served, ASKED)

    assert row.outcome is ReleaseOutcome.SUCCESS


def test_documents_that_never_could_be_found_are_none(settings: Settings, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    ingest(settings, [broken], category="", progress=lambda _: None)
    with ExitStack() as opened:
        edition = Runbooks(settings, None, SystemClock(), opened).now()

    assert has_documents(settings)
    assert edition is not None
    assert edition.is_bundled


def test_documents_whose_index_was_lost_still_count(settings: Settings, tmp_path: Path) -> None:
    """Else a company's own runbooks would be replaced silently while they are indexed again."""
    file = tmp_path / "lantern.md"
    file.write_bytes(LANTERN)
    ingest(settings, [file], category="", progress=lambda _: None)
    with ExitStack() as opened:
        runbooks = Runbooks(settings, None, SystemClock(), opened)
        base = runbooks.documents()
        (record,) = base.records.documents(KB_SCOPE)
        base.records.put(record.model_copy(update={"state": DocumentState.PENDING, "version": ""}))
        edition = runbooks.now()

    assert edition is not None
    assert edition.base is base
    assert edition.titles == ()
