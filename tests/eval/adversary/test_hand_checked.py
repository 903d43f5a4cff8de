"""Correct drafts of other authors: written by hand, checked by hand, and let through by the evidence guard."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from eval.reviewer.cases import ReviewCase, load_cases, load_incidents
from guards.evidence import judge
from state.model.draft import Draft
from state.model.enums import AnalysisKind, ConclusionKind, DerivedOp, EvidenceOutcome, Language
from state.model.evidence import parse_projection

FOLDER = Path("eval/adversary/hand_checked")
CASES = load_cases(FOLDER)
MAX_BLOCKED_RATIO = 0.02

BLOCKED: dict[str, str] = {}
"""Correct drafts that are stopped all the same, each with the reason."""


def is_stopped(case: ReviewCase, draft: Draft | None = None) -> bool:
    """True if the draft does not pass, or parts of one without a conclusion are dropped."""
    verdict = judge(draft or case.draft, case.records, case.context)
    passed = {EvidenceOutcome.PASSED_WITH_CONCLUSION, EvidenceOutcome.PASSED_NO_CONCLUSION}
    return verdict.outcome not in passed or bool(verdict.violations)


# the set


def test_there_are_two_hundred_drafts_of_many_incidents_in_two_languages() -> None:
    languages = Counter(case.language for case in CASES)

    assert len(CASES) >= 200
    assert len(load_incidents(FOLDER)) >= 12
    assert min(languages[language] for language in Language) >= 80
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_file_says_that_it_was_checked_by_hand() -> None:
    heads = [path.read_text(encoding="utf-8").splitlines()[0] for path in FOLDER.glob("*.yaml")]

    assert heads
    assert [head for head in heads if "checked by hand" not in head] == []


def test_the_drafts_use_what_a_draft_can_hold() -> None:
    drafts = [case.draft for case in CASES]
    operations = Counter(one.op for draft in drafts for analysis in draft.analysis for one in analysis.derived)

    assert set(operations) >= {DerivedOp.DURATION, DerivedOp.RATIO, DerivedOp.PERCENT, DerivedOp.DIFF, DerivedOp.SUM}
    assert sum(operations.values()) >= 150
    assert sum(one.kind is AnalysisKind.NEGATIVE_OBSERVATION for draft in drafts for one in draft.analysis) >= 20
    assert {draft.conclusion.kind if draft.conclusion else None for draft in drafts} == {*ConclusionKind, None}
    assert sum(bool(draft.hypotheses) for draft in drafts) >= 8
    assert sum(bool(draft.action_plan or draft.recommendations) for draft in drafts) >= 15


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_quote_is_verbatim(case: ReviewCase) -> None:
    projections = [parse_projection(record.projection_json) for record in case.records.values()]
    texts = {(one.tool_call_id, item.item_id): item.text for one in projections if one for item in one.items}
    quotes = [quote for analysis in case.draft.analysis for quote in analysis.quotes]

    assert [q.text for q in quotes if q.text not in texts[q.tool_call_id, q.item_id]] == []  # type: ignore[index]


# the guard


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_correct_draft_is_stopped_only_for_a_known_reason(case: ReviewCase) -> None:
    assert is_stopped(case) is (case.name in BLOCKED)


def test_few_correct_drafts_are_stopped() -> None:
    assert len(BLOCKED) / len(CASES) <= MAX_BLOCKED_RATIO


# altered drafts


def with_another_digit(draft: Draft) -> Iterator[Draft]:
    """The draft with one digit of one finding changed, for its first digits; a part of a searched window stays true."""
    findings = [(at, one) for at, one in enumerate(draft.analysis) if one.kind is AnalysisKind.NORMAL]
    for at, analysis in findings:
        for place in [match.start() for match in re.finditer("[0-9]", analysis.text)][:6]:
            digit = str((int(analysis.text[place]) + 4) % 10)
            changed = analysis.model_copy(
                update={"text": analysis.text[:place] + digit + analysis.text[place + 1 :]},
            )
            yield draft.model_copy(update={"analysis": (*draft.analysis[:at], changed, *draft.analysis[at + 1 :])})


def test_a_changed_digit_hardly_ever_passes() -> None:
    tried = passed = 0
    for case in CASES[::4]:
        for draft in with_another_digit(case.draft):
            tried += 1
            passed += not is_stopped(case, draft)

    assert tried > 300
    assert passed / tried < 0.02


# the loader


def test_a_derived_value_names_item_and_field(tmp_path: Path) -> None:
    source = yaml.safe_load((FOLDER / "01_lock_queue_migration.yaml").read_text(encoding="utf-8"))
    (tmp_path / "one.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")

    case = next(case for case in load_cases(tmp_path) if case.draft.analysis[0].derived)
    (derived,) = case.draft.analysis[0].derived

    assert [ref.field for ref in derived.inputs] == ["xact_start", "xact_start"]
    assert {ref.tool_call_id for ref in derived.inputs} <= set(case.draft.analysis[0].tool_call_ids)
