"""The semantic role: does the cited evidence carry the conclusion? Deterministic; undetermined is UNSUPPORTED. Pure.

Each check gives the reason for a refusal, or None. All must pass.
"""

from collections.abc import Callable

from models.offline.reading import has_cjk
from models.offline.review_amounts import amounts_belong, negations_agree, scope_is_kept
from models.offline.review_case import ReviewCase, read_review
from models.offline.review_causes import cause_is_named, direction_agrees, no_better_rival
from models.offline.review_order import order_agrees
from models.offline.review_reasons import Refusal
from models.offline.review_subjects import statements_keep_subjects, subjects_agree
from models.offline.review_words import has_basis, is_plain_observation, words_are_covered

Check = Callable[[ReviewCase], Refusal | None]

ROOT_CAUSE_CHECKS: tuple[Check, ...] = (
    has_basis,
    scope_is_kept,
    cause_is_named,
    direction_agrees,
    no_better_rival,
    order_agrees,
    subjects_agree,
    statements_keep_subjects,
    amounts_belong,
    negations_agree,
    words_are_covered,
)
OBSERVATION_CHECKS: tuple[Check, ...] = (
    has_basis,
    is_plain_observation,
    scope_is_kept,
    subjects_agree,
    statements_keep_subjects,
    amounts_belong,
    negations_agree,
    words_are_covered,
)


def review(request: dict[str, object]) -> dict[str, object]:
    """``{"verdict", "reason"}`` for a review input; the reason is in the language of the question."""
    case = read_review(request)
    refusal = judge(case)
    is_zh = has_cjk(case.question)
    if refusal is None:
        return {
            "verdict": "SUPPORTED",
            "reason": "引用的证据支持该结论。" if is_zh else "The cited evidence carries the conclusion.",
        }
    return {"verdict": "UNSUPPORTED", "reason": refusal.chinese if is_zh else refusal.english}


def judge(case: ReviewCase) -> Refusal | None:
    """The first reason to refuse; None if there is none."""
    checks = {"ROOT_CAUSE": ROOT_CAUSE_CHECKS, "OBSERVATION": OBSERVATION_CHECKS}.get(case.kind)
    if checks is None or not case.text:
        return Refusal.NO_CONCLUSION
    return next((refusal for check in checks if (refusal := check(case)) is not None), None)
