"""What a replay needs besides the model's replies: the tools as shown, what each call gave, what a fork began with.

Results are kept as projections; a full recording keeps raw payloads besides, which no replay reads. A lost recording
never changes an answer.
"""

import structlog
from pydantic import Field, RootModel

from models.chat import ModelReply
from nodes.deps import Step
from state.model.base import Value
from state.model.diagnosis import DiagnosisState
from state.model.errors import TruthUnavailable
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, digest
from state.model.tool_call import Refused
from state.ports import Recording
from tools.boundary import ToolRequest
from tools.contract import ToolCard

log = structlog.get_logger("nodes.taping")

CARDS_STEP = "tools"
FORK_STEP = "fork"


class ToolCards(RootModel[tuple[ToolCard, ...]]):
    """The registered tools of a run, in order."""


class TapedResult(Value):
    """What the boundary answered to one request."""

    record: CanonicalRecord | None = None
    refused: Refused | None = None


class TapedFork(Value):
    """What a fork began with."""

    node: str = Field(max_length=64)
    """What its parent was about to do."""
    state: DiagnosisState
    records: tuple[CanonicalRecord, ...]
    """The results that were copied."""


class TapedReply(Value):
    """What a model answered to one attempt."""

    reply: ModelReply | None = None
    failed: str | None = None
    """Kind of the failure."""
    asked: str = ""
    """Name of the model that was asked; empty in recordings of earlier programs."""


MAX_CRASHED_ATTEMPTS = 8
"""Attempts that left no reply because their process died; a replay passes over them."""


async def taped_reply(recording: Recording, run_id: RunId, step: str, request_sha256: str) -> TapedReply | None:
    """What this very request was answered at this attempt, or at the next one that left a reply."""
    prefix, _, attempt = step.rpartition(":")
    for number in range(int(attempt), int(attempt) + MAX_CRASHED_ATTEMPTS):
        found = await recording.get(run_id, f"{prefix}:{number}")
        if found is not None:
            return TapedReply.model_validate_json(found[1]) if found[0] == request_sha256 else None
    return None


async def record_tools(step: Step) -> None:
    """Keep the tools of the run as its models see them."""
    text = ToolCards(step.deps.boundary.specs).model_dump_json()
    await step.deps.recording.put(step.lease.run_id, CARDS_STEP, digest(text), text)


async def record_fork(step: Step, node: str, state: DiagnosisState) -> None:
    """Keep what a fork begins with. Not of a run with masked identifiers: what they stand for is never recorded."""
    run_id, facts = step.lease.run_id, state["run"]
    if facts is None or facts.mask_identifiers:
        return
    records = await step.deps.canonical.records(run_id)
    taped = TapedFork(node=node, state=state, records=tuple(_without_scope(record) for record in records))
    text = taped.model_dump_json()
    await step.deps.recording.put(run_id, FORK_STEP, digest(text), text)


async def taped_fork(recording: Recording, run_id: RunId) -> TapedFork | None:
    """What the fork began with; None if that is not recorded."""
    found = await recording.get(run_id, FORK_STEP)
    return TapedFork.model_validate_json(found[1]) if found else None


async def record_tool_result(step: Step, request: ToolRequest, result: CanonicalRecord | Refused) -> None:
    """Keep the answer to one tool request under its call id."""
    taped = TapedResult(refused=result) if isinstance(result, Refused) else TapedResult(record=_without_scope(result))
    await step.deps.recording.put(
        step.lease.run_id, f"tool:{request.call.tool_call_id}", request.digest(), taped.model_dump_json()
    )
    if isinstance(result, CanonicalRecord):
        await _record_raw(step, result)


async def _record_raw(step: Step, record: CanonicalRecord) -> None:
    """Keep the raw result where the recording is full; a store that does not give it costs the recording alone."""
    if step.deps.raws is None:
        return
    try:
        raw = await step.deps.canonical.raw(record.run_id, record.tool_call_id)
    except TruthUnavailable as error:
        log.warning("raw result not recorded", run_id=record.run_id, error=str(error))
        return
    if raw is not None:
        await step.deps.raws.put(record.run_id, record.tool_call_id, raw)


def _without_scope(record: CanonicalRecord) -> CanonicalRecord:
    """The normalised request holds what placeholders stand for; a recording keeps only its digest."""
    return record.model_copy(update={"scope_key": digest(record.scope_key)})


async def taped_tools(recording: Recording, run_id: RunId) -> tuple[ToolCard, ...] | None:
    """The recorded tools; None if the recording is gone."""
    found = await recording.get(run_id, CARDS_STEP)
    return ToolCards.model_validate_json(found[1]).root if found else None


async def taped_result(recording: Recording, run_id: RunId, request: ToolRequest) -> TapedResult | None:
    """What this very request gave; None if it was not recorded or differs."""
    found = await recording.get(run_id, f"tool:{request.call.tool_call_id}")
    if found is None or found[0] != request.digest():
        return None
    return TapedResult.model_validate_json(found[1])
