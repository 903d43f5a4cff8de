"""Reads one CSV file of samples into series; what it cannot read is counted and, where possible, named. Pure."""

import csv
import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from state.model.timewords import parse_instant
from tools.logs.decode import MAX_LINE_CHARS, decode_lines, is_binary
from tools.metrics.port import MAX_LABELS

COLUMNS = ("ts", "metric", "value")
MAX_ROWS = 1_000_000
"""Of one file; a longer one is not read."""
MAX_NAME_CHARS = 200
MAX_VALUE_CHARS = 1000
CANCEL_EVERY = 4096
"""Rows between two looks at the cancel flag."""

_UNIX = re.compile(r"\d{9,13}(?:\.\d{1,9})?", re.ASCII)
_MILLISECONDS_FROM = 1e11
_FIRST, _LAST = datetime(3, 1, 1, tzinfo=UTC).timestamp(), datetime(9997, 1, 1, tzinfo=UTC).timestamp()

Labels = tuple[tuple[str, str], ...]
"""Name and value, by name; empty values left out."""


class ReadingStopped(Exception):
    """The caller gave up while a file was being read."""


@dataclass
class Samples:
    """One recorded series, in ascending time once the file is read."""

    at: "array[float]" = field(default_factory=lambda: array("d"))
    """Unix seconds."""
    values: "array[float]" = field(default_factory=lambda: array("d"))


@dataclass
class ReadCsv:
    """One file, parsed."""

    series: dict[str, dict[Labels, Samples]] = field(default_factory=dict)
    """Metric → labels → samples."""
    bad_rows: Counter[str] = field(default_factory=Counter)
    """Rows that could not be read, by metric; under the empty name where not even that could."""
    problem: str | None = None
    """Why nothing of it could be read: binary, no_header or too_many_rows."""


def read_csv(data: bytes, time_zone: str, *, is_cancelled: Callable[[], bool] = lambda: False) -> ReadCsv:
    """All samples of the file: columns ts, metric, value in any place, every other column a label.

    ``ts`` is ISO 8601, without offset in ``time_zone``, or Unix seconds or milliseconds. Of several values of one
    series at one instant the last one in the file counts.

    Raises:
        ReadingStopped: ``is_cancelled`` turned true.
    """
    if is_binary(data):
        return ReadCsv(problem="binary")
    if data.count(b"\n") > MAX_ROWS:
        return ReadCsv(problem="too_many_rows")
    reader = _Reader(time_zone)
    rows = _rows(data, reader)
    header = next(rows, None)
    if header is None or not reader.take_header(header):
        return ReadCsv(problem="no_header")
    for place, row in enumerate(rows):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        reader.take(row)
    return reader.finished()


def _rows(data: bytes, reader: "_Reader") -> Iterator[list[str]]:
    """The rows of the file; a line that is no text or too long, and a row that is no CSV, is counted as bad."""
    rows = csv.reader(_lines(data, reader), strict=True)
    while True:
        try:
            yield next(rows)
        except csv.Error:
            reader.file.bad_rows[""] += 1
        except StopIteration:
            return


def _lines(data: bytes, reader: "_Reader") -> Iterator[str]:
    for line in decode_lines(data):
        if line.text is None or len(line.text) > MAX_LINE_CHARS:
            reader.file.bad_rows[""] += 1
        else:
            yield line.text + "\n"


class _Reader:
    """Builds the series of one file, row by row."""

    def __init__(self, time_zone: str) -> None:
        self.file = ReadCsv()
        self._zone = time_zone
        self._places: dict[str, int] = {}
        self._labels: list[tuple[str, int]] = []
        self._width = 0
        self._known: dict[tuple[str, ...], Samples] = {}
        """Cells of metric and labels as written → their series."""

    def take_header(self, header: Sequence[str]) -> bool:
        """True if the header names the three columns once each, and no more labels than a series may have."""
        names = [name.strip() for name in header]
        lower = [name.lower() for name in names]
        if any(lower.count(name) != 1 for name in COLUMNS) or len(names) > MAX_LABELS + len(COLUMNS):
            return False
        labels = [(name, place) for place, name in enumerate(names) if lower[place] not in COLUMNS]
        if len({name for name, _ in labels}) != len(labels) or not all(0 < len(n) <= MAX_NAME_CHARS for n, _ in labels):
            return False
        self._places = {name: lower.index(name) for name in COLUMNS}
        self._labels = sorted(labels)
        self._width = len(names)
        return True

    def take(self, row: Sequence[str]) -> None:
        if len(row) != self._width:
            self.file.bad_rows[""] += 1
            return
        metric = row[self._places["metric"]]
        at, value = _instant(row[self._places["ts"]].strip(), self._zone), _number(row[self._places["value"]])
        samples = self._series(metric, row) if at is not None and value is not None else None
        if samples is None or at is None or value is None:
            name = metric.strip()
            self.file.bad_rows[name if 0 < len(name) <= MAX_NAME_CHARS else ""] += 1
            return
        samples.at.append(at)
        samples.values.append(value)

    def _series(self, metric: str, row: Sequence[str]) -> Samples | None:
        """The series of the row; None if its name or a label is not one that is kept."""
        key = (metric, *(row[place] for _, place in self._labels))
        if key in self._known:
            return self._known[key]
        name, labels = metric.strip(), tuple((label, row[place]) for label, place in self._labels if row[place])
        if not 0 < len(name) <= MAX_NAME_CHARS or any(len(text) > MAX_VALUE_CHARS for _, text in labels):
            return None
        held = self.file.series.setdefault(name, {})
        if labels not in held:
            held[labels] = Samples()
        self._known[key] = held[labels]
        return held[labels]

    def finished(self) -> ReadCsv:
        for held in self.file.series.values():
            for labels, samples in held.items():
                if any(one >= other for one, other in zip(samples.at, samples.at[1:], strict=False)):
                    held[labels] = ordered(samples)
        return self.file


def ordered(samples: Samples) -> Samples:
    """The samples in ascending time; of several at one instant the last one."""
    last = dict(zip(samples.at, samples.values, strict=True))
    times = sorted(last)
    return Samples(array("d", times), array("d", [last[at] for at in times]))


@lru_cache(maxsize=65536)
def _instant(text: str, time_zone: str) -> float | None:
    """Unix seconds; None if the text is no time, or one too near the ends of the calendar."""
    try:
        if _UNIX.fullmatch(text):
            number = float(text)
            at = number / 1000 if number >= _MILLISECONDS_FROM else number
        else:
            at = parse_instant(text, time_zone).timestamp()
    except (ValueError, OverflowError):
        return None
    return at if _FIRST <= at < _LAST else None


def _number(text: str) -> float | None:
    """The value; NaN and infinities as Prometheus writes them are values too. None if it is none."""
    clean = text.strip()
    if "_" in clean or len(clean) > 64:
        return None
    try:
        value = float(clean)
    except ValueError:
        return None
    is_written = math.isfinite(value) or clean.lower().lstrip("+-") in {"nan", "inf", "infinity"}
    return value if is_written else None
