"""The evidence guard: one condition switched off at a time in a draft that passes."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from guards.citations import reread_digest, verify
from guards.evidence import EvidenceContext, judge
from state.model.draft import Action, Analysis, Derived, Draft, FieldRef, Hypothesis, Limitations, Quote, Recommendation
from state.model.enums import (
    AnalysisKind,
    ConclusionKind,
    Coverage,
    DerivedOp,
    EvidenceOutcome,
    EvidenceStatus,
    HypothesisStatus,
    InvocationStatus,
    ViolationCode,
)
from state.model.evidence import CanonicalRecord, item_digest, render_projection
from state.model.ids import ToolCallId, digest
from state.model.verdict import EvidenceVerdict, Violation
from tests.builders import (
    CHUNK,
    EMPTY,
    HIKARI,
    LOGS,
    NOW,
    ORDER,
    ORDERS,
    OTHER_RUN,
    PATTERN,
    QUESTION,
    RUN,
    RUNBOOK,
    a_conclusion,
    a_draft,
    a_negative,
    a_projection,
    a_quote,
    a_record,
    a_runbook_analysis,
    a_runbook_projection,
    an_analysis,
    an_empty_projection,
    an_error_record,
    an_orders_projection,
    the_records,
)

CATALOGUE = ("payments", "payment-service", "db-primary", "shop", "orders", "inventory", "edge-gateway")


def a_context(**over: Any) -> EvidenceContext:
    base: dict[str, Any] = {"run_id": RUN, "question": QUESTION, "judged_at": NOW, "catalogue_terms": CATALOGUE}
    return EvidenceContext(**{**base, **over})


def judged(
    draft: Draft | None = None, *changed: CanonicalRecord, repairs_left: int = 1, **context: Any
) -> EvidenceVerdict:
    return judge(draft or a_draft(), the_records(*changed), a_context(**context), repairs_left=repairs_left)


def with_analysis(analysis: Analysis, **over: Any) -> Draft:
    """A draft that rests on this analysis alone."""
    base = {"analysis": (analysis,), "action_plan": (), "recommendations": (), "hypotheses": ()}
    return a_draft(**{**base, **over})


def codes(found: EvidenceVerdict) -> list[ViolationCode]:
    return [one.code for one in found.violations]


def places(violations: Iterable[Violation]) -> set[str]:
    return {one.where for one in violations}


def whats(found: EvidenceVerdict) -> list[str]:
    return [one.what for one in found.violations]


# passing


def test_a_true_draft_passes_with_everything_it_cites() -> None:
    verdict = judged()

    assert verdict.violations == ()
    assert verdict.outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION
    assert verdict.draft == a_draft()
    assert [(one.tool_call_id, one.item_id) for one in verdict.cited] == [
        (LOGS, HIKARI.item_id),
        (RUNBOOK, CHUNK.item_id),
        (EMPTY, ""),
    ]


def test_cited_items_carry_the_digest_of_their_bytes() -> None:
    verdict = judged()

    assert verdict.cited[0].sha256 == item_digest(HIKARI)
    assert verdict.cited[2].sha256 == digest(render_projection(an_empty_projection()))


def test_a_reread_digest_equals_the_cited_one() -> None:
    records = the_records()

    for one in judged().cited:
        result = verify(records[one.tool_call_id], one.tool_call_id, RUN)
        assert not isinstance(result, ViolationCode)
        assert reread_digest(result, one.item_id) == one.sha256


def test_a_draft_that_passed_needs_no_repair_left() -> None:
    assert judged(repairs_left=0).outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION


# structure


def test_no_draft_is_rejected() -> None:
    verdict = judge(None, the_records(), a_context(), repairs_left=1)

    assert verdict.outcome is EvidenceOutcome.REJECTED
    assert codes(verdict) == [ViolationCode.DRAFT_MISSING]


STRUCTURE: tuple[tuple[ViolationCode, str, Draft], ...] = (
    (ViolationCode.ANALYSIS_ID_MISSING, "analysis.0", with_analysis(an_analysis(analysis_id=""))),
    (
        ViolationCode.ANALYSIS_ID_DUPLICATE,
        "analysis.1",
        a_draft(analysis=(an_analysis(), an_analysis(), a_runbook_analysis())),
    ),
    (ViolationCode.TOOL_REFERENCE_MISSING, "analysis.pool", with_analysis(an_analysis(tool_call_ids=()))),
    (
        ViolationCode.TOOL_REFERENCE_MISSING,
        "analysis.pool.quotes.0",
        with_analysis(an_analysis(quotes=(a_quote(ORDER, ORDERS),))),
    ),
    (ViolationCode.BASIS_MISSING, "conclusion", a_draft(conclusion=a_conclusion(based_on_analysis_ids=()))),
    (ViolationCode.BASIS_MISSING, "action_plan.0", a_draft(action_plan=(Action(action="Wait."),))),
    (ViolationCode.BASIS_MISSING, "recommendations.0", a_draft(recommendations=(Recommendation(text="Wait."),))),
    (
        ViolationCode.BASIS_MISSING,
        "hypotheses.0",
        a_draft(hypotheses=(Hypothesis(text="A leak.", status=HypothesisStatus.SUPPORTED),)),
    ),
    (
        ViolationCode.ANALYSIS_REFERENCE_UNKNOWN,
        "conclusion.based_on_analysis_ids.1",
        a_draft(conclusion=a_conclusion(based_on_analysis_ids=("pool", "ghost"))),
    ),
    (
        ViolationCode.ANALYSIS_REFERENCE_UNKNOWN,
        "hypotheses.0.based_on_analysis_ids.0",
        a_draft(
            hypotheses=(Hypothesis(text="A leak.", status=HypothesisStatus.OPEN, based_on_analysis_ids=("ghost",)),)
        ),
    ),
    (ViolationCode.ANALYSIS_MISSING, "analysis", a_draft(analysis=())),
    (ViolationCode.ANALYSIS_KIND_MISSING, "analysis.pool", with_analysis(an_analysis(kind=None))),
    (ViolationCode.ANALYSIS_TEXT_MISSING, "analysis.pool", with_analysis(an_analysis(text=" "))),
    (ViolationCode.CONCLUSION_TEXT_MISSING, "conclusion", a_draft(conclusion=a_conclusion(text="\n"))),
    (
        ViolationCode.ACTION_TEXT_MISSING,
        "action_plan.0",
        a_draft(action_plan=(Action(action="", based_on_analysis_ids=("advice",)),)),
    ),
    (
        ViolationCode.RECOMMENDATION_TEXT_MISSING,
        "recommendations.0",
        a_draft(recommendations=(Recommendation(text="", based_on_analysis_ids=("pool",)),)),
    ),
    (ViolationCode.LIMITATION_SCOPE_MISSING, "limitations", a_draft(limitations=Limitations())),
)


@pytest.mark.parametrize(("code", "where", "draft"), STRUCTURE)
def test_a_missing_part_is_named_with_its_place(code: ViolationCode, where: str, draft: Draft) -> None:
    verdict = judged(draft)

    assert (code, where) in [(one.code, one.where) for one in verdict.violations]
    assert verdict.outcome in {EvidenceOutcome.REPAIRABLE, EvidenceOutcome.REJECTED}
    assert verdict.cited == ()


# references

BROKEN: tuple[tuple[ViolationCode, CanonicalRecord], ...] = (
    (ViolationCode.INVOCATION_ID_MISMATCH, a_record(tool_call_id=ToolCallId("call_other"))),
    (ViolationCode.INVOCATION_NOT_REFERENCABLE, a_record(run_id=OTHER_RUN)),
    (
        ViolationCode.INVOCATION_NOT_REFERENCABLE,
        a_record(status=InvocationStatus.PROJECTING, evidence_status=None, projection_json=None),
    ),
    (ViolationCode.INVOCATION_NOT_REFERENCABLE, an_error_record(LOGS)),
    (ViolationCode.INVOCATION_NOT_REFERENCABLE, a_record(projection_json=None, projection_sha256=None)),
    (ViolationCode.INVOCATION_NOT_REFERENCABLE, a_record(evidence_status=EvidenceStatus.ERROR)),
    (ViolationCode.EVIDENCE_KIND_MISMATCH, a_record(an_empty_projection(tool_call_id=LOGS))),
    (ViolationCode.PROJECTION_INVALID, a_record(projection_json="{", projection_sha256=digest("{"))),
    (ViolationCode.PROJECTION_INVALID, a_record(projection_json='{"a":1,"a":2}', projection_sha256=None)),
    (ViolationCode.PROJECTION_INVALID, a_record(projection_json="\ud800", projection_sha256=None)),
    (ViolationCode.PROJECTION_INVALID, a_record(projection_sha256=digest("other bytes"))),
    (ViolationCode.PROJECTION_STATUS_MISMATCH, a_record(a_projection(tool_call_id=ORDERS), tool_call_id=LOGS)),
    (ViolationCode.PROJECTION_STATUS_MISMATCH, a_record(a_projection(tool="query_sql"), tool="query_logs")),
    (ViolationCode.PROJECTION_STATUS_MISMATCH, a_record(a_projection(items=()))),
    (
        ViolationCode.PROJECTION_STATUS_MISMATCH,
        a_record(
            a_projection(evidence_status=EvidenceStatus.NO_EVIDENCE), evidence_status=EvidenceStatus.EVIDENCE_FOUND
        ),
    ),
    (ViolationCode.EVIDENCE_EXPIRED, a_record(expires_at=NOW)),
)


@pytest.mark.parametrize(("code", "record"), BROKEN)
def test_a_record_that_proves_nothing_is_named(code: ViolationCode, record: CanonicalRecord) -> None:
    records = {**the_records(), LOGS: record}

    verdict = judge(a_draft(), records, a_context(), repairs_left=1)

    assert (code, "analysis.pool.tool_call_ids.0") in [(one.code, one.where) for one in verdict.violations]
    assert verdict.outcome in {EvidenceOutcome.REPAIRABLE, EvidenceOutcome.REJECTED}


def test_a_reference_to_no_record_is_missing() -> None:
    records = {**the_records()}
    del records[LOGS]

    assert ViolationCode.INVOCATION_MISSING in codes(judge(a_draft(), records, a_context()))


def test_a_reference_the_run_knows_but_the_store_lost_has_expired() -> None:
    records = {**the_records()}
    del records[LOGS]

    verdict = judge(a_draft(), records, a_context(answered_ids=frozenset({LOGS})), repairs_left=1)

    assert ViolationCode.EVIDENCE_EXPIRED in codes(verdict)
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_a_record_lives_until_the_instant_it_expires() -> None:
    record = a_record(expires_at=NOW + timedelta(seconds=1))

    assert judged(None, record).outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION


EMPTY_BUT: tuple[CanonicalRecord, ...] = (
    a_record(an_empty_projection(total_matches=3)),
    a_record(an_empty_projection(coverage=Coverage.PARTIAL)),
    a_record(an_empty_projection(coverage=Coverage.NO_DATA)),
    a_record(an_empty_projection(truncated=True)),
    a_record(an_empty_projection(items=(HIKARI,))),
)


@pytest.mark.parametrize("record", EMPTY_BUT)
def test_an_empty_result_is_empty_and_complete(record: CanonicalRecord) -> None:
    assert ViolationCode.PROJECTION_STATUS_MISMATCH in codes(judged(None, record))


def test_a_found_result_is_no_negative_observation() -> None:
    draft = a_draft(analysis=(an_analysis(), a_runbook_analysis(), a_negative(tool_call_ids=(LOGS,))))

    verdict = judged(draft)

    assert codes(verdict) == [ViolationCode.EVIDENCE_KIND_MISMATCH]
    assert verdict.outcome is EvidenceOutcome.REPAIRABLE


# quotes


def test_a_normal_analysis_needs_a_quote() -> None:
    verdict = judged(with_analysis(an_analysis(text="The pool was busy.", quotes=())))

    assert ViolationCode.QUOTE_MISSING in codes(verdict)
    assert verdict.outcome is EvidenceOutcome.REPAIRABLE


@pytest.mark.parametrize(
    "quote",
    [
        a_quote(text="request timed out after 30001ms"),
        a_quote(text="Request timed out after 30000ms"),
        a_quote(text="request  timed out after 30000ms"),
        a_quote(text="request timed out after ３００００ms"),
        a_quote(text=""),
        a_quote(text=" - "),
        Quote(tool_call_id=LOGS, item_id="log:ghost", text="request timed out after 30000ms"),
    ],
)
def test_a_quote_is_verbatim(quote: Quote) -> None:
    verdict = judged(with_analysis(an_analysis(quotes=(a_quote(), quote))))

    assert ViolationCode.QUOTE_NOT_FOUND in codes(verdict)
    assert "analysis.pool.quotes.1" in places(verdict.violations)


def test_a_wrong_quote_of_the_only_analysis_can_still_be_repaired() -> None:
    verdict = judged(with_analysis(an_analysis(quotes=(a_quote(text="not there"),))))

    assert verdict.outcome is EvidenceOutcome.REPAIRABLE


def test_without_repairs_left_a_wrong_quote_rejects() -> None:
    draft = with_analysis(an_analysis(quotes=(a_quote(text="not there"),)))

    assert judged(draft, repairs_left=0).outcome is EvidenceOutcome.REJECTED


def test_of_two_items_with_one_id_only_the_first_can_be_quoted() -> None:
    twin = HIKARI.model_copy(update={"text": "another text"})
    record = a_record(a_projection(items=(HIKARI, twin)))

    assert ViolationCode.QUOTE_NOT_FOUND in codes(judged(with_analysis(an_analysis(quotes=(a_quote(twin),))), record))


# claims


def test_a_claim_that_nothing_carries_is_final() -> None:
    verdict = judged(with_analysis(an_analysis(text="payment-service waited 30001 ms.")))

    assert codes(verdict) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]
    assert whats(verdict) == ["30001 ms"]
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_a_claim_that_another_result_carries_can_be_repaired() -> None:
    verdict = judged(with_analysis(an_analysis(text="1240 orders failed at HikariPool-1.")))

    assert whats(verdict) == ["1240"]
    assert verdict.outcome is EvidenceOutcome.REPAIRABLE


LATER = HIKARI.model_copy(
    update={
        "item_id": "log:payments:2026-03-02T14:05:47.123Z:4e5f6a7b",
        "text": "2026-03-02T14:05:47.123Z ERROR checkout HikariPool-1 - Connection is not available",
        "fields": {"ts": "2026-03-02T14:05:47.123+00:00", "service": "checkout", "level": "ERROR"},
    }
)


def two_events(text: str, **over: Any) -> EvidenceVerdict:
    """The verdict on a text that quotes the events of two services, sixteen seconds apart."""
    quotes = (a_quote(), a_quote(LATER))
    return judged(
        with_analysis(an_analysis(text=text, quotes=quotes, **over)), a_record(a_projection(items=(HIKARI, LATER)))
    )


@pytest.mark.parametrize("text", ["The second error came 16 s later.", "The second error came sixteen seconds later."])
def test_an_interval_without_derived_value_never_passes_and_can_be_repaired(text: str) -> None:
    assert codes(two_events(text)) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]
    assert two_events(text).outcome is EvidenceOutcome.REPAIRABLE


@pytest.mark.parametrize("text", ["The second error came 90 s later.", "The second error came ninety seconds later."])
def test_an_interval_that_no_cited_times_yield_is_final(text: str) -> None:
    assert two_events(text).outcome is EvidenceOutcome.REJECTED


def test_an_interval_in_words_passes_with_its_derived_value() -> None:
    inputs = tuple(FieldRef(tool_call_id=LOGS, item_id=one.item_id, field="ts") for one in (HIKARI, LATER))
    derived = (Derived(op=DerivedOp.DURATION, inputs=inputs, value=16),)

    assert two_events("The second error came sixteen seconds later.", derived=derived).violations == ()
    assert two_events("The second error came ninety seconds later.", derived=derived).violations != ()


@pytest.mark.parametrize(
    "text", ["Two services logged it.", "Two records show it.", "两个服务报错。", "共有两条日志。"]
)
def test_different_cited_values_may_be_counted_in_words(text: str) -> None:
    assert two_events(text).violations == ()


@pytest.mark.parametrize("text", ["Three services logged it.", "Two pools were full.", "三个服务报错。", "Two levels."])
def test_a_count_in_words_that_the_cited_items_do_not_show_is_stopped(text: str) -> None:
    assert codes(two_events(text)) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]


def test_records_are_not_counted_beside_a_pattern() -> None:
    quotes = (a_quote(), a_quote(PATTERN, text="Connection is not available"))

    assert whats(judged(with_analysis(an_analysis(text="Two records show it.", quotes=quotes)))) == ["Two"]


def test_a_result_that_is_listed_but_not_quoted_carries_nothing() -> None:
    analysis = an_analysis(text="1240 orders failed at HikariPool-1.", tool_call_ids=(LOGS, ORDERS))

    assert whats(judged(with_analysis(analysis))) == ["1240"]


def test_scope_total_and_pattern_counts_carry_claims() -> None:
    text = "Of 835 events of payment-service in payments between 13:00 and 15:00, 812 were refusals."

    assert judged(with_analysis(an_analysis(text=text))).violations == ()


@pytest.mark.parametrize("over", [{"truncated": True}, {"coverage": Coverage.PARTIAL}])
def test_a_cut_result_supports_no_total(over: dict[str, Any]) -> None:
    draft = with_analysis(
        an_analysis(text="There were 835 events."), conclusion=a_conclusion(text="The pool was full.")
    )

    verdict = judged(draft, a_record(a_projection(**over)))

    assert codes(verdict) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]
    assert verdict.outcome is EvidenceOutcome.REJECTED


@pytest.mark.parametrize(
    "text",
    ["All requests failed.", "Only payment-service failed.", "Every call failed.", "所有请求都失败", "仅此服务失败"],
)
@pytest.mark.parametrize("over", [{"truncated": True}, {"coverage": Coverage.PARTIAL}])
def test_a_cut_result_supports_no_all_and_no_only(text: str, over: dict[str, Any]) -> None:
    draft = with_analysis(an_analysis(text=text), conclusion=a_conclusion(text="The pool was full."))

    verdict = judged(draft, a_record(a_projection(**over)))

    assert codes(verdict) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_a_whole_result_supports_all_and_only() -> None:
    draft = with_analysis(an_analysis(text="Only payment-service failed, all requests of it."))

    assert judged(draft).violations == ()


def test_a_question_counts_only_inside_a_copied_span() -> None:
    question = "Why did payments on edge-9 time out this afternoon?"
    copied = with_analysis(an_analysis(text="Asked why payments on edge-9 time out: the pool was full."))
    bare = with_analysis(an_analysis(text="edge-9 has a full pool."))

    assert judged(copied, question=question).violations == ()
    assert whats(judged(bare, question=question)) == ["edge-9"]


def test_a_conclusion_is_checked_against_its_own_analyses() -> None:
    conclusion = a_conclusion(text="HikariPool-1 was full because 1240 orders failed.")

    verdict = judged(a_draft(conclusion=conclusion))

    assert [(one.where, one.what) for one in verdict.violations] == [("conclusion", "1240")]


@pytest.mark.parametrize(
    ("part", "draft"),
    [
        ("action_plan.0", a_draft(action_plan=(Action(action="Restart db-9.", based_on_analysis_ids=("advice",)),))),
        (
            "recommendations.0",
            a_draft(recommendations=(Recommendation(text="Watch db-9.", based_on_analysis_ids=("pool",)),)),
        ),
        (
            "hypotheses.0",
            a_draft(
                hypotheses=(Hypothesis(text="db-9.", status=HypothesisStatus.OPEN, based_on_analysis_ids=("pool",)),)
            ),
        ),
        ("limitations.scope", a_draft(limitations=Limitations(scope="db-9"))),
        ("limitations.missing_info.0", a_draft(limitations=Limitations(scope="logs", missing_info=("db-9",)))),
        ("limitations.next_check", a_draft(limitations=Limitations(scope="logs", next_check="ask db-9"))),
    ],
)
def test_every_visible_text_is_checked(part: str, draft: Draft) -> None:
    verdict = judged(draft)

    assert [(one.where, one.what) for one in verdict.violations] == [(part, "db-9")]
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_an_altered_catalogue_name_is_noticed() -> None:
    draft = with_analysis(an_analysis(text="The edge-gatevay of payment-service was slow."))

    assert whats(judged(draft)) == ["edge-gatevay"]


# derived values


def a_share(value: float, **over: Any) -> Derived:
    inputs = (
        FieldRef(tool_call_id=LOGS, item_id=PATTERN.item_id, field="count"),
        FieldRef(tool_call_id=ORDERS, item_id=ORDER.item_id, field="n"),
    )
    base: dict[str, Any] = {"op": DerivedOp.PERCENT, "inputs": inputs, "value": value, "rounding": 1}
    return Derived(**{**base, **over})


def a_derived_draft(derived: Derived, text: str) -> Draft:
    return with_analysis(an_analysis(text=text, tool_call_ids=(LOGS, ORDERS), derived=(derived,)))


def test_a_derived_value_carries_its_number() -> None:
    draft = a_derived_draft(a_share(65.5), "812 refusals stand against 1240 failed orders, 65.5 %.")

    verdict = judged(draft)

    assert verdict.violations == ()
    assert (ORDERS, ORDER.item_id) in [(one.tool_call_id, one.item_id) for one in verdict.cited]


def test_a_wrong_derived_value_is_a_claim_without_evidence() -> None:
    verdict = judged(a_derived_draft(a_share(66.5), "The share is high."))

    assert [(one.code, one.where) for one in verdict.violations] == [
        (ViolationCode.CLAIM_NOT_IN_EVIDENCE, "analysis.pool.derived.0")
    ]


def test_a_derived_duration_carries_minutes() -> None:
    inputs = tuple(FieldRef(tool_call_id=LOGS, item_id=PATTERN.item_id, field=name) for name in ("first_ts", "last_ts"))
    derived = Derived(op=DerivedOp.DURATION, inputs=inputs, value=2323)

    assert judged(a_derived_draft(derived, "The refusals lasted 38 min 43 s.")).violations == ()


@pytest.mark.parametrize(
    "ref",
    [
        FieldRef(tool_call_id=LOGS, item_id="ghost", field="count"),
        FieldRef(tool_call_id=LOGS, item_id=PATTERN.item_id, field="ghost"),
    ],
)
def test_an_input_that_does_not_exist_is_not_found(ref: FieldRef) -> None:
    derived = a_share(0, op=DerivedOp.SUM, inputs=(ref,))

    assert ViolationCode.QUOTE_NOT_FOUND in codes(judged(a_derived_draft(derived, "The pool was full.")))


# absence


@pytest.mark.parametrize(
    "text",
    [
        "No ERROR record of db-primary was found between 13:00 and 15:00.",
        "database-logs holds nothing at 14:30 for db-primary.",
        "在13:00至15:00之间，database-logs中没有db-primary的ERROR日志。",
        "0 matching records in the 2 hours searched.",
    ],
)
def test_an_absence_speaks_about_its_own_scope(text: str) -> None:
    assert judged(a_draft(analysis=(an_analysis(), a_runbook_analysis(), a_negative(text=text)))).violations == ()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("No record of db-replica was found.", "db-replica"),
        ("Nothing was found between 12:00 and 15:00.", "12:00"),
        ("No record of the inventory service was found.", "inventory"),
        ("db-primary is healthy.", "healthy"),
        ("db-primary can be ruled out.", "ruled out"),
        ("db-primary was never slow.", "never"),
        ("db-primary运行正常", "正常"),
        ("可以排除db-primary", "排除"),
        ("Fewer than 5 records were found.", "5 records"),
    ],
)
def test_an_absence_proves_nothing_beyond_its_scope(text: str, word: str) -> None:
    verdict = judged(a_draft(analysis=(an_analysis(), a_runbook_analysis(), a_negative(text=text))))

    assert codes(verdict) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]
    assert word.startswith(whats(verdict)[0])
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_a_conclusion_on_an_absence_declares_nothing_healthy() -> None:
    text = "HikariPool-1 was full although db-primary was healthy."
    conclusion = a_conclusion(text=text, based_on_analysis_ids=("pool", "quiet"))

    assert codes(judged(a_draft(conclusion=conclusion))) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]


def test_an_empty_search_excludes_no_hypothesis() -> None:
    excluded = Hypothesis(
        text="Errors of db-primary.", status=HypothesisStatus.EXCLUDED, based_on_analysis_ids=("quiet",)
    )

    assert codes(judged(a_draft(hypotheses=(excluded,)))) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]


# kinds


def test_a_runbook_analysis_holds_only_words_of_its_quotes() -> None:
    advice = a_runbook_analysis(text="The runbook says the transaction leaks memory.")

    verdict = judged(a_draft(analysis=(an_analysis(), advice, a_negative())))

    assert whats(verdict) == ["leaks", "memory"]


def test_the_title_of_a_document_may_be_named() -> None:
    advice = a_runbook_analysis(text='The runbook "Connection pool exhausted" says to raise maximumPoolSize.')

    assert judged(a_draft(analysis=(an_analysis(), advice, a_negative()))).violations == ()


def test_a_conclusion_needs_telemetry() -> None:
    conclusion = a_conclusion(text="Every connection is in use.", based_on_analysis_ids=("advice",))

    verdict = judged(a_draft(conclusion=conclusion))

    assert codes(verdict) == [ViolationCode.TELEMETRY_MISSING]
    assert verdict.outcome is EvidenceOutcome.REJECTED


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(ConclusionKind.ROOT_CAUSE, [ViolationCode.TELEMETRY_MISSING]), (ConclusionKind.OBSERVATION, [])],
)
def test_an_empty_search_answers_a_narrow_question_and_proves_no_cause(
    kind: ConclusionKind, expected: list[ViolationCode]
) -> None:
    text = "No ERROR record of db-primary was found between 13:00 and 15:00."

    verdict = judged(a_draft(conclusion=a_conclusion(kind=kind, text=text, based_on_analysis_ids=("quiet",))))

    assert codes(verdict) == expected


def test_an_empty_search_of_documents_answers_nothing() -> None:
    record = a_record(an_empty_projection(tool="lookup_knowledge", scope=a_runbook_projection().scope))
    quiet = a_negative(text="Nothing was found.")
    conclusion = a_conclusion(
        kind=ConclusionKind.OBSERVATION, text="Nothing was found.", based_on_analysis_ids=("quiet",)
    )

    verdict = judged(a_draft(conclusion=conclusion, analysis=(an_analysis(), a_runbook_analysis(), quiet)), record)

    assert codes(verdict) == [ViolationCode.TELEMETRY_MISSING]


def test_what_only_a_runbook_says_did_not_happen_here() -> None:
    chunk = CHUNK.model_copy(update={"text": "ORA-12519 means that every connection is in use."})
    record = a_record(a_runbook_projection(items=(chunk,)))
    advice = a_runbook_analysis(text="ORA-12519 means every connection is in use.", quotes=(a_quote(chunk, RUNBOOK),))
    over: dict[str, Any] = {"analysis": (an_analysis(), advice), "action_plan": (), "hypotheses": ()}
    as_fact = a_conclusion(text="HikariPool-1 failed with ORA-12519.", based_on_analysis_ids=("pool", "advice"))
    attributed = a_conclusion(
        kind=ConclusionKind.OBSERVATION,
        text="HikariPool-1 was full. The runbook names ORA-12519.",
        based_on_analysis_ids=("pool", "advice"),
    )

    assert whats(judged(a_draft(conclusion=as_fact, **over), record)) == ["ORA-12519"]
    assert judged(a_draft(conclusion=attributed, **over), record).violations == ()


@pytest.mark.parametrize(
    "text", ["Payments failed because the pool was full.", "连接池耗尽导致支付失败", "Due to the pool."]
)
def test_an_observation_names_no_cause(text: str) -> None:
    verdict = judged(a_draft(conclusion=a_conclusion(kind=ConclusionKind.OBSERVATION, text=text)))

    assert codes(verdict) == [ViolationCode.CAUSE_IN_OBSERVATION]
    assert verdict.outcome is EvidenceOutcome.REJECTED


def test_an_observation_answers_what_was_seen() -> None:
    text = "20 of 20 connections of HikariPool-1 were active at 14:05:31."

    verdict = judged(a_draft(conclusion=a_conclusion(kind=ConclusionKind.OBSERVATION, text=text)))

    assert verdict.outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION


# without a conclusion


def test_without_a_conclusion_an_empty_draft_passes() -> None:
    verdict = judge(Draft(limitations=Limitations(missing_info=("Which service?",))), {}, a_context())

    assert verdict.outcome is EvidenceOutcome.PASSED_NO_CONCLUSION


def test_without_a_conclusion_what_cannot_be_verified_is_dropped_and_named() -> None:
    wrong = an_analysis(analysis_id="wrong", text="payment-service waited 30001 ms.")
    guess = Hypothesis(text="A leak.", status=HypothesisStatus.OPEN, based_on_analysis_ids=("pool", "wrong", "ghost"))
    draft = a_draft(
        conclusion=None,
        analysis=(an_analysis(), wrong),
        hypotheses=(guess,),
        action_plan=(Action(action="Wait.", based_on_analysis_ids=("wrong",)),),
        recommendations=(Recommendation(text="Watch it.", based_on_analysis_ids=("pool",)),),
    )

    verdict = judged(draft)

    assert verdict.outcome is EvidenceOutcome.PASSED_NO_CONCLUSION
    assert verdict.dropped == ("wrong",)
    assert verdict.draft is not None
    assert [one.analysis_id for one in verdict.draft.analysis] == ["pool"]
    assert verdict.draft.hypotheses[0].based_on_analysis_ids == ("pool",)
    assert verdict.draft.action_plan == ()
    assert len(verdict.draft.recommendations) == 1
    assert {one.item_id for one in verdict.cited} == {HIKARI.item_id}


def test_without_a_conclusion_an_ambiguous_id_drops_both() -> None:
    verdict = judged(a_draft(conclusion=None, analysis=(an_analysis(), an_analysis())))

    assert verdict.dropped == ("0", "1")


def test_without_a_conclusion_nothing_is_repaired() -> None:
    draft = a_draft(conclusion=None, analysis=(an_analysis(quotes=(a_quote(text="not there"),)),))

    assert judged(draft, repairs_left=1).outcome is EvidenceOutcome.PASSED_NO_CONCLUSION


def test_an_excluded_hypothesis_stays_only_with_something_found() -> None:
    excluded = Hypothesis(text="Errors.", status=HypothesisStatus.EXCLUDED, based_on_analysis_ids=("quiet",))
    kept = excluded.model_copy(update={"based_on_analysis_ids": ("pool",)})

    verdict = judged(a_draft(conclusion=None, hypotheses=(excluded, kept)))

    assert verdict.draft is not None
    assert verdict.draft.hypotheses == (kept,)


def test_kinds_of_analyses_are_all_judged() -> None:
    assert {one.kind for one in a_draft().analysis} == set(AnalysisKind)
    assert judged(a_draft(), a_record(an_orders_projection())).violations == ()


# words of health


HEALTHY = "payment-service is healthy"


def test_an_analysis_of_a_fault_declares_nothing_healthy() -> None:
    found = judged(with_analysis(an_analysis(text=f"{an_analysis().text} {HEALTHY}.")))

    assert codes(found) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]
    assert whats(found) == ["healthy"]


@pytest.mark.parametrize("text", ["The network is in perfect shape.", "Nothing failed.", "数据库一切正常。"])
def test_a_conclusion_on_a_fault_declares_nothing_healthy(text: str) -> None:
    found = judged(a_draft(conclusion=a_conclusion(text=f"{a_conclusion().text} {text}")))

    assert ViolationCode.ABSENCE_OUT_OF_SCOPE in codes(found)
    assert places(found.violations) == {"conclusion"}


@pytest.mark.parametrize("status", HypothesisStatus)
def test_a_hypothesis_declares_nothing_healthy(status: HypothesisStatus) -> None:
    guess = Hypothesis(text="The network is healthy.", status=status, based_on_analysis_ids=("pool",))

    assert codes(judged(a_draft(hypotheses=(guess,)))) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]


def test_health_that_a_cited_item_states_may_be_said() -> None:
    item = HIKARI.model_copy(update={"text": HIKARI.text + "; payment-service is healthy"})
    records = a_record(a_projection(items=(item, PATTERN)))
    said = with_analysis(an_analysis(text=f"{an_analysis().text} {HEALTHY}."))

    assert codes(judged(said, records)) == []


def test_health_in_a_runbook_shows_no_health_here() -> None:
    chunk = CHUNK.model_copy(update={"text": CHUNK.text + " A healthy pool has idle connections."})
    advice = a_runbook_analysis(quotes=(a_quote(chunk, RUNBOOK),))
    conclusion = a_conclusion(text="The pool is healthy.", based_on_analysis_ids=("pool", "advice"))
    draft = a_draft(analysis=(an_analysis(), advice, a_negative()), conclusion=conclusion)

    assert codes(judged(draft, a_record(a_runbook_projection(items=(chunk,))))) == [ViolationCode.ABSENCE_OUT_OF_SCOPE]


# derived values


def test_the_same_record_out_of_two_calls_is_one_input() -> None:
    item = HIKARI.model_copy(update={"fields": {**HIKARI.fields, "n": 2}})
    again = ToolCallId("call_again")
    first, second = a_record(a_projection(items=(item,))), a_record(a_projection(items=(item,), tool_call_id=again))
    refs = tuple(FieldRef(tool_call_id=call, item_id=item.item_id, field="n") for call in (LOGS, again))
    doubled = Derived(op=DerivedOp.SUM, inputs=refs, value=4)
    analysis = an_analysis(tool_call_ids=(LOGS, again), derived=(doubled,))

    assert codes(judged(with_analysis(analysis), first, second)) == [ViolationCode.CLAIM_NOT_IN_EVIDENCE]
