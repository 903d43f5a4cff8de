"""Derived values: recomputed from the cited fields, exactly, or refused."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

from guards.claims.quantities import UNSTATED_ERROR, Quantity, measured
from guards.claims.units import Reading, points_of, readings_of
from state.model.draft import Derived
from state.model.enums import DerivedOp
from state.model.evidence import Scalar

_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?", re.ASCII)
_MAX_INSTANTS = 40
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OWN_UNIT = {DerivedOp.DURATION: "s", DerivedOp.PERCENT: "%", DerivedOp.COUNT: "x"}

Input = tuple[str, str, str]
"""Tool call id, item id and field of one input."""


def recompute(op: DerivedOp, values: Sequence[Scalar], inputs: Sequence[Input]) -> Fraction | None:
    """The exact result, or None if it cannot be computed from these values or an input is named twice.

    A count is one of items, however many of their fields are named.
    """
    if len(set(inputs)) != len(inputs):
        return None
    if op is DerivedOp.COUNT:
        return Fraction(len({(call_id, item_id) for call_id, item_id, _ in inputs})) if inputs else None
    if op is DerivedOp.DURATION:
        return _duration(values)
    numbers = [number for value in values if (number := _exact(value)) is not None]
    if not numbers or len(numbers) != len(values):
        return None
    return _ARITHMETIC[op](numbers)


def durations(values: Iterable[Scalar]) -> tuple[Fraction, ...]:
    """Seconds between any two of the instants among these values, each once; none for more than 40 instants."""
    instants = sorted({instant for value in values if (instant := _instant(value))})
    if len(instants) > _MAX_INSTANTS:
        return ()
    return tuple(sorted({_seconds(later - earlier) for earlier, later in combinations(instants, 2)}))


def is_value(derived: Derived, exact: Fraction) -> bool:
    """True if the stated value is the exact one, or its rounding to the stated number of places.

    A rounding that leaves the relative bound of numbers in texts says another amount; so does a 0 for something.
    """
    stated = _exact(derived.value)
    if stated is None:
        return False
    if derived.rounding is None:
        return stated == exact or (float(stated) == _float(exact))
    place = Fraction(10) ** -derived.rounding
    is_rounded = stated == Fraction(str(derived.value)) and (stated / place) % 1 == 0
    error = abs(stated - exact)
    return is_rounded and error * 2 <= place and error <= abs(exact) * Fraction(UNSTATED_ERROR)


def unit_of(op: DerivedOp, units: Iterable[tuple[Reading, ...]] = ()) -> tuple[Reading, ...]:
    """The unit of a derived value: its own for duration, percent and count, else the one all its inputs have."""
    if op in _OWN_UNIT:
        return readings_of(_OWN_UNIT[op])
    shared = set(units)
    return shared.pop() if len(shared) == 1 and op is not DerivedOp.RATIO else ()


def derived_quantities(
    derived: Derived, values: Sequence[Scalar], units: Iterable[tuple[Reading, ...]]
) -> tuple[Quantity, ...]:
    """What a derived value carries that was found right.

    Of a duration also the difference of its two times as clocks show them, in whole seconds and in whole minutes, for
    numbers that are no finer; of a share also by how much the first differs from the second.
    """
    unit = unit_of(derived.op, units)
    found = [measured(derived.value, unit)]
    if derived.op is DerivedOp.DIFF and (points := points_of(unit)):
        found.append(measured(derived.value, points))
    if derived.op is DerivedOp.DURATION:
        found += [_by_the_clock(values, grain_s) for grain_s in (1, 60)]
    if derived.op in {DerivedOp.PERCENT, DerivedOp.RATIO}:
        whole = 100 if derived.op is DerivedOp.PERCENT else 1
        change = measured(abs(derived.value - whole) * 100 / whole, readings_of("%"))
        found.append(replace(change, is_only_change=True) if change else None)
    return tuple(one for one in found if one)


def _by_the_clock(values: Sequence[Scalar], grain_s: int) -> Quantity | None:
    instants = [instant for value in values if (instant := _instant(value))]
    shown = [int(_seconds(instant - _EPOCH) // grain_s) * grain_s for instant in instants]
    apart = measured(abs(shown[1] - shown[0]), readings_of("s")) if len(shown) == 2 else None
    return replace(apart, grain=Decimal(grain_s)) if apart else None


def _exact(value: Scalar) -> Fraction | None:
    if isinstance(value, bool) or value is None:
        return None
    text = value if isinstance(value, str) else repr(value) if _is_bounded(value) else ""
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def _is_bounded(value: float) -> bool:
    """Finite and short to write."""
    return -1e30 < value < 1e30


def _float(exact: Fraction) -> float | None:
    try:
        return float(exact)
    except OverflowError:
        return None


def _duration(values: Sequence[Scalar]) -> Fraction | None:
    instants = [instant for value in values if (instant := _instant(value))]
    if len(instants) != 2 or len(values) != 2:
        return None
    return _seconds(abs(instants[1] - instants[0]))


def _seconds(span: timedelta) -> Fraction:
    return Fraction(span.days * 86400 + span.seconds) + Fraction(span.microseconds, 1_000_000)


def _instant(value: Scalar) -> datetime | None:
    try:
        instant = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return instant if instant and instant.tzinfo else None


def _pair(of: Callable[[Fraction, Fraction], Fraction | None]) -> Callable[[list[Fraction]], Fraction | None]:
    return lambda numbers: of(numbers[0], numbers[1]) if len(numbers) == 2 else None


def _ratio(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole if whole else None


def _percent(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole * 100 if whole else None


_ARITHMETIC: dict[DerivedOp, Callable[[list[Fraction]], Fraction | None]] = {
    DerivedOp.SUM: lambda numbers: sum(numbers, Fraction(0)),
    DerivedOp.DIFF: _pair(lambda one, other: one - other),
    DerivedOp.RATIO: _pair(_ratio),
    DerivedOp.PERCENT: _pair(_percent),
    DerivedOp.MIN: min,
    DerivedOp.MAX: max,
}
"""Two inputs, in order, for diff, ratio and percent (first of second)."""
