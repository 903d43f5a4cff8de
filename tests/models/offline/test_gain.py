"""GAINED only for something new about this incident; unsure is NO_GAIN."""

import json

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from models.offline.catalogue import read_toolbox
from models.offline.gain import assess
from models.offline.question import understand
from models.offline.reading import read_case
from tests.models.offline import incidents

QUESTION = {"question": "Why does pay-api time out?", "language": "en", "now": "2026-03-04T11:00:00+00:00"}


def judged(*results):
    messages = [HumanMessage(json.dumps(QUESTION))]
    for n, (items, more) in enumerate(results, 1):
        call = {"name": "query_logs", "args": {"previous_observation": None, "input": {"n": n}}, "id": f"c{n}"}
        body = {
            "tool_call_id": f"c{n}",
            "tool": "query_logs",
            "evidence_status": "EVIDENCE_FOUND",
            "items": items,
            "scope": {"source": "app", "filters": more},
            "coverage": "COMPLETE",
        }
        messages += [AIMessage(content="", tool_calls=[call]), ToolMessage(json.dumps(body), tool_call_id=f"c{n}")]
    case = read_case(messages)
    return assess(case, understand(case, read_toolbox(incidents.leak().tools())), case.due)


def item(n, text, kind="TELEMETRY", **fields):
    return {"item_id": f"log:app:{n}:aa", "kind": kind, "text": text, "fields": fields}


ERROR = item(1, "pay-api cannot reach ledger: connection refused by peer", service="pay-api", level="ERROR")


def test_first_failure_is_a_gain():
    assert judged(([ERROR], {})) == "GAINED"


def test_ordinary_record_is_no_gain():
    assert judged(([item(1, "GET /cart 200 in 12 ms", service="web", level="INFO")], {})) == "NO_GAIN"


def test_repeated_failure_is_no_gain():
    assert judged(([ERROR], {}), ([ERROR | {"item_id": "log:app:2:bb"}], {})) == "NO_GAIN"


def test_document_without_a_fitting_cause_is_no_gain():
    text = "### Cause: printer out of paper\n\nRefill the tray of the printer."

    assert judged(([ERROR], {}), ([item(9, text, "KNOWLEDGE", breadcrumb="Printers")], {})) == "NO_GAIN"


def test_document_with_a_fitting_cause_is_a_gain():
    text = "### Cause: peer refuses connections\n\nThe ledger refuses each new connection when its limit is reached."

    assert judged(([ERROR], {}), ([item(9, text, "KNOWLEDGE", breadcrumb="Ledger")], {})) == "GAINED"


def test_telltale_that_was_searched_for_is_a_gain():
    assert judged(([item(3, "limit of ledger reached", level="INFO")], {"contains": "limit of"})) == "GAINED"


def test_telltale_as_frequent_before_is_no_gain():
    usual = item(3, "limit of ledger reached", level="INFO", count=4, count_before=4)

    assert judged(([usual], {"contains": "limit of"})) == "NO_GAIN"
