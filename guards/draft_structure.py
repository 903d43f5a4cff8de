"""What a draft must have before its evidence is looked at: parts that are there, ids that are unique. Pure."""

from collections import Counter
from collections.abc import Iterator

from state.model.draft import Analysis, Draft
from state.model.enums import ViolationCode
from state.model.verdict import Violation

MAX_WHAT_CHARS = 120

ALWAYS_REPAIRABLE = frozenset(
    {
        ViolationCode.ANALYSIS_ID_MISSING,
        ViolationCode.ANALYSIS_ID_DUPLICATE,
        ViolationCode.TOOL_REFERENCE_MISSING,
        ViolationCode.BASIS_MISSING,
        ViolationCode.ANALYSIS_REFERENCE_UNKNOWN,
        ViolationCode.INVOCATION_MISSING,
        ViolationCode.INVOCATION_ID_MISMATCH,
        ViolationCode.INVOCATION_NOT_REFERENCABLE,
        ViolationCode.EVIDENCE_KIND_MISMATCH,
        ViolationCode.QUOTE_MISSING,
        ViolationCode.QUOTE_NOT_FOUND,
    }
)
"""Only references are wrong: the author may correct them without changing a visible word."""

REPAIRABLE_IF_CARRIED = frozenset({ViolationCode.CLAIM_NOT_IN_EVIDENCE})
"""Repairable where another READY result of the run carries the claim. Every other code is final."""


def fault(code: ViolationCode, where: str, what: str = "", *, carried: bool = False) -> Violation:
    """A violation with the class the tables give its code; ``carried``: another result holds the claim."""
    repairable = code in ALWAYS_REPAIRABLE or (code in REPAIRABLE_IF_CARRIED and carried)
    return Violation(code=code, where=where, what=what[:MAX_WHAT_CHARS], repairable=repairable)


def analysis_labels(draft: Draft) -> tuple[str, ...]:
    """How each analysis is called in a place: by its id, or by its index where the id is absent or not unique."""
    counts = Counter(analysis.analysis_id for analysis in draft.analysis)
    return tuple(
        analysis.analysis_id if analysis.analysis_id and counts[analysis.analysis_id] == 1 else str(index)
        for index, analysis in enumerate(draft.analysis)
    )


def analysis_faults(draft: Draft, index: int, label: str) -> Iterator[Violation]:
    """What one analysis lacks in itself."""
    analysis = draft.analysis[index]
    place = f"analysis.{label}"
    if not analysis.analysis_id.strip():
        yield fault(ViolationCode.ANALYSIS_ID_MISSING, place)
    elif sum(other.analysis_id == analysis.analysis_id for other in draft.analysis) > 1:
        yield fault(ViolationCode.ANALYSIS_ID_DUPLICATE, place, analysis.analysis_id)
    if analysis.kind is None:
        yield fault(ViolationCode.ANALYSIS_KIND_MISSING, place)
    if not analysis.text.strip():
        yield fault(ViolationCode.ANALYSIS_TEXT_MISSING, place)
    if not analysis.tool_call_ids:
        yield fault(ViolationCode.TOOL_REFERENCE_MISSING, place)


def conclusion_faults(draft: Draft) -> Iterator[Violation]:
    """What a draft with a conclusion lacks as a whole; nothing for one without."""
    if draft.conclusion is None:
        return
    if not draft.analysis:
        yield fault(ViolationCode.ANALYSIS_MISSING, "analysis")
    if not draft.conclusion.text.strip():
        yield fault(ViolationCode.CONCLUSION_TEXT_MISSING, "conclusion")
    if not draft.limitations.scope.strip():
        yield fault(ViolationCode.LIMITATION_SCOPE_MISSING, "limitations")
    yield from basis_faults("conclusion", draft.conclusion.based_on_analysis_ids, draft.analysis, required=True)


def basis_faults(
    where: str, based_on: tuple[str, ...], analyses: tuple[Analysis, ...], *, required: bool
) -> Iterator[Violation]:
    """References of a statement to analyses that are missing or name none."""
    if required and not based_on:
        yield fault(ViolationCode.BASIS_MISSING, where)
    known = {analysis.analysis_id for analysis in analyses if analysis.analysis_id}
    for index, analysis_id in enumerate(based_on):
        if analysis_id not in known:
            yield fault(ViolationCode.ANALYSIS_REFERENCE_UNKNOWN, f"{where}.based_on_analysis_ids.{index}", analysis_id)
