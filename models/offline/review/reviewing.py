"""The semantic role: does the cited evidence carry the conclusion? Deterministic. Pure.

A conclusion is refused for a defect that one of the checks finds, or if too little of it is shown at all.
"""

from collections.abc import Callable

from models.offline.reading import has_cjk
from models.offline.review.amounts import amounts_belong, rivals_are_smaller
from models.offline.review.case import Case, read_case
from models.offline.review.foreign import nothing_is_foreign
from models.offline.review.grounds import cause_is_new, cause_is_shown, has_basis, is_covered, is_plain_observation
from models.offline.review.order import order_agrees, times_agree
from models.offline.review.polarity import polarity_agrees
from models.offline.review.reasons import Refusal
from models.offline.review.rivals import is_not_ruled_out
from models.offline.review.scope import scope_is_kept
from models.offline.review.subjects import subjects_agree

Check = Callable[[Case], Refusal | None]

_ALWAYS: tuple[Check, ...] = (
    has_basis,
    scope_is_kept,
    amounts_belong,
    polarity_agrees,
    subjects_agree,
    is_covered,
    nothing_is_foreign,
)
CHECKS: dict[str, tuple[Check, ...]] = {
    "ROOT_CAUSE": (
        *_ALWAYS,
        cause_is_new,
        order_agrees,
        times_agree,
        rivals_are_smaller,
        is_not_ruled_out,
        cause_is_shown,
    ),
    "OBSERVATION": (*_ALWAYS, is_plain_observation),
}


def review(request: dict[str, object]) -> dict[str, object]:
    """``{"verdict", "reason"}`` for a review input; the reason is in the language of the question."""
    case = read_case(request)
    refusal = judge(case)
    is_zh = has_cjk(case.question)
    if refusal is None:
        return {
            "verdict": "SUPPORTED",
            "reason": "引用的证据支持该结论。" if is_zh else "The cited evidence carries the conclusion.",
        }
    return {"verdict": "UNSUPPORTED", "reason": refusal.chinese if is_zh else refusal.english}


def judge(case: Case) -> Refusal | None:
    """The first reason to refuse; None if there is none."""
    checks = CHECKS.get(case.kind)
    if checks is None or not case.text:
        return Refusal.NO_CONCLUSION
    return next((refusal for check in checks if (refusal := check(case)) is not None), None)
