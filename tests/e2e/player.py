"""A process that plays runs of the real graph on a home folder, and may be told where to die.

As a program it is a small fork server: one JSON task a line in, one JSON answer a line out. Every task runs in a
process of its own, which nobody cleans up after; a fork saves the two seconds of imports.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import alembic.operations  # noqa: F401  opening a new file imports them; a fork must not wait for that under its lease
from langchain_core.messages import BaseMessage

import state.stores.migrations.upgrade  # noqa: F401  the same
from graph.stores import CONTROL_FILE
from graph.system import SystemClock
from models.turns import WrittenTurn
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.enums import CancellationReason
from state.model.errors import RootproofError
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.control_sql import SqlControlStore, control_file
from state.stores.records import open_records_database
from tests.e2e.investigator import next_turn, told_codes
from tests.e2e.places import BEFORE, Course, Point, TappedDatabase, tap_saver
from tests.graph.stage import PAGES, RUN_ID, SUPPORTED, TO_DIAGNOSIS, Cast, Stage, stage

STARTS = "backend-starts.txt"


@dataclass(frozen=True)
class Task:
    """What one process shall do."""

    home: str
    do: str = "run"
    """``run``, ``resume``, ``sweep``, ``cancel``, or ``cancel and resume``."""
    owner: str = "process-1"
    point: Point | None = None
    lease_s: float = 0.4
    settings: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    freeze: bool = False
    """Stop at the point instead of dying; SIGCONT wakes it."""
    pause_s: float = 0.0
    """Before every reply of the agent."""
    canonical_down_in: str = ""
    """Node in which the canonical store cannot be used."""
    wait_s: float = 0.0
    """Before anything is done."""
    beat_s: float = 0.05
    """Between heartbeats; a long one never renews the lease nor hears of a cancel."""

    def at(self, home: Path, **changes: Any) -> "Task":
        """The same task on that home folder."""
        return replace(self, home=str(home), **changes)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "Task":
        given = json.loads(text)
        point = given.pop("point")
        return Task(**given, point=Point(**point) if point else None)


class Player:
    """One process on the stage."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.course = Course(task.point, signal.SIGSTOP if task.freeze else signal.SIGKILL, task.canonical_down_in)
        self.told: list[str] = []
        """Error codes the agent was last told."""
        self._begun = ""

    async def play(self) -> dict[str, Any]:
        """What became of the task, as JSON."""
        async with self._stage() as play:
            try:
                answer = await self._act(play)
            except RootproofError as error:
                answer = {"error": _name_of(error)}
        return {"pid": os.getpid(), "writes": self.course.writes, "told": self.told, **answer}

    async def _act(self, play: Stage) -> dict[str, Any]:
        await asyncio.sleep(self.task.wait_s)
        asked = await self._cancel(play) if "cancel" in self.task.do else False
        if self.task.do == "cancel":
            return {"asked": asked}
        if self.task.do == "sweep":
            return {"swept": [row.run_id for row in await play.runner.sweep()]}
        if "resume" in self.task.do:
            result = await play.runner.resume(RUN_ID, on_event=play.events.append)
        else:
            result = await play.run(**self.task.options)
        return {"result": result.model_dump(mode="json")}

    async def _cancel(self, play: Stage) -> bool:
        return await play.deps.control.request_cancel(RUN_ID, CancellationReason.USER_REQUESTED)

    @asynccontextmanager
    async def _stage(self) -> Any:
        home, pages = Path(self.task.home), {page: self._page(page) for page in PAGES}
        roles = {"agent": (self._turn,) * 30, "router": (TO_DIAGNOSIS,) * 3, "semantic": (SUPPORTED,) * 3}
        cast = Cast(**roles, pages=pages, settings=self.task.settings)
        own = self._own_control(home)
        options = {
            "rig": lambda deps: self._rig(deps, own),
            "checkpoints": lambda stores: tap_saver(stores.checkpoints, self.course),
        }
        try:
            async with stage(home, cast, owner=self.task.owner, **options) as play:
                yield play
        finally:
            await own.close_store()

    def _own_control(self, home: Path) -> SqlControlStore:
        """The control store with leases as short as the task wants them."""
        url = self.task.settings.get("database_url")
        if url is None:
            return control_file(home / CONTROL_FILE, lease_s=self.task.lease_s)
        records = open_records_database(str(url), password=None, clock=SystemClock(), lease_s=self.task.lease_s)
        return records.control

    def _rig(self, deps: Deps, control: SqlControlStore) -> Deps:
        canonical = _Noting(self._tapped("canonical", deps.canonical), self)
        for name, store in (("control", control), ("audit", deps.audit), ("recording", deps.recording)):
            self._tapped(name, store)
        keeper = LeaseKeeper(
            control, canonical, deps.clock, self.task.owner, beat_s=self.task.beat_s, lease_s=self.task.lease_s
        )
        boundary = replace(deps.boundary, canonical=canonical, control=control)  # type: ignore[type-var]
        return replace(deps, control=control, canonical=canonical, keeper=keeper, boundary=boundary)

    def _tapped(self, name: str, store: Any) -> Any:
        """The store with places in front of its database; of Redis, in front of the store itself."""
        if isinstance(store, RedisCanonicalStore):
            return self.course.port(name, store)
        store._database = TappedDatabase(store._database, name, self.course)
        return store

    def _turn(self, messages: list[BaseMessage]) -> WrittenTurn:
        self.told = told_codes(messages)
        self.course.reach("model", "agent", BEFORE)
        return next_turn(messages).model_copy(update={"delay_s": self.task.pause_s})

    def _page(self, page: str) -> Any:
        def read() -> object:
            with (Path(self.task.home) / STARTS).open("a") as starts:
                starts.write(f"{self._begun}\n")
            self.course.reach("backend", "read", BEFORE)
            return PAGES[page]

        return read


class _Noting:
    """The canonical store, noting which call was begun last."""

    def __init__(self, inner: Any, player: Player) -> None:
        self._inner = inner
        self._player = player

    def __getattr__(self, method: str) -> Any:
        return getattr(self._inner, method)

    async def begin(self, lease: object, record: Any) -> object:
        there = await self._inner.begin(lease, record)
        self._player._begun = record.tool_call_id
        return there


def _name_of(error: RootproofError) -> str:
    """Name of the error as the model of errors has it, whatever subclass came."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == RootproofError.__module__)


def serve() -> None:
    """Fork for every line; say the child's pid, then how it ended and what it answered."""
    print(json.dumps("here"), flush=True)
    for line in sys.stdin:
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            _be(Task.from_json(line), writing)
        os.close(writing)
        print(json.dumps({"pid": pid}), flush=True)
        with os.fdopen(reading) as answers:
            text = answers.read()
        _, status = os.waitpid(pid, 0)
        answer = json.loads(text) if text else None
        print(json.dumps({"exit": os.waitstatus_to_exitcode(status), "answer": answer}), flush=True)


def _be(task: Task, writing: int) -> None:
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # logs must not mix with answers
    answer = asyncio.run(Player(task).play())
    os.write(writing, json.dumps(answer).encode())
    os.close(writing)
    os._exit(0)


if __name__ == "__main__":
    serve()
