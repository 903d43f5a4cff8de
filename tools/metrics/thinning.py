"""Chooses the points of a series that are shown: few, in order, and never without its extremes. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from tools.metrics.port import Series

Dot = tuple[float, float]
"""Unix seconds and value."""
MIN_DOTS = 4
_HUGE = 1e100
_GAP_FACTOR = 3.0
_GAP_POINTS = 5
"""A rhythm needs so many points."""


def keep_extremes(dots: Sequence[Dot], n: int) -> list[Dot]:
    """At most ``n`` of the dots in their order: the first, the last, and the least and greatest of each stretch.

    So the least and the greatest value of all are always among them. Empty if ``n`` is below ``MIN_DOTS`` and there
    are more.
    """
    if len(dots) <= n:
        return list(dots)
    if n < MIN_DOTS:
        return []
    inner = range(1, len(dots) - 1)
    n_stretches = (n - 2) // 2
    chosen = {0, len(dots) - 1}
    for stretch in range(n_stretches):
        places = inner[len(inner) * stretch // n_stretches : len(inner) * (stretch + 1) // n_stretches]
        if places:
            chosen |= {min(places, key=lambda at: dots[at][1]), max(places, key=lambda at: dots[at][1])}
    return [dots[at] for at in sorted(chosen)]


def without_repeats(dots: Sequence[Dot]) -> list[Dot]:
    """The dots without those in the midst of equal ones: a value that stays is shown where it begins and ends."""
    last = len(dots) - 1
    return [
        dot
        for place, dot in enumerate(dots)
        if place in {0, last} or not dots[place - 1][1] == dot[1] == dots[place + 1][1]
    ]


def dots_of(series: Series) -> list[Dot]:
    """Least and greatest value of each point; one dot where they are the same."""
    found: list[Dot] = []
    for at, low, high in zip(series.at, series.low, series.high, strict=True):
        found += [(at, low)] if low == high else [(at, low), (at, high)]
    return found


def finite_part(series: Series) -> tuple[Series, int]:
    """The series without the points that hold NaN, infinity or nearly that, and how many those were."""
    keep = [
        place
        for place, values in enumerate(zip(series.low, series.high, series.mean, series.last, strict=True))
        if all(abs(value) < _HUGE for value in values)
    ]
    n_odd = len(series.at) - len(keep)
    return (picked(series, keep) if n_odd else series), n_odd


def picked(series: Series, places: Sequence[int] | range) -> Series:
    """The series with only the points at these places."""
    lists = (series.at, series.low, series.high, series.mean, series.last, series.last_at, series.weight)
    at, low, high, mean, last, last_at, weight = ([values[place] for place in places] for values in lists)
    return Series(series.labels, at, low, high, mean, last, last_at, weight)


def gaps(at: Sequence[float]) -> list[tuple[float, float]]:
    """Where points are missing: pairs of times more than three times as far apart as points usually are."""
    if len(at) < _GAP_POINTS:
        return []
    usual = rhythm(at)
    return [(one, other) for one, other in pairwise(at) if other - one > _GAP_FACTOR * usual]


def rhythm(at: Sequence[float]) -> float:
    """The usual distance of two points, seconds; 0 if there are fewer than two."""
    distances = list(_distances(at))
    return median(distances) if distances else 0.0


def _distances(at: Sequence[float]) -> Iterator[float]:
    return (other - one for one, other in pairwise(at))
