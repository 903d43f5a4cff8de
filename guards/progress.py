"""When to go on collecting evidence and when to stop: pure transitions over ``ProgressSnapshot``.

Source of every number and rule: the event table of the tool call protocol (docs/model-protocol.md,
docs/decisions/progress.md). Saturation is final, STOP_REQUIRED is delivered once, and what asks for
evidence after it takes the stop edge.
"""

from collections.abc import Iterable
from typing import assert_never

from state.model.base import Value
from state.model.enums import CollectionState, InformationGain, StopReason, ToolCode
from state.model.limits import RunLimits
from state.model.progress import (
    AskedAfterStop,
    Assessed,
    CallFailed,
    Empty,
    Found,
    LimitReached,
    ProgressEvent,
    ProgressSnapshot,
    ProtocolBroken,
    RequestRefused,
)

MAX_SEEN_ITEMS = 2000
"""Keys kept for NO_NEW_ITEMS; far above what twelve calls can return (12 × 101 rows)."""


class StopRules(Value):
    """The thresholds in force; never shown to the model."""

    no_gain: int
    min_tools: int
    """Different tools that must have answered before saturation."""
    violations: int
    tool_errors: int


def stop_rules(limits: RunLimits, *, n_tools: int) -> StopRules:
    """The rules of a run with ``n_tools`` registered tools: no more different tools are asked for than exist."""
    return StopRules(
        no_gain=limits.stop_after_consecutive_no_gain,
        min_tools=min(limits.saturation_min_tools, n_tools),
        violations=limits.stop_after_consecutive_protocol_violations,
        tool_errors=limits.stop_after_consecutive_tool_errors,
    )


def advance(snapshot: ProgressSnapshot, events: Iterable[ProgressEvent], rules: StopRules) -> ProgressSnapshot:
    """The snapshot after all events, in order."""
    for event in events:
        snapshot = fold(snapshot, event, rules)
    return snapshot


def fold(snapshot: ProgressSnapshot, event: ProgressEvent, rules: StopRules) -> ProgressSnapshot:
    """The snapshot after one event. Once SATURATED only ``AskedAfterStop`` changes anything."""
    if isinstance(event, AskedAfterStop):
        return snapshot.model_copy(update={"overrun": snapshot.stop_delivered})
    if snapshot.collection is CollectionState.SATURATED:
        return snapshot
    match event:
        case Assessed():
            return _assessed(snapshot, event, rules)
        case Found():
            return _found(snapshot, event, rules)
        case Empty():
            return _no_gain(_answered(snapshot, event.tool, event.tool_call_id), rules)
        case RequestRefused():
            return _refused(snapshot, event, rules)
        case CallFailed():
            failed = snapshot.model_copy(update={"violation_run": 0, "last_call_id": event.tool_call_id})
            return _tool_error(failed, rules)
        case ProtocolBroken():
            return _violation(snapshot, rules)
        case LimitReached():
            return _saturate(snapshot, event.reason)
        case _:
            assert_never(event)


def deliver_stop(snapshot: ProgressSnapshot) -> ProgressSnapshot:
    """The snapshot with STOP_REQUIRED handed to the model; unchanged while collecting or once delivered."""
    if snapshot.collection is CollectionState.COLLECTING:
        return snapshot
    return snapshot.model_copy(update={"stop_delivered": True})


def judged_mechanically(snapshot: ProgressSnapshot, found: Found) -> bool:
    """True if every identified item was already returned in this run (NO_NEW_ITEMS).

    A result without identified items (aggregates, patterns alone) is never judged by code.
    """
    return bool(found.item_keys) and set(found.item_keys) <= set(snapshot.seen_items)


def _assessed(snapshot: ProgressSnapshot, event: Assessed, rules: StopRules) -> ProgressSnapshot:
    cleared = snapshot.model_copy(update={"awaiting": None, "violation_run": 0})
    if event.gain is InformationGain.NO_GAIN:
        return _no_gain(cleared, rules)
    return cleared.model_copy(update={"no_gain_run": 0})


def _found(snapshot: ProgressSnapshot, event: Found, rules: StopRules) -> ProgressSnapshot:
    answered = _answered(snapshot, event.tool, event.tool_call_id)
    if judged_mechanically(snapshot, event):
        return _no_gain(answered, rules)
    seen = dict.fromkeys((*snapshot.seen_items, *event.item_keys))
    return answered.model_copy(update={"awaiting": event.tool_call_id, "seen_items": tuple(seen)[-MAX_SEEN_ITEMS:]})


def _answered(snapshot: ProgressSnapshot, tool: str, tool_call_id: str) -> ProgressSnapshot:
    tools = tuple(dict.fromkeys((*snapshot.answered_tools, tool)))
    return snapshot.model_copy(
        update={"answered_tools": tools, "last_call_id": tool_call_id, "violation_run": 0, "error_run": 0}
    )


def _refused(snapshot: ProgressSnapshot, event: RequestRefused, rules: StopRules) -> ProgressSnapshot:
    valid_envelope = snapshot.model_copy(update={"violation_run": 0})
    if event.code is ToolCode.DUPLICATE_SCOPE:
        return _no_gain(valid_envelope, rules)
    return _tool_error(valid_envelope, rules)


def _no_gain(snapshot: ProgressSnapshot, rules: StopRules) -> ProgressSnapshot:
    counted = snapshot.model_copy(update={"no_gain_run": snapshot.no_gain_run + 1})
    enough_tools = len(counted.answered_tools) >= rules.min_tools
    if counted.no_gain_run >= rules.no_gain and enough_tools:
        return _saturate(counted, StopReason.INFORMATION_SATURATED)
    return counted


def _tool_error(snapshot: ProgressSnapshot, rules: StopRules) -> ProgressSnapshot:
    counted = snapshot.model_copy(update={"error_run": snapshot.error_run + 1})
    if counted.error_run >= rules.tool_errors:
        return _saturate(counted, StopReason.TOOLS_FAILING)
    return counted


def _violation(snapshot: ProgressSnapshot, rules: StopRules) -> ProgressSnapshot:
    counted = snapshot.model_copy(update={"violation_run": snapshot.violation_run + 1})
    if counted.violation_run >= rules.violations:
        return _saturate(counted, StopReason.PROGRESS_PROTOCOL_VIOLATED)
    return counted


def _saturate(snapshot: ProgressSnapshot, reason: StopReason) -> ProgressSnapshot:
    return snapshot.model_copy(update={"collection": CollectionState.SATURATED, "stop_reason": reason})
