"""The safe fallback: verified facts by code, the author's text only where the rules let it."""

import shlex
from datetime import timedelta
from typing import Any

import pytest

from guards import fallback_texts as texts
from guards.citations import cited_in, verify_all
from guards.evidence import EvidenceContext
from guards.fallback import STAGES, FallbackFacts, build_fallback
from state.model.draft import Draft, Hypothesis, Limitations
from state.model.enums import (
    Coverage,
    EvidenceKind,
    FailureStage,
    FallbackType,
    HypothesisStatus,
    Language,
    StopReason,
    ViolationCode,
)
from state.model.evidence import Item, item_digest
from state.model.ids import ToolCallId
from state.model.release import SafeFallback
from state.model.verdict import Violation
from tests.builders import (
    EMPTY,
    HIKARI,
    LOGS,
    NOW,
    ORDERS,
    OTHER_RUN,
    PATTERN,
    QUESTION,
    RUN,
    RUNBOOK,
    WINDOW,
    a_draft,
    a_projection,
    a_record,
    a_scope,
    an_error_record,
    an_orders_projection,
    the_records,
)


def built(
    kind: FallbackType = FallbackType.INSUFFICIENT_EVIDENCE,
    language: Language = Language.EN,
    *,
    draft: Draft | None = None,
    records: Any = None,
    question: str = QUESTION,
    time_zone: str = "UTC",
    **facts: Any,
) -> SafeFallback:
    context = EvidenceContext(run_id=RUN, question=question, judged_at=NOW, time_zone=time_zone)
    shown = the_records() if records is None else records
    return build_fallback(FallbackFacts(kind, language, **facts), shown, context, draft=draft)


def a_guess(
    text: str = "The pool HikariPool-1 leaks.", status: HypothesisStatus = HypothesisStatus.OPEN, *ids: str
) -> Hypothesis:
    return Hypothesis(text=text, status=status, based_on_analysis_ids=ids)


# facts


def test_facts_come_from_what_was_found() -> None:
    facts = built().observed_facts

    assert [(one.tool_call_id, one.summary) for one in facts] == [
        (
            LOGS,
            "835 matching events; most frequent: 'HikariPool-1 - Connection is not available, "
            "request timed out after <num>ms' (812)",
        ),
        (ORDERS, "1 row, such as: status=FAILED, n=1240, avg_ms=4213.5"),
        (RUNBOOK, "documents: Connection pool exhausted"),
    ]
    assert facts[0].scope == "payments, 2026-03-02 13:00 to 15:00 +00:00, service=payment-service"
    assert facts[0].source == "payments (query_logs)"


def test_facts_exist_in_chinese_and_in_the_zone_of_the_run() -> None:
    fallback = built(language=Language.ZH, time_zone="Asia/Shanghai")

    assert fallback.observed_facts[0].summary.startswith("835 条匹配事件；最多的是“HikariPool-1")
    assert fallback.observed_facts[0].scope == "payments、2026-03-02 21:00 至 23:00 +08:00、service=payment-service"


def test_nothing_found_is_said_as_searched_never_as_excluded() -> None:
    fallback = built()

    assert fallback.searched_empty == (
        "searched, nothing found in database-logs, 2026-03-02 13:00 to 15:00 +00:00, service=db-primary, level=ERROR",
    )
    assert fallback.ruled_out == ()
    assert EMPTY not in {one.tool_call_id for one in fallback.observed_facts}


def test_a_scope_read_in_part_gives_a_lower_bound() -> None:
    records = the_records(a_record(a_projection(coverage=Coverage.PARTIAL)))

    assert built(records=records).observed_facts[0].summary.startswith("at least 835 matching events")


def test_a_cut_result_gives_the_total_of_the_source_or_a_lower_bound() -> None:
    known = the_records(a_record(a_projection(truncated=True)))
    unknown = the_records(a_record(a_projection(truncated=True, total_matches=None)))

    assert built(records=known).observed_facts[0].summary.startswith("835 matching events")
    assert built(records=unknown).observed_facts[0].summary.startswith("at least 812 matching events")


def test_without_a_total_the_patterns_are_counted() -> None:
    records = the_records(a_record(a_projection(total_matches=None)))

    assert built(records=records).observed_facts[0].summary.startswith("812 matching events")


@pytest.mark.parametrize(
    "record",
    [an_error_record(LOGS), a_record(run_id=OTHER_RUN), a_record(projection_json="{}"), a_record(expires_at=NOW)],
)
def test_what_is_no_verified_fact_is_not_shown(record: Any) -> None:
    fallback = built(records={LOGS: record})

    assert fallback.observed_facts == ()
    assert fallback.verified_sources == ()
    assert fallback.summary.startswith("Nothing could be searched; ")


def test_at_most_twelve_facts_in_the_order_of_the_calls() -> None:
    records = {
        ToolCallId(f"c{n}"): a_record(
            a_projection(tool_call_id=ToolCallId(f"c{n}")), begun_at=NOW - timedelta(seconds=n)
        )
        for n in range(15)
    }

    facts = built(records=records).observed_facts

    assert [one.tool_call_id for one in facts] == [f"c{n}" for n in range(14, 2, -1)]


