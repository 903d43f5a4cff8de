"""Changes of level: real ones are found at their place, noise, peaks and slow rises are none."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.metrics.shifts import find_shifts


def noise(n: int, level: float, spread: float, dice: random.Random) -> list[float]:
    return [dice.gauss(level, spread) for _ in range(n)]


def test_a_rise_and_a_fall_are_found_where_they_are():
    dice = random.Random(7)
    values = noise(60, 10, 1, dice) + noise(30, 30, 2, dice) + noise(30, 10, 1, dice)

    rise, fall = find_shifts(values)

    assert (rise.place, fall.place) == (60, 90)
    assert rise.before == pytest.approx(10, abs=1)
    assert rise.after == fall.before == pytest.approx(30, abs=1)
    assert rise.significance > 5


def test_a_clean_step_is_found_exactly():
    (shift,) = find_shifts([0.0] * 50 + [5.0] * 10)

    assert (shift.place, shift.before, shift.after) == (50, 0.0, 5.0)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1.0, 9.0],
        [5.0] * 60,
        [0.0] * 59 + [9.0],
        [0.0] * 30 + [9.0] + [0.0] * 30,
        [float(n) for n in range(60)],
        [100.0] * 30 + [105.0] * 30,
        [0.0, 9.0] * 30,
    ],
    ids=["nothing", "two", "constant", "last peak", "peak", "ramp", "below a tenth", "alternating"],
)
def test_what_is_no_change_of_level_is_none(values):
    assert find_shifts(values) == []


def test_noise_is_hardly_ever_called_a_shift():
    dice = random.Random(1)
    calls = [bool(find_shifts(noise(120, 100, 30, dice))) for _ in range(400)]
    calls += [bool(find_shifts([dice.choice([0, 0, 0, 1, 5]) for _ in range(120)])) for _ in range(400)]

    assert sum(calls) <= 8


@given(st.lists(st.floats(-1e100, 1e100), max_size=80))
def test_shifts_are_few_in_order_and_inside(values):
    places = [shift.place for shift in find_shifts(values)]

    assert len(places) <= 3
    assert places == sorted(places)
    assert all(3 <= place <= len(values) - 3 for place in places)


@given(st.floats(0.1, 1e6), st.integers(12, 40), st.integers(12, 40))
def test_scale_does_not_matter(scale, n_before, n_after):
    values = [1.0] * n_before + [2.0] * n_after

    (plain,), (scaled,) = find_shifts(values), find_shifts([scale * value for value in values])

    assert plain.place == scaled.place == n_before
