"""Reads each series of a page as values or as growth, and decides which ones changed most. Pure and deterministic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

from tools.metrics.counters import Growth, growth, is_counter
from tools.metrics.port import Series, SeriesPage
from tools.metrics.selector import series_text
from tools.metrics.thinning import finite_part, picked

_MOST_RESETS_SHARE = 0.1
_MOST_RESETS = 3


@dataclass(frozen=True)
class Span:
    """The effective window and the one before it, Unix seconds."""

    before: float
    start: float
    end: float
    is_exact: bool
    """Exact samples belong to [start, end); buckets, named by their end, to (start, end]."""
    has_before: bool
    """True if the source holds the whole window before."""

    def has(self, at: float) -> bool:
        """True if a point of this time belongs to the window."""
        return self.start <= at < self.end if self.is_exact else self.start < at <= self.end

    def is_before(self, at: float) -> bool:
        """True if a point of this time belongs to the window before."""
        return self.before <= at < self.start if self.is_exact else self.before < at <= self.start


@dataclass(frozen=True)
class Level:
    """What a stretch of points says."""

    low: float
    high: float
    mean: float
    n: int


@dataclass(frozen=True)
class Weighed:
    """One series, ready to be told."""

    series: Series
    """As found, finite points of both windows."""
    shown: Series
    """The values that are told: the same, or the growth per second of a counter."""
    n_odd: int
    """Points of the window left out: NaN, infinite, or too large to count with."""
    grown: Growth | None
    """Of a counter."""
    span: Span
    """Which of its points belong to which window."""
    now: Level | None
    before: Level | None

    @property
    def was_in_window(self) -> bool:
        """False: it has no value in the window, only in the one before."""
        return self.now is not None or self.n_odd > 0


def weigh(page: SeriesPage, span: Span, metric: str) -> list[Weighed]:
    """Every series that has a point in one of the windows, those that changed most first.

    ``metric`` is the name of a plain selection; empty for an evaluated expression, whose values are told as they are.
    """
    found = [_weighed(series, page, span, metric) for series in page.series]
    told = [one for one in found if one.was_in_window or (span.has_before and one.before is not None)]
    return sorted(told, key=lambda one: (-_change(one, span), series_text(metric, one.series.labels)))


def _weighed(series: Series, page: SeriesPage, span: Span, metric: str) -> Weighed:
    usable, _ = finite_part(series)
    usable = picked(usable, [n for n, at in enumerate(usable.at) if span.has(at) or span.is_before(at)])
    n_odd = sum(map(span.has, series.at)) - sum(map(span.has, usable.at))
    grown = growth(usable) if metric and is_counter(metric, page.declared_type, series.labels) else None
    if grown and not page.declared_type and _is_no_counter(grown):
        grown = None
    if grown and not any(map(span.has, grown.rates.at)) and any(map(span.has, usable.at)):
        grown = None  # a single look at a counter tells no growth, yet it was there
    shown = grown.rates if grown else usable
    # Growth covers the time since the point before, as a bucket does.
    own = replace(span, is_exact=span.is_exact and grown is None)
    now = level(shown, [n for n, at in enumerate(shown.at) if own.has(at)])
    before = level(shown, [n for n, at in enumerate(shown.at) if own.is_before(at)])
    return Weighed(usable, shown, n_odd, grown, own, now, before)


def _is_no_counter(grown: Growth) -> bool:
    """True if it falls too often for what only its name calls a total."""
    return sum(grown.resets) > max(_MOST_RESETS, _MOST_RESETS_SHARE * len(grown.resets))


def level(series: Series, places: Sequence[int]) -> Level | None:
    """Extremes and mean of these points by their weight; None if there are none."""
    if not places:
        return None
    mean = fsum(series.mean[n] * series.weight[n] for n in places) / fsum(series.weight[n] for n in places)
    return Level(min(series.low[n] for n in places), max(series.high[n] for n in places), mean, len(places))


def _change(one: Weighed, span: Span) -> float:
    """How much the window differs from the one before, 0 to 2; where that is not held, how much it moves in itself."""
    if one.now is None:
        return 1.5
    if span.has_before:
        if one.before is None:
            return 1.5
        pairs = [(one.now.mean, one.before.mean), (one.now.high, one.before.high), (one.now.low, one.before.low)]
    else:
        pairs = [(one.now.high, one.now.low)]
    return max(_difference(first, second) for first, second in pairs)


def _difference(one: float, other: float) -> float:
    """0 if equal, 1 if one of them is 0, 2 if they are opposite."""
    scale = max(abs(one), abs(other))
    return abs(one - other) / scale if scale else 0.0
