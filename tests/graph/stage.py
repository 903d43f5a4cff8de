"""A stage for whole runs: the real graph, real SQLite control store and checkpoints, a scripted model, a notebook."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from langgraph.checkpoint.base import BaseCheckpointSaver

from config.settings import Settings
from graph.run import Runner
from graph.stores import Stores, open_stores
from graph.wiring import build_deps, build_runner
from models.roles import given_models
from models.scripted import ScriptedModel
from models.turns import WrittenCall, WrittenTurn
from nodes.deps import Deps, Sources
from state.model.diagnosis import RunOptions
from state.model.enums import EvidenceKind, ModelRole
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.tool_call import SUBMIT_TOOL
from tests.fakes import NOW, NotebookTool, Page

RUN_ID = RunId("11111111-1111-4111-8111-111111111111")
QUESTION = "Why do payments fail in notebook since 14:05?"
PAGES: dict[str, Page] = {
    "errors": [
        "2026-03-02T14:06:10Z ERROR payments HikariPool-1 - Connection is not available, request timed out",
        "2026-03-02T14:06:11Z ERROR payments checkout failed with code PAY-503",
    ],
    "deploys": ["2026-03-02T14:04:00Z INFO payments release 4.2.1 deployed"],
    "empty": [],
}
SUPPORTED = '{"verdict":"SUPPORTED","reason":"carried"}'
UNSUPPORTED = '{"verdict":"UNSUPPORTED","reason":"not carried"}'
TO_DIAGNOSIS = '{"intent":"DIAGNOSIS"}'


def ask(page: str, previous: object = None, *, call_id: str = "", tool: str = "read_notebook") -> WrittenTurn:
    """A turn that asks for one page."""
    arguments = {"previous_observation": previous, "input": {"page": page}}
    return WrittenTurn(calls=(WrittenCall(id=call_id or f"call-{page}", name=tool, arguments=arguments),))


def gained(call_id: str, gain: str = "GAINED") -> dict[str, str]:
    return {"tool_call_id": call_id, "information_gain": gain}


def submit(draft: Mapping[str, object]) -> WrittenTurn:
    """A turn that hands in a draft."""
    return WrittenTurn(calls=(WrittenCall(id="submit-1", name=SUBMIT_TOOL, arguments=dict(draft)),))


def good_draft(call_id: str = "call-errors") -> dict[str, object]:
    """A draft that the evidence on page ``errors`` carries."""
    quote = "Connection is not available, request timed out"
    return {
        "conclusion": {
            "kind": "ROOT_CAUSE",
            "text": "payments could not get a connection: HikariPool-1 Connection is not available.",
            "based_on_analysis_ids": ["a1"],
        },
        "analysis": [
            {
                "analysis_id": "a1",
                "kind": "NORMAL",
                "text": "HikariPool-1 of payments says Connection is not available, request timed out.",
                "tool_call_ids": [call_id],
                "quotes": [{"tool_call_id": call_id, "item_id": "errors:0", "text": quote}],
            }
        ],
        "limitations": {"scope": "notebook of payments"},
    }


def null_draft() -> dict[str, object]:
    """A complete draft without a conclusion."""
    return {
        "conclusion": None,
        "limitations": {"scope": "notebook", "missing_info": ["which service is affected"]},
    }


HAPPY: tuple[object, ...] = (ask("errors"), submit(good_draft()))


@dataclass
class Cast:
    """Who plays: turns per role, and the notebook."""

    agent: Sequence[object] = HAPPY
    router: Sequence[object] = (TO_DIAGNOSIS,)
    repair: Sequence[object] = ()
    semantic: Sequence[object] = (SUPPORTED,)
    pages: Mapping[str, Page] = field(default_factory=lambda: PAGES)
    settings: Mapping[str, object] = field(default_factory=dict)
    second_tool: bool = True
    question: str = QUESTION


@dataclass
class Stage:
    """One process on one home folder."""

    stores: Stores
    deps: Deps
    runner: Runner
    models: Mapping[ModelRole, ScriptedModel]
    notebook: NotebookTool
    question: str
    events: list[dict[str, object]] = field(default_factory=list)

    async def run(self, question: str | None = None, **options: object) -> RunResult:
        request = {
            "query": self.question if question is None else question,
            "run_id": RUN_ID,
            "session_id": "s1",
        }
        return await self.runner.run(
            request,  # type: ignore[arg-type]
            RunOptions.model_validate(options),
            on_event=self.events.append,
        )

    async def visited(self) -> list[str]:
        """Nodes in the order in which they ran, from the checkpoints."""
        config = {"configurable": {"thread_id": RUN_ID}}
        history = [snapshot async for snapshot in self.runner.graph.aget_state_history(config)]  # type: ignore[arg-type]
        return [name for snapshot in reversed(history) for name in snapshot.next if name != "__start__"]

    async def trace_types(self) -> list[str]:
        return [stored.event.type.value for stored in await self.stores.audit.events(RUN_ID)]


@asynccontextmanager
async def stage(
    home: Path,
    cast: Cast | None = None,
    *,
    owner: str = "process-1",
    rig: Callable[[Deps], Deps] | None = None,
    checkpoints: Callable[[Stores], BaseCheckpointSaver[str]] | None = None,
) -> AsyncIterator[Stage]:
    """The stage, with everything closed at the end. ``rig`` and ``checkpoints`` put faults in between."""
    cast = cast or Cast()
    settings = Settings(home=home, **cast.settings)  # type: ignore[arg-type]
    roles = {
        ModelRole.ROUTER: cast.router,
        ModelRole.AGENT: cast.agent,
        ModelRole.REPAIR: cast.repair,
        ModelRole.SEMANTIC: cast.semantic,
    }
    models = {role: ScriptedModel(turns=tuple(turns)) for role, turns in roles.items()}
    notebook = NotebookTool(pages=cast.pages)
    tools = {notebook.name: notebook}
    if cast.second_tool:
        tools["read_archive"] = NotebookTool(pages=cast.pages, name="read_archive")
    knowledge = NotebookTool(pages=cast.pages, name="lookup_knowledge", kind=EvidenceKind.KNOWLEDGE)
    tools[knowledge.name] = knowledge
    sources = Sources(name="stage", now=NOW, time_zone="UTC", kb_scope="stage", notices=(), documents=())
    async with open_stores(settings) as stores:
        deps = build_deps(settings, stores, given_models(models, settings, name="scripted"), sources, tools, owner)
        if rig is not None:
            deps = rig(deps)
        runner = build_runner(deps, checkpoints(stores) if checkpoints else stores.checkpoints)
        yield Stage(stores, deps, runner, models, notebook, cast.question)
