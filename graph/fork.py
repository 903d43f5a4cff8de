"""Forks of this service's own runs: which steps a run has, which one is meant, and the run that goes on from it.

A step is a checkpoint of the parent's thread: what the run was about to do, and its state there. The new thread begins
with that state, written as if the node before had just ended, so that the graph itself says what comes next.
"""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from graph.run import Graph, OnEvent, Runner
from nodes.forked import NODE, Fork, Origin, open_fork
from state.model.base import Value
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.errors import RunRefused, TruthUnavailable
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import RunFacts, RunRow

NODE_BEFORE = {
    "route": "open_run",
    "answer_chat": "route",
    "answer_knowledge": "route",
    "agent": "route",
    "tool_gate": "agent",
    "track_progress": "tool_gate",
    "guard_evidence": "repair_draft",
    "repair_draft": "guard_evidence",
    "guard_semantics": "guard_evidence",
    "release": "guard_semantics",
    "close_run": "release",
}
"""For each node one whose exit leads to it, whatever else the state says: it is the only one, or has no choice."""


class ForkStep(Value):
    """One step of a run: what it did next, from which checkpoint."""

    number: int
    """From 1, which is the opening; a fork counts its own opening, so that its first step is 2."""
    node: str
    checkpoint_id: str
    at: datetime


@dataclass(frozen=True)
class ForkOrder:
    """A fork with everything its caller said about it."""

    parent_run_id: RunId
    at: str
    """Number of a step, name of a node (``agent``: its last time; ``agent:2``: its second), or id of a checkpoint."""
    run_id: RunId
    owner_key: str
    options: RunOptions = RunOptions()
    """Limits alone are read."""


async def steps_of(graph: Graph, row: RunRow) -> tuple[ForkStep, ...]:
    """The steps of the run that are kept, in order; empty once its checkpoints are gone.

    Raises:
        TruthUnavailable: the checkpoints cannot be read.
    """
    return tuple(step for step, _ in _steps(await _history(graph, row)))


async def states_of(graph: Graph, row: RunRow) -> tuple[tuple[ForkStep, DiagnosisState], ...]:
    """The same with the state of the run before each.

    Raises:
        TruthUnavailable: the checkpoints cannot be read.
    """
    steps = _steps(await _history(graph, row))
    return tuple((step, cast(DiagnosisState, snapshot.values)) for step, snapshot in steps)


async def find_step(graph: Graph, row: RunRow, at: str) -> ForkStep:
    """The step of the run that ``at`` names, as in ``ForkOrder``.

    Raises:
        RunRefused: none is kept, or none is called so.
        TruthUnavailable: the checkpoints cannot be read.
    """
    return _named(row, at, await _history(graph, row))[0]


async def fork_run(runner: Runner, order: ForkOrder, *, on_event: OnEvent) -> RunResult:
    """How the fork ended. It belongs to its caller and to the session of its parent, which is not touched.

    Raises:
        RunRefused: the parent is unknown or another key's, has no such step, searched other sources than this process
            has, or holds what this process may not show to its models.
        ResultsGone: a result that the step rests on has expired.
        LeaseLost: another process took the fork over and goes on with it.
        TruthUnavailable: the parent cannot be read.
    """

    async def begin() -> RunFacts:
        origin = await find_origin(runner, order)
        fork = Fork(order.run_id, thread_id=order.run_id, options=order.options)

        async def plant(state: DiagnosisState) -> None:
            await plant_state(runner.graph, order.run_id, state, origin.node)

        return await open_fork(runner.deps, origin, fork, plant, lambda event: on_event(cast(dict[str, object], event)))

    return await runner.begun(order.run_id, order.owner_key, begin, on_event=on_event)


