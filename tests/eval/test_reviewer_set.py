"""The judge set of the semantic reviewer: is it well-formed, and how does the offline reviewer do on it."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import combinations
from pathlib import Path

import pytest

from eval.reviewer.cases import CaseKind, ReviewCase, Split, load_cases, load_incidents
from eval.reviewer.judging import Judged, judge_all, misjudged, table
from eval.reviewer.tokens import WordChecker
from guards.evidence import judge
from guards.semantics import MAX_EVIDENCE_BYTES
from models.offline.model import OfflineReasoner
from state.model.draft import Analysis, Derived, Draft, FieldRef
from state.model.enums import DerivedOp, EvidenceOutcome, Language, ModelRole, SemanticVerdict
from state.model.evidence import Scalar, parse_projection

CASES = load_cases()
CORRECT = tuple(case for case in CASES if case.kind is CaseKind.CORRECT)
PLANTED = tuple(case for case in CASES if case.kind is not CaseKind.CORRECT)
FOUR_KINDS = (CaseKind.SWAPPED, CaseKind.WRONG_SERVICE, CaseKind.CAUSE_AFTER_EFFECT, CaseKind.SYMPTOM_AS_CAUSE)

BLOCKED_BY_EVIDENCE_GUARD = {
    "postgres-lock-queue-c1": "an interval in words is stated without a derived value",
    "postgres-lock-queue-c2": "an interval in words is stated without a derived value",
    "kafka-poll-timeout-c3": "an interval of eight minutes is stated without a derived value",
    "dns-policy-c1": "an interval of sixteen seconds is stated without a derived value",
    "shared-rate-limit-c1": "an interval of 41 seconds is stated without a derived value",
    "wal-slot-disk-c1": "an interval in words does not lie between two times that its analysis cites",
    "hikari-leak-c1": "an interval in words is stated without a derived value",
    "tls-expired-c1": "an interval of three seconds begins at a time that only another analysis cites",
    "cron-overlap-c1": "an interval and a count in words are stated without derived values",
}
"""Correct drafts that never reach the reviewer because the evidence guard is stricter than a careful writer."""

NOT_BY_ONE_DURATION = {"tls-expired-c1", "wal-slot-disk-c1", "cron-overlap-c1"}
"""Of these, the ones that one derived duration between two cited fields of the same analysis does not mend."""


def named(name: str) -> ReviewCase:
    return next(case for case in CASES if case.name == name)


def outcome(case: ReviewCase) -> EvidenceOutcome:
    return judge(case.draft, case.records, case.context).outcome


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> WordChecker:
    return WordChecker(tmp_path_factory.mktemp("words"))


@pytest.fixture(scope="module")
def judged() -> tuple[Judged, ...]:
    return asyncio.run(judge_all(OfflineReasoner(role=ModelRole.SEMANTIC), CASES))


# the set


def test_there_are_enough_drafts_of_every_kind() -> None:
    counts = Counter(case.kind for case in CASES)

    assert (len(CORRECT), len(PLANTED)) == (32, 36)
    assert min(counts[kind] for kind in FOUR_KINDS) >= 7
    assert set(counts) == set(CaseKind)
    assert len({case.name for case in CASES}) == len(CASES)


def test_twelve_incidents_in_two_languages() -> None:
    incidents = load_incidents()
    chinese = [case for case in CASES if case.language is Language.ZH]

    assert len(incidents) == 12
    assert 0.35 <= len(chinese) / len(CASES) <= 0.45
    assert all({case.kind for case in CASES if case.name.startswith(one.incident)} > {"correct"} for one in incidents)


@pytest.mark.parametrize("kind", CaseKind)
def test_every_kind_is_halved(kind: CaseKind) -> None:
    counts = Counter(case.split for case in CASES if case.kind is kind)

    assert abs(counts[Split.DEV] - counts[Split.HELD_OUT]) <= 1


def test_only_correct_drafts_are_expected_to_be_supported() -> None:
    supported = [case for case in CASES if case.expected is SemanticVerdict.SUPPORTED]

    assert supported == list(CORRECT)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_quote_is_verbatim(case: ReviewCase) -> None:
    items = {
        (record.tool_call_id, item.item_id): item.text
        for record in case.records.values()
        for projection in [parse_projection(record.projection_json)]
        if projection
        for item in projection.items
    }
    quotes = [quote for analysis in case.draft.analysis for quote in analysis.quotes]

    assert quotes
    assert [q.text for q in quotes if q.text not in items[q.tool_call_id, q.item_id]] == []  # type: ignore[index]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_evidence_is_cut_from_a_review(case: ReviewCase) -> None:
    assert len(case.review.encode()) < MAX_EVIDENCE_BYTES
    assert " […] " not in case.review


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case.name)
def test_a_planted_draft_uses_words_of_its_evidence_only(case: ReviewCase, words: WordChecker) -> None:
    assert words.foreign(case.review) == ()


def test_a_foreign_word_is_found_in_both_languages(words: WordChecker) -> None:
    english, chinese = named("export-oom-w2"), named("hikari-leak-w1")

    assert "zebra" in words.foreign(english.review.replace("The HorizontalPodAutoscaler", "The zebra", 1))
    assert "长颈鹿" in words.foreign(chinese.review.replace("起因是", "长颈鹿是", 1))


STOPPED_EARLIER = {"redis-eviction-w1", "tls-expired-w3"}
"""Planted drafts that the evidence guard already refuses: the reviewer is judged on them all the same."""


def test_planted_drafts_would_reach_the_reviewer() -> None:
    stopped = {case.name for case in PLANTED if outcome(case) is not EvidenceOutcome.PASSED_WITH_CONCLUSION}

    assert stopped <= STOPPED_EARLIER


def test_the_evidence_guard_blocks_no_further_correct_draft() -> None:
    blocked = {case.name for case in CORRECT if outcome(case) is not EvidenceOutcome.PASSED_WITH_CONCLUSION}

    assert blocked <= set(BLOCKED_BY_EVIDENCE_GUARD)
    assert set(BLOCKED_BY_EVIDENCE_GUARD) <= {case.name for case in CORRECT}


@pytest.mark.parametrize("name", sorted(set(BLOCKED_BY_EVIDENCE_GUARD) - NOT_BY_ONE_DURATION))
def test_a_blocked_correct_draft_passes_once_its_interval_is_derived(name: str) -> None:
    case = named(name)

    assert judge(case.draft, case.records, case.context, repairs_left=1).outcome is EvidenceOutcome.REPAIRABLE
    assert EvidenceOutcome.PASSED_WITH_CONCLUSION in {
        judge(draft, case.records, case.context).outcome for draft in drafts_with_a_duration(case)
    }


def drafts_with_a_duration(case: ReviewCase) -> Iterator[Draft]:
    """The same visible text with one derived duration added to one analysis, for every pair of its cited times."""
    for at, analysis in enumerate(case.draft.analysis):
        for pair in combinations(cited_times(case, analysis), 2):
            (one, first), (other, second) = pair
            seconds = abs((second - first).total_seconds())
            derived = Derived(op=DerivedOp.DURATION, inputs=(one, other), value=seconds)
            changed = analysis.model_copy(update={"derived": (derived,)})
            yield case.draft.model_copy(
                update={"analysis": (*case.draft.analysis[:at], changed, *case.draft.analysis[at + 1 :])}
            )


def cited_times(case: ReviewCase, analysis: Analysis) -> Iterator[tuple[FieldRef, datetime]]:
    wanted = {(quote.tool_call_id, quote.item_id) for quote in analysis.quotes}
    projections = [parse_projection(record.projection_json) for record in case.records.values()]
    items = [(one.tool_call_id, item) for one in projections if one for item in one.items]
    cited = [(call, item) for call, item in items if (call, item.item_id) in wanted]
    fields = [(call, item.item_id, name, value) for call, item in cited for name, value in item.fields.items()]
    for call, item_id, name, value in fields:
        if instant := instant_of(value):
            yield FieldRef(tool_call_id=call, item_id=item_id, field=name), instant


def instant_of(value: Scalar) -> datetime | None:
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return instant if instant.tzinfo else None


def test_a_folder_without_incidents_holds_no_case(tmp_path: Path) -> None:
    assert load_cases(tmp_path) == ()


# the offline reviewer


def test_offline_reviewer_refuses_planted(judged: tuple[Judged, ...]) -> None:
    planted = [one for one in judged if one.case.kind is not CaseKind.CORRECT]
    refused = [one for one in planted if one.verdict is SemanticVerdict.UNSUPPORTED]

    assert len(refused) >= 30, f"accepted: {', '.join(misjudged(planted))}\n{table(judged)}"


def test_offline_reviewer_accepts_correct(judged: tuple[Judged, ...]) -> None:
    correct = [one for one in judged if one.case.kind is CaseKind.CORRECT]
    accepted = [one for one in correct if one.verdict is SemanticVerdict.SUPPORTED]

    assert len(accepted) >= 0.9 * len(correct), f"refused: {', '.join(misjudged(correct))}\n{table(judged)}"
