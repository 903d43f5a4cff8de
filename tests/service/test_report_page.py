"""What the pages of a report, a fallback and an answer say, and in which order."""

import pytest

from service.fallback_page import fallback_blocks
from service.page import Command, Entry, Heading, Headline, Paragraph, Source, Step, Verbatim
from service.report_page import build_page, first_sentence
from service.run_view import RunView
from service.speech import Speech
from state.model.draft import Derived, Draft, FieldRef
from state.model.enums import (
    ContentType,
    DerivedOp,
    EvidenceStatus,
    FailureStage,
    FallbackType,
    Language,
    ReleaseOutcome,
    RunState,
    StopReason,
)
from state.model.release import (
    Answer,
    Content,
    DiagnosisReport,
    EvidenceView,
    ObservedFact,
    RunResult,
    SafeFallback,
    Unverified,
)
from tests.builders import (
    CHUNK,
    EMPTY,
    HIKARI,
    LOGS,
    ORDER,
    ORDERS,
    RUN,
    RUNBOOK,
    a_conclusion,
    a_draft,
    a_scope,
    an_analysis,
)


def a_view(call_id: str, tool: str, *items: object, **scope: object) -> EvidenceView:
    status = EvidenceStatus.EVIDENCE_FOUND if items else EvidenceStatus.NO_EVIDENCE
    return EvidenceView(
        tool_call_id=call_id,
        tool=tool,
        scope=a_scope(**scope),
        evidence_status=status,
        items=items,  # type: ignore[arg-type]
    )


EVIDENCE = (
    a_view(LOGS, "query_logs", HIKARI),
    a_view(ORDERS, "query_sql", ORDER, source="shop", query="SELECT 1", window=None, filters={}),
    a_view(RUNBOOK, "lookup_knowledge", CHUNK, source="runbooks", window=None, filters={}),
    a_view(EMPTY, "query_logs", source="database-logs"),
)


def page_of(content: Content | None, *, language: Language = Language.EN, **over: object) -> tuple[object, ...]:
    base: dict[str, object] = {
        "run_id": RUN,
        "session_id": "s1",
        "language": language,
        "run_state": RunState.SUCCESS,
        "outcome": ReleaseOutcome.SUCCESS,
        "content_type": ContentType.DIAGNOSIS_REPORT,
        "content": content,
    }
    result = RunResult.model_validate({**base, **over})
    actions = content.draft.action_plan if isinstance(content, DiagnosisReport) else ()
    return build_page(RunView(result, None, backed_actions=(False,) * len(actions)))


def a_report(draft: Draft | None = None) -> DiagnosisReport:
    return DiagnosisReport(draft=draft or a_draft(), evidence=EVIDENCE)


def of_kind(page: tuple[object, ...], kind: type) -> list[str]:
    return [block.text for block in page if isinstance(block, kind)]  # type: ignore[attr-defined]


def test_the_conclusion_comes_first() -> None:
    page = page_of(a_report())

    assert page[0] == Headline("Root cause", page[0].tone)  # type: ignore[attr-defined]
    assert page[1] == Paragraph(a_conclusion().text, strong=True)
    assert page[2] == Paragraph("Rests on [1].", quiet=True)


def test_the_first_sentence_stands_alone_and_the_rest_below_it() -> None:
    text = "The pool is exhausted. 30000ms is its timeout. It began at 14:05."
    page = page_of(a_report(a_draft(conclusion=a_conclusion(text=text))))

    assert page[1] == Paragraph("The pool is exhausted.", strong=True)
    assert page[2] == Paragraph("30000ms is its timeout. It began at 14:05.")


@pytest.mark.parametrize(
    ("text", "first", "rest"),
    [
        ("Only one.", "Only one.", ""),
        ("payment-db 1.2 is down, e.g. at 14:05. Next.", "payment-db 1.2 is down, e.g. at 14:05.", "Next."),
        ("连接池耗尽。从 14:05 开始。", "连接池耗尽。", "从 14:05 开始。"),
        ("a\nb", "a", "b"),
        ("", "", ""),
    ],
)
def test_where_a_sentence_ends(text: str, first: str, rest: str) -> None:
    assert first_sentence(text) == (first, rest)


def test_what_it_rests_on_is_named_in_order() -> None:
    ids = tuple(one.analysis_id for one in a_draft().analysis)
    page = page_of(a_report(a_draft(conclusion=a_conclusion(based_on_analysis_ids=tuple(reversed(ids))))))

    assert Paragraph("Rests on [1] [2] [3].", quiet=True) in page


def test_words_are_quoted_once_under_a_statement() -> None:
    quote = an_analysis().quotes[0]
    page = page_of(a_report(a_draft(analysis=(an_analysis(quotes=(quote, quote)),))))

    assert of_kind(page, Verbatim) == [quote.text]


def test_words_that_the_statement_says_itself_are_not_quoted_again() -> None:
    quote = an_analysis().quotes[0]
    page = page_of(a_report(a_draft(analysis=(an_analysis(text=f"The log says: {quote.text}"),))))

    assert of_kind(page, Verbatim) == []
    assert any("query_logs" in text for text in of_kind(page, Source))


def test_sections_follow_in_one_order() -> None:
    assert of_kind(page_of(a_report()), Heading) == [
        "What proves it",
        "Actions",
        "Recommendations",
        "Hypotheses considered",
        "Limitations",
        "About this run",
    ]


