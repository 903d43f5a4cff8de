"""What holds for every draft and every set of records, however hostile."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from guards.citations import ACCEPTS
from guards.evidence import EvidenceContext, judge
from guards.fallback import FallbackFacts, build_fallback
from guards.repair import build_repair_input, keeps_visible_text, visible_text
from guards.semantics import build_review, parse_verdict
from state.model.draft import Draft, Quote
from state.model.enums import (
    AnalysisKind,
    EvidenceOutcome,
    FallbackType,
    InvocationStatus,
    Language,
    StopReason,
)
from state.model.evidence import CanonicalRecord, parse_projection
from state.model.ids import ToolCallId
from state.model.verdict import EvidenceVerdict
from tests import builders as b
from tests.strategies import drafts, hostile_text, record_maps, sentences, true_drafts

Records = dict[ToolCallId, CanonicalRecord]
CONTEXT = EvidenceContext(
    run_id=b.RUN,
    question=b.QUESTION,
    judged_at=b.NOW,
    catalogue_terms=("payments", "payment-service", "db-primary", "支付网关"),
)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def judged(draft: Draft, records: Records) -> EvidenceVerdict:
    return judge(draft, records, CONTEXT, repairs_left=1)


def references(draft: Draft) -> list[tuple[AnalysisKind | None, str]]:
    return [(one.kind, call_id) for one in draft.analysis for call_id in one.tool_call_ids]


@FEW
@given(drafts(), record_maps())
def test_whatever_passed_rests_on_ready_records_of_this_run(draft: Draft, records: Records) -> None:
    verdict = judged(draft, records)
    assume(verdict.outcome.name.startswith("PASSED"))

    assert verdict.draft is not None
    for kind, call_id in references(verdict.draft):
        record = records[ToolCallId(call_id)]
        assert kind is not None
        assert (record.status, record.run_id, record.tool_call_id) == (InvocationStatus.READY, b.RUN, call_id)
        assert record.evidence_status is ACCEPTS[kind]
        assert record.expires_at > b.NOW


@FEW
@given(drafts(), record_maps())
def test_whatever_passed_quotes_verbatim(draft: Draft, records: Records) -> None:
    verdict = judged(draft, records)
    assume(verdict.outcome.name.startswith("PASSED"))

    assert verdict.draft is not None
    for quote in (quote for one in verdict.draft.analysis for quote in one.quotes):
        assert any(quote.text in text for text in _texts(records, quote))


def _texts(records: Records, quote: Quote) -> list[str]:
    projection = parse_projection(records[ToolCallId(quote.tool_call_id)].projection_json)
    assert projection is not None
    return [item.text for item in projection.items if item.item_id == quote.item_id]


@pytest.mark.parametrize("call_id", [b.LOGS, b.RUNBOOK, b.EMPTY])
def test_dropping_any_cited_record_never_passes(call_id: ToolCallId) -> None:
    records = {key: one for key, one in b.the_records().items() if key != call_id}

    assert judged(b.a_draft(), records).outcome in {EvidenceOutcome.REPAIRABLE, EvidenceOutcome.REJECTED}


@pytest.mark.parametrize("call_id", [b.LOGS, b.RUNBOOK, b.EMPTY])
@pytest.mark.parametrize("status", [InvocationStatus.PROJECTING, InvocationStatus.ERROR])
def test_losing_the_ready_state_of_any_cited_record_never_passes(call_id: ToolCallId, status: InvocationStatus) -> None:
    records = b.the_records()
    records[call_id] = records[call_id].model_copy(update={"status": status})

    assert judged(b.a_draft(), records).outcome in {EvidenceOutcome.REPAIRABLE, EvidenceOutcome.REJECTED}


@FEW
@given(true_drafts())
def test_true_parts_in_any_order_pass(draft: Draft) -> None:
    assert judged(draft, b.the_records()).violations == ()


@FEW
@given(true_drafts(), st.sampled_from([b.LOGS, b.ORDERS, b.RUNBOOK, b.EMPTY]))
def test_a_conclusion_passes_without_a_record_only_if_nothing_refers_to_it(draft: Draft, call_id: ToolCallId) -> None:
    fewer = {key: one for key, one in b.the_records().items() if key != call_id}
    is_named = call_id in {named for _, named in references(draft)}

    passed = judged(draft, fewer).outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION

    assert not (passed and is_named)


@FEW
@given(true_drafts(), record_maps())
def test_more_records_never_reject_what_passed(draft: Draft, others: Records) -> None:
    before = judged(draft, b.the_records())
    added = {ToolCallId(f"more_{key}"): one for key, one in others.items()}

    after = judged(draft, {**added, **b.the_records()})

    assert before.outcome is after.outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION
    assert after.cited == before.cited


@FEW
@given(drafts(), record_maps(), st.randoms(use_true_random=False))
def test_the_order_of_analyses_is_irrelevant(draft: Draft, records: Records, chance: object) -> None:
    shuffled = list(draft.analysis)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    other = draft.model_copy(update={"analysis": tuple(shuffled)})

    assert judged(draft, records).outcome is judged(other, records).outcome


@FEW
@given(drafts(), record_maps())
def test_every_fault_has_a_place_and_a_bounded_word(draft: Draft, records: Records) -> None:
    for one in judged(draft, records).violations:
        assert one.where
        assert len(one.what) <= 120


@FEW
@given(drafts(), drafts())
def test_a_repair_that_is_accepted_changes_no_visible_text(before: Draft, after: Draft) -> None:
    repaired = after.model_copy(
        update={
            "analysis": tuple(
                one.model_copy(update={"text": old.text, "kind": old.kind})
                for one, old in zip(after.analysis, before.analysis, strict=False)
            ),
            "limitations": before.limitations,
        }
    )
    if keeps_visible_text(before, repaired):
        assert visible_text(before) == visible_text(repaired)
        assert [one.kind for one in before.analysis] == [one.kind for one in repaired.analysis]


@FEW
@given(
    drafts(),
    record_maps(),
    st.sampled_from(FallbackType),
    st.sampled_from(Language),
    st.one_of(st.none(), st.sampled_from(StopReason)),
    hostile_text,
)
def test_a_fallback_can_always_be_built(
    draft: Draft, records: Records, kind: FallbackType, language: Language, reason: StopReason | None, question: str
) -> None:
    context = EvidenceContext(run_id=b.RUN, question=question, judged_at=b.NOW, time_zone="Asia/Shanghai")

    fallback = build_fallback(FallbackFacts(kind, language, reason, b.WINDOW), records, context, draft=draft)

    ready = {key for key, one in records.items() if one.status is InvocationStatus.READY and one.run_id == b.RUN}
    assert {one.tool_call_id for one in fallback.observed_facts} <= ready
    assert len(fallback.observed_facts) <= 12
    assert all(len(one.summary) <= 320 and len(one.scope) <= 320 for one in fallback.observed_facts)
    assert fallback.next_steps


@FEW
@given(drafts(), record_maps(), hostile_text)
def test_inputs_for_models_can_always_be_built(draft: Draft, records: Records, question: str) -> None:
    assert build_review(question, draft, records, run_id=b.RUN)
    repair = build_repair_input(draft, judged(draft, records).violations, records, run_id=b.RUN)
    assert len(repair.encode("utf-8", "replace")) <= 24 * 1024


@FEW
@given(st.one_of(hostile_text, sentences))
def test_no_text_breaks_the_reading_of_a_verdict(text: str) -> None:
    assert parse_verdict(text) is None


def changed_digits(text: str) -> list[str]:
    places = [match.start() for match in re.finditer(r"\d", text)]
    return [text[:at] + digit + text[at + 1 :] for at in places for digit in "0123456789" if digit != text[at]]


def passed_after_a_changed_digit(index: int) -> list[str]:
    """Altered texts of one analysis with which the draft still passes."""
    analyses = b.a_draft().analysis
    variants = [analyses[index].model_copy(update={"text": text}) for text in changed_digits(analyses[index].text)]
    altered = [b.a_draft(analysis=(*analyses[:index], one, *analyses[index + 1 :])) for one in variants]
    return [one.analysis[index].text for one in altered if not judged(one, b.the_records()).violations]


def test_no_changed_digit_of_a_finding_passes() -> None:
    assert len(changed_digits(b.a_draft().analysis[0].text)) > 100
    assert passed_after_a_changed_digit(0) == []


def test_a_changed_time_of_an_absence_passes_only_inside_its_window() -> None:
    clocks = {clock for text in passed_after_a_changed_digit(2) for clock in re.findall(r"\d\d:\d\d", text)}

    assert clocks
    assert all("13:00" <= clock <= "15:00" for clock in clocks)


ALTERED = (
    ("payment-service", "payment-servise"),
    ("payment-service", "order-service"),
    ("HikariPool-1", "HikariPooI-1"),
    ("30000 ms", "30000 s"),
    ("30000 ms", "30000 connections"),
    ("14:05:31", "14:05:31 CET"),
    ("14:05:31", "2026-03-03 14:05:31"),
)


@pytest.mark.parametrize(("old", "new"), ALTERED)
def test_no_changed_unit_name_or_day_passes(old: str, new: str) -> None:
    text = b.an_analysis().text.replace(old, new)
    draft = b.a_draft(analysis=(b.an_analysis(text=text), b.a_runbook_analysis(), b.a_negative()))

    assert text != b.an_analysis().text
    assert judged(draft, b.the_records()).outcome is not EvidenceOutcome.PASSED_WITH_CONCLUSION
