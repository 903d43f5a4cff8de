"""Points that are shown: few, in order, extremes always among them."""

import math

from hypothesis import given
from hypothesis import strategies as st

from tools.metrics.port import Series
from tools.metrics.thinning import dots_of, finite_part, gaps, keep_extremes, rhythm, without_repeats

values = st.floats(allow_nan=False, allow_infinity=False, width=32)
dots = st.lists(values, max_size=300).map(lambda found: [(float(n), value) for n, value in enumerate(found)])


def series(*found: float) -> Series:
    at = [float(n) for n in range(len(found))]
    return Series({}, at, found, found, found, found, at, [1.0] * len(at))


@given(dots, st.integers(4, 80))
def test_the_least_and_the_greatest_value_always_survive(given_dots, n):
    kept = keep_extremes(given_dots, n)

    assert len(kept) <= n or len(given_dots) <= n
    assert {value for _, value in kept} <= {value for _, value in given_dots}
    if given_dots:
        assert min(value for _, value in kept) == min(value for _, value in given_dots)
        assert max(value for _, value in kept) == max(value for _, value in given_dots)
        assert (kept[0], kept[-1]) == (given_dots[0], given_dots[-1])


@given(dots, st.integers(0, 80))
def test_the_order_is_kept_and_no_point_is_made_up(given_dots, n):
    kept = keep_extremes(given_dots, n)

    assert kept == sorted(kept)
    assert len(kept) == len(set(kept))
    assert set(kept) <= set(given_dots)


@given(dots, st.integers(4, 80))
def test_thinning_twice_is_thinning_once(given_dots, n):
    once = keep_extremes(given_dots, n)

    assert keep_extremes(once, n) == once


@given(st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=60))
def test_a_value_that_stays_is_shown_where_it_begins_and_ends(found):
    kept = without_repeats([(float(n), value) for n, value in enumerate(found)])

    shown = dict(kept)
    value, filled = None, []
    for n in range(len(found)):
        value = shown.get(float(n), value)
        filled.append(value)
    assert filled == found


def test_too_few_places_show_nothing_rather_than_something_misleading():
    assert keep_extremes([(float(n), float(n)) for n in range(10)], 3) == []
    assert keep_extremes([(0.0, 1.0), (1.0, 2.0)], 3) == [(0.0, 1.0), (1.0, 2.0)]


@given(st.lists(st.floats(), max_size=50))
def test_what_cannot_be_counted_with_is_left_out_and_counted(found):
    usable, n_odd = finite_part(series(*found))

    assert n_odd + len(usable.at) == len(found)
    assert all(math.isfinite(value) for value in usable.high)
    assert list(usable.mean) == [value for value in found if abs(value) < 1e100]


def test_a_bucket_shows_its_least_and_its_greatest_value():
    bucket = Series({}, [60.0, 120.0], [1.0, 2.0], [5.0, 2.0], [3.0, 2.0], [4.0, 2.0], [60.0, 120.0], [4.0, 1.0])

    assert dots_of(bucket) == [(60.0, 1.0), (60.0, 5.0), (120.0, 2.0)]


def test_a_gap_is_three_times_the_usual_distance():
    at = [0.0, 60.0, 120.0, 180.0, 240.0, 430.0, 490.0, 610.0]

    assert rhythm(at) == 60.0
    assert gaps(at) == [(240.0, 430.0)]
    assert gaps([0.0, 60.0, 900.0]) == []
