"""Numbers with their unit and precision, and when one carries another. Exact decimal arithmetic throughout."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from guards.claims.qualifiers import Bound
from guards.claims.units import ONE, Dimension, Reading

MAX_DIGITS = 30
"""A longer run of digits is an identifier, never a quantity."""
UNSTATED_ERROR = Decimal("0.15")
"""Largest relative error of a rounding that the text does not call one."""
_STATED_ERROR = Decimal("0.25")
_REACHES = {1: Decimal("0.5"), 2: Decimal("0.15")}
"""Digits that a bound is written with → the share of it by which the amount may lie beyond."""
_HUNDRED = Decimal(100)
_LARGEST = 10**MAX_DIGITS


@dataclass(frozen=True)
class Quantity:
    """A number as written."""

    value: Decimal
    step: Decimal
    """Value of one in its last written place: 0.1 for ``4.2``, 1000 for ``12k`` once its factor is applied."""
    readings: tuple[Reading, ...] = ()
    """What its unit may mean; empty for a bare number."""
    about: bool = False
    """The text itself says that it is rounded."""
    bound: Bound | None = None
    """The text says only on which side of it the amount lies."""
    reach: Decimal = Decimal(0)
    """Text: how far beyond a bound the amount may lie at least; a share in words is coarse."""
    is_change: bool = False
    """The words around it allow that it says by how much something changed."""
    is_only_change: bool = False
    """Evidence: it is by how much something changed, and carries nothing else."""
    is_limit: bool = False
    """Evidence: a limit, or what something is said to have passed."""
    is_negative: bool = False
    """Text: a minus sign stands before it; evidence must then hold a negative number too."""
    grain: Decimal = Decimal(0)
    """Evidence: in base units; a number written more finely than this is not carried by it."""


def quantity(digits: str, readings: tuple[Reading, ...] = (), *, about: bool = False) -> Quantity | None:
    """The number in plain decimal notation, or None if it is none, too long, or zero-padded as codes are."""
    whole, _, decimals = digits.partition(".")
    if not (whole + decimals).isdecimal() or not digits.isascii() or len(whole + decimals) > MAX_DIGITS:
        return None
    if len(whole) > 1 and whole[0] == "0":
        return None
    return Quantity(Decimal(digits), Decimal(1).scaleb(-len(decimals)), readings, about)


def measured(value: float | int, readings: tuple[Reading, ...] = ()) -> Quantity | None:
    """The number held by a field; None if it is not finite or out of all bounds."""
    if not -_LARGEST < value < _LARGEST:
        return None
    number = Decimal(str(value))
    return Quantity(number, Decimal(0), readings) if number.adjusted() > -MAX_DIGITS else None


def joined(parts: tuple[Quantity, ...]) -> Quantity:
    """One duration out of its parts (``1 min 30 s``), in seconds, as precise as its last part."""
    seconds = sum((part.value * part.readings[0].factor for part in parts), Decimal(0))
    last = parts[-1]
    reading = replace(last.readings[0], factor=Decimal(1))
    return Quantity(seconds, last.step * last.readings[0].factor, (reading,), any(part.about for part in parts))


def carries(evidence: Quantity, stated: Quantity) -> bool:
    """True if the stated number is the evidence's own, a correct rounding of it, or a bound that it keeps closely."""
    if evidence.is_only_change and not stated.is_change:
        return False
    if stated.is_negative and not (evidence.is_negative or evidence.value < 0):
        return False
    step = max(stated.step, round_step(stated.value)) if stated.about and stated.step >= 1 else stated.step
    allowed = _STATED_ERROR if stated.about else UNSTATED_ERROR
    for found, factor in _comparable(evidence, stated):
        written = stated.value * factor
        if step * factor < evidence.grain:
            continue
        if stated.bound in _INEXACT and _rounds_to(found, written, step * factor, allowed):
            return True
        if stated.bound and _keeps(stated, evidence, found, factor):
            return True
    return False


_INEXACT = {None, Bound.AT_LEAST, Bound.AT_MOST}
"""A rounding of the amount will do; a strict bound it would turn round."""


def _keeps(stated: Quantity, evidence: Quantity, found: Decimal, factor: Decimal) -> bool:
    """True if the amount lies beyond the stated bound, and no farther than who names such a number lets it lie.

    A strict bound is not kept by its own number, unless evidence calls that a limit or puts the same bound.
    """
    found, written = abs(found), abs(stated.value * factor)
    if found == written:
        return stated.bound in _INEXACT or evidence.is_limit or evidence.bound is stated.bound
    reach = max(round_step(stated.value) * factor, written * _reach(stated.value), stated.reach * factor)
    if stated.bound in {Bound.ABOVE, Bound.AT_LEAST}:
        return written < found < written + reach
    return written - reach < found < written


def _comparable(evidence: Quantity, stated: Quantity) -> Iterator[tuple[Decimal, Decimal]]:
    """(evidence in base units, factor of the stated unit) for each meaning in which the two may be compared."""
    if not stated.readings:
        yield evidence.value, Decimal(1)
        yield from ((found, Decimal(1)) for found in _in_base_units(evidence, ONE[0]))
    for meaning in stated.readings:
        yield from ((found, meaning.factor) for found in _in_base_units(evidence, meaning))


def _in_base_units(evidence: Quantity, stated: Reading) -> Iterator[Decimal]:
    """The evidence in base units, for each of its meanings that may be meant beside that stated unit."""
    for reading in evidence.readings:
        is_same_family = not (reading.family and stated.family) or reading.family == stated.family
        if reading.dimension is stated.dimension and is_same_family:
            yield evidence.value * reading.factor
    if evidence.readings:
        return
    if stated.dimension is Dimension.COUNT:
        yield evidence.value
    elif stated.dimension is Dimension.PERCENT and 0 < abs(evidence.value) < 1:
        yield evidence.value * _HUNDRED


def _rounds_to(found: Decimal, written: Decimal, step: Decimal, allowed: Decimal) -> bool:
    """Signs are left to the words around a number: "fell by 12 %" and a change of -12 are the same magnitude."""
    error = abs(abs(found) - abs(written))
    if error == 0:
        return True
    return written != 0 and error * 2 <= step and error <= abs(found) * allowed


def _reach(written: Decimal) -> Decimal:
    return _REACHES.get(len(written.normalize().as_tuple().digits), Decimal(0))


def round_step(written: Decimal) -> Decimal:
    """Value of one in the place of the last digit that is not zero: 100 for 4200."""
    exponent = written.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)