async def find_origin(runner: Runner, order: ForkOrder) -> Origin:
    """Where the order wants to go on from.

    Raises:
        RunRefused: there is no such run of this key, or no such step of it.
        TruthUnavailable: a store cannot be read.
    """
    row = await runner.deps.control.get_run(order.parent_run_id)
    if row is None or row.owner_key != order.owner_key:
        raise RunRefused(order.parent_run_id, "there is no such run")
    step, snapshot = _named(row, order.at, await _history(runner.graph, row))
    return Origin(row, step.checkpoint_id, step.node, cast(DiagnosisState, snapshot.values))


def _named(row: RunRow, at: str, history: Sequence[StateSnapshot]) -> tuple[ForkStep, StateSnapshot]:
    """The step that ``at`` names. Pure.

    Raises:
        RunRefused: none is kept, or none is called so.
    """
    steps, at = _steps(history), at.strip()
    if not steps:
        raise RunRefused(row.run_id, "its steps are not kept any more, or by another server")
    if any(_id(snapshot) == at and not snapshot.next for snapshot in history):
        raise RunRefused(row.run_id, "nothing follows this checkpoint: the run ended there")
    if any(_id(snapshot) == at and snapshot.next == (_START,) for snapshot in history):
        return steps[0]
    node, _, time = at.partition(":")
    visits = [found for found in steps if found[0].node == node]
    matching = [found for found in steps if at in {str(found[0].number), found[0].checkpoint_id}]
    if not time:
        matching += visits[-1:]
    elif _ORDINAL.fullmatch(time):
        matching += visits[int(time) - 1 : int(time)]
    if not matching:
        last = steps[-1][0].number
        raise RunRefused(row.run_id, f"it has no such step: name a number up to {last}, a node or a checkpoint")
    return matching[0]


async def plant_state(graph: Graph, run_id: RunId, state: DiagnosisState, node: str) -> None:
    """The thread of the run begins with this state, and ``node`` is next; a run that was not opened yet begins anew.

    Raises:
        RunRefused: this graph does not go on so.
        TruthUnavailable: the checkpoints cannot be written.
    """
    next_node = "route" if node == NODE else node
    if next_node not in NODE_BEFORE:
        raise RunRefused(run_id, "this version of the graph does not go on so")
    try:
        await graph.aupdate_state(_config(run_id), state, as_node=NODE_BEFORE[next_node])
        planted = await graph.aget_state(_config(run_id))
    except sqlite3.Error as error:
        raise TruthUnavailable("checkpoints", "write") from error
    if planted.next != (next_node,):
        raise RunRefused(run_id, "this version of the graph does not go on so")


_START = "__start__"
_ORDINAL = re.compile(r"[1-9]\d{0,3}")


def _steps(history: Sequence[StateSnapshot]) -> list[tuple[ForkStep, StateSnapshot]]:
    begun = [snapshot for snapshot in history if snapshot.next and snapshot.next[0] in {NODE, *NODE_BEFORE}]
    first = 1 if begun and begun[0].next == (NODE,) else 2
    return [(_step(number, snapshot), snapshot) for number, snapshot in enumerate(begun, first)]


def _step(number: int, snapshot: StateSnapshot) -> ForkStep:
    at = datetime.fromisoformat(snapshot.created_at or "")
    return ForkStep(number=number, node=snapshot.next[0], checkpoint_id=_id(snapshot), at=at)


async def _history(graph: Graph, row: RunRow) -> list[StateSnapshot]:
    """The checkpoints of the run, oldest first; none of a run that another server executed in a thread of its own.

    Raises:
        TruthUnavailable: they cannot be read.
    """
    if row.thread_id != row.run_id:
        return []
    try:
        newest_first = [snapshot async for snapshot in graph.aget_state_history(_config(row.run_id))]
    except sqlite3.Error as error:
        raise TruthUnavailable("checkpoints", "read") from error
    return newest_first[::-1]


def _id(snapshot: StateSnapshot) -> str:
    return str(snapshot.config["configurable"]["checkpoint_id"])


def _config(run_id: RunId) -> RunnableConfig:
    return {"configurable": {"thread_id": run_id}}
