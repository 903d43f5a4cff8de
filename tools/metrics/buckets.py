"""Condenses samples to one point a step, with the least, greatest, mean and last value of each. Pure."""

import math
from collections.abc import Mapping, Sequence

from tools.metrics.port import Series


def bucketed(
    labels: Mapping[str, str], at: Sequence[float], values: Sequence[float], end: float, step_s: float
) -> Series:
    """One point for each step (``end`` − k·step − step, ``end`` − k·step] that holds a sample, named by its end.

    Samples in ascending time, none after ``end``. A step with NaN or infinity has that as its values.
    """
    groups: dict[int, list[float]] = {}
    last_at: dict[int, float] = {}
    for one_at, value in zip(at, values, strict=True):
        place = math.floor((end - one_at) / step_s)
        groups.setdefault(place, []).append(value)
        last_at[place] = one_at
    places = list(groups)
    kept = list(groups.values())
    return Series(
        labels,
        [end - place * step_s for place in places],
        [math.nan if any(map(math.isnan, group)) else min(group) for group in kept],
        [math.nan if any(map(math.isnan, group)) else max(group) for group in kept],
        [math.fsum(group) / len(group) if all(map(_countable, group)) else math.nan for group in kept],
        [group[-1] for group in kept],
        list(last_at.values()),
        [float(len(group)) for group in kept],
    )


def _countable(value: float) -> bool:
    return abs(value) < 1e100
