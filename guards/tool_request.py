"""May this tool call go on to the boundary: the envelope protocol, as pure decisions.

Order: envelope → assessment applied → collection still open. What the boundary refuses comes after that.
"""

from typing import Literal

from pydantic import ValidationError

from guards.progress import StopRules, advance
from state.model.base import Value
from state.model.enums import CollectionState, InformationGain, ProtocolViolation, StopReason
from state.model.ids import ToolCallId
from state.model.progress import AskedAfterStop, Assessed, ProgressEvent, ProgressSnapshot, ProtocolBroken
from state.model.strict_json import JsonProblem, parse_json_object
from state.model.tool_call import ModelCall, StopInstead, Violated

MAX_ARGUMENT_BYTES = 32 * 1024
"""Larger argument texts are no envelope."""


class Admitted(Value):
    """The request may go to the boundary."""

    tag: Literal["admitted"] = "admitted"
    events: tuple[ProgressEvent, ...]
    """The assessment that came with it, if one was due."""
    input: dict[str, object]
    note: str = ""
    """An assessment that was not due and was ignored."""


class TurnedBack(Value):
    """The request goes no further; nothing was executed."""

    tag: Literal["turned_back"] = "turned_back"
    events: tuple[ProgressEvent, ...]
    feedback: Violated | StopInstead


class _Previous(Value):
    tool_call_id: str
    information_gain: InformationGain


def admit(
    call: ModelCall, snapshot: ProgressSnapshot, rules: StopRules, *, tools: frozenset[str]
) -> Admitted | TurnedBack:
    """Whether the call may be executed, and what the progress tracker must fold either way."""
    if snapshot.stop_delivered:
        reason = snapshot.stop_reason or StopReason.INFORMATION_SATURATED
        return TurnedBack(events=(AskedAfterStop(),), feedback=StopInstead(reason=reason))
    read = _read_envelope(call, snapshot, tools)
    if isinstance(read, Violated):
        return TurnedBack(events=(ProtocolBroken(violation=read.violation),), feedback=read)
    assessed = advance(snapshot, read.events, rules)
    if assessed.collection is CollectionState.SATURATED and assessed.stop_reason is not None:
        return TurnedBack(events=read.events, feedback=StopInstead(reason=assessed.stop_reason))
    return read


def _read_envelope(call: ModelCall, snapshot: ProgressSnapshot, tools: frozenset[str]) -> Admitted | Violated:
    if call.name not in tools:
        return _violated(ProtocolViolation.UNKNOWN_TOOL, snapshot)
    if len(call.arguments.encode("utf-8", "surrogatepass")) > MAX_ARGUMENT_BYTES:
        return _violated(ProtocolViolation.INVALID_ENVELOPE, snapshot)
    envelope = parse_json_object(call.arguments)
    if isinstance(envelope, JsonProblem) or envelope.keys() - {"previous_observation", "input"}:
        return _violated(ProtocolViolation.INVALID_ENVELOPE, snapshot)
    assessment = _read_previous(envelope.get("previous_observation"), snapshot)
    if isinstance(assessment, Violated):
        return assessment
    if envelope.get("input") is None:
        return _violated(ProtocolViolation.MISSING_INPUT, snapshot, missing="input")
    arguments = envelope["input"]
    if not isinstance(arguments, dict):
        return _violated(ProtocolViolation.INVALID_ENVELOPE, snapshot)
    return assessment.model_copy(update={"input": arguments})


def _read_previous(given: object, snapshot: ProgressSnapshot) -> Admitted | Violated:
    """The assessment as events, or how it broke the protocol. Null and ``{}`` mean absent."""
    if given is None or given == {}:
        if snapshot.awaiting is None:
            return Admitted(events=(), input={})
        return _violated(ProtocolViolation.MISSING_PREVIOUS_OBSERVATION, snapshot, missing="previous_observation")
    try:
        previous = _Previous.model_validate(given)
    except ValidationError:
        return _violated(ProtocolViolation.INVALID_ENVELOPE, snapshot, missing="previous_observation")
    if snapshot.awaiting is None:
        return _not_due(previous, snapshot)
    if previous.tool_call_id != snapshot.awaiting:
        return _violated(ProtocolViolation.OUT_OF_ORDER_PREVIOUS_OBSERVATION, snapshot)
    judged = Assessed(tool_call_id=ToolCallId(previous.tool_call_id), gain=previous.information_gain)
    return Admitted(events=(judged,), input={})


def _not_due(previous: _Previous, snapshot: ProgressSnapshot) -> Admitted | Violated:
    if previous.tool_call_id == snapshot.last_call_id:
        return Admitted(events=(), input={}, note="previous_observation was not due and was ignored")
    return _violated(ProtocolViolation.UNEXPECTED_PREVIOUS_OBSERVATION, snapshot)


def _violated(violation: ProtocolViolation, snapshot: ProgressSnapshot, *, missing: str | None = None) -> Violated:
    return Violated(violation=violation, missing_field=missing, expected_previous_tool_call_id=snapshot.awaiting)
