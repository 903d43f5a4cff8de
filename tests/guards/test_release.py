"""The decision table, walked over every combination of facts."""

from itertools import product

import pytest

from guards.release import DIAGNOSIS_TABLE, ReleaseFacts, decide_diagnosis, decide_failure
from state.model.enums import (
    ContentType,
    EvidenceOutcome,
    FailureCode,
    FallbackType,
    ReleaseOutcome,
    RunState,
    SemanticVerdict,
    StopReason,
)

P_WITH, P_NO = EvidenceOutcome.PASSED_WITH_CONCLUSION, EvidenceOutcome.PASSED_NO_CONCLUSION
REPAIRABLE, REJECTED = EvidenceOutcome.REPAIRABLE, EvidenceOutcome.REJECTED
YES, NO = SemanticVerdict.SUPPORTED, SemanticVerdict.UNSUPPORTED
DEADLINE, BUDGET = StopReason.DEADLINE_REACHED, StopReason.BUDGET_LIMIT_REACHED
GONE = StopReason.MODEL_UNAVAILABLE

ALL_FACTS = [
    ReleaseFacts(
        evidence=evidence,
        reviewed=reviewed,
        verdict=verdict if reviewed else None,
        halted=halted,
        has_verified_facts=verified,
        has_missing_info=missing,
    )
    for evidence, reviewed, verdict, halted, verified, missing in product(
        [None, *EvidenceOutcome],
        [False, True],
        [None, *SemanticVerdict],
        [None, *StopReason],
        [False, True],
        [False, True],
    )
]


def facts(evidence: EvidenceOutcome | None, **rest: object) -> ReleaseFacts:
    return ReleaseFacts.model_validate({"evidence": evidence, "has_verified_facts": True, **rest})


@pytest.mark.parametrize(
    ("given", "state", "outcome", "what"),
    [
        (facts(REJECTED), "SUCCESS", "FALLBACK", FallbackType.EVIDENCE_VALIDATION_FAILED),
        (facts(REPAIRABLE), "SUCCESS", "FALLBACK", FallbackType.EVIDENCE_VALIDATION_FAILED),
        (facts(P_WITH, reviewed=True, verdict=NO), "SUCCESS", "FALLBACK", FallbackType.SEMANTIC_UNSUPPORTED),
        (facts(P_WITH, reviewed=True), "SUCCESS", "FALLBACK", FallbackType.SEMANTIC_UNAVAILABLE),
        (facts(P_WITH), "SUCCESS", "FALLBACK", FallbackType.SEMANTIC_UNAVAILABLE),
        (facts(P_WITH, reviewed=True, verdict=YES), "SUCCESS", "SUCCESS", ContentType.DIAGNOSIS_REPORT),
        (facts(None, halted=DEADLINE), "TIMED_OUT", "FALLBACK", FallbackType.INSUFFICIENT_EVIDENCE),
        (facts(None, halted=BUDGET), "BUDGET_EXHAUSTED", "FALLBACK", FallbackType.INSUFFICIENT_EVIDENCE),
        (facts(None, halted=GONE), "SUCCESS", "FALLBACK", FallbackType.INSUFFICIENT_EVIDENCE),
        (facts(None), "SUCCESS", "FALLBACK", FallbackType.INSUFFICIENT_EVIDENCE),
        (facts(P_NO), "SUCCESS", "FALLBACK", FallbackType.INSUFFICIENT_EVIDENCE),
        (
            facts(P_NO, has_verified_facts=False, has_missing_info=True),
            "SUCCESS",
            "FALLBACK",
            FallbackType.MISSING_REQUIRED_CONTEXT,
        ),
        (facts(P_NO, has_verified_facts=False), "FAILED", "FAILED", FailureCode.DIAGNOSIS_UNAVAILABLE),
        (facts(None, has_verified_facts=False), "FAILED", "FAILED", FailureCode.DIAGNOSIS_UNAVAILABLE),
        (
            facts(None, halted=DEADLINE, has_verified_facts=False),
            "TIMED_OUT",
            "FAILED",
            FailureCode.RUN_TIMED_OUT,
        ),
        (
            facts(None, halted=BUDGET, has_verified_facts=False),
            "BUDGET_EXHAUSTED",
            "FAILED",
            FailureCode.BUDGET_EXHAUSTED,
        ),
    ],
)
def test_rows(given: ReleaseFacts, state: str, outcome: str, what: object) -> None:
    row = decide_diagnosis(given)

    assert (row.run_state, row.outcome) == (state, outcome)
    assert what in {row.fallback_type, row.failure_code, row.content_type}


def test_every_row_of_the_table_is_reachable() -> None:
    reached = {decide_diagnosis(given).name for given in ALL_FACTS}

    assert reached == {row.name for _, row in DIAGNOSIS_TABLE}


def test_a_report_needs_both_positive_verdicts() -> None:
    for given in ALL_FACTS:
        is_report = decide_diagnosis(given).content_type is ContentType.DIAGNOSIS_REPORT
        assert is_report == (given.evidence is P_WITH and given.reviewed and given.verdict is YES)


def test_every_decision_has_exactly_one_of_content_and_failure() -> None:
    for given in ALL_FACTS:
        row = decide_diagnosis(given)
        assert (row.content_type is None) == (row.failure_code is not None)
        assert (row.outcome is ReleaseOutcome.FAILED) == (row.failure_code is not None)


def test_no_decision_leaves_the_run_running() -> None:
    rows = [decide_diagnosis(given) for given in ALL_FACTS] + [decide_failure(code) for code in FailureCode]

    assert RunState.RUNNING not in {row.run_state for row in rows}


@pytest.mark.parametrize("code", list(FailureCode))
def test_a_failure_publishes_its_own_code_and_no_content(code: FailureCode) -> None:
    row = decide_failure(code)

    assert (row.failure_code, row.content_type) == (code, None)
    assert (row.run_state is RunState.CANCELLED) == (code is FailureCode.RUN_CANCELLED)
