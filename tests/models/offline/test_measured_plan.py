"""Alerts and metrics in a played case: when they are asked for, how they are judged, and that a failing tool stops nothing."""

import json

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from models.offline import OfflineReasoner, Role
from tests.models.offline.incidents import docs, leak
from tests.models.offline.player import Player, World, _opt, _tool

METRICS = (
    "Read metrics.\nsource metrics (metric only, no expr): 2026-03-04T05:00:00+00:00 to 2026-03-04T11:00:00+00:00;"
    " 1 metrics\n  label service: pay-api\n  request_duration_seconds (s): service\n"
)
ALERTS = (
    "List alerts.\nsource alerts: 1 alerts when this was read; labels: alertname, service; alert names: SlowAnswers\n"
)
OBJECT = {"type": "object"}


class MeasuredWorld(World):
    """A world whose alerts and metrics are offered as well; ``broken`` answers each of their calls with an error."""

    def tools(self):
        text = {"type": "string"}
        metrics = {"source": _opt(), "metric": text, "labels": OBJECT, "start": _opt(), "end": _opt()}
        return [
            _tool("query_metrics", METRICS, metrics, []),
            _tool("list_alerts", ALERTS, {"source": _opt(), "state": _opt(), "labels": OBJECT}, []),
            *super().tools(),
        ]


class BrokenPlayer(Player):
    """Answers calls of both new tools with an error."""

    def _observe(self, call):
        if call["name"] not in {"query_metrics", "list_alerts"}:
            return super()._observe(call)
        body = {"tool_call_id": call["id"], "tool": call["name"], "evidence_status": "ERROR", "code": "TOOL_TIMEOUT"}
        self.records.append(body)
        return body


def first_call(question, answers=(), tools=None):
    """The model's next call after the given (call, observation) pairs."""
    user = {"question": question, "language": "en", "now": "2026-03-04T11:00:00+00:00", "window": None}
    messages = [SystemMessage("rules"), HumanMessage(json.dumps(user))]
    for call, body in answers:
        messages += [AIMessage("", tool_calls=[call]), ToolMessage(json.dumps(body), tool_call_id=call["id"])]
    reply = OfflineReasoner(role=Role.AGENT).invoke(messages, tools=tools or world().tools())
    return reply.tool_calls[0]


def world():
    made = MeasuredWorld(docs=docs())
    made.logs = leak().logs
    made.tables = leak().tables
    return made


def alert(name, service, state="firing"):
    return {
        "item_id": f"alert:{name}",
        "kind": "TELEMETRY",
        "text": f'{name} {state} since 2026-03-04T10:10:00+00:00: {{service="{service}"}}',
        "fields": {
            "alertname": name,
            "labels": f'{{service="{service}"}}',
            "state": state,
            "starts_at": "2026-03-04T10:10:00+00:00",
        },
    }


def observed(items):
    call = {
        "name": "list_alerts",
        "args": {"previous_observation": None, "input": {"source": "alerts"}},
        "id": "call_1",
    }
    body = {
        "tool_call_id": "call_1",
        "tool": "list_alerts",
        "scope": {"source": "alerts", "window": None, "filters": {}, "query": None},
        "coverage": "COMPLETE",
        "evidence_status": "EVIDENCE_FOUND",
        "truncated": False,
        "total_matches": len(items),
        "items": items,
    }
    return call, body


def judged(question, items):
    return first_call(question, [observed(items)])["args"]["previous_observation"]["information_gain"]


def test_a_question_about_an_alert_asks_for_that_alert_first():
    call = first_call("Why does SlowAnswers fire?")

    assert call["name"] == "list_alerts"
    assert call["args"]["input"] == {"source": "alerts", "labels": {"alertname": "SlowAnswers"}}


def test_a_question_that_names_a_service_asks_for_its_logs_first():
    assert first_call("Why does pay-api time out?")["name"] == "query_logs"


def test_the_asked_alert_is_a_gain_and_makes_its_service_the_one_that_is_searched():
    call = first_call("Why does SlowAnswers fire?", [observed([alert("SlowAnswers", "pay-api")])])

    assert call["args"]["previous_observation"]["information_gain"] == "GAINED"
    assert call["args"]["input"]["service"] == "pay-api"


def test_an_unrelated_firing_alert_is_no_gain():
    assert judged("Why does pay-api time out with alerts?", [alert("TrayLow", "mailer")]) == "NO_GAIN"


def test_an_alert_that_does_not_fire_is_no_gain():
    assert judged("Why does SlowAnswers fire?", [alert("SlowAnswers", "pay-api", "suppressed")]) == "NO_GAIN"


def test_errors_of_metrics_and_alerts_leave_the_cause_to_the_other_tools():
    played = BrokenPlayer(world(), "Why does pay-api time out while alerts fire?").play()

    assert {name for name, _ in played.calls} >= {"list_alerts", "query_logs", "lookup_knowledge"}
    assert "connection leak" in played.text
