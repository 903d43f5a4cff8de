"""The event table of the tool call protocol, one rule a test."""

import pytest

from guards.progress import StopRules, advance, deliver_stop, fold
from state.model.enums import CollectionState, InformationGain, ProtocolViolation, StopReason, ToolCode
from state.model.ids import ToolCallId
from state.model.progress import (
    AskedAfterStop,
    Assessed,
    CallFailed,
    Empty,
    Found,
    LimitReached,
    ProgressSnapshot,
    ProtocolBroken,
    RequestRefused,
)

RULES = StopRules(no_gain=2, min_tools=2, violations=2, tool_errors=4)
LOGS, SQL = "query_logs", "query_sql"


def found(call: str, *items: str, tool: str = LOGS) -> Found:
    return Found(tool_call_id=ToolCallId(call), tool=tool, item_keys=items)


def empty(call: str, tool: str = LOGS) -> Empty:
    return Empty(tool_call_id=ToolCallId(call), tool=tool)


def assessed(call: str, gain: InformationGain) -> Assessed:
    return Assessed(tool_call_id=ToolCallId(call), gain=gain)


def failed(call: str) -> CallFailed:
    return CallFailed(tool_call_id=ToolCallId(call), code=ToolCode.TOOL_TIMEOUT)


BROKEN = ProtocolBroken(violation=ProtocolViolation.MISSING_INPUT)
REFUSED = RequestRefused(code=ToolCode.INVALID_REQUEST)
DUPLICATE = RequestRefused(code=ToolCode.DUPLICATE_SCOPE)


def after(*events: object) -> ProgressSnapshot:
    return advance(ProgressSnapshot(), events, RULES)  # type: ignore[arg-type]


def test_a_found_result_awaits_its_assessment() -> None:
    assert after(found("c1", "i1")).awaiting == "c1"


def test_gained_resets_the_no_gain_count() -> None:
    snapshot = after(empty("c1"), found("c2", "i1"), assessed("c2", InformationGain.GAINED))

    assert (snapshot.no_gain_run, snapshot.awaiting) == (0, None)


def test_two_no_gains_over_two_tools_saturate() -> None:
    snapshot = after(empty("c1"), empty("c2", SQL))

    assert (snapshot.collection, snapshot.stop_reason) == (
        CollectionState.SATURATED,
        StopReason.INFORMATION_SATURATED,
    )


def test_no_gain_of_one_tool_alone_does_not_saturate() -> None:
    snapshot = after(empty("c1"), empty("c2"), empty("c3"))

    assert (snapshot.collection, snapshot.no_gain_run) == (CollectionState.COLLECTING, 3)


def test_a_second_tool_that_finds_something_is_heard_before_saturation() -> None:
    snapshot = after(empty("c1"), empty("c2"), found("c3", "i1", tool=SQL))

    assert snapshot.collection is CollectionState.COLLECTING


def test_a_result_of_known_items_alone_is_no_gain_without_an_assessment() -> None:
    snapshot = after(found("c1", "i1", "i2"), assessed("c1", InformationGain.GAINED), found("c2", "i2"))

    assert (snapshot.no_gain_run, snapshot.awaiting) == (1, None)


def test_a_result_without_identified_items_is_never_judged_by_code() -> None:
    assert after(found("c1"), assessed("c1", InformationGain.GAINED), found("c2")).awaiting == "c2"


def test_a_duplicate_scope_counts_as_no_gain_and_not_as_an_error() -> None:
    snapshot = after(empty("c1"), DUPLICATE)

    assert (snapshot.no_gain_run, snapshot.error_run) == (2, 0)


@pytest.mark.parametrize("event", [REFUSED, failed("c9")])
def test_refusals_and_errors_count_as_tool_errors_only(event: object) -> None:
    snapshot = after(empty("c1"), event)

    assert (snapshot.no_gain_run, snapshot.error_run, snapshot.violation_run) == (1, 1, 0)


def test_four_tool_errors_in_a_row_stop_with_tools_failing() -> None:
    assert after(REFUSED, failed("c1"), REFUSED, failed("c2")).stop_reason is StopReason.TOOLS_FAILING


def test_an_answer_resets_the_error_count() -> None:
    assert after(REFUSED, REFUSED, REFUSED, empty("c1")).error_run == 0


def test_a_protocol_violation_never_counts_as_no_gain_or_error() -> None:
    snapshot = after(empty("c1"), REFUSED, BROKEN)

    assert (snapshot.no_gain_run, snapshot.error_run, snapshot.violation_run) == (1, 1, 1)


def test_two_violations_in_a_row_stop() -> None:
    assert after(BROKEN, BROKEN).stop_reason is StopReason.PROGRESS_PROTOCOL_VIOLATED


def test_a_valid_envelope_resets_the_violation_count() -> None:
    assert after(BROKEN, REFUSED, BROKEN).collection is CollectionState.COLLECTING


def test_a_limit_saturates_with_its_own_reason() -> None:
    snapshot = after(LimitReached(reason=StopReason.DEADLINE_REACHED))

    assert snapshot.stop_reason is StopReason.DEADLINE_REACHED


def test_saturation_is_final_and_keeps_its_first_reason() -> None:
    stopped = after(BROKEN, BROKEN)

    later = advance(stopped, [found("c1", "i1"), LimitReached(reason=StopReason.DEADLINE_REACHED)], RULES)

    assert later == stopped


def test_stop_is_delivered_only_once_saturated() -> None:
    assert not deliver_stop(ProgressSnapshot()).stop_delivered
    assert deliver_stop(after(BROKEN, BROKEN)).stop_delivered


def test_asking_after_stop_is_an_overrun() -> None:
    stopped = deliver_stop(after(BROKEN, BROKEN))

    assert fold(stopped, AskedAfterStop(), RULES).overrun


def test_zero_minimum_of_tools_saturates_on_one_tool() -> None:
    rules = RULES.model_copy(update={"min_tools": 0})

    snapshot = advance(ProgressSnapshot(), [empty("c1"), empty("c2")], rules)

    assert snapshot.stop_reason is StopReason.INFORMATION_SATURATED
