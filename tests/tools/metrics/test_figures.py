"""Values are written plainly, and the same in text and field."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.metrics.figures import figure, ratio_text, rounded
from tools.metrics.units import declared_unit, unit_of_name


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (12894.0, "12894"),
        (0.333333333, "0.333333"),
        (2.5, "2.5"),
        (8589934592.5, "8589934592"),
        (1234567.89, "1234568"),
        (0.000012345678, "0.0000123457"),
        (1e-9, "1e-09"),
        (1.5e20, "1.5e+20"),
        (999999.96, "1000000"),
    ],
)
def test_a_figure_is_plain(value, text):
    assert figure(value) == text


@given(st.floats(-1e99, 1e99))
def test_text_and_field_say_the_same(value):
    assert float(figure(value)) == float(rounded(value))
    assert math.isclose(rounded(value), value, rel_tol=1e-5, abs_tol=1e-300)


def test_units_stand_behind_the_figure():
    assert (figure(2.5, "s"), figure(85, "%"), figure(0.5, "/s")) == ("2.5 s", "85%", "0.5 /s")
    assert (ratio_text(2.18), ratio_text(-0.5), ratio_text(0)) == ("+218%", "-50%", "0%")


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("wait_seconds", "s"),
        ("request_duration_seconds_sum", "s"),
        ("request_duration_seconds_bucket", ""),
        ("request_duration_seconds_count", ""),
        ("heap_bytes_max", "bytes"),
        ("sent_bytes_total", "bytes"),
        ("took_ms", "ms"),
        ("latency.p99_ms", "ms"),
        ("cpu_percent", "%"),
        ("hit_ratio", ""),
        ("bytes_per_second", ""),
        ("events_per_seconds", ""),
        ("seconds", ""),
        ("requests_total", ""),
        ("job:wait_seconds:max", "s"),
        ("errors", ""),
        ("memory_mb", "MB"),
    ],
)
def test_a_unit_exists_only_where_the_name_declares_it(metric, unit):
    assert unit_of_name(metric) == unit


def test_a_declared_unit_has_the_short_form():
    assert (declared_unit("seconds"), declared_unit("widgets"), declared_unit("")) == ("s", "widgets", "")
