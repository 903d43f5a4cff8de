"""What a replay needs besides the model's replies: the tools as they were shown, and what each call gave.

Results are kept as projections, without raw payloads. A lost recording never changes an answer.
"""

from pydantic import RootModel

from models.chat import ModelReply
from nodes.deps import Step
from state.model.base import Value
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, digest
from state.model.tool_call import Refused
from state.ports import Recording
from tools.boundary import ToolRequest
from tools.contract import ToolCard

CARDS_STEP = "tools"


class ToolCards(RootModel[tuple[ToolCard, ...]]):
    """The registered tools of a run, in order."""


class TapedResult(Value):
    """What the boundary answered to one request."""

    record: CanonicalRecord | None = None
    refused: Refused | None = None


class TapedReply(Value):
    """What a model answered to one attempt."""

    reply: ModelReply | None = None
    failed: str | None = None
    """Kind of the failure."""


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


async def record_tool_result(step: Step, request: ToolRequest, result: CanonicalRecord | Refused) -> None:
    """Keep the answer to one tool request under its call id."""
    taped = TapedResult(refused=result) if isinstance(result, Refused) else TapedResult(record=_without_scope(result))
    await step.deps.recording.put(
        step.lease.run_id, f"tool:{request.call.tool_call_id}", request.digest(), taped.model_dump_json()
    )


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
