"""Quantities that a name holds: the hour of ``hourly_limit``, the 95th percentile of ``http_p95_ms``. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal

from guards.claims.quantities import Quantity
from guards.claims.units import Dimension, Reading, readings_of

_PERIOD = re.compile(
    r"(?<![a-z])(?:(?P<adverb>hourly|daily|weekly)|(?:per|each|every)[ _-](?P<unit>second|minute|hour|day|week)"
    r"|(?<=_)(?P<last>second|minute|hour|day|week)|(?P<first>second|minute|hour|day|week)(?=_))(?![a-z])"
    r"|每(?:个)?(?P<zh>秒|分钟|小时|天|周)"
)
_ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week"}
_PERCENTILE = re.compile(r"(?<![a-z0-9])p(\d{2})(?![a-z0-9])")
_RANK = (Reading(Dimension.PERCENTILE, Decimal(1)),)


def named_quantities(folded: str) -> Iterator[Quantity]:
    """One of each period and each percentile that names of the folded lower-case text hold, in order."""
    for match in _PERIOD.finditer(folded):
        unit = match["unit"] or match["last"] or match["first"] or match["zh"] or _ADVERBS[match["adverb"]]
        yield Quantity(Decimal(1), Decimal(0), readings_of(unit))
    for match in _PERCENTILE.finditer(folded):
        yield Quantity(Decimal(match.group(1)), Decimal(0), _RANK)
