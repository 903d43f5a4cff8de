"""A folder of recorded series as a metric source: ``*.csv`` at any depth. It selects and never evaluates.

Files are parsed once and kept until their size or modification time changes. Links that lead out of the folder are
never followed. All reading happens in threads; a cancelled search ends its thread before it returns.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tools.logs.threads import in_thread
from tools.metrics.buckets import bucketed
from tools.metrics.csv_rows import Labels, Samples
from tools.metrics.identity import identity_values
from tools.metrics.port import Holdings, MetricHolding, Series, SeriesPage, SeriesQuery
from tools.metrics.recorded_folder import Content, Stored, concerning, merged, overlaps, read_files, type_of
from tools.metrics.selector import Selector
from tools.valid_text import valid_text

MAX_EXACT_POINTS = 2000
"""Of one series in both windows; with more it is told in buckets."""
MAX_SERIES = 20_000
"""Of one answer."""
_UNUSABLE = {
    "unreadable": "cannot be read",
    "binary": "is no text",
    "no_header": "has no header with the columns ts, metric and value",
}
"""Why nothing of a file can be used, whatever the bounds."""


class RecordedMetricSource:
    """Implements ``MetricSource`` over one folder."""

    evaluates = False

    def __init__(self, name: str, folder: Path, *, time_zone: str) -> None:
        """``time_zone`` reads times without offset."""
        self.name = name
        self._folder = folder
        self._zone = time_zone
        self._stored: dict[str, Stored] = {}
        self._read: tuple[tuple[tuple[str, tuple[int, int]], ...], Content] | None = None
        self._lock = Lock()

    def check(self) -> None:
        """Read it once, before anything depends on it. Blocking. Bad rows, and what is too large, are told later.

        Raises:
            Misconfigured: a file, by name, of which nothing can be read; or the folder.
        """
        try:
            unread = self._content(lambda: False).unread
        except ToolFailed as failed:
            raise Misconfigured(self._folder.name, "is no folder of recorded metrics") from failed
        for one in unread:
            if one.why in _UNUSABLE:
                raise Misconfigured(f"{self._folder.name}/{one.name}", _UNUSABLE[one.why])

    def allows(self, metric: str) -> bool:
        """Every recorded metric may be asked for."""
        return True

    async def search(self, query: SeriesQuery) -> SeriesPage:
        """All series of the selection in the window.

        Raises:
            ToolFailed: INVALID_REQUEST for an expression; RESULT_TOO_LARGE for more than 20 000 series;
                TOOL_EXECUTION_ERROR if the folder is gone.
        """
        selector = query.expression.selector
        if selector is None or not selector.is_plain:
            raise ToolFailed(ToolCode.INVALID_REQUEST, log_detail="recorded series are not evaluated")
        return await in_thread(lambda is_cancelled: self._search(selector, query, is_cancelled))

    async def holdings(self) -> Holdings:
        """What the folder holds now; ``newest`` can settle the present of a world.

        Raises:
            ToolFailed: TOOL_EXECUTION_ERROR if the folder is gone.
        """
        return await in_thread(self._holdings)

    def _search(self, selector: Selector, query: SeriesQuery, is_cancelled: Callable[[], bool]) -> SeriesPage:
        folder = self._content(is_cancelled)
        start, end = query.window.start.timestamp(), query.window.end.timestamp()
        matching = [
            (labels, samples)
            for labels, samples in folder.held.get(selector.metric, {}).items()
            if selector.accepts(dict(labels))
        ]
        if len(matching) > MAX_SERIES:
            raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"{len(matching)} series")
        found = [(labels, _between(samples, start, end)) for labels, samples in matching]
        is_exact = all(len(samples.at) <= MAX_EXACT_POINTS for _, samples in found)
        step_s = query.step_ms / 1000
        series = [
            _exact(labels, samples) if is_exact else bucketed(dict(labels), samples.at, samples.values, end, step_s)
            for labels, samples in found
            if samples.at
        ]
        return SeriesPage(
            series=series,
            is_known=bool(matching),
            holds_window=overlaps(folder, (start + end) / 2, end),
            oldest=None if folder.oldest is None else datetime.fromtimestamp(folder.oldest, UTC),
            is_exact=is_exact,
            declared_type=type_of(selector.metric, folder.held),
            unread=concerning(selector.metric, folder),
        )

    def _holdings(self, is_cancelled: Callable[[], bool]) -> Holdings:
        folder = self._content(is_cancelled)
        metrics = [
            MetricHolding(
                valid_text(metric),
                type_of(metric, folder.held),
                tuple(sorted({name for labels in held for name, _ in labels})),
            )
            for metric, held in sorted(folder.held.items())
        ]
        return Holdings(
            metrics=tuple(metrics),
            oldest=None if folder.oldest is None else datetime.fromtimestamp(folder.oldest, UTC),
            newest=None if folder.newest is None else datetime.fromtimestamp(folder.newest, UTC),
            label_values=identity_values(dict(labels) for held in folder.held.values() for labels in held),
            unread=folder.unread,
        )

    def _content(self, is_cancelled: Callable[[], bool]) -> Content:
        if not self._folder.is_dir():
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"metrics folder {self._folder} is gone")
        with self._lock:
            files = read_files(self._folder, self._stored, self._zone, is_cancelled)
            self._stored = {one.name: one for one in files}
            state = tuple((one.name, one.key) for one in self._stored.values())
            if self._read is None or self._read[0] != state:
                self._read = (state, merged(list(self._stored.values()), is_cancelled))
            return self._read[1]


def _between(samples: Samples, start: float, end: float) -> Samples:
    first, last = bisect_left(samples.at, start), bisect_left(samples.at, end)
    return Samples(samples.at[first:last], samples.values[first:last])


def _exact(labels: Labels, samples: Samples) -> Series:
    values: array[float] = samples.values
    return Series(dict(labels), samples.at, values, values, values, values, samples.at, [1.0] * len(values))
