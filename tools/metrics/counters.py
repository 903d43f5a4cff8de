"""Counters: which metrics are one, and how fast they grow. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from tools.metrics.port import Series

_OF_HISTOGRAM = re.compile(r".+_(?:bucket|count|sum)$")


@dataclass(frozen=True)
class Growth:
    """A counter, as the speed at which it grew between its points."""

    rates: Series
    """Per second, one point fewer than the counter has; each covers the time since the point before."""
    increases: tuple[float, ...]
    """What was added until each of those points; a restart counts from zero."""
    resets: tuple[int, ...]
    """1 where the counter was seen to start again, else 0."""


def is_counter(metric: str, declared_type: str, labels: Collection[str]) -> bool:
    """True if the metric only ever grows, except for restarts: declared so, or named ``_total``, or a bucket.

    ``_count`` and ``_sum`` alone prove nothing (``queue_count``): they count only where a histogram or summary is
    declared.
    """
    match declared_type:
        case "counter":
            return True
        case "histogram" | "summary":
            return _OF_HISTOGRAM.fullmatch(metric) is not None
        case "" | "unknown" | "untyped":
            return metric.endswith("_total") or (metric.endswith("_bucket") and "le" in labels)
    return False


def growth(counter: Series) -> Growth:
    """How the counter grew from point to point.

    A value below the one before is a restart; so is a peak above the last value of a bucket. What was counted
    between the last look before a restart and the restart itself is not known and not included.
    """
    at: list[float] = []
    rates: list[float] = []
    increases: list[float] = []
    resets: list[int] = []
    for place in range(1, len(counter.at)):
        before, now, peak = counter.last[place - 1], counter.last[place], counter.high[place]
        is_reset = now < before or peak > now
        increase = max(peak - before, 0.0) + now if is_reset else now - before
        if peak == now < before:
            increase = now
        at.append(counter.at[place])
        increases.append(increase)
        resets.append(int(is_reset))
        rates.append(increase / (counter.last_at[place] - counter.last_at[place - 1]))
    last_at = counter.last_at[1:]
    lengths = [now - before for before, now in pairwise(counter.last_at)]
    return Growth(
        Series(counter.labels, at, rates, rates, rates, rates, last_at, lengths), tuple(increases), tuple(resets)
    )
