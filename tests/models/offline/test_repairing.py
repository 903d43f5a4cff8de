"""The repair role: references put right where the right record exists; visible text stays as it is."""

import copy

from models.offline.repairing import repair

RECORDS = [
    {
        "tool_call_id": "c1",
        "tool": "query_logs",
        "evidence_status": "EVIDENCE_FOUND",
        "scope": {},
        "items": [{"item_id": "log:1", "kind": "TELEMETRY", "text": "pay-api refused 12 connections", "fields": {}}],
    },
    {
        "tool_call_id": "c2",
        "tool": "query_logs",
        "evidence_status": "EVIDENCE_FOUND",
        "scope": {},
        "items": [
            {"item_id": "log:2", "kind": "TELEMETRY", "text": "disk of db-1 is full. Writes fail.", "fields": {}}
        ],
    },
    {"tool_call_id": "c3", "tool": "query_logs", "evidence_status": "NO_EVIDENCE", "scope": {}, "items": []},
]


def draft(**analysis):
    base = {
        "analysis_id": "A1",
        "kind": "NORMAL",
        "text": "disk of db-1 is full",
        "tool_call_ids": ["c2"],
        "quotes": [{"tool_call_id": "c2", "item_id": "log:2", "text": "disk of db-1 is full"}],
        "derived": [],
    }
    return {
        "conclusion": {"kind": "ROOT_CAUSE", "text": "db-1 is full", "based_on_analysis_ids": ["A1"]},
        "analysis": [base | analysis],
        "action_plan": [],
        "recommendations": [],
        "hypotheses": [],
        "limitations": {"scope": "logs", "missing_info": [], "next_check": None},
    }


def repaired(given):
    return repair({"draft": given, "violations": [], "records": RECORDS})


def test_correct_draft_is_returned_unchanged():
    assert repaired(draft()) == draft()


def test_quote_is_pointed_at_the_record_that_holds_it():
    wrong = draft(
        tool_call_ids=["c1"], quotes=[{"tool_call_id": "c1", "item_id": "log:1", "text": "disk of db-1 is full"}]
    )
    analysis = repaired(wrong)["analysis"][0]

    assert analysis["quotes"] == [{"tool_call_id": "c2", "item_id": "log:2", "text": "disk of db-1 is full"}]
    assert "c2" in analysis["tool_call_ids"]


def test_inexact_quote_becomes_the_sentence_it_means():
    wrong = draft(quotes=[{"tool_call_id": "c2", "item_id": "log:2", "text": "The disk of db-1 is full"}])

    assert repaired(wrong)["analysis"][0]["quotes"][0]["text"] == "disk of db-1 is full."


def test_missing_quote_is_taken_from_the_cited_record():
    assert repaired(draft(quotes=[]))["analysis"][0]["quotes"][0]["item_id"] == "log:2"


def test_quote_that_no_record_holds_is_left_alone():
    wrong = draft(quotes=[{"tool_call_id": "c9", "item_id": "x", "text": "solar flare"}])

    assert repaired(wrong)["analysis"][0]["quotes"] == wrong["analysis"][0]["quotes"]


def test_missing_and_double_ids_become_unique():
    given = draft()
    given["analysis"] = [given["analysis"][0], {**given["analysis"][0]}, {**given["analysis"][0], "analysis_id": ""}]
    ids = [analysis["analysis_id"] for analysis in repaired(given)["analysis"]]

    assert ids[0] == "A1"
    assert len(set(ids)) == 3


def test_unknown_basis_falls_back_to_what_exists():
    given = draft()
    given["conclusion"]["based_on_analysis_ids"] = ["A7"]

    assert repaired(given)["conclusion"]["based_on_analysis_ids"] == ["A1"]


def test_absence_is_pointed_at_the_one_empty_search():
    given = draft(kind="NEGATIVE_OBSERVATION", text="nothing found", tool_call_ids=["c1"], quotes=[])

    assert repaired(given)["analysis"][0]["tool_call_ids"] == ["c3"]


def test_visible_text_never_changes():
    given = draft(tool_call_ids=[], quotes=[], analysis_id="")
    before = copy.deepcopy(given)
    after = repaired(given)

    assert after["conclusion"]["text"] == before["conclusion"]["text"]
    assert [a["text"] for a in after["analysis"]] == [a["text"] for a in before["analysis"]]
    assert [a["kind"] for a in after["analysis"]] == [a["kind"] for a in before["analysis"]]
    assert after["limitations"] == before["limitations"]
