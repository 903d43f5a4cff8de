"""Derived values are recomputed exactly or refused."""

from fractions import Fraction

import pytest

from guards.claims.derive import durations, is_value, recompute
from state.model.draft import Derived, FieldRef
from state.model.enums import DerivedOp
from state.model.evidence import Scalar

A, B = ("c", "i1", "n"), ("c", "i2", "n")
FIRST, LAST = "2026-03-02T14:03:12+00:00", "2026-03-02T22:41:55.5+08:00"


@pytest.mark.parametrize(
    ("op", "values", "result"),
    [
        (DerivedOp.SUM, [1, 2.5, "3"], Fraction("6.5")),
        (DerivedOp.DIFF, [5, 8], Fraction(-3)),
        (DerivedOp.RATIO, [1, 3], Fraction(1, 3)),
        (DerivedOp.PERCENT, [812, 1240], Fraction(81200, 1240)),
        (DerivedOp.DURATION, [FIRST, LAST], Fraction("2323.5")),
        (DerivedOp.COUNT, [None, None], Fraction(2)),
        (DerivedOp.MIN, [3, -1], Fraction(-1)),
        (DerivedOp.MAX, [3, -1], Fraction(3)),
    ],
)
def test_each_operation_is_exact(op: DerivedOp, values: list[Scalar], result: Fraction) -> None:
    assert recompute(op, values, [A, B]) == result


@pytest.mark.parametrize(
    ("op", "values"),
    [
        (DerivedOp.SUM, []),
        (DerivedOp.SUM, [1, None]),
        (DerivedOp.SUM, [1, True]),
        (DerivedOp.SUM, [1, "1e999999999"]),
        (DerivedOp.SUM, [1, float("nan")]),
        (DerivedOp.DIFF, [1]),
        (DerivedOp.DIFF, [1, 2, 3]),
        (DerivedOp.RATIO, [1, 0]),
        (DerivedOp.PERCENT, [0, 0]),
        (DerivedOp.DURATION, [FIRST]),
        (DerivedOp.DURATION, [FIRST, "soon"]),
        (DerivedOp.DURATION, [FIRST, "2026-03-02T14:03:12"]),
        (DerivedOp.MAX, ["a", "b"]),
    ],
)
def test_what_cannot_be_computed_is_refused(op: DerivedOp, values: list[Scalar]) -> None:
    assert recompute(op, values, [A, B]) is None


def test_durations_are_the_seconds_between_any_two_instants() -> None:
    values: list[Scalar] = [
        "2026-03-02T14:05:00Z",
        "2026-03-02T22:05:16+08:00",
        "2026-03-02T14:06:00.5Z",
        "not a time",
        5,
        None,
    ]

    assert durations(values) == (Fraction(16), Fraction(89, 2), Fraction(121, 2))


def test_durations_of_too_many_instants_are_none() -> None:
    assert durations(f"2026-03-02T14:{minute:02}:00Z" for minute in range(41)) == ()


def test_the_same_item_counts_once() -> None:
    fields = [A, B, ("c", "i1", "m"), ("c", "i2", "m")]

    assert recompute(DerivedOp.COUNT, [None] * 4, fields) == 2


@pytest.mark.parametrize("op", DerivedOp)
def test_an_input_named_twice_is_refused(op: DerivedOp) -> None:
    values: list[Scalar] = [FIRST, FIRST] if op is DerivedOp.DURATION else [1, 1]

    assert recompute(op, values, [A, A]) is None


@pytest.mark.parametrize(
    ("exact", "rounding", "value", "is_right"),
    [
        ("812", -2, 800, True),
        ("1", -6, 0, False),
        ("0.4", 0, 0, False),
        ("0", 0, 0, True),
        ("1.4", 0, 1, False),
        ("55", -2, 100, False),
        ("65.48387", 1, 65.5, True),
    ],
)
def test_a_rounding_stays_within_the_bound_of_numbers_in_texts(
    exact: str, rounding: int, value: float, is_right: bool
) -> None:
    derived = Derived(op=DerivedOp.SUM, inputs=(), value=value, rounding=rounding)

    assert is_value(derived, Fraction(exact)) is is_right


def test_nothing_counts_as_no_count() -> None:
    assert recompute(DerivedOp.COUNT, [], []) is None


@pytest.mark.parametrize(
    ("value", "rounding", "is_right"),
    [
        (65.48387096774194, None, True),
        (65.5, 1, True),
        (65.0, 0, True),
        (70.0, -1, True),
        (65.4, 1, False),
        (65.48, 1, False),
        (65.5, None, False),
        (float("inf"), None, False),
    ],
)
def test_a_value_is_exact_or_rounded_as_stated(value: float, rounding: int | None, is_right: bool) -> None:
    ref = FieldRef(tool_call_id="c", item_id="i")
    derived = Derived(op=DerivedOp.PERCENT, inputs=(ref, ref), value=value, rounding=rounding)

    assert is_value(derived, Fraction(81200, 1240)) is is_right