def test_long_and_hostile_texts_are_bounded_to_one_line() -> None:
    item = Item(item_id="row:1", kind=EvidenceKind.TELEMETRY, text="a\x1b[31m\n" + "长" * 5000)
    record = a_record(an_orders_projection(items=(item,)))

    (fact,) = [one for one in built(records=the_records(record)).observed_facts if one.tool_call_id == ORDERS]

    assert len(fact.summary) <= 320
    assert fact.summary.isprintable()


def test_the_evidence_shown_carries_digests_for_the_closing() -> None:
    fallback = built()
    cited = cited_in(fallback.evidence, verify_all(the_records(), RUN))

    assert (LOGS, PATTERN.item_id, item_digest(PATTERN)) in [
        (one.tool_call_id, one.item_id, one.sha256) for one in cited
    ]
    assert (EMPTY, "") in [(one.tool_call_id, one.item_id) for one in cited]


# text of the author


def test_hypotheses_with_a_verified_reference_are_shown_unverified() -> None:
    draft = a_draft(conclusion=None, hypotheses=(a_guess("Pool leak.", HypothesisStatus.OPEN, "pool"),))

    (shown,) = built(draft=draft).hypotheses

    assert (shown.text, shown.unverified) == ("Pool leak.", True)


@pytest.mark.parametrize(
    "guess",
    [
        a_guess("Pool leak.", HypothesisStatus.SUPPORTED, "pool"),
        a_guess("Pool leak.", HypothesisStatus.OPEN),
        a_guess("Pool leak.", HypothesisStatus.OPEN, "ghost"),
        a_guess("db-9 leaks.", HypothesisStatus.OPEN, "pool"),
        a_guess(" ", HypothesisStatus.OPEN, "pool"),
    ],
)
def test_other_hypotheses_are_not_shown(guess: Hypothesis) -> None:
    fallback = built(draft=a_draft(conclusion=None, hypotheses=(guess,)))

    assert fallback.hypotheses == ()
    assert fallback.ruled_out == ()


@pytest.mark.parametrize(("ids", "n"), [(("pool",), 1), (("quiet",), 0), (("pool", "quiet"), 1)])
def test_only_something_found_rules_out(ids: tuple[str, ...], n: int) -> None:
    guess = a_guess("Pool leak.", HypothesisStatus.EXCLUDED, *ids)

    assert len(built(draft=a_draft(conclusion=None, hypotheses=(guess,))).ruled_out) == n


def test_what_is_missing_is_shown_where_every_name_is_known() -> None:
    limits = Limitations(
        scope="logs",
        missing_info=(
            "Transactions of db-primary",
            "Heap of db-9",
            "What happened at 14:05:31",
            "More than 77 of them",
        ),
        next_check="Query HikariPool-1.",
    )

    shown = [one.text for one in built(draft=a_draft(conclusion=None, limitations=limits)).limitations]

    assert shown == [
        "Transactions of db-primary",
        "What happened at 14:05:31",
        "suggested next check: Query HikariPool-1.",
    ]


@pytest.mark.parametrize("kind", [FallbackType.EVIDENCE_VALIDATION_FAILED, FallbackType.SEMANTIC_UNSUPPORTED])
@pytest.mark.parametrize("language", Language)
def test_after_a_failed_draft_no_word_of_it_appears(kind: FallbackType, language: Language) -> None:
    marker = "zebra"
    draft = a_draft(
        hypotheses=(a_guess(marker, HypothesisStatus.OPEN, "pool"), a_guess(marker, HypothesisStatus.EXCLUDED, "pool")),
        limitations=Limitations(scope=marker, missing_info=(marker,), next_check=marker),
    )
    violation = Violation(code=ViolationCode.QUOTE_NOT_FOUND, where=f"analysis.{marker}", what=marker)

    fallback = built(kind, language, draft=draft, violations=(violation, violation))

    assert marker not in fallback.model_dump_json()
    assert fallback.validation_issues == ("QUOTE_NOT_FOUND",)
    assert fallback.observed_facts


# why and what next


@pytest.mark.parametrize("kind", FallbackType)
def test_every_type_has_its_stage(kind: FallbackType) -> None:
    assert built(kind).failure_stage is STAGES[kind]
    assert set(STAGES.values()) <= set(FailureStage)


@pytest.mark.parametrize("kind", FallbackType)
@pytest.mark.parametrize("reason", [None, *StopReason])
@pytest.mark.parametrize("language", Language)
def test_the_summary_is_one_sentence_that_ends_with_a_command(
    kind: FallbackType, reason: StopReason | None, language: Language
) -> None:
    fallback = built(kind, language, stop_reason=reason)

    assert "payments" in fallback.summary
    assert fallback.summary.endswith(fallback.next_steps[0])
    assert "rootproof " in fallback.next_steps[0]
    assert "\n" not in fallback.summary
    assert "{" not in fallback.summary


