"""Retrieval figures on hand-worked numbers."""

import math

import pytest

from eval.retrieval.scoring import (
    Answered,
    Item,
    Question,
    choose_precise_min,
    choose_reference_min,
    dropped,
    figures,
    gated,
    interval,
    kept,
    ndcg,
    precise_hits,
)


def answered(rank, quality=0.5, *, others=0.1, expects=("right",), named=False):
    """Five items, the right one at ``rank``; 0: it did not come; None: there is none."""
    wanted = () if rank is None else expects
    items = [Item(f"wrong{n}", others) for n in range(5)]
    if rank:
        items[rank - 1] = Item("right", quality, named)
    return Answered(Question("q", "en", "title", wanted), tuple(items))


def test_figures_are_means_over_answerable_questions():
    found = figures([answered(1), answered(2), answered(5), answered(0), answered(None)])

    assert found.n == 4
    assert (found.recall_at_1.mean, found.recall_at_3.mean, found.recall_at_5.mean) == (0.25, 0.5, 0.75)
    assert found.mrr.mean == pytest.approx((1 + 1 / 2 + 1 / 5 + 0) / 4)


def test_no_question_gives_zeros():
    assert (figures([answered(None)]).n, figures([]).mrr.mean) == (0, 0.0)


def test_ndcg_counts_each_right_document_once_at_its_first_place():
    question = Question("q", "en", "title", ("a", "b"))
    items = (Item("a", 0.5), Item("a", 0.5), Item("x", 0.5), Item("b", 0.5))

    best = 1 + 1 / math.log2(3)
    assert ndcg(Answered(question, items), 5) == pytest.approx((1 + 1 / math.log2(5)) / best)
    assert ndcg(Answered(question, items), 3) == pytest.approx(1 / best)


def test_an_interval_holds_its_mean_and_is_the_same_every_time():
    values = [1.0] * 60 + [0.0] * 40

    found = interval(values)

    assert found.mean == 0.6
    assert found.low == pytest.approx(0.6 - 1.96 * math.sqrt(0.24 / 100), abs=0.02)
    assert found.high == pytest.approx(0.6 + 1.96 * math.sqrt(0.24 / 100), abs=0.02)
    assert interval(values) == found


def test_the_gate_keeps_what_is_good_enough_or_holds_an_identifier():
    answer = answered(2, 0.2, named=True, others=0.4)

    assert [item.path for item in gated(answer, 0.5).items] == ["right"]
    assert gated(answered(1, 0.4), 0.5).items == ()


def test_kept_and_dropped_are_shares_of_their_own_questions():
    answers = [answered(1, 0.6), answered(1, 0.2), answered(0), answered(None, others=0.3), answered(None, others=0.1)]

    assert (kept(answers, 0.25), dropped(answers, 0.25)) == (0.5, 0.5)


def test_the_reference_threshold_is_the_highest_that_keeps_enough():
    answers = [answered(1, quality / 100) for quality in range(31, 51)]

    assert choose_reference_min(answers, keep=0.95) == 0.32
    assert choose_reference_min(answers, keep=1.0) == 0.31


def test_an_identifier_does_not_lower_the_reference_threshold():
    answers = [answered(1, 0.5), answered(1, 0.3, named=True)]

    assert choose_reference_min(answers, keep=1.0) == 0.3


def test_the_precise_threshold_is_the_lowest_from_which_on_hits_are_right():
    answers = [*(answered(1, 0.8) for _ in range(18)), answered(None, others=0.6)]

    assert precise_hits(answers, 0.6) == [True] * 18 + [False] * 5
    assert choose_precise_min(answers, 0.2) == 0.61


def test_a_precise_threshold_is_not_below_the_reference_threshold():
    answers = [answered(1, 0.8) for _ in range(20)]

    assert choose_precise_min(answers, 0.7) == 0.7


def test_a_model_that_is_never_precise_gets_an_unreachable_threshold():
    assert choose_precise_min([answered(2, 0.3, others=0.9) for _ in range(20)], 0.2) == 1.0


def test_a_handful_of_hits_proves_no_precision():
    assert choose_precise_min([answered(1, 0.8) for _ in range(5)], 0.2) == 1.0
