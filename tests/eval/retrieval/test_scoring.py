"""Retrieval figures on hand-worked numbers."""

import pytest

from eval.retrieval.scoring import (
    Answered,
    Question,
    choose_precise_min,
    choose_reference_min,
    cross_validate,
    dropped,
    figures,
    kept,
)


def answered(rank, quality=0.5, *, top=None):
    """A question whose right document came at ``rank``; rank 0: it did not come; None: there is none."""
    expects = () if rank is None else ("right",)
    paths = [f"wrong{n}" for n in range(1, 10)]
    if rank:
        paths.insert(rank - 1, "right")
    question = Question("q", "en", "topic", expects)
    return Answered(question, tuple(paths), quality if top is None else top, quality if rank else None)


def test_figures_are_means_over_answerable_questions():
    found = figures([answered(1), answered(2), answered(6), answered(0), answered(None)])

    assert (found.n, found.hit_at_1, found.hit_at_5) == (4, 0.25, 0.5)
    assert found.mrr == pytest.approx((1 + 1 / 2 + 1 / 6 + 0) / 4)


def test_no_question_gives_zeros():
    assert figures([answered(None)]).n == 0


def test_kept_and_dropped_are_shares_of_their_own_questions():
    answers = [answered(1, 0.6), answered(1, 0.2), answered(None, 0.3), answered(None, 0.1)]

    assert (kept(answers, 0.25), dropped(answers, 0.25)) == (0.5, 0.5)


def test_the_reference_threshold_is_the_middle_of_the_best_ones():
    answers = [answered(1, 0.61), answered(1, 0.70), answered(None, 0.20), answered(None, 0.40)]

    assert choose_reference_min(answers) == 0.51


def test_the_precise_threshold_is_the_lowest_with_the_precision_asked_for():
    answers = [answered(2, 0.55), answered(None, 0.5), answered(1, 0.6), answered(1, 0.7)]

    assert choose_precise_min(answers, 0.3) == 0.56


def test_a_model_that_is_never_precise_gets_an_unreachable_threshold():
    assert choose_precise_min([answered(2, 0.9)], 0.3) == 1.0


def test_cross_validation_judges_each_question_by_thresholds_chosen_without_it():
    answers = [answered(1, 0.7)] * 5 + [answered(None, 0.2)] * 5

    found = cross_validate(answers, folds=5)

    assert (found.kept, found.dropped, found.precise, found.precise_right) == (1.0, 1.0, 5, 5)
    assert len(found.reference_mins) == 5
