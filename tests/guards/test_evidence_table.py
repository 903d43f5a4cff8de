"""The decision table of the evidence guard, walked in full: every code, with and without conclusion and repairs."""

from itertools import product

import pytest

from guards.draft_structure import ALWAYS_REPAIRABLE, REPAIRABLE_IF_CARRIED, fault
from guards.evidence import decide
from state.model.enums import EvidenceOutcome, ViolationCode

REPAIRABLE = {
    "ANALYSIS_ID_MISSING",
    "ANALYSIS_ID_DUPLICATE",
    "TOOL_REFERENCE_MISSING",
    "BASIS_MISSING",
    "ANALYSIS_REFERENCE_UNKNOWN",
    "INVOCATION_MISSING",
    "INVOCATION_ID_MISMATCH",
    "INVOCATION_NOT_REFERENCABLE",
    "EVIDENCE_KIND_MISMATCH",
    "QUOTE_MISSING",
    "QUOTE_NOT_FOUND",
}
FINAL = {
    "DRAFT_MISSING",
    "ANALYSIS_MISSING",
    "ANALYSIS_KIND_MISSING",
    "ANALYSIS_TEXT_MISSING",
    "CONCLUSION_TEXT_MISSING",
    "ACTION_TEXT_MISSING",
    "RECOMMENDATION_TEXT_MISSING",
    "LIMITATION_SCOPE_MISSING",
    "PROJECTION_INVALID",
    "PROJECTION_STATUS_MISMATCH",
    "TELEMETRY_MISSING",
    "ABSENCE_OUT_OF_SCOPE",
    "CAUSE_IN_OBSERVATION",
    "EVIDENCE_EXPIRED",
}


def test_every_code_has_exactly_one_class() -> None:
    assert {code.value for code in ALWAYS_REPAIRABLE} == REPAIRABLE
    assert {code.value for code in REPAIRABLE_IF_CARRIED} == {"CLAIM_NOT_IN_EVIDENCE"}
    assert REPAIRABLE | FINAL | {"CLAIM_NOT_IN_EVIDENCE"} == {code.value for code in ViolationCode}


@pytest.mark.parametrize("code", ViolationCode)
@pytest.mark.parametrize("carried", [True, False])
def test_a_violation_gets_the_class_of_its_code(code: ViolationCode, carried: bool) -> None:
    expected = code.value in REPAIRABLE or (code.value == "CLAIM_NOT_IN_EVIDENCE" and carried)

    assert fault(code, "x", carried=carried).repairable is expected


@pytest.mark.parametrize(("code", "carried", "repairs_left"), list(product(ViolationCode, [True, False], [0, 1, 2])))
def test_a_conclusion_with_one_fault(code: ViolationCode, carried: bool, repairs_left: int) -> None:
    one = fault(code, "x", carried=carried)
    expected = EvidenceOutcome.REPAIRABLE if one.repairable and repairs_left else EvidenceOutcome.REJECTED

    assert decide((one,), has_conclusion=True, repairs_left=repairs_left) is expected


@pytest.mark.parametrize(("one", "other"), list(product(ViolationCode, ViolationCode)))
def test_one_final_fault_among_others_rejects(one: ViolationCode, other: ViolationCode) -> None:
    faults = (fault(one, "x"), fault(other, "y"))
    expected = EvidenceOutcome.REPAIRABLE if {one.value, other.value} <= REPAIRABLE else EvidenceOutcome.REJECTED

    assert decide(faults, has_conclusion=True, repairs_left=1) is expected


@pytest.mark.parametrize("repairs_left", [0, 1])
def test_a_conclusion_without_fault_passes(repairs_left: int) -> None:
    outcome = decide((), has_conclusion=True, repairs_left=repairs_left)

    assert outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION


@pytest.mark.parametrize("code", ViolationCode)
def test_a_draft_without_conclusion_is_reduced_never_repaired(code: ViolationCode) -> None:
    outcome = decide((fault(code, "x"),), has_conclusion=False, repairs_left=1)

    assert outcome is EvidenceOutcome.PASSED_NO_CONCLUSION


def test_a_reported_word_is_bounded() -> None:
    assert len(fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, "x", "y" * 10_000).what) == 120
