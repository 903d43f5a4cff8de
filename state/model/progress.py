"""Progress of evidence collection: events and the snapshot they are folded into. Pure.

The transitions are in ``guards.progress``.
"""

from typing import Literal

from state.model.base import Value
from state.model.enums import (
    CollectionState,
    InformationGain,
    ProtocolViolation,
    StopReason,
    ToolCode,
)
from state.model.ids import ToolCallId


class Assessed(Value):
    """The model judged the pending FOUND result."""

    tag: Literal["assessed"] = "assessed"
    tool_call_id: ToolCallId
    gain: InformationGain


class Found(Value):
    """A READY result with items."""

    tag: Literal["found"] = "found"
    tool_call_id: ToolCallId
    tool: str
    item_keys: tuple[str, ...] = ()
    """Eight hex digits per identified item; empty if none is identified."""


class Empty(Value):
    """A READY result with nothing in it: NO_EVIDENCE."""

    tag: Literal["empty"] = "empty"
    tool_call_id: ToolCallId
    tool: str


class RequestRefused(Value):
    """A valid envelope whose request was refused before anything began."""

    tag: Literal["request_refused"] = "request_refused"
    code: ToolCode


class CallFailed(Value):
    """A begun call that ended in an error."""

    tag: Literal["call_failed"] = "call_failed"
    tool_call_id: ToolCallId
    code: ToolCode


class ProtocolBroken(Value):
    """The envelope was not acceptable."""

    tag: Literal["protocol_broken"] = "protocol_broken"
    violation: ProtocolViolation


class LimitReached(Value):
    """Only what is held back for the draft is left."""

    tag: Literal["limit_reached"] = "limit_reached"
    reason: StopReason
    """BUDGET_LIMIT_REACHED or DEADLINE_REACHED."""


class AskedAfterStop(Value):
    """The model asked for evidence although STOP_REQUIRED had been delivered."""

    tag: Literal["asked_after_stop"] = "asked_after_stop"


ProgressEvent = Assessed | Found | Empty | RequestRefused | CallFailed | ProtocolBroken | LimitReached | AskedAfterStop


class ProgressSnapshot(Value):
    """Where collection stands. Never shown to the model."""

    collection: CollectionState = CollectionState.COLLECTING
    stop_reason: StopReason | None = None
    """Set once, with SATURATED."""
    stop_delivered: bool = False
    """STOP_REQUIRED has gone to the model; at most once."""
    overrun: bool = False
    """The model asked for evidence after STOP_REQUIRED: the stop edge is taken."""
    no_gain_run: int = 0
    violation_run: int = 0
    error_run: int = 0
    answered_tools: tuple[str, ...] = ()
    """Different tools that gave a READY result, in order of first answer."""
    awaiting: ToolCallId | None = None
    """The FOUND result whose assessment is due; None if none is."""
    last_call_id: ToolCallId | None = None
    """The last call that has a record, for a previous_observation that is not due."""
    seen_items: tuple[str, ...] = ()
    """Keys of identified items already returned in this run."""
