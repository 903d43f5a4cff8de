"""Lengths of time and steps."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.metrics.buckets import bucketed
from tools.metrics.durations import default_step_ms, duration_text, fitted_step_ms, parse_duration_ms


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("30s", 30_000), ("5m", 300_000), ("1h30m", 5_400_000), ("60", 60_000), ("1.5s", 1500), ("500ms", 500), ("2d", 172_800_000)],
)  # fmt: skip
def test_a_length_is_read(text, milliseconds):
    assert parse_duration_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["", "soon", "-5m", "5 minutes", "1y2", "9" * 30, "٣s"])
def test_other_text_is_no_length(text):
    with pytest.raises(ValueError, match="length of time"):
        parse_duration_ms(text)


@given(st.integers(1, 999_999_999))
def test_a_written_length_reads_back(milliseconds):
    assert parse_duration_ms(duration_text(timedelta(milliseconds=milliseconds))) == milliseconds


@given(st.integers(1000, 366 * 86_400_000), st.integers(1, 10**9))
def test_a_fitted_step_divides_the_window_and_is_no_longer_than_wanted(window_ms, wanted_ms):
    window = timedelta(milliseconds=window_ms)
    step = fitted_step_ms(window, wanted_ms)
    n_steps = -(-window_ms // step)

    assert 1 <= step <= max(wanted_ms, 1)
    assert 0 <= n_steps * step - window_ms < n_steps


@pytest.mark.parametrize(("hours", "step_s"), [(0.1, 15), (2, 60), (24, 900), (24 * 366, 366 * 720)])
def test_the_default_step_is_round_and_gives_about_120_points(hours, step_s):
    assert default_step_ms(timedelta(hours=hours)) in {step_s * 1000, step_s * 1000 + 1}


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=200), st.floats(1, 600))
def test_buckets_keep_extremes_order_and_the_last_value(values, step_s):
    at = [10.0 * n for n in range(len(values))]

    buckets = bucketed({}, at, values, at[-1], step_s)

    assert (min(buckets.low), max(buckets.high), buckets.last[-1]) == (min(values), max(values), values[-1])
    assert list(buckets.at) == sorted(set(buckets.at))
    assert buckets.last_at[-1] == at[-1]
    assert all(low <= last <= high for low, last, high in zip(buckets.low, buckets.last, buckets.high, strict=True))
