"""Replay from every step: an ended run executed on from each of its checkpoints, with no call outside.

Each replay begins with the state the run had there, the results it rests on and what had been spent, and goes on over
the recording to the end. Wherever it begins, it must come out the same; what was changed since shows at the first step
that asks otherwise.
"""

from dataclasses import dataclass

from config.settings import Settings
from graph.fork import ForkStep, plant_state, states_of
from graph.replay import Replay, Scene, open_scene, recorded_run, replay_recorded, replayed
from graph.stores import Stores
from graph.wiring import compile_graph
from nodes.forked import named_results
from nodes.taping import TapedResult
from state.model.diagnosis import DiagnosisState
from state.model.enums import ModelRole
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, Lease, NewRun, RunFacts

OPENING = "open_run"
COLLECTING = frozenset({"agent", "tool_gate", "track_progress"})
"""Before these a call may still be to come; before all later ones every call is made."""


@dataclass(frozen=True)
class StepReplay:
    """A replay that began before one step of the run."""

    step: ForkStep
    replay: Replay


async def replay_steps(
    settings: Settings, stores: Stores, run_id: RunId, *, as_configured: bool = False
) -> tuple[StepReplay, ...]:
    """One replay for each step whose checkpoint is kept, in order; empty once they are gone.

    ``as_configured``: as ``graph.replay.replay_run``.

    Raises:
        RunRefused: the run is unknown, has not ended, or its recording has expired.
        TruthUnavailable: a store cannot be read.
    """
    row = await recorded_run(stores, run_id)
    whole = await replay_recorded(settings, stores.recording, row, as_configured=as_configured)
    entries = await stores.control.entries(run_id)
    done: list[StepReplay] = []
    async with open_scene(settings, stores.recording, row, as_configured=as_configured) as reading:
        known = await states_of(compile_graph(reading.runner.deps, stores.checkpoints), row)
    for step, state in known:
        if step.node == OPENING:
            done.append(StepReplay(step, whole))
            continue
        async with open_scene(settings, stores.recording, row, as_configured=as_configured) as scene:
            begun = _Begun(scene, step, state, entries)
            done.append(StepReplay(step, await replayed(scene, begun.facts)))
    return tuple(done)


@dataclass(frozen=True)
class _Begun:
    """A run that is put where it stood before one step."""

    scene: Scene
    step: ForkStep
    state: DiagnosisState
    entries: tuple[BudgetEntry, ...]
    """The whole ledger of the run."""

    async def facts(self) -> RunFacts:
        """Those of the run, which is open and goes on from the step."""
        deps, row = self.scene.runner.deps, self.scene.row
        first = Lease(run_id=row.run_id, owner=deps.keeper.owner, epoch=1)
        for record in await self._results():
            await self.scene.door.keep(first, record)
        await plant_state(self.scene.runner.graph, row.run_id, self._state(), self.step.node)
        intent = row.intent if self.step.node != "route" else None
        new = NewRun(facts=self.scene.facts, thread_id=row.run_id, model=row.model, world=row.world, intent=intent)
        lease = await deps.control.open_run(new, deps.keeper.owner)
        for entry in self.entries:
            if was_spent(entry, self.step.node, self.state):
                await self._spend(lease, entry)
        await deps.keeper.adopt(lease, asked_at=deps.clock.monotonic())
        return self.scene.facts

    def _state(self) -> DiagnosisState:
        """The state with the limits of this replay; the question in it stays as models see it."""
        known = self.state["run"]
        facts = known.model_copy(update={"limits": self.scene.facts.limits}) if known else None
        return {**self.state, "run": facts}

    async def _results(self) -> list[CanonicalRecord]:
        """What the calls gave on which the state rests, in the order they were made, as far as recorded."""
        records = []
        for call_id in named_results(self.state):
            found = await self.scene.door.recording.get(self.scene.row.run_id, f"tool:{call_id}")
            taped = TapedResult.model_validate_json(found[1]) if found else TapedResult()
            if taped.record is not None:
                records.append(taped.record)
        return sorted(records, key=lambda record: record.begun_at)

    async def _spend(self, lease: Lease, entry: BudgetEntry) -> None:
        control = self.scene.runner.deps.control
        await control.reserve(lease, entry.model_copy(update={"settled": None, "usage_reported": False}))
        if entry.settled is not None:
            await control.settle(lease, entry.kind, entry.key, entry.settled, usage_reported=entry.usage_reported)


def was_spent(entry: BudgetEntry, node: str, state: DiagnosisState) -> bool:
    """True if the entry was in the ledger when the run was about to enter the node with this state. Pure."""
    if entry.kind is BudgetKind.TOOL_CALL:
        return node not in COLLECTING | {"route"} or entry.key in named_results(state)
    if node == "route":
        return False
    match ModelRole(entry.component):
        case ModelRole.ROUTER:
            return True
        case ModelRole.AGENT:
            n_turns = len(state["transcript"].turns)
            return int(entry.key.split(":")[1]) <= (n_turns if node == "agent" else n_turns + 1)
        case ModelRole.REPAIR:
            return state["repairs"] > 0
        case ModelRole.SEMANTIC:
            return node in {"release", "close_run"}
