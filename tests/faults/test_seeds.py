"""Cancel, deadline, budget, sweeper, another process and completion at once, in hundreds of orders: one end each."""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from graph.app import Records
from graph.audit_check import AuditVerdict
from graph.stores import CONTROL_FILE
from nodes.close_run import close
from nodes.deps import Deps, Step
from nodes.telling import announce, trace
from state.model.diagnosis import RunOptions
from state.model.enums import CancellationReason, FailureCode, RunState, TraceEventType
from state.model.enums import Stage as Shown
from state.model.errors import RunStopped
from state.model.ids import RunId
from state.model.release import RunFailure
from state.model.run import BudgetEntry, BudgetKind, PublicEventType, RunRow
from tests.contracts.samples import a_new_run, a_success, facts, run_id
from tests.faults.late_writes import late_writes, place_witness
from tests.faults.oracle import check_run
from tests.faults.seeded import Process, Theatre, a_cast
from tests.graph.stage import RUN_ID

ORDERS_OF_AN_END, ORDERS_OF_A_RUN, BLOCK = 300, 60, 20
TURNS_OF_AN_END, TURNS_OF_A_RUN = 60, 900
"""How long each takes when left alone, in rounds of the loop: others begin at any of them."""
T = TypeVar("T")
USER = CancellationReason.USER_REQUESTED


async def test_however_the_ends_of_a_run_race_one_wins(home: Path) -> None:
    """Without the graph: one process works and closes; a cancel, the sweeper and another process come in between."""
    place_witness(home / CONTROL_FILE)
    won: Counter[RunState] = Counter()
    async with Theatre(home, cast=a_cast()) as theatre:
        for seed in range(ORDERS_OF_AN_END):
            theatre.shuffle(seed)
            won[(await end_raced(theatre, run_id(seed))).run_state] += 1

    assert late_writes(home / CONTROL_FILE) == []
    assert set(won) == {RunState.SUCCESS, RunState.CANCELLED, RunState.FAILED}
    assert min(won.values()) > ORDERS_OF_AN_END // 10, won


async def end_raced(theatre: Theatre, run: RunId) -> RunRow:
    """The row at the end, after checking that it has one end and an audit that nothing came into afterwards."""
    worker, other, last = (theatre.process(f"{who}-{run}", has_graph=False) for who in ("worker", "other", "last"))
    actors = {
        "cancel": lambda: cancels(theatre, run),
        "sweep": lambda: sweeps(theatre, other),
        "take over": lambda: other.do(later(theatre, lambda: closes(other.deps, run))),
    }
    drawn = [act() for act in actors.values() if theatre.lots.dice.random() < 0.5]
    await asyncio.gather(worker.do(works_and_closes(worker.deps, run)), *drawn)
    row = await theatre.play.deps.control.get_run(run)
    assert row is not None
    if row.run_state is RunState.RUNNING:
        await last.do(closes(last.deps, run))
    await check_one_end(theatre, run)
    row = await theatre.play.deps.control.get_run(run)
    assert row is not None
    return row


async def check_one_end(theatre: Theatre, run: RunId) -> None:
    row = await theatre.play.deps.control.get_run(run)
    assert row is not None
    events = [event.type for event in await theatre.play.deps.control.public_events(run)]
    body = PublicEventType.CONTENT if row.run_state is RunState.SUCCESS else PublicEventType.FAILURE
    assert [one for one in events if one is not PublicEventType.STATUS] == [body, PublicEventType.DONE]
    assert events[-1] is PublicEventType.DONE
    assert (row.cancel_reason is not None) == (row.run_state is RunState.CANCELLED)
    check = await Records(theatre.settings, theatre.play.stores).verify(run)
    assert check.verdict is AuditVerdict.VERIFIED


async def works_and_closes(deps: Deps, run: RunId) -> None:
    """What a node does and how it is closed, without the graph around it."""
    lease = await deps.control.open_run(a_new_run(facts(run)), deps.keeper.owner)
    await deps.keeper.adopt(lease, asked_at=deps.clock.monotonic())
    step = Step(deps, lease, RunOptions(), lambda _: None)
    try:
        await deps.keeper.watch(lease, work(step))
        await close(step, decision=a_success().decision, failure=None)
    except RunStopped:
        await close(step, decision=None, failure=RunFailure(code=FailureCode.RUN_CANCELLED, node="test"))
    finally:
        await deps.keeper.let_go(run)


