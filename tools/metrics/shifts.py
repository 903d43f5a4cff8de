"""Finds where the level of a series changed: binary segmentation by the largest shift of the mean. Pure.

The statistic of each split is the difference of means over its standard error; the noise is estimated from the
differences of neighbours, on which a few shifts weigh little. A slow rise or a single peak is no shift.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median

MIN_SIDE = 3
"""Points on each side of a shift; a shorter excursion is an extreme, not a level."""
MIN_SIGNIFICANCE = 5.0
"""Of a difference of means over its standard error: pure noise hardly ever reaches it."""
MIN_SHARE = 0.1
"""Of the larger level; a smaller shift is not worth a word."""
MAX_SHIFTS = 3
MIN_ABRUPT = 0.5
"""Of the shift that must happen between the few points before and after it."""


@dataclass(frozen=True)
class Shift:
    """One change of level."""

    place: int
    """Of the first point at the new level."""
    before: float
    """Mean of the level before, back to the shift before it or the beginning."""
    after: float
    """Mean of the new level."""
    significance: float


def find_shifts(values: Sequence[float]) -> list[Shift]:
    """Up to three changes of level in order of time; empty if the level held. Finite values only."""
    if len(values) < 2 * MIN_SIDE:
        return []
    noise = _noise(values)
    sums = list(accumulate(values, initial=0.0))
    splits: dict[int, float] = {}
    segments = [(0, len(values))]
    while segments and len(splits) < MAX_SHIFTS:
        found = [(split, segment) for segment in segments if (split := _best_split(values, sums, segment, noise))]
        if not found:
            break
        (score, place), segment = max(found, key=lambda one: (one[0][0], -one[0][1]))
        splits[place] = score
        segments.remove(segment)
        segments += [(segment[0], place), (place, segment[1])]
    return _shifts(sums, splits)


def _noise(values: Sequence[float]) -> float:
    """Standard deviation of the noise: of neighbours' differences, of which each holds it twice."""
    squares = math.fsum((other - one) ** 2 for one, other in pairwise(values))
    return math.sqrt(squares / (len(values) - 1) / 2)


def _best_split(
    values: Sequence[float], sums: Sequence[float], segment: tuple[int, int], noise: float
) -> tuple[float, int] | None:
    """Significance and place of the largest shift inside the segment; None if none is worth a word."""
    start, end = segment
    best: tuple[float, int] | None = None
    for place in range(start + MIN_SIDE, end - MIN_SIDE + 1):
        n_before, n_after = place - start, end - place
        before = (sums[place] - sums[start]) / n_before
        after = (sums[end] - sums[place]) / n_after
        if noise == 0 or not _is_abrupt(values, place, after - before, MIN_SHARE * max(abs(before), abs(after))):
            continue
        score = abs(after - before) * math.sqrt(n_before * n_after / (n_before + n_after)) / noise
        if score >= MIN_SIGNIFICANCE and (best is None or score > best[0]):
            best = (score, place)
    return best


def _is_abrupt(values: Sequence[float], place: int, change: float, least: float) -> bool:
    """True if the change is worth a word and most of it happens right here, in more than a single point."""
    if change == 0 or abs(change) < least:
        return False
    here = median(values[place : place + MIN_SIDE]) - median(values[place - MIN_SIDE : place])
    return here / change >= MIN_ABRUPT


def _shifts(sums: Sequence[float], splits: dict[int, float]) -> list[Shift]:
    places = sorted(splits)
    edges = [0, *places, len(sums) - 1]
    means = [(sums[end] - sums[start]) / (end - start) for start, end in pairwise(edges)]
    return [Shift(place, means[n], means[n + 1], splits[place]) for n, place in enumerate(places)]
