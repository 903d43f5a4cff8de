"""What a folder of recorded series holds, read and joined from its files. Blocking; done in threads."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from state.model.redaction import redact_text
from tools.metrics.csv_rows import Labels, ReadCsv, ReadingStopped, Samples, ordered, read_csv
from tools.metrics.port import Unread
from tools.regular_file import leads_out, read_regular
from tools.valid_text import valid_text

MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
"""Of all files together; those that come after it by name are not read, and named."""
MAX_FILES = 1000

Held = Mapping[str, Mapping[Labels, Samples]]
"""Metric → labels → samples."""


@dataclass(frozen=True)
class Stored:
    """One file: its parsed content, or why there is none."""

    name: str
    key: tuple[int, int]
    """Size and modification time in nanoseconds."""
    file: ReadCsv


@dataclass(frozen=True)
class Content:
    """Everything the folder holds."""

    held: Held
    unread: tuple[Unread, ...]
    bad_metrics: frozenset[str]
    """Metrics that lost rows; the empty name where it is not known which did."""
    oldest: float | None
    newest: float | None


def _stop_if(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise ReadingStopped


def _csv_files(folder: Path) -> list[str]:
    """Names of all CSV files below the folder in order, without links that leave it."""
    root = folder.resolve()
    found = (path for path in folder.rglob("*") if path.suffix.lower() == ".csv" and not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in found if not leads_out(path, root))


def merged(files: list[Stored], is_cancelled: Callable[[], bool]) -> Content:
    """One view of all files; a series may go on from file to file."""
    parts: dict[str, dict[Labels, list[Samples]]] = {}
    for stored in files:
        _stop_if(is_cancelled)
        for metric, series in stored.file.series.items():
            known = parts.setdefault(metric, {})
            for labels, samples in series.items():
                known.setdefault(labels, []).append(samples)
    held = {metric: {labels: _joined(one) for labels, one in known.items()} for metric, known in parts.items()}
    ends = [(one.at[0], one.at[-1]) for series in held.values() for one in series.values()]
    return Content(
        held,
        tuple(_unread(files)),
        frozenset(metric for stored in files for metric in stored.file.bad_rows),
        min((first for first, _ in ends), default=None),
        max((last for _, last in ends), default=None),
    )


def _joined(parts: list[Samples]) -> Samples:
    """The parts of one series as one; files are not changed by it."""
    if len(parts) == 1:
        return parts[0]
    whole = Samples()
    for part in parts:
        whole.at.extend(part.at)
        whole.values.extend(part.values)
    return ordered(whole)


def _unread(files: list[Stored]) -> Iterator[Unread]:
    for stored in files:
        n_bad = stored.file.bad_rows.total()
        name = valid_text(redact_text(stored.name))
        if stored.file.problem:
            yield Unread(name=name, why=stored.file.problem)
        elif n_bad:
            yield Unread(name=f"{name}: {n_bad} rows", why="bad_rows")


def concerning(metric: str, folder: Content) -> tuple[Unread, ...]:
    """What may hide samples of this metric: files not read, and rows that are, or may be, its own."""
    has_lost = metric in folder.bad_metrics or "" in folder.bad_metrics
    return tuple(one for one in folder.unread if one.why != "bad_rows" or has_lost)


def overlaps(folder: Content, start: float, end: float) -> bool:
    """True if the folder holds anything from before the end, and anything from after the start."""
    return folder.oldest is not None and folder.newest is not None and folder.oldest < end and folder.newest >= start


def type_of(metric: str, held: Held) -> str:
    """Summary for ``x_sum`` and ``x_count`` that are recorded together: only a summary or histogram has both."""
    base = metric.removesuffix("_count").removesuffix("_sum")
    is_pair = base != metric and f"{base}_sum" in held and f"{base}_count" in held
    return "summary" if is_pair else ""


def read_files(
    folder: Path, known: Mapping[str, Stored], time_zone: str, is_cancelled: Callable[[], bool]
) -> Iterator[Stored]:
    """Every CSV file of the folder by name, those that did not change as they are known.

    Raises:
        ReadingStopped: ``is_cancelled`` turned true.
    """
    total = 0
    for place, name in enumerate(_csv_files(folder)):
        path, before = folder / name, known.get(name)
        try:
            info = path.stat()
            key = (info.st_size, info.st_mtime_ns)
            total += info.st_size
            if before is not None and before.key == key:
                yield before
            elif info.st_size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES or place >= MAX_FILES:
                yield Stored(name, key, ReadCsv(problem="too_large"))
            else:
                data = read_regular(path, max_bytes=MAX_FILE_BYTES, check=lambda: _stop_if(is_cancelled))
                is_whole = len(data) <= MAX_FILE_BYTES
                file = read_csv(data, time_zone, is_cancelled=is_cancelled) if is_whole else None
                yield Stored(name, key, file or ReadCsv(problem="too_large"))
        except (OSError, ValueError):
            yield Stored(name, (-1, -1), ReadCsv(problem="unreadable"))
