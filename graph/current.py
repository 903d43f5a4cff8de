"""What executes the next run: the graph over the runbooks as they are now. Runs under way keep what they began with."""

import asyncio
import sqlite3
from dataclasses import replace

import structlog
from langgraph.checkpoint.base import BaseCheckpointSaver

from config.settings import Settings
from graph.run import Runner
from graph.runbooks import Edition, Runbooks
from graph.sources import OpenSources, over_edition
from graph.wiring import build_runner
from state.model.errors import Misconfigured, TruthUnavailable
from tools.boundary import Boundary

log = structlog.get_logger("graph.current")


class CurrentRunner:
    """Asks for the runbooks before each run, and makes another runner where they have changed."""

    def __init__(
        self, settings: Settings, opened: OpenSources, first: Runner, checkpoints: BaseCheckpointSaver[str]
    ) -> None:
        """``first``: the runner over the runbooks with which the sources were opened."""
        self._settings = settings
        self._opened = opened
        self._runner = first
        self._checkpoints = checkpoints
        self._lock = asyncio.Lock()

    async def runner(self) -> Runner:
        """The runner of a run that begins now.

        Raises:
            TruthUnavailable: it cannot be read which runbooks there are; the log has its words.
        """
        if self._opened.runbooks is None:
            return self._runner
        async with self._lock:
            edition = await self._edition(self._opened.runbooks)
            if edition != self._opened.edition:
                self._opened = await over_edition(self._opened, self._settings, edition)
                self._runner = self._over(self._opened)
                log.info("runbooks changed", base=edition.base.name if edition else None)
            return self._runner

    async def _edition(self, runbooks: Runbooks) -> Edition | None:
        try:
            return await asyncio.to_thread(runbooks.now)
        except (Misconfigured, sqlite3.Error, OSError) as error:
            log.error("runbooks cannot be read", error=str(error))
            raise TruthUnavailable("knowledge", "list") from error

    def _over(self, opened: OpenSources) -> Runner:
        deps = self._runner.deps
        boundary = Boundary(opened.tools, deps.canonical, deps.control, deps.clock)
        return build_runner(replace(deps, sources=opened.sources, boundary=boundary), self._checkpoints)
