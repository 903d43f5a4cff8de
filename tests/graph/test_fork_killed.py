"""A process dies while it forks: before any of its writes. No half run is left; what was opened is taken up whole."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from graph.stores import Stores
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.enums import ReleaseOutcome, RunState
from state.model.run import Lease
from state.stores.checkpoints import CheckpointFile
from tests.faults.between import Between, running_node
from tests.graph.forks import FORK, fork, parent, row_of, timeline, turns_from
from tests.graph.stage import RUN_ID, Stage, stage

STEP = 7
WRITES = frozenset(
    {"copy_finished", "add_placeholders", "raise_fence", "open_run", "offer_event", "set_intent", "put", "record"}
)
N_WRITES = 10
"""Made by a fork before its first node; a test counts them."""


class Killed(BaseException):
    """The process is gone: nothing after it runs."""


@dataclass
class Death:
    """Comes before the write of this number, counted over all stores."""

    at: int
    writes: list[str] = field(default_factory=list)

    async def before(self, method: str) -> None:
        if method in WRITES and not running_node():
            self.count(method)

    def count(self, method: str) -> None:
        self.writes.append(method)
        if len(self.writes) == self.at:
            raise Killed

    def rig(self, deps: Deps) -> Deps:
        ports: dict[str, Any] = {
            name: Between(getattr(deps, name), self.before) for name in ("canonical", "control", "audit", "recording")
        }
        keeper = LeaseKeeper(ports["control"], ports["canonical"], deps.clock, deps.keeper.owner)
        return replace(deps, keeper=keeper, **ports)

    def checkpoints(self, stores: Stores) -> CheckpointFile:
        saver = stores.checkpoints
        assert isinstance(saver, CheckpointFile)
        put = saver.aput

        async def aput(*args: object) -> object:
            if not self.writes or self.writes[-1] != "open_run":
                self.count("aput")
            return await put(*args)  # type: ignore[arg-type]

        saver.aput = aput  # type: ignore[method-assign, assignment]
        return saver


async def die(home: Path, at: int) -> list[str]:
    """The writes that were tried."""
    death = Death(at)
    async with stage(home, turns_from(STEP), owner="dying", rig=death.rig, checkpoints=death.checkpoints) as play:
        try:
            await fork(play, STEP)
        except Killed:
            play.deps.keeper._held.clear()
            play.deps.keeper._stop_heart_if_idle()
    return death.writes


@pytest.mark.parametrize("at", range(1, N_WRITES + 1))
async def test_a_fork_cut_off_is_either_not_there_or_whole(tmp_path: Path, at: int) -> None:
    await parent(tmp_path)
    writes = await die(tmp_path, at)
    assert len(writes) == at
    async with stage(tmp_path, turns_from(STEP), owner="next") as play:
        row = await play.stores.control.get_run(FORK)
        if row is None:
            assert "open_run" not in writes[:-1]
            await is_nowhere(play)
            result = await fork(play, STEP)
        else:
            await play.stores.control.drop_lease(Lease(run_id=FORK, owner="dying", epoch=row.lease_epoch))
            result = await play.runner.resume(FORK)

        assert result.outcome is ReleaseOutcome.SUCCESS
        await is_whole(play)


async def is_nowhere(play: Stage) -> None:
    """Nobody finds the run, and the parent is as it was."""
    assert await play.stores.control.interrupted_runs() == ()
    assert [row.run_id for row in await play.stores.control.list_runs()] == [RUN_ID]
    assert await play.stores.control.public_events(FORK) == ()
    assert (await row_of(play, RUN_ID)).run_state is RunState.SUCCESS


async def is_whole(play: Stage) -> None:
    row = await row_of(play, FORK)
    keys = [one.event.event_key for one in await timeline(play, FORK)]
    frames = [event.type.value for event in await play.stores.control.public_events(FORK)]
    assert (row.run_state, row.parent_run_id, row.intent, row.audit_lost) == (RunState.SUCCESS, RUN_ID, "DIAGNOSIS", 0)
    assert {"run:started", "run:forked", "copied:call-errors", "run:finished"} <= set(keys)
    assert len(set(keys)) == len(keys)
    assert sorted(frames)[:2] == ["content", "done"]
    assert frames.count("metadata") == 1


async def test_every_write_of_a_fork_was_a_place_to_die(tmp_path: Path) -> None:
    await parent(tmp_path)
    writes = await die(tmp_path, 10_000)

    before_the_graph = writes[: writes.index("offer_event") + 4]
    assert len(before_the_graph) == N_WRITES
    assert {"copy_finished", "aput", "put", "open_run", "raise_fence", "offer_event", "record"} == set(before_the_graph)
