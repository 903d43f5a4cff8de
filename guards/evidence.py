"""The evidence guard: is every reference real, every quote verbatim, every claim carried. Pure and total.

It sees the draft, the canonical records of the run and what was asked; it knows no model and no store. Faults of
references may be repaired once; whatever would need another visible word is final.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from guards.citations import cited_items
from guards.claims.check import Standing
from guards.draft_structure import analysis_faults, analysis_labels, basis_faults, conclusion_faults, fault
from guards.grounds import Ground, ground_of
from guards.run_evidence import EvidenceContext, RunEvidence
from guards.statements import (
    analysis_text_faults,
    claim_faults,
    conclusion_text_faults,
    hypothesis_faults,
    limitation_faults,
)
from state.model.draft import Analysis, Draft
from state.model.enums import EvidenceOutcome, ViolationCode
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from state.model.verdict import EvidenceVerdict, Violation

__all__ = ["EvidenceContext", "judge"]

Faults = tuple[Violation, ...]
_Part = TypeVar("_Part")


@dataclass(frozen=True)
class _Judged:
    """One analysis after judgement."""

    analysis: Analysis
    label: str
    ground: Ground
    faults: Faults


def judge(
    draft: Draft | None,
    records: Mapping[ToolCallId, CanonicalRecord],
    context: EvidenceContext,
    *,
    repairs_left: int = 0,
) -> EvidenceVerdict:
    """What becomes of the draft, with every fault and, if it passed, every cited item and its digest.

    With a conclusion: PASSED_WITH_CONCLUSION, REPAIRABLE (all faults are, and ``repairs_left`` > 0) or REJECTED; a
    verdict that did not pass holds the draft as it came. Without one: PASSED_NO_CONCLUSION with what can be verified
    of it; only a missing draft is REJECTED then. ``records`` may hold more than the draft cites.
    """
    if draft is None:
        missing = fault(ViolationCode.DRAFT_MISSING, "draft")
        return EvidenceVerdict(outcome=EvidenceOutcome.REJECTED, draft=None, violations=(missing,))
    run = RunEvidence(records, context)
    judged = _judge_analyses(draft, run)
    if draft.conclusion is None:
        return _reduced(draft, judged, run)
    faults = (*(one for part in judged for one in part.faults), *_draft_faults(draft, judged, run))
    outcome = decide(faults, has_conclusion=True, repairs_left=repairs_left)
    passed = outcome is EvidenceOutcome.PASSED_WITH_CONCLUSION
    return EvidenceVerdict(
        outcome=outcome,
        draft=draft,
        violations=faults,
        cited=cited_items(draft, run.verified) if passed else (),
    )


def decide(faults: Faults, *, has_conclusion: bool, repairs_left: int) -> EvidenceOutcome:
    """The exit for a draft that exists. One final fault rejects a conclusion."""
    if not has_conclusion:
        return EvidenceOutcome.PASSED_NO_CONCLUSION
    if not faults:
        return EvidenceOutcome.PASSED_WITH_CONCLUSION
    repairable = repairs_left > 0 and all(one.repairable for one in faults)
    return EvidenceOutcome.REPAIRABLE if repairable else EvidenceOutcome.REJECTED


def _judge_analyses(draft: Draft, run: RunEvidence) -> tuple[_Judged, ...]:
    return tuple(_judge_analysis(draft, index, label, run) for index, label in enumerate(analysis_labels(draft)))


def _judge_analysis(draft: Draft, index: int, label: str, run: RunEvidence) -> _Judged:
    analysis, place = draft.analysis[index], f"analysis.{label}"
    ground, reference_faults = ground_of(analysis, place, run)
    text_faults = analysis_text_faults(analysis, place, ground, run)
    faults = (*analysis_faults(draft, index, label), *reference_faults, *text_faults)
    return _Judged(analysis, label, ground, faults)


def _draft_faults(draft: Draft, judged: tuple[_Judged, ...], run: RunEvidence) -> Faults:
    """Faults of everything that rests on analyses."""
    faults = [*conclusion_faults(draft)]
    if draft.conclusion:
        faults += conclusion_text_faults(draft.conclusion, _ground(draft.conclusion.based_on_analysis_ids, judged), run)
    for part in (_action_faults, _recommendation_faults, _hypothesis_faults):
        faults += [one for group in part(draft, judged, run) for one in group]
    return (*faults, *limitation_faults(draft.limitations, run))


def _ground(based_on: Iterable[str], judged: Iterable[_Judged]) -> Ground:
    wanted = set(based_on)
    parts = [part for part in judged if part.analysis.analysis_id in wanted]
    unresolved = not wanted or bool(wanted - {part.analysis.analysis_id for part in parts})
    return reduce(Ground.__add__, (part.ground for part in parts), Ground(is_broken=unresolved))


def _action_faults(draft: Draft, judged: tuple[_Judged, ...], run: RunEvidence) -> list[Faults]:
    """Faults of each action, in order."""
    return [
        _advice_faults(f"action_plan.{index}", action.action, action.based_on_analysis_ids, judged, run)
        if action.action.strip()
        else (fault(ViolationCode.ACTION_TEXT_MISSING, f"action_plan.{index}"),)
        for index, action in enumerate(draft.action_plan)
    ]


def _recommendation_faults(draft: Draft, judged: tuple[_Judged, ...], run: RunEvidence) -> list[Faults]:
    """Faults of each recommendation, in order."""
    return [
        _advice_faults(f"recommendations.{index}", advice.text, advice.based_on_analysis_ids, judged, run)
        if advice.text.strip()
        else (fault(ViolationCode.RECOMMENDATION_TEXT_MISSING, f"recommendations.{index}"),)
        for index, advice in enumerate(draft.recommendations)
    ]


def _advice_faults(
    place: str, text: str, based_on: tuple[str, ...], judged: tuple[_Judged, ...], run: RunEvidence
) -> Faults:
    analyses = tuple(part.analysis for part in judged)
    claims = claim_faults(text, place, _ground(based_on, judged), run, standing=Standing.ADVICE)
    return (*basis_faults(place, based_on, analyses, required=True), *claims)


def _hypothesis_faults(draft: Draft, judged: tuple[_Judged, ...], run: RunEvidence) -> list[Faults]:
    """Faults of each hypothesis, in order. An open one may rest on nothing, if it claims nothing."""
    analyses = tuple(part.analysis for part in judged)
    groups: list[Faults] = []
    for index, one in enumerate(draft.hypotheses):
        place = f"hypotheses.{index}"
        basis = basis_faults(place, one.based_on_analysis_ids, analyses, required=False)
        text = hypothesis_faults(one, place, _ground(one.based_on_analysis_ids, judged), run)
        groups.append((*basis, *text))
    return groups


def _reduced(draft: Draft, judged: tuple[_Judged, ...], run: RunEvidence) -> EvidenceVerdict:
    """A draft without conclusion, reduced to what can be verified; the limitations stay as they are."""
    kept = tuple(part for part in judged if not part.faults)
    kept_ids = {part.analysis.analysis_id for part in kept}
    hypotheses = tuple(
        one.model_copy(update={"based_on_analysis_ids": tuple(i for i in one.based_on_analysis_ids if i in kept_ids)})
        for one in draft.hypotheses
    )
    remaining = draft.model_copy(update={"analysis": tuple(part.analysis for part in kept), "hypotheses": hypotheses})
    actions = _action_faults(remaining, kept, run)
    advice = _recommendation_faults(remaining, kept, run)
    guesses = _hypothesis_faults(remaining, kept, run)
    verified = remaining.model_copy(
        update={
            "action_plan": _unfaulted(remaining.action_plan, actions),
            "recommendations": _unfaulted(remaining.recommendations, advice),
            "hypotheses": _unfaulted(remaining.hypotheses, guesses),
        }
    )
    return EvidenceVerdict(
        outcome=decide((), has_conclusion=False, repairs_left=0),
        draft=verified,
        violations=tuple(one for part in judged for one in part.faults)
        + tuple(one for group in (*actions, *advice, *guesses) for one in group),
        dropped=tuple(part.label for part in judged if part.faults),
        cited=cited_items(verified, run.verified),
    )


def _unfaulted(parts: tuple[_Part, ...], faults: list[Faults]) -> tuple[_Part, ...]:
    return tuple(part for part, found in zip(parts, faults, strict=True) if not found)
