"""Replay: a recorded run executed again from the start, without any external call, into stores of its own.

The same graph runs over the recording; the first request that differs from the recorded one is named. A fork is
executed from where it went on, with the state and the results it began with.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from config.settings import Settings
from graph.fork import plant_state
from graph.masked_match import is_same_unmasked
from graph.replay_door import RecordedDoor, StandingClock
from graph.run import Runner
from graph.stores import Stores, embedded, open_stores
from graph.wiring import build_policy, build_runner
from models.chat import FailureKind, ModelReply, model_failed
from models.replay import ReplayModel
from models.roles import RoleModels, build_role_models, given_models
from nodes.deps import LOCAL_OWNER, Deps, Sources
from nodes.lease_keeper import LeaseKeeper
from nodes.taping import TapedFork, taped_fork, taped_reply, taped_tools
from state.model.diagnosis import DiagnosisState, RunInput, RunOptions
from state.model.enums import ModelRole, RunState
from state.model.errors import RecordingMissing, RunRefused
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import Lease, NewRun, RunFacts, RunRow
from state.ports import Recording


@dataclass(frozen=True)
class Replay:
    """How a replay went."""

    original: RunRow
    result: RunResult | None
    """None if it diverged."""
    diverged_at: str | None
    """Step whose request differs from the recording, or ``result`` if only the outcome does."""

    @property
    def identical(self) -> bool:
        """True if every request and the published result are byte for byte the same."""
        return self.diverged_at is None


@dataclass(frozen=True)
class Scene:
    """Stores of its own in which a recorded run is executed again, and what plays in them."""

    row: RunRow
    facts: RunFacts
    """Those of the run; with other limits where it is executed as it would be now."""
    door: RecordedDoor
    runner: Runner


async def replay_run(settings: Settings, stores: Stores, run_id: RunId, *, as_configured: bool = False) -> Replay:
    """The run executed again from its recording, compared with what it published.

    ``as_configured``: with the limits and the models that the settings name now, so that the first step shows at which
    a run would go another way; a model of another name is another answer. A changed prompt shows either way.

    Raises:
        RunRefused: the run is unknown, has not ended, or its recording has expired.
        Misconfigured: with ``as_configured``, a model of the settings cannot be used.
    """
    row = await recorded_run(stores, run_id)
    return await replay_recorded(settings, stores.recording, row, as_configured=as_configured)


async def recorded_run(stores: Stores, run_id: RunId) -> RunRow:
    """The row of a run that can be replayed.

    Raises:
        RunRefused: the run is unknown, or has not ended.
    """
    row = await stores.control.get_run(run_id)
    if row is None:
        raise RunRefused(run_id, "there is no such run")
    if row.run_state is RunState.RUNNING:
        raise RunRefused(run_id, "it has not ended; resume it first")
    return row


async def replay_recorded(
    settings: Settings, recording: Recording, row: RunRow, *, as_configured: bool = False
) -> Replay:
    """The ended run executed again from this recording, compared with what its row says.

    Raises:
        RunRefused: its recording is gone, or it is a fork whose identifiers were masked.
        Misconfigured: as ``replay_run``.
    """
    fork = await taped_fork(recording, row.run_id)
    if row.fork_checkpoint is not None and row.facts.mask_identifiers:
        raise RunRefused(row.run_id, "it is a fork with masked names, and what they stand for is not recorded")
    if row.fork_checkpoint is not None and fork is None:
        raise RunRefused(row.run_id, GONE)
    async with open_scene(settings, recording, row, as_configured=as_configured) as scene:
        if row.fork_checkpoint is not None and fork is not None:
            return await replayed(scene, lambda: _forked(scene, fork))
        request: RunInput = {"query": row.query, "session_id": row.session_id, "run_id": row.run_id}
        return await _compared(row, scene.runner.run(request, RunOptions()))


GONE = "RECORDING_EXPIRED: its recording is gone, or recording was off"


@asynccontextmanager
async def open_scene(
    settings: Settings, recording: Recording, row: RunRow, *, as_configured: bool = False
) -> AsyncIterator[Scene]:
    """A scene for this run, in a temporary folder that is deleted at the end.

    Raises:
        RunRefused: the recording is gone.
        Misconfigured: with ``as_configured``, a model of the settings cannot be used.
    """
    cards = await taped_tools(recording, row.run_id)
    if cards is None:
        raise RunRefused(row.run_id, GONE)
    facts = row.facts
    if as_configured:
        facts = facts.model_copy(update={"limits": build_policy(settings).limits})
    with tempfile.TemporaryDirectory(prefix="rootproof-replay-") as folder:
        private = embedded(settings, Path(folder)).model_copy(update={"recording": "off"})
        async with open_stores(private) as own:
            door = RecordedDoor(
                row.run_id, cards, recording, own.canonical, own.control, own.clock.now(), row.opened_at
            )
            models = _models(private, recording, row, await _names(settings) if as_configured else {})
            runner = build_runner(_deps(private, own, row, facts, door, models), own.checkpoints)
            yield Scene(row, facts, door, runner)


async def replayed(scene: Scene, begin: Callable[[], Awaitable[RunFacts]]) -> Replay:
    """How the run went from where ``begin`` put it."""
    return await _compared(scene.row, scene.runner.begun(scene.row.run_id, LOCAL_OWNER, begin))


async def _compared(row: RunRow, running: Awaitable[RunResult]) -> Replay:
    try:
        result = await running
    except RecordingMissing as missing:
        return Replay(original=row, result=None, diverged_at=missing.step)
    return Replay(original=row, result=result, diverged_at=None if _is_same(result, row) else "result")


async def _forked(scene: Scene, fork: TapedFork) -> RunFacts:
    """The facts of the fork, which is open, and goes on from the state and the results it began with."""
    row, deps = scene.row, scene.runner.deps
    lease = Lease(run_id=row.run_id, owner=deps.keeper.owner, epoch=1)
    for record in fork.records:
        await scene.door.keep(lease, record)
    state: DiagnosisState = {**fork.state, "run_id": row.run_id, "run": scene.facts}
    await plant_state(scene.runner.graph, row.run_id, state, fork.node)
    new = NewRun(facts=scene.facts, thread_id=row.run_id, model=row.model, world=row.world)
    await deps.keeper.adopt(await deps.control.open_run(new, deps.keeper.owner), asked_at=deps.clock.monotonic())
    return scene.facts


def _deps(
    settings: Settings, own: Stores, row: RunRow, facts: RunFacts, door: RecordedDoor, models: RoleModels
) -> Deps:
    clock = StandingClock(row.facts.now)
    sources = Sources(
        name=row.world,
        now=row.facts.now,
        time_zone=row.facts.time_zone,
        kb_scope="replay",
        notices=(),
        documents=(),
    )
    return Deps(
        control=own.control,
        canonical=own.canonical,
        audit=own.audit,
        recording=own.recording,
        boundary=door,
        models=models,
        clock=clock,
        keeper=LeaseKeeper(own.control, own.canonical, clock, "replay"),
        sources=sources,
        policy=build_policy(settings),
        replayed=facts,
    )


async def _names(settings: Settings) -> dict[str, str]:
    """Name of the model of every role, as the settings have it.

    Raises:
        Misconfigured: one of them cannot be used.
    """
    models = await asyncio.to_thread(build_role_models, settings)
    await models.aclose()
    return {role.value: models[role].name for role in ModelRole}


def _models(settings: Settings, recording: Recording, row: RunRow, names: Mapping[str, str]) -> RoleModels:
    """A model for every role that answers from the recording alone; of another name, not at all."""

    async def lookup(step: str, request_sha256: str) -> ModelReply | None:
        taped = await taped_reply(recording, row.run_id, step, request_sha256)
        now = names.get(step.partition(":")[0])
        if taped is not None and now is not None and now != (taped.asked or row.model):
            return None
        if taped is not None and taped.failed is not None:
            raise model_failed(FailureKind(taped.failed))
        return taped.reply if taped else None

    def model(role: ModelRole) -> ReplayModel:
        return ReplayModel(run_id=row.run_id, model_name=role.value, lookup=lookup)

    by_role: Mapping[ModelRole, ReplayModel] = {role: model(role) for role in ModelRole}
    return given_models(by_role, settings, name=row.model)


def _is_same(result: RunResult, row: RunRow) -> bool:
    """True if the replay published what the run did; where identifiers were masked, up to what they stand for."""
    ended = (result.run_state, result.outcome, result.fallback_type, result.failure_code, result.stop_reason)
    if ended != (row.run_state, row.outcome, row.fallback_type, row.failure_code, row.stop_reason):
        return False
    now, before = result.content, row.decision.content if row.decision else None
    if now is None or before is None:
        return now is before
    if row.facts.mask_identifiers:
        return is_same_unmasked(now.model_dump(mode="json"), before.model_dump(mode="json"))
    return now.model_dump_json() == before.model_dump_json()