def test_an_analysis_shows_tool_source_window_filters_item_and_the_words_quoted() -> None:
    page = page_of(a_report())
    at = page.index(Entry(an_analysis().text, marker="[1]"))

    assert page[at + 1] == Source(
        "query_logs · payments · 2026-03-02 13:00–15:00 +00:00 · service=payment-service · "
        "log:payments:2026-03-02T14:05:31.123Z:0a1b2c3d"
    )
    assert page[at + 2] == Verbatim("Connection is not available, request timed out after 30000ms")


def test_an_analysis_that_quotes_only_documents_is_what_the_runbook_says() -> None:
    assert any(text.startswith("Runbook says: The runbook says") for text in of_kind(page_of(a_report()), Entry))


def test_an_empty_search_is_cited_by_its_scope() -> None:
    assert any(text.endswith("searched, nothing found") for text in of_kind(page_of(a_report()), Source))


def test_a_computed_value_names_its_inputs() -> None:
    derived = Derived(
        op=DerivedOp.MAX,
        inputs=(FieldRef(tool_call_id=ORDERS, item_id=ORDER.item_id, field="avg_ms"),),
        value=4213.5,
        rounding=0,
    )
    page = page_of(a_report(a_draft(analysis=(an_analysis(derived=(derived,)),))))

    assert "computed: maximum of row:orders:1.avg_ms = 4214" in of_kind(page, Source)


def test_an_action_no_document_stands_behind_is_proposed_not_verified() -> None:
    actions = [
        block for block in page_of(a_report()) if isinstance(block, Entry) and block.text == "Raise maximumPoolSize."
    ]

    assert actions[0].remark == "proposed, not verified · needs your confirmation · [2]"


def test_an_observation_is_not_called_a_cause() -> None:
    draft = a_draft(conclusion=a_conclusion(kind="OBSERVATION"))

    assert of_kind(page_of(a_report(draft)), Headline) == ["Observation (no cause is named)"]


FALLBACK = SafeFallback(
    type=FallbackType.INSUFFICIENT_EVIDENCE,
    stop_reason=StopReason.INFORMATION_SATURATED,
    summary="Searched payments; stopped because nothing new came; next: widen the window: rootproof trace r1",
    observed_facts=(
        ObservedFact(tool_call_id=LOGS, source="payments (query_logs)", scope="13:00 to 15:00", summary="3 events"),
    ),
    searched_empty=("searched, nothing found in database-logs",),
    hypotheses=(Unverified(text="a leak"),),
    ruled_out=(Unverified(text="a full disk"),),
    limitations=(Unverified(text="open transactions"),),
    next_steps=(
        'widen the window: rootproof diagnose "…" --since 6h',
        "check: rootproof doctor",
        "see: rootproof trace r1",
    ),
    failure_stage=FailureStage.EVIDENCE_VALIDATION,
    validation_issues=("QUOTE_NOT_FOUND", "A_LATER_CODE"),
)


def test_a_fallback_says_its_one_sentence_first_and_marks_what_is_not_proved() -> None:
    page = page_of(FALLBACK, outcome=ReleaseOutcome.FALLBACK)

    assert page[1] == Paragraph(FALLBACK.summary.removesuffix(": rootproof trace r1"))
    assert of_kind(page, Heading) == [
        "What was checked",
        "Searches without a result",
        "Hypotheses (unverified)",
        "Ruled out (unverified)",
        "Missing (unverified)",
        "Why the draft was not released",
        "Next steps",
        "About this run",
    ]
    assert [block for block in page if isinstance(block, Step)] == [
        Step("widen the window:", Command('rootproof diagnose "…" --since 6h')),
        Step("check:", Command("rootproof doctor")),
        Step("see:", Command("rootproof trace r1")),
    ]


@pytest.mark.parametrize(("elsewhere", "option"), [("", ""), ("/data/my shop", " --world '/data/my shop'")])
def test_every_command_that_searches_names_the_folder_it_needs(elsewhere: str, option: str) -> None:
    blocks = fallback_blocks(FALLBACK, Speech(Language.EN), elsewhere=elsewhere)

    assert [block.command for block in blocks if isinstance(block, Step)] == [
        f'rootproof diagnose "…" --since 6h{option}',
        f"rootproof doctor{option}",
        "rootproof trace r1",
    ]


def test_validation_issues_are_words_with_their_code() -> None:
    texts = of_kind(page_of(FALLBACK, outcome=ReleaseOutcome.FALLBACK), Entry)

    assert "a quote is not in its evidence (QUOTE_NOT_FOUND)" in texts
    assert "A_LATER_CODE" in texts


def test_a_knowledge_answer_shows_each_passage_with_its_document() -> None:
    answer = Answer(text="From the documents.\n\n[Databases]\n> words", quotes=(EVIDENCE[2],))
    page = page_of(answer, content_type=ContentType.KNOWLEDGE_ANSWER)

    assert page[1] == Paragraph("From the documents.")
    assert page[2] == Entry("Databases > Connection pool exhausted")
    assert page[4] == Verbatim(CHUNK.text)


@pytest.mark.parametrize(("language", "headline"), [(Language.EN, "The run failed"), (Language.ZH, "运行失败")])
def test_a_run_whose_records_cannot_be_read_still_says_how_it_ended(language: Language, headline: str) -> None:
    page = page_of(
        None,
        language=language,
        run_state=RunState.FAILED,
        outcome=ReleaseOutcome.FAILED,
        content_type=None,
        failure_code="RUN_PERSISTENCE_FAILED",
        persisted=False,
    )

    assert of_kind(page, Headline) == [headline]
