"""Taking up a run again, in one process: what a resumed run starts from, and what a lost one leaves behind."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.stores import Stores
from nodes.on_error import failure_code
from state.model.enums import FailureCode, ReleaseOutcome, RunState
from state.model.errors import LeaseLost, RunRefused, TruthUnavailable
from state.model.run import BudgetEntry, BudgetKind, Lease
from tests.graph.stage import HAPPY, PAGES, QUESTION, RUN_ID, Cast, Stage, ask, gained, good_draft, stage, submit

THREAD: Any = {"configurable": {"thread_id": RUN_ID}}
REQUEST: Any = {"query": QUESTION, "run_id": RUN_ID, "session_id": "s1"}


async def interrupt(home: Path, *, before: str = "tool_gate") -> None:
    """A process that ran up to this node and let the run go."""
    async with stage(home, owner="first") as play:
        await play.runner.graph.ainvoke(REQUEST, THREAD, interrupt_before=[before], durability="sync")
        await play.deps.keeper.let_go(RUN_ID)


async def is_free(play: Stage) -> bool:
    return [row.run_id for row in await play.stores.control.interrupted_runs()] == [RUN_ID]


async def test_an_interrupted_run_is_listed_and_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    await interrupt(tmp_path)
    async with stage(tmp_path, Cast(agent=HAPPY[1:], router=()), owner="second") as play:
        listed = await is_free(play)
        result = await play.runner.resume(RUN_ID)

        assert listed
        assert result.outcome is ReleaseOutcome.SUCCESS
        assert play.models["router"].n_calls == 0  # type: ignore[index]


async def test_asking_again_with_the_same_id_takes_the_run_up(tmp_path: Path) -> None:
    await interrupt(tmp_path)
    async with stage(tmp_path, Cast(agent=HAPPY[1:], router=()), owner="second") as play:
        assert (await play.run()).outcome is ReleaseOutcome.SUCCESS
        assert (await play.run("Another question altogether?")).outcome is ReleaseOutcome.SUCCESS


async def test_a_run_without_any_checkpoint_is_closed_as_failed(tmp_path: Path) -> None:
    await interrupt(tmp_path)
    async with stage(tmp_path) as play:
        await play.stores.checkpoints.adelete_thread(RUN_ID)
        result = await play.runner.resume(RUN_ID)

        assert result.failure_code is FailureCode.INTERNAL_FAILURE


async def test_a_run_is_not_executed_twice_by_one_process(tmp_path: Path) -> None:
    pages = dict(PAGES)
    async with stage(tmp_path, Cast(pages=pages)) as play:

        async def meanwhile() -> object:
            with pytest.raises(RunRefused):
                await play.runner.resume(RUN_ID)
            with pytest.raises(RunRefused):
                await play.run()
            return PAGES["errors"]

        pages["errors"] = meanwhile
        result = await play.run()

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert play.notebook.executed == ["errors"]


async def test_an_unknown_run_is_refused(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        with pytest.raises(RunRefused):
            await play.runner.resume(RUN_ID)


async def test_checkpoints_that_cannot_be_read_leave_the_run_to_be_resumed_later(tmp_path: Path) -> None:
    def unreadable(stores: Stores) -> BaseCheckpointSaver[str]:
        async def aget_tuple(config: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        stores.checkpoints.aget_tuple = aget_tuple  # type: ignore[method-assign, assignment]
        return stores.checkpoints

    await interrupt(tmp_path)
    async with stage(tmp_path, checkpoints=unreadable) as play:
        with pytest.raises(TruthUnavailable):
            await play.runner.resume(RUN_ID)

        assert await is_free(play)


async def test_a_lost_lease_leaves_no_error_for_the_new_holder(tmp_path: Path) -> None:
    """An error kept in the thread would be the first thing the new holder reads, and end its run."""
    pages = dict(PAGES)
    async with stage(tmp_path, Cast(pages=pages), owner="first") as play:

        async def taken() -> object:
            await play.stores.control.drop_lease(await play.stores.control.take_lease(RUN_ID, "first"))
            await play.stores.control.take_lease(RUN_ID, "second")
            return PAGES["errors"]

        pages["errors"] = taken
        with pytest.raises(LeaseLost):
            await play.run()
        saved = [one async for one in play.stores.checkpoints.alist(THREAD)]
        snapshot = await play.runner.graph.aget_state(THREAD)
        row = await play.stores.control.get_run(RUN_ID)

        assert "__error__" not in {channel for one in saved for _, channel, _ in one.pending_writes or []}
        assert snapshot.next == ("tool_gate",)
        assert row is not None
        assert (row.run_state, row.owner) == (RunState.RUNNING, "second")


async def test_a_call_that_was_reserved_before_a_crash_is_not_refused_for_its_own_reservation(tmp_path: Path) -> None:
    turns = (ask("errors"), ask("deploys", gained("call-errors")), submit(good_draft()))
    await interrupt(tmp_path)
    async with stage(tmp_path, Cast(agent=turns[1:]), owner="second") as play:
        lease = await play.deps.keeper.hold(RUN_ID)
        await reserve_all(play, lease)
        await play.runner.resume(RUN_ID)

        assert play.notebook.executed == ["errors"]


async def reserve_all(play: Stage, lease: Lease) -> None:
    """Every tool call of the budget, the pending one among them."""
    row = await play.stores.control.get_run(RUN_ID)
    assert row is not None
    keys = ["call-errors", *(f"spent-{n}" for n in range(row.facts.limits.max_tool_calls - 1))]
    for key in keys:
        entry = BudgetEntry(run_id=RUN_ID, kind=BudgetKind.TOOL_CALL, key=key, component="read_notebook", reserved=10)
        await play.stores.control.reserve(lease, entry)


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (repr(TruthUnavailable("canonical", "get")), FailureCode.RUN_PERSISTENCE_FAILED),
        (repr(RuntimeError("boom")), FailureCode.INTERNAL_FAILURE),
    ],
)
def test_an_error_read_back_from_a_checkpoint_keeps_its_code(cause: str, code: FailureCode) -> None:
    assert failure_code(cause) is code
