"""Repair of references: only references may change, and the repair model sees bounded, citable results."""

import json
from typing import Any

import pytest

from guards.evidence import EvidenceContext, judge
from guards.repair import MAX_REPAIR_BYTES, build_repair_input, keeps_visible_text, visible_text
from state.model.draft import Action, Derived, Draft, FieldRef, Hypothesis, Limitations
from state.model.enums import AnalysisKind, ConclusionKind, DerivedOp, HypothesisStatus, ViolationCode
from state.model.verdict import Violation
from tests.builders import (
    HIKARI,
    LOGS,
    NOW,
    QUESTION,
    RUN,
    a_conclusion,
    a_draft,
    a_negative,
    a_projection,
    a_quote,
    a_record,
    a_runbook_analysis,
    an_analysis,
    an_error_record,
    the_records,
)

COUNT = Derived(op=DerivedOp.COUNT, inputs=(FieldRef(tool_call_id=LOGS, item_id=HIKARI.item_id),), value=1)
REST = (a_runbook_analysis(), a_negative())


@pytest.mark.parametrize(
    "after",
    [
        a_draft(analysis=(an_analysis(analysis_id="other"), *REST)),
        a_draft(analysis=(an_analysis(tool_call_ids=()), *REST)),
        a_draft(analysis=(an_analysis(quotes=(a_quote(),)), *REST)),
        a_draft(analysis=(an_analysis(derived=(COUNT,)), *REST)),
        a_draft(conclusion=a_conclusion(based_on_analysis_ids=("quiet",))),
    ],
)
def test_references_may_change(after: Draft) -> None:
    assert keeps_visible_text(a_draft(), after)
    assert visible_text(a_draft()) == visible_text(after)


@pytest.mark.parametrize(
    "after",
    [
        a_draft(analysis=(an_analysis(text="The pool was full."), *REST)),
        a_draft(analysis=(an_analysis(kind=AnalysisKind.NEGATIVE_OBSERVATION), *REST)),
        a_draft(analysis=(*REST, an_analysis())),
        a_draft(analysis=(an_analysis(), *REST, an_analysis())),
        a_draft(analysis=(an_analysis(),)),
        a_draft(conclusion=a_conclusion(text="The pool was full.")),
        a_draft(conclusion=a_conclusion(text=a_conclusion().text + " ")),
        a_draft(conclusion=a_conclusion(kind=ConclusionKind.OBSERVATION)),
        a_draft(conclusion=None),
        a_draft(action_plan=()),
        a_draft(action_plan=(a_draft().action_plan[0].model_copy(update={"requires_human_confirmation": False}),)),
        a_draft(action_plan=(Action(action="Wait.", based_on_analysis_ids=("advice",)),)),
        a_draft(recommendations=()),
        a_draft(hypotheses=(a_draft().hypotheses[0].model_copy(update={"status": HypothesisStatus.EXCLUDED}),)),
        a_draft(hypotheses=(*a_draft().hypotheses, Hypothesis(text="x", status=HypothesisStatus.OPEN))),
        a_draft(limitations=a_draft().limitations.model_copy(update={"next_check": None})),
        a_draft(limitations=Limitations(scope="x")),
    ],
)
def test_nothing_visible_may_change(after: Draft) -> None:
    assert not keeps_visible_text(a_draft(), after)


def a_violation(**over: Any) -> Violation:
    base: dict[str, Any] = {"code": ViolationCode.QUOTE_NOT_FOUND, "where": "analysis.pool.quotes.0", "what": "gone"}
    return Violation(**{**base, **over})


def built(draft: Draft | None = None, *violations: Violation, records: Any = None) -> dict[str, Any]:
    text = build_repair_input(draft or a_draft(), violations, records or the_records(), run_id=RUN)
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def test_the_repair_model_sees_draft_violations_and_results() -> None:
    shown = built(None, a_violation())

    assert shown["draft"] == a_draft().model_dump(mode="json")
    assert shown["violations"] == [{"code": "QUOTE_NOT_FOUND", "where": "analysis.pool.quotes.0", "what": "gone"}]
    assert {one["tool_call_id"] for one in shown["records"]} == set(the_records())
    assert set(shown["records"][0]) == {"tool_call_id", "tool", "evidence_status", "scope", "items"}
    items = next(one["items"] for one in shown["records"] if one["tool_call_id"] == LOGS)
    assert items[0] == {"item_id": HIKARI.item_id, "kind": "TELEMETRY", "text": HIKARI.text, "fields": HIKARI.fields}


def test_only_citable_results_are_offered() -> None:
    records = {**the_records(), LOGS: an_error_record(LOGS)}

    assert LOGS not in {one["tool_call_id"] for one in built(records=records)["records"]}


def big_records() -> dict[Any, Any]:
    items = tuple(
        HIKARI.model_copy(
            update={"item_id": f"log:{n}", "text": f"{n} " + "连接超时" * 400, "fields": {"x": "y" * 900}}
        )
        for n in range(50)
    )
    wanted = HIKARI.model_copy(update={"item_id": "log:wanted", "text": "err E4711 at last"})
    return the_records(a_record(a_projection(items=(*items, wanted))))


def test_the_input_is_bounded_and_keeps_what_the_violation_misses() -> None:
    violation = a_violation(code=ViolationCode.CLAIM_NOT_IN_EVIDENCE, what="E4711")
    text = build_repair_input(a_draft(), (violation,), big_records(), run_id=RUN)
    shown = json.loads(text)

    assert len(text.encode()) <= MAX_REPAIR_BYTES
    offered = [item["item_id"] for one in shown["records"] for item in one["items"] if one["tool_call_id"] == LOGS]
    assert offered[0] == "log:wanted"
    assert len(offered) > 3


def test_what_is_shown_of_an_item_is_verbatim() -> None:
    texts = {item.item_id: item.text for item in a_projection().items}
    shown = built(records=big_records())

    for one in shown["records"]:
        for item in one["items"]:
            assert texts.get(item["item_id"], item["text"]).startswith(item["text"])


def test_a_repaired_draft_passes_the_whole_guard_again() -> None:
    context = EvidenceContext(run_id=RUN, question=QUESTION, judged_at=NOW)
    broken = a_draft(analysis=(an_analysis(quotes=(a_quote(text="gone"),)), *REST))
    first = judge(broken, the_records(), context, repairs_left=1)
    repaired = a_draft()

    assert first.outcome == "REPAIRABLE"
    assert keeps_visible_text(broken, repaired)
    assert judge(repaired, the_records(), context).outcome == "PASSED_WITH_CONCLUSION"
