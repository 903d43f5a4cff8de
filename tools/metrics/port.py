"""What a metric source is: a bounded, read-only search for series in a window of time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from state.model.base import Value
from state.model.evidence import Window
from tools.metrics.expression import Expression

MAX_LABELS = 64
"""Of one series; a source never returns more."""


@dataclass(frozen=True)
class SeriesQuery:
    """One search."""

    expression: Expression
    window: Window
    """UTC. Bucketed points cover it as (start, end], exact ones as [start, end)."""
    step_ms: int
    """Width of a bucket, milliseconds; divides the window."""

    @property
    def step(self) -> timedelta:
        """The same as a length of time."""
        return timedelta(milliseconds=self.step_ms)


@dataclass(frozen=True, slots=True)
class Series:
    """One series of a result: parallel lists, one entry a point, in ascending time. Values may be NaN or infinite."""

    labels: Mapping[str, str]
    """Without the metric's name."""
    at: Sequence[float]
    """Unix seconds: the end of the bucket, or the instant of an exact sample."""
    low: Sequence[float]
    high: Sequence[float]
    mean: Sequence[float]
    last: Sequence[float]
    """Four values of each bucket; of an exact sample or an evaluated expression all four are the same."""
    last_at: Sequence[float]
    """Unix seconds at which the last value was recorded, where that is known better than ``at``."""
    weight: Sequence[float]
    """How much each point counts in a mean: samples of the bucket, or 1; above 0."""


class Unread(Value):
    """Something of the source that could not be searched."""

    name: str
    """File, relative to the source; or what the server warned of."""
    why: str
    """One of unreadable, too_large, binary, no_header, too_many_rows, bad_rows, warned, cut."""


@dataclass(frozen=True)
class SeriesPage:
    """What a search found, and how much it really searched."""

    series: Sequence[Series]
    is_known: bool
    """False: a metric, or a metric with these labels, was never held."""
    holds_window: bool
    """False: the source has no sample of anything in the window."""
    oldest: datetime | None
    """The source holds everything from here on; None if it holds nothing. No earlier than need be known."""
    is_exact: bool
    """True: points are samples as recorded; False: buckets or evaluations, one a step."""
    declared_type: str = ""
    """What the source says the metric is (counter, gauge, histogram, summary); empty if it does not say."""
    declared_unit: str = ""
    """Unit the source declares; empty if it declares none."""
    unread: tuple[Unread, ...] = ()
    """Empty: everything of the asked scope was searched."""


@dataclass(frozen=True)
class MetricHolding:
    """What a source holds of one metric."""

    name: str
    type: str = ""
    labels: tuple[str, ...] | None = None
    """Names of its labels; None if that was not asked."""


@dataclass(frozen=True)
class Holdings:
    """What a source holds, for the catalogue."""

    metrics: tuple[MetricHolding, ...]
    """By name."""
    oldest: datetime | None
    newest: datetime | None
    """Newest sample of the source; None if it is empty."""
    label_values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Label that names a service or the like → its values, sorted, possibly not all."""
    unread: tuple[Unread, ...] = ()


class MetricSource(Protocol):
    """One configured place where metrics are kept."""

    name: str
    """Matches ``[A-Za-z0-9][A-Za-z0-9._-]{0,63}``."""
    evaluates: bool
    """True: it evaluates expressions; False: it only selects series by name and labels."""

    def allows(self, metric: str) -> bool:
        """True if the metric may be asked for. Pure."""
        ...

    async def search(self, query: SeriesQuery) -> SeriesPage:
        """All series that have a point in the window.

        Raises ToolFailed: INVALID_REQUEST if the source refuses the expression, RESULT_TOO_LARGE, TOOL_TIMEOUT, else
        TOOL_EXECUTION_ERROR. On CancelledError the work at the source ends before it propagates.
        """
        ...

    async def holdings(self) -> Holdings:
        """What the source holds now. Raises ToolFailed as ``search``."""
        ...
