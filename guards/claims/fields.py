"""The unit of a field of an item: what its name declares, else what the item says its values are in. Pure."""

from collections.abc import Mapping

from guards.claims.units import Reading, is_about_cpu, readings_of_name, readings_of_unit
from state.model.evidence import Item, Scalar

_UNIT = "unit"
_OF_OTHER_UNIT = frozenset({"n_points", "resets", "change", "count", "count_before", "limit", "severity"})
"""Fields beside a declared unit that count or compare and are not measured in it."""


def readings_of_field(name: str, fields: Mapping[str, Scalar], text: str = "") -> tuple[Reading, ...]:
    """Every meaning of the number in that field; empty if neither name nor item declares a unit.

    A series of a metric declares one unit for its values (``unit: bytes``); a row about ``cpu_limit`` may hold
    thousandths of a core in a column that is only called ``new_m``.
    """
    words = f"{text}\n{' '.join(str(value) for value in fields.values())}"
    declared = readings_of_name(name, about_cpu=is_about_cpu(words))
    unit = fields.get(_UNIT)
    if declared or name in _OF_OTHER_UNIT or not isinstance(unit, str):
        return declared
    return readings_of_unit(unit)


def readings_of_item(item: Item, name: str) -> tuple[Reading, ...]:
    """Every meaning of the number in that field of the item."""
    return readings_of_field(name, item.fields, item.text)