async def work(step: Step) -> None:
    """A few writes to every store."""
    run = step.lease.run_id
    for n in range(3):
        entry = BudgetEntry(run_id=run, kind=BudgetKind.MODEL_CALL, key=f"agent:{n}:1", component="agent", reserved=9)
        await step.deps.control.reserve(step.lease, entry)
        await announce(step, f"call:{n}", Shown.DIAGNOSIS_RUNNING)
        await step.deps.control.settle(step.lease, entry.kind, entry.key, 7, usage_reported=True)
        await trace(step, f"tokens:agent:{n}:1", TraceEventType.MODEL_TOKEN_USAGE, "agent", total_tokens=7)


async def closes(deps: Deps, run: RunId) -> None:
    """Whoever takes a run up and finds that it cannot be executed on."""
    lease = await deps.control.take_lease(run, deps.keeper.owner)
    step = Step(deps, lease, RunOptions(), lambda _: None)
    await trace(step, f"run:taken:{lease.epoch}", TraceEventType.RUN_STARTED, "open_run")
    await close(step, decision=None, failure=RunFailure(code=FailureCode.INTERNAL_FAILURE, node="test"))


async def later(theatre: Theatre, act: Callable[[], Awaitable[T]], *, turns: int = TURNS_OF_AN_END) -> T:
    """What the act comes to, begun at a moment by lot."""
    await theatre.lots.wait(turns)
    return await act()


async def cancels(theatre: Theatre, run: RunId, *, turns: int = TURNS_OF_AN_END) -> None:
    await later(theatre, lambda: theatre.play.deps.control.request_cancel(run, USER), turns=turns)


async def sweeps(theatre: Theatre, process: Process, *, turns: int = TURNS_OF_AN_END) -> None:
    """A sweep by a process for which every run is over age."""
    deps = process.deps
    limits = deps.policy.limits.model_copy(update={"max_run_age_s": 0.0})
    strict = replace(process.runner, deps=replace(deps, policy=replace(deps.policy, limits=limits)))
    await process.do(later(theatre, strict.sweep, turns=turns))


@pytest.mark.parametrize("block", range(ORDERS_OF_A_RUN // BLOCK))
async def test_however_a_whole_run_is_disturbed_it_ends_once(used_home: Path, quick_folder: Path, block: int) -> None:
    """The graph itself, a budget that may end, minutes that may pass, a cancel, the sweeper, another process."""
    ended: Counter[str] = Counter()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        home = Path(shutil.copytree(used_home, quick_folder / f"seed-{seed}"))
        place_witness(home / CONTROL_FILE)
        row = await run_disturbed(home, random.Random(seed))
        assert late_writes(home / CONTROL_FILE) == [], seed
        ended[row.failure_code or row.fallback_type or str(row.outcome)] += 1

    assert ended.total() == BLOCK
    assert len(ended) >= 3, ended


async def run_disturbed(home: Path, dice: random.Random) -> RunRow:
    """The row at the end, after everything that must hold."""
    limits = {"max_model_calls": dice.choice([3, 4, 20]), "max_tool_calls": dice.choice([1, 2, 12])}
    async with Theatre(home, cast=a_cast(**limits)) as theatre:
        theatre.shuffle(dice.randrange(10**9))
        first, second, sweeper = (theatre.process(who) for who in ("first", "second", "sweeper"))
        actors: list[Callable[[], Awaitable[object]]] = [
            lambda: cancels(theatre, RUN_ID, turns=TURNS_OF_A_RUN),
            lambda: sweeps(theatre, sweeper, turns=TURNS_OF_A_RUN),
            lambda: second.do(later(theatre, lambda: second.runner.resume(RUN_ID), turns=TURNS_OF_A_RUN)),
            lambda: later(theatre, lambda: passes(theatre, 200.0), turns=TURNS_OF_A_RUN),
        ]
        request = {"query": theatre.play.question, "run_id": RUN_ID, "session_id": "s1"}
        running = first.do(first.runner.run(request))  # type: ignore[arg-type]
        await asyncio.gather(running, *(act() for act in actors if dice.random() < 0.4))
        await first.do(first.runner.resume(RUN_ID))
        for result in (*first.told, *second.told):
            row = await check_run(theatre.play, result, is_trace_true=True)
            assert (row.cancel_reason is not None) == (row.run_state is RunState.CANCELLED)
        return row


async def passes(theatre: Theatre, seconds: float) -> None:
    """Longer than a run may take."""
    theatre.clock.advance(seconds)
