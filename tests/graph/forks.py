"""Forks on the stage: a parent played by one process, its forks by others on the same home folder."""

from pathlib import Path
from typing import Any

from graph.fork import ForkOrder, ForkStep, fork_run, steps_of
from state.model.diagnosis import RunOptions
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import RunRow
from state.model.trace import StoredTraceEvent
from tests.graph.stage import HAPPY, RUN_ID, Cast, Stage, stage

FORK = RunId("22222222-2222-4222-8222-222222222222")
FORK_OF_FORK = RunId("33333333-3333-4333-8333-333333333333")
OWNER = "local"
TURNS_LEFT = {1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 0, 8: 0, 9: 0, 10: 0}
"""Step of the run that ``HAPPY`` makes → turns of the agent that are still to come there."""


async def parent(home: Path, cast: Cast | None = None) -> RunResult:
    """How the run ended that is forked afterwards."""
    async with stage(home, cast, owner="parent") as play:
        return await play.run()


def turns_from(step: int) -> Cast:
    """What is still to be said from this step of ``HAPPY`` on."""
    return Cast(agent=HAPPY[len(HAPPY) - TURNS_LEFT[step] :])


async def fork(
    play: Stage, at: int | str, *, run_id: RunId = FORK, of: RunId = RUN_ID, owner: str = OWNER, **options: Any
) -> RunResult:
    """How the fork ended; ``options`` are limits."""
    order = ForkOrder(of, str(at), run_id, owner, RunOptions.model_validate(options))
    return await fork_run(play.runner, order, on_event=play.events.append)


async def row_of(play: Stage, run_id: RunId) -> RunRow:
    row = await play.stores.control.get_run(run_id)
    assert row is not None
    return row


async def steps(play: Stage, run_id: RunId = RUN_ID) -> tuple[ForkStep, ...]:
    return await steps_of(play.runner.graph, await row_of(play, run_id))


async def timeline(play: Stage, run_id: RunId) -> list[StoredTraceEvent]:
    return list(await play.stores.audit.events(run_id))


async def everything_of(play: Stage, run_id: RunId) -> tuple[object, ...]:
    """All that is kept of a run."""
    config: Any = {"configurable": {"thread_id": run_id}}
    return (
        await play.stores.control.get_run(run_id),
        await play.stores.control.entries(run_id),
        await play.stores.control.public_events(run_id),
        await play.stores.control.published_evidence(run_id),
        await play.stores.audit.events(run_id),
        await play.stores.canonical.records(run_id),
        [one.config async for one in play.stores.checkpoints.alist(config)],
    )
