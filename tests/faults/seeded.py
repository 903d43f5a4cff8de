"""A scheduler by seed: every store works in the loop itself, and every step of it waits its turn by lot.

Nothing depends on threads, timers or the machine: the same seed is the same order of events.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from config.settings import Settings
from graph.run import Runner
from graph.stores import CANONICAL_FILE, CONTROL_FILE
from graph.wiring import build_runner
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.errors import LeaseLost, RunRefused
from state.model.release import RunResult
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.checkpoint_types import state_types
from state.stores.control_sql import control_file
from tests.e2e.investigator import next_turn
from tests.fakes import ManualClock
from tests.faults.between import Between
from tests.graph.stage import SUPPORTED, TO_DIAGNOSIS, Cast, Stage, stage

T = TypeVar("T")
MOST_TURNS = 4
"""Rounds of the loop that one step waits at most."""
STUCK, STUCK_TURNS = 0.04, 100
"""How often a step is stuck, and for how many rounds at most."""
BEAT_TURNS = 60
"""The same between two heartbeats."""


class Lots:
    """Draws by seed."""

    def __init__(self) -> None:
        self.dice = random.Random(0)

    async def wait(self, most: int = MOST_TURNS) -> None:
        """Let others go first: a few rounds or none, now and then so many that they come to their end meanwhile."""
        stuck = STUCK_TURNS if self.dice.random() < STUCK else 0
        for _ in range(self.dice.randrange(most + stuck + 1)):
            await asyncio.sleep(0)


class InTurn:
    """In place of a store's threads: works in the loop, between two waits by lot."""

    def __init__(self, lots: Lots) -> None:
        self._lots = lots

    async def run(self, work: Callable[[], T]) -> T:
        await self._lots.wait()
        result = work()
        await self._lots.wait()
        return result

    def shut_down(self) -> None:
        """There is nothing to end."""


@dataclass
class Process:
    """One of several that share the stores: its own keeper, its own runner."""

    runner: Runner
    told: list[RunResult] = field(default_factory=list)
    refused: list[Exception] = field(default_factory=list)

    @property
    def deps(self) -> Deps:
        return self.runner.deps

    async def do(self, work: Awaitable[Any]) -> None:
        """Do it and note how it ended; only what a process may be told is no error of the test."""
        try:
            found = await work
        except (LeaseLost, RunRefused) as refused:
            self.refused.append(refused)
            return
        if isinstance(found, RunResult):
            self.told.append(found)


class Theatre:
    """Stores and clock that several processes share."""

    def __init__(self, home: Path, *, cast: Cast) -> None:
        self.lots = Lots()
        self.clock = ManualClock()
        self.settings = Settings(home=home)
        self._cast = cast
        self._opened = AsyncExitStack()
        self._saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=state_types()))
        self.play: Stage

    async def __aenter__(self) -> "Theatre":
        opened = stage(self.settings.home, self._cast, rig=self._rig, checkpoints=lambda _: self._saver)
        self.play = await self._opened.enter_async_context(opened)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()

    def shuffle(self, seed: int) -> None:
        """From now on, in the order of this seed."""
        self.lots.dice = random.Random(seed)

    def process(self, owner: str, *, has_graph: bool = True) -> Process:
        """One more, on the same stores; without a graph it cannot run nor resume."""
        deps = self.play.deps
        own = replace(deps, keeper=LeaseKeeper(deps.control, deps.canonical, self.clock, owner, beat_s=0.0))
        return Process(build_runner(own, self._saver) if has_graph else Runner(own, self.play.runner.graph))

    async def _pace(self, method: str) -> None:
        """Hearts beat less often than anything else happens, as they do."""
        if method == "heartbeat":
            await self.lots.wait(BEAT_TURNS)

    def _rig(self, deps: Deps) -> Deps:
        home = self.settings.home
        # Leases that expire at once: another process may take the run over at any moment.
        control = control_file(home / CONTROL_FILE, lease_s=0.0)
        canonical = SqliteCanonicalStore(home / CANONICAL_FILE, self.clock)
        for own in (control, canonical):
            self._opened.push_async_callback(own.close_store)
        for store in (control, canonical, deps.audit, deps.recording):
            store._database._threads = InTurn(self.lots)  # type: ignore[union-attr]
        paced = Between(control, self._pace)
        boundary = replace(deps.boundary, canonical=canonical, control=paced, clock=self.clock)  # type: ignore[type-var]
        return replace(deps, control=paced, canonical=canonical, clock=self.clock, boundary=boundary)


def a_cast(**settings: object) -> Cast:
    """An agent that reads the conversation, so that any process can take the run up."""
    return Cast(agent=(next_turn,) * 40, router=(TO_DIAGNOSIS,) * 8, semantic=(SUPPORTED,) * 8, settings=settings)
