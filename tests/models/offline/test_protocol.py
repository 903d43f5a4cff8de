"""Envelope protocol: what the agent sends after each kind of tool message."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from models.offline import OfflineReasoner, Role
from tests.models.offline import incidents
from tests.models.offline.player import Player

TOOLS = incidents.leak().tools()


def asked(question="Why does pay-api time out?", language="en"):
    body = {"question": question, "language": language, "now": "2026-03-04T11:00:00+00:00", "window": None}
    return [HumanMessage(json.dumps(body))]


def turn(call_id, body, tool="query_logs", arguments=None):
    given = {
        "previous_observation": None,
        "input": arguments or {"source": "app", "service": "pay-api", "level": "WARN"},
    }
    call = {"name": tool, "args": given, "id": call_id}
    return [AIMessage(content="", tool_calls=[call]), ToolMessage(json.dumps(body), tool_call_id=call_id)]


def found(call_id="call_1", text="pay-api failed with NullPointerException in cart", **more):
    item = {
        "item_id": "log:app:1:aa",
        "kind": "TELEMETRY",
        "text": text,
        "fields": {"service": "pay-api", "level": "ERROR"},
    }
    scope = {"source": "app", "window": None, "filters": {"service": "pay-api"}, "query": None}
    return {
        "tool_call_id": call_id,
        "tool": "query_logs",
        "scope": scope,
        "coverage": "COMPLETE",
        "evidence_status": "EVIDENCE_FOUND",
        "truncated": False,
        "total_matches": 1,
        "items": [item],
        **more,
    }


def empty(call_id="call_1"):
    return found(call_id) | {"evidence_status": "NO_EVIDENCE", "items": [], "total_matches": 0}


def reply(messages, tools=TOOLS):
    return OfflineReasoner(role=Role.AGENT).invoke(messages, tools=tools)


def next_call(messages):
    return reply(messages).tool_calls[0]


def test_first_call_sends_no_assessment():
    call = next_call(asked())

    assert call["id"] == "call_1"
    assert call["args"]["previous_observation"] is None


def test_found_result_is_assessed_by_id():
    call = next_call(asked() + turn("c-77", found("c-77")))

    assert call["args"]["previous_observation"] == {"tool_call_id": "c-77", "information_gain": "GAINED"}


def test_mechanically_judged_result_is_not_assessed():
    call = next_call(asked() + turn("call_1", found(judged="NO_NEW_ITEMS")))

    assert call["args"]["previous_observation"] is None


def test_empty_result_is_not_assessed():
    assert next_call(asked() + turn("call_1", empty()))["args"]["previous_observation"] is None


def test_assessment_stays_due_after_a_refused_call():
    refused = {"rejected": True, "code": "DUPLICATE_SCOPE", "message": "searched already"}
    call = next_call(asked() + turn("call_1", found()) + turn("call_2", refused, arguments={"source": "app"}))

    assert call["args"]["previous_observation"]["tool_call_id"] == "call_1"


def test_refused_request_is_not_repeated():
    refused = {"rejected": True, "code": "INVALID_REQUEST", "message": "no"}
    first = next_call(asked())
    second = next_call(asked() + turn("call_1", refused, first["name"], first["args"]["input"]))

    assert (first["name"], first["args"]["input"]) != (second["name"], second["args"]["input"])


def test_error_is_no_evidence_and_another_scope_is_tried():
    error = {
        "tool_call_id": "call_1",
        "tool": "query_logs",
        "evidence_status": "ERROR",
        "code": "TOOL_TIMEOUT",
        "message": "slow",
    }
    call = next_call(asked() + turn("call_1", error))

    assert call["args"]["previous_observation"] is None
    assert call["name"] != "submit_diagnosis"


def test_tool_that_keeps_failing_is_left_alone():
    error = {"evidence_status": "ERROR", "code": "TOOL_EXECUTION_ERROR", "message": "x", "tool": "query_logs"}
    messages = asked()
    for n in range(1, 4):
        messages += turn(f"call_{n}", error | {"tool_call_id": f"call_{n}"}, arguments={"source": "app", "n": n})

    assert next_call(messages)["name"] != "query_logs"


def test_violation_is_answered_with_the_same_call_and_the_due_assessment():
    first = asked() + turn("call_1", found())
    wanted = next_call(first)
    violation = {
        "repair_required": True,
        "violation_type": "MISSING_PREVIOUS_OBSERVATION",
        "missing_field": "previous_observation",
        "expected_previous_tool_call_id": "call_1",
        "allowed_information_gain": ["GAINED", "NO_GAIN"],
        "instruction": "again",
    }
    again = next_call(first + turn("call_2", violation, wanted["name"], wanted["args"]["input"]))

    assert again["args"]["previous_observation"]["tool_call_id"] == "call_1"
    assert again["args"]["input"] == wanted["args"]["input"]


def test_stop_is_answered_with_the_draft():
    stop = {
        "stop_required": True,
        "reason": "INFORMATION_SATURATED",
        "checked_scopes": [],
        "instruction": "submit",
        "observation": found(),
    }
    call = next_call(asked() + turn("call_1", stop))

    assert call["name"] == "submit_diagnosis"
    assert call["args"]["analysis"][0]["tool_call_ids"] == ["call_1"]


def test_invalid_draft_is_handed_in_once_more_with_less():
    invalid = {"draft_invalid": True, "problem": "SCHEMA_INVALID", "place": "hypotheses", "message": "too many"}
    stop = {"stop_required": True, "reason": "BUDGET_LIMIT_REACHED", "checked_scopes": [], "instruction": "submit"}
    messages = asked() + turn("call_1", found()) + turn("call_2", stop)
    submitted = reply(messages)
    messages += [submitted, ToolMessage(json.dumps(invalid), tool_call_id=submitted.tool_calls[0]["id"])]
    call = next_call(messages)

    assert call["name"] == "submit_diagnosis"
    assert call["args"]["hypotheses"] == []


def test_shortened_observations_are_understood():
    short = {k: v for k, v in found().items() if k != "items"} | {"shortened": True}
    call = next_call(asked() + turn("call_1", short) + turn("call_2", empty("call_2"), arguments={"source": "app"}))

    assert call["args"]["previous_observation"] is None


def test_without_bound_tools_the_draft_is_bare_json():
    message = reply(asked(), tools=[])

    assert message.tool_calls == []
    assert set(json.loads(message.content)) >= {"conclusion", "analysis", "limitations"}


def test_schema_decides_which_arguments_are_sent():
    bare = {
        "type": "function",
        "function": {
            "name": "query_logs",
            "description": "source app: services pay-api",
            "parameters": {
                "type": "object",
                "properties": {
                    "input": {
                        "type": "object",
                        "properties": {"source": {"type": "string"}, "service": {"type": "string"}},
                        "required": ["source"],
                    }
                },
            },
        },
    }
    call = reply(asked(), tools=[bare, TOOLS[-1]]).tool_calls[0]

    assert set(call["args"]["input"]) == {"source", "service"}


@pytest.mark.parametrize("world", [incidents.leak(), incidents.healthy(), incidents.locks()])
def test_played_run_keeps_the_protocol(world):
    assert Player(world, "Why do payments time out in pay-api?").play().draft["limitations"]["scope"]