def test_a_summary_of_a_stop_says_why_it_stopped() -> None:
    summary = built(stop_reason=StopReason.INFORMATION_SATURATED).summary

    assert summary == (
        "Searched payments, shop, runbooks, database-logs for 2026-03-02 13:00 to 15:00 +00:00; "
        "stopped because further searches brought nothing new; "
        f"next: see what was checked: rootproof trace {RUN}"
    )


NOTHING_FOUND = {EMPTY: the_records()[EMPTY]}


@pytest.mark.parametrize("records", [NOTHING_FOUND, {}])
def test_an_asked_window_is_widened_to_twice_its_length(records: Any) -> None:
    first = built(asked_window=WINDOW, records=records).next_steps[0]

    assert first.endswith("--from 2026-03-02T11:00:00+00:00 --to 2026-03-02T15:00:00+00:00")


def test_a_widened_window_holds_more_than_was_searched() -> None:
    asked = WINDOW.model_copy(update={"start": WINDOW.end - timedelta(minutes=30)})
    first = built(asked_window=asked, records=NOTHING_FOUND).next_steps[0]

    assert first.endswith("--from 2026-03-02T11:00:00+00:00 --to 2026-03-02T15:00:00+00:00")


@pytest.mark.parametrize("language", Language)
def test_where_records_were_found_a_wider_window_comes_after_what_there_is_to_see(language: Language) -> None:
    first, *others = built(language=language, asked_window=WINDOW).next_steps

    assert first.endswith(f"rootproof trace {RUN}")
    assert any("--from 2026-03-02T11:00:00+00:00" in step for step in others)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.EN, "do the suggested check (unverified): Query HikariPool-1."),
        (Language.ZH, "执行建议的检查（未经核实）：Query HikariPool-1."),
    ],
)
def test_where_records_were_found_the_check_of_the_author_comes_first(language: Language, words: str) -> None:
    draft = a_draft(conclusion=None, limitations=Limitations(scope="logs", next_check="Query HikariPool-1."))

    assert built(language=language, draft=draft).next_steps[0] == words


def test_a_check_that_names_what_the_run_does_not_know_is_no_step() -> None:
    draft = a_draft(conclusion=None, limitations=Limitations(scope="logs", next_check="Query HikariPool-77."))

    assert built(draft=draft).next_steps[0].startswith("see what was checked")


def test_a_long_query_is_cut_in_what_was_checked() -> None:
    query = "SELECT " + ", ".join(f"column_{n}" for n in range(90))
    fallback = built(records=a_long_query(query))

    assert query[:100] in fallback.observed_facts[0].scope
    assert query[:160] not in fallback.observed_facts[0].scope


def a_long_query(query: str) -> Any:
    projection = an_orders_projection(scope=a_scope(source="shop", window=None, filters={}, query=query))
    return {ORDERS: a_record(projection)}


def test_a_spent_budget_asks_for_a_shorter_window() -> None:
    steps = built(asked_window=WINDOW, stop_reason=StopReason.BUDGET_LIMIT_REACHED).next_steps

    assert steps[0].endswith("--from 2026-03-02T14:00:00+00:00 --to 2026-03-02T15:00:00+00:00")


def test_missing_context_asks_for_service_symptom_and_time() -> None:
    fallback = built(FallbackType.MISSING_REQUIRED_CONTEXT, Language.ZH, records={})

    assert fallback.next_steps[0] == '请给出服务、现象和时间：rootproof diagnose "<服务> <现象>" --since 2h'
    assert fallback.summary.startswith("未能检索任何数据源")


@pytest.mark.parametrize("question", ['say "hi"; rm -rf $HOME', "back`tick`", "it's\nbroken!"])
def test_the_suggested_command_can_be_pasted_into_a_shell(question: str) -> None:
    command = built(question=question, records=NOTHING_FOUND).next_steps[0].split(": ", 1)[1]

    assert shlex.split(command)[:3] == ["rootproof", "diagnose", " ".join(question.split())]


def test_a_long_question_is_left_to_the_person() -> None:
    assert 'rootproof diagnose "<your question>"' in built(question="why " * 200, records=NOTHING_FOUND).next_steps[0]


def test_an_item_is_shown_with_each_fact() -> None:
    view = built().evidence[0]

    assert [one.item_id for one in view.items] == [PATTERN.item_id, HIKARI.item_id]


# nothing connected


@pytest.mark.parametrize("language", list(Language))
def test_where_nothing_is_connected_the_question_is_not_blamed(language: Language) -> None:
    kind = FallbackType.MISSING_REQUIRED_CONTEXT
    unconnected = built(kind, language, records={}, has_sources=False)
    unclear = built(kind, language, records={})

    assert texts.WHY_NO_SOURCE.text(language) in unconnected.summary
    assert unconnected.next_steps[0] == texts.STEP_CONNECT.text(language)
    assert "--world" in unconnected.summary
    assert texts.WHY_NO_DIAGNOSIS[kind].text(language) in unclear.summary
