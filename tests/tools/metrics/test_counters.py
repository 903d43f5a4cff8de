"""What grows, how fast, and that a restart is no fall."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.metrics.buckets import bucketed
from tools.metrics.counters import growth, is_counter
from tools.metrics.port import Series


def exact(*values: float) -> Series:
    at = [60.0 * n for n in range(len(values))]
    return Series({}, at, values, values, values, values, at, [1.0] * len(at))


@pytest.mark.parametrize(
    ("metric", "declared", "labels", "expected"),
    [
        ("requests", "counter", (), True),
        ("requests_total", "", (), True),
        ("requests_total", "gauge", (), False),
        ("requests_total", "unknown", (), True),
        ("x_bucket", "", ("le",), True),
        ("x_bucket", "", (), False),
        ("queue_count", "", (), False),
        ("x_count", "summary", (), True),
        ("x_seconds_sum", "histogram", (), True),
        ("x_seconds", "summary", ("quantile",), False),
        ("pool_size", "", (), False),
    ],
)
def test_a_counter_is_what_is_declared_or_named_one(metric, declared, labels, expected):
    assert is_counter(metric, declared, labels) is expected


def test_growth_is_per_second_and_a_restart_counts_from_zero():
    grown = growth(exact(100, 160, 160, 20, 50))

    assert list(grown.rates.mean) == [1.0, 0.0, pytest.approx(20 / 60), 0.5]
    assert grown.increases == (60, 0, 20, 30)
    assert grown.resets == (0, 0, 1, 0)
    assert list(grown.rates.at) == [60.0, 120.0, 180.0, 240.0]


def test_a_restart_inside_a_bucket_shows_by_its_peak():
    at = [60.0, 120.0]
    grown = growth(Series({}, at, [0, 0], [100, 130], [50, 60], [100, 110], at, [1.0, 1.0]))

    assert (grown.increases, grown.resets) == ((140,), (1,))


def test_growth_is_measured_between_the_real_times_of_the_samples():
    grown = growth(Series({}, [60.0, 120.0], [0, 30], [0, 30], [0, 30], [0, 30], [58.0, 118.0 - 30], [1.0, 1.0]))

    assert list(grown.rates.mean) == [1.0]


def test_a_single_look_tells_no_growth():
    assert list(growth(exact(7)).rates.at) == []


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=60), st.integers(0, 10**6))
def test_without_restarts_the_increases_add_up_to_the_difference(steps, start):
    totals = [float(start)]
    for step in steps:
        totals.append(totals[-1] + step)
    grown = growth(exact(*totals))

    assert sum(grown.increases) == totals[-1] - totals[0]
    assert sum(grown.resets) == 0
    assert min(grown.rates.low) >= 0


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=60))
def test_growth_is_never_negative(values):
    assert all(rate >= 0 for rate in growth(exact(*values)).rates.low)


@given(st.lists(st.integers(0, 50), min_size=20, max_size=200))
def test_buckets_of_a_counter_grow_as_its_samples_do(steps):
    totals = [float(sum(steps[: n + 1])) for n in range(len(steps))]
    at = [15.0 * n for n in range(len(totals))]

    grown = growth(bucketed({}, at, totals, at[-1], 60.0))

    first = bucketed({}, at, totals, at[-1], 60.0).last[0]
    assert sum(grown.increases) == totals[-1] - first
    assert sum(grown.resets) == 0
