"""The envelope protocol: which calls are admitted, and what the others are told."""

import pytest

from guards.progress import StopRules, advance, deliver_stop
from guards.tool_request import Admitted, TurnedBack, admit
from state.model.enums import InformationGain, ProtocolViolation, StopReason
from state.model.ids import ToolCallId
from state.model.progress import Assessed, Empty, Found, LimitReached, ProgressSnapshot
from state.model.tool_call import ModelCall, StopInstead, Violated

RULES = StopRules(no_gain=2, min_tools=2, violations=2, tool_errors=4)
TOOLS = frozenset({"query_logs", "query_sql"})
FRESH = ProgressSnapshot()
PENDING = advance(FRESH, [Found(tool_call_id=ToolCallId("c1"), tool="query_logs", item_keys=("i",))], RULES)
NOTHING_DUE = advance(FRESH, [Empty(tool_call_id=ToolCallId("c1"), tool="query_logs")], RULES)
GAINED_C1 = '{"tool_call_id":"c1","information_gain":"GAINED"}'


def call(arguments: str, name: str = "query_logs") -> ModelCall:
    return ModelCall(tool_call_id=ToolCallId("c2"), name=name, arguments=arguments)


def violation(ruling: Admitted | TurnedBack) -> ProtocolViolation:
    assert isinstance(ruling, TurnedBack)
    assert isinstance(ruling.feedback, Violated)
    return ruling.feedback.violation


@pytest.mark.parametrize("previous", ["null", "{}"])
def test_null_and_empty_mean_absent(previous: str) -> None:
    ruling = admit(call(f'{{"previous_observation":{previous},"input":{{"a":1}}}}'), FRESH, RULES, tools=TOOLS)

    assert isinstance(ruling, Admitted)
    assert ruling.input == {"a": 1}


def test_a_due_assessment_is_applied_and_stripped() -> None:
    ruling = admit(call(f'{{"previous_observation":{GAINED_C1},"input":{{}}}}'), PENDING, RULES, tools=TOOLS)

    assert isinstance(ruling, Admitted)
    assert ruling.events == (Assessed(tool_call_id=ToolCallId("c1"), gain=InformationGain.GAINED),)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"input":{}}', ProtocolViolation.MISSING_PREVIOUS_OBSERVATION),
        ('{"previous_observation":null,"input":{}}', ProtocolViolation.MISSING_PREVIOUS_OBSERVATION),
        (
            '{"previous_observation":{"tool_call_id":"c9","information_gain":"GAINED"},"input":{}}',
            ProtocolViolation.OUT_OF_ORDER_PREVIOUS_OBSERVATION,
        ),
        (f'{{"previous_observation":{GAINED_C1}}}', ProtocolViolation.MISSING_INPUT),
        (f'{{"previous_observation":{GAINED_C1},"input":[]}}', ProtocolViolation.INVALID_ENVELOPE),
        (f'{{"previous_observation":{GAINED_C1},"input":{{}},"x":1}}', ProtocolViolation.INVALID_ENVELOPE),
        (
            '{"previous_observation":{"tool_call_id":"c1","information_gain":"MAYBE"},"input":{}}',
            ProtocolViolation.INVALID_ENVELOPE,
        ),
        ("not json", ProtocolViolation.INVALID_ENVELOPE),
        (f'{{"previous_observation":{GAINED_C1},"input":{{}},"input":{{}}}}', ProtocolViolation.INVALID_ENVELOPE),
        ('{"previous_observation":' * 60, ProtocolViolation.INVALID_ENVELOPE),
    ],
)
def test_violations_while_an_assessment_is_due(arguments: str, expected: ProtocolViolation) -> None:
    assert violation(admit(call(arguments), PENDING, RULES, tools=TOOLS)) is expected


def test_an_unknown_tool_is_a_violation() -> None:
    ruling = admit(call('{"input":{}}', name="run_shell"), FRESH, RULES, tools=TOOLS)

    assert violation(ruling) is ProtocolViolation.UNKNOWN_TOOL


def test_an_assessment_that_is_not_due_but_names_the_last_call_is_ignored_and_noted() -> None:
    ruling = admit(call(f'{{"previous_observation":{GAINED_C1},"input":{{}}}}'), NOTHING_DUE, RULES, tools=TOOLS)

    assert isinstance(ruling, Admitted)
    assert ruling.events == ()
    assert ruling.note


def test_an_assessment_of_another_call_that_is_not_due_is_a_violation() -> None:
    ruling = admit(call(f'{{"previous_observation":{GAINED_C1},"input":{{}}}}'), FRESH, RULES, tools=TOOLS)

    assert violation(ruling) is ProtocolViolation.UNEXPECTED_PREVIOUS_OBSERVATION


def test_an_assessment_that_saturates_stops_the_request_it_came_with() -> None:
    before = PENDING.model_copy(update={"no_gain_run": 1, "answered_tools": ("query_logs", "query_sql")})
    arguments = '{"previous_observation":{"tool_call_id":"c1","information_gain":"NO_GAIN"},"input":{}}'

    ruling = admit(call(arguments), before, RULES, tools=TOOLS)

    assert isinstance(ruling, TurnedBack)
    assert ruling.feedback == StopInstead(reason=StopReason.INFORMATION_SATURATED)


def test_after_stop_required_nothing_is_admitted() -> None:
    stopped = deliver_stop(advance(FRESH, [LimitReached(reason=StopReason.BUDGET_LIMIT_REACHED)], RULES))

    ruling = admit(call('{"input":{}}'), stopped, RULES, tools=TOOLS)

    assert isinstance(ruling, TurnedBack)
    assert [event.tag for event in ruling.events] == ["asked_after_stop"]


@pytest.mark.parametrize("value", ['"\\ud800"', f'"{chr(0xDC00)}"', "1e999", '{"\\udfff": 1}'])
def test_what_cannot_be_stored_is_no_envelope(value: str) -> None:
    ruling = admit(call(f'{{"previous_observation":null,"input":{{"a":{value}}}}}'), FRESH, RULES, tools=TOOLS)

    assert violation(ruling) is ProtocolViolation.INVALID_ENVELOPE
