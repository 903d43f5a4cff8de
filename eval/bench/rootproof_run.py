"""Rootproof over the notebook: the real graph, real SQLite stores and checkpoints; only the model is played."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from config.settings import Settings
from eval.bench.notebook import Gate, Notebook
from eval.bench.played import QUESTION, played_by_role
from eval.bench.tally import Tally, watch
from graph.run import Runner
from graph.stores import Stores, open_stores
from graph.system import SystemIds
from graph.wiring import build_deps, build_runner
from models.roles import given_models
from nodes.deps import Sources
from state.model.enums import ContentType
from state.model.ids import RunId
from state.model.release import RunResult

_NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
_SOURCES = Sources(name="bench", now=_NOW, time_zone="UTC", kb_scope="bench", notices=(), documents=())


class WorkMissing(RuntimeError):
    """The author of the benchmark acts: a contender did not do the work it is timed for."""


@dataclass(frozen=True)
class RootproofStage:
    """One open process."""

    stores: Stores
    runner: Runner
    notebook: Notebook
    ids: SystemIds
    tally: Tally
    """What the stores were asked since it was last reset."""

    async def run(self) -> RunId:
        """One whole diagnosis.

        Raises:
            WorkMissing: it did not end with a released report.
        """
        run_id = RunId(self.ids.uuid())
        result = await self.runner.run({"query": QUESTION, "run_id": run_id})
        _check(result)
        return run_id

    def hold(self, gate: Gate) -> None:
        """Let the runs from now on wait at this gate."""
        self.notebook.gate = gate


def _check(result: RunResult) -> None:
    if result.content_type is not ContentType.DIAGNOSIS_REPORT:
        raise WorkMissing(f"the run ended {result.outcome} {result.failure_code or result.fallback_type}")


@asynccontextmanager
async def open_rootproof(home: Path) -> AsyncIterator[RootproofStage]:
    """The stage in this home folder, closed at the end."""
    settings = Settings(home=home)
    notebook = Notebook()
    async with open_stores(settings) as stores:
        tally = watch(stores)  # before the graph is compiled: with strict types that copies the checkpointer
        models = given_models(played_by_role(), settings, name="played")
        deps = build_deps(settings, stores, models, _SOURCES, {notebook.name: notebook}, "bench")
        yield RootproofStage(stores, build_runner(deps, stores.checkpoints), notebook, SystemIds(), tally)
