"""Replay: a recorded run executed again from the start, without any external call, into stores of its own.

The same graph runs over the recording; the first request that differs from the recorded one is named.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from config.settings import Settings
from graph.masked_match import is_same_unmasked
from graph.stores import Stores, embedded, open_stores
from graph.wiring import build_policy, build_runner
from models.chat import FailureKind, ModelReply, model_failed
from models.replay import ReplayModel
from models.roles import RoleModels, given_models
from nodes.deps import Deps, Sources
from nodes.lease_keeper import LeaseKeeper
from nodes.taping import taped_reply, taped_result, taped_tools
from state.model.diagnosis import RunOptions
from state.model.enums import InvocationStatus, ModelRole, RunState, ToolCode
from state.model.errors import RecordingMissing, RunRefused
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId
from state.model.release import RunResult
from state.model.run import BudgetEntry, BudgetKind, Lease, RunFacts, RunRow
from state.model.tool_call import Refused
from state.ports import CanonicalStore, ControlStore, Recording
from tools.boundary import CANONICAL_TTL, ToolRequest
from tools.contract import CallContext, ToolCard


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


class StandingClock:
    """Time as the run fixed it, so that no deadline falls differently."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """The instant of the run."""
        return self._now

    def monotonic(self) -> float:
        """Always zero."""
        return 0.0


@dataclass(frozen=True)
class RecordedDoor:
    """The tool boundary of a replay: recorded answers, canonical records and ledger entries written anew."""

    source: RunId
    specs: tuple[ToolCard, ...]
    recording: Recording
    canonical: CanonicalStore
    control: ControlStore
    begun_at: datetime
    """Real time of the replay, from which its own records expire."""

    async def call(
        self, lease: Lease, facts: RunFacts, context: CallContext, request: ToolRequest
    ) -> CanonicalRecord | Refused:
        """What the recorded run was answered.

        Raises:
            RecordingMissing: this request was not made in the recorded run.
        """
        taped = await taped_result(self.recording, self.source, request)
        if taped is None:
            raise RecordingMissing(self.source, f"tool:{request.call.tool_call_id}")
        if taped.record is None:
            return taped.refused or Refused(code=ToolCode.STORE_ERROR)
        await self._charge(lease, taped.record)
        return await self._keep(lease, taped.record)

    async def _charge(self, lease: Lease, record: CanonicalRecord) -> None:
        spent = record.request_bytes + record.raw_bytes + record.projection_bytes
        entry = BudgetEntry(
            run_id=lease.run_id,
            kind=BudgetKind.TOOL_CALL,
            key=record.tool_call_id,
            component=record.tool,
            reserved=spent,
        )
        await self.control.reserve(lease, entry)
        await self.control.settle(lease, entry.kind, entry.key, spent, usage_reported=True)

    async def _keep(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord:
        begun = record.model_copy(
            update={
                "status": InvocationStatus.PROJECTING,
                "evidence_status": None,
                "error_code": None,
                "projection_json": None,
                "projection_sha256": None,
                "lease_epoch": lease.epoch,
                "begun_at": self.begun_at,
                "expires_at": self.begun_at + CANONICAL_TTL,
            }
        )
        await self.canonical.begin(lease, begun)
        if record.status is InvocationStatus.READY and record.evidence_status and record.projection_json:
            return await self.canonical.complete(
                lease,
                record.tool_call_id,
                evidence_status=record.evidence_status,
                projection_json=record.projection_json,
                raw_json="{}",
            )
        return await self.canonical.fail(lease, record.tool_call_id, record.error_code or ToolCode.TOOL_EXECUTION_ERROR)


async def replay_run(settings: Settings, stores: Stores, run_id: RunId) -> Replay:
    """The run executed again from its recording, compared with what it published.

    Raises:
        RunRefused: the run is unknown, has not ended, or its recording has expired.
    """
    row = await stores.control.get_run(run_id)
    if row is None:
        raise RunRefused(run_id, "there is no such run")
    if row.run_state is RunState.RUNNING:
        raise RunRefused(run_id, "it has not ended; resume it first")
    return await replay_recorded(settings, stores.recording, row)


async def replay_recorded(settings: Settings, recording: Recording, row: RunRow) -> Replay:
    """The ended run executed again from this recording, compared with what its row says.

    Raises:
        RunRefused: its recording is gone.
    """
    cards = await taped_tools(recording, row.run_id)
    if cards is None:
        raise RunRefused(row.run_id, "RECORDING_EXPIRED: its recording is gone, or recording was off")
    with tempfile.TemporaryDirectory(prefix="rootproof-replay-") as folder:
        private = embedded(settings, Path(folder)).model_copy(update={"recording": "off"})
        async with open_stores(private) as own:
            return await _executed(private, recording, own, row, cards)


async def _executed(
    settings: Settings, recording: Recording, own: Stores, row: RunRow, cards: tuple[ToolCard, ...]
) -> Replay:
    deps = _deps(settings, recording, own, row, cards)
    request = {"query": row.query, "session_id": row.session_id, "run_id": row.run_id}
    try:
        result = await build_runner(deps, own.checkpoints).run(request, RunOptions())  # type: ignore[arg-type]  # a plain dict for the TypedDict
    except RecordingMissing as missing:
        return Replay(original=row, result=None, diverged_at=missing.step)
    return Replay(original=row, result=result, diverged_at=None if _is_same(result, row) else "result")


def _deps(settings: Settings, recording: Recording, own: Stores, row: RunRow, cards: tuple[ToolCard, ...]) -> Deps:
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
        boundary=RecordedDoor(row.run_id, cards, recording, own.canonical, own.control, own.clock.now()),
        models=_models(settings, recording, row),
        clock=clock,
        keeper=LeaseKeeper(own.control, own.canonical, clock, "replay"),
        sources=sources,
        policy=build_policy(settings),
        replayed=row.facts,
    )


def _models(settings: Settings, recording: Recording, row: RunRow) -> RoleModels:
    """A model for every role that answers from the recording alone."""

    async def lookup(step: str, request_sha256: str) -> ModelReply | None:
        taped = await taped_reply(recording, row.run_id, step, request_sha256)
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
