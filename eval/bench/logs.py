"""`python -m eval.bench.logs [--mb 100 …] [--late 0 …]`: how long a folder of logs takes to open and to search.

Every figure is CPU time, and every search is measured in turn with ``grep`` over the same bytes, so that the ratios
hold on a busy machine. ``--late`` writes records out of time order by up to so many seconds. Each size runs in a
process of its own, so that its peak memory is its own.
"""

import argparse
import asyncio
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from eval.bench.logs_corpus import COMMON, FROM, LITERAL, UNTIL, write_corpus
from state.model.evidence import Window
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery

_DAY = Window(start=FROM, end=UNTIL)
_NARROW = Window(start=FROM + timedelta(hours=13), end=FROM + timedelta(hours=13, minutes=5))
_QUERIES = (
    ("literal, whole day", LogQuery(window=_DAY, contains=LITERAL), ("-i", "-F", LITERAL)),
    ("literal, five minutes", LogQuery(window=_NARROW, contains=LITERAL), ("-i", "-F", LITERAL)),
    ("text of one record in seven, whole day", LogQuery(window=_DAY, contains="cache hit"), ("-i", "-F", "cache hit")),
    ("text of three records in five, whole day", LogQuery(window=_DAY, contains=COMMON), ("-i", "-F", COMMON)),
    ("ERROR and worse, whole day", LogQuery(window=_DAY, level="ERROR"), ("-F", "ERROR")),
    ("one service, whole day", LogQuery(window=_DAY, service="orders"), ("-F", "orders")),
    ("five minutes", LogQuery(window=_NARROW), ("-F", "2026-03-02T13:0")),
)


@dataclass(frozen=True)
class Row:
    """One search."""

    what: str
    found: int
    mb_read: float
    cpu_s: float
    grep_s: float
    """Of ``grep -c`` in the UTF-8 locale."""
    ratio: float
    """Median over the rounds of search to grep."""


@dataclass(frozen=True)
class Sized:
    """All figures of one size."""

    mb: float
    n_lines: int
    open_s: float
    """CPU seconds of the first look at the holdings."""
    n_estimated: int
    first_s: float
    """CPU seconds of the first search, which surveys as much as it may."""
    survey_s: float
    """CPU seconds of the first searches together, until one was complete."""
    n_surveying: int
    """So many they were."""
    rows: tuple[Row, ...]
    peak_mb: int
    """Largest resident memory of the process."""
    start_mb: int
    """The same before the folder was opened."""


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0 once the tables are printed."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.logs", description=__doc__)
    parser.add_argument("--mb", type=int, nargs="+", default=[100], help="sizes of the folders in megabytes")
    parser.add_argument(
        "--late", type=float, nargs="+", default=[0.0], help="seconds by which records may stand out of time order"
    )
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each search")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.one:
        print(json.dumps(asdict(asyncio.run(measure(given.one, rounds=given.rounds)))))
        return 0
    for mb in given.mb:
        for late_s in given.late:
            print(render(_in_own_process(mb, late_s, given.rounds), late_s), flush=True)
    return 0


async def measure(folder: Path, *, rounds: int) -> Sized:
    """All figures of one folder that ``write_corpus`` has written."""
    reads: list[int] = []
    start_mb = _peak_mb()
    source = FolderLogSource("logs", folder, time_zone="UTC", now=UNTIL, on_read=reads.append)
    started = time.process_time()
    held = await source.holdings()
    open_s = time.process_time() - started
    surveying = []
    is_complete = False
    while not is_complete:
        started = time.process_time()
        is_complete = (await source.search(_QUERIES[1][1])).is_complete
        surveying.append(time.process_time() - started)
    rows = [await _row(source, folder, reads, what, rounds=rounds) for what in _QUERIES]
    n_lines = sum(one.lines for one in (await source.holdings()).services)
    return Sized(
        mb=_megabytes(folder),
        n_lines=n_lines,
        open_s=open_s,
        n_estimated=held.n_estimated,
        first_s=surveying[0],
        survey_s=sum(surveying),
        n_surveying=len(surveying),
        rows=tuple(rows),
        peak_mb=_peak_mb(),
        start_mb=start_mb,
    )


async def _row(
    source: FolderLogSource, folder: Path, reads: list[int], what: tuple[str, LogQuery, tuple[str, ...]], *, rounds: int
) -> Row:
    name, query, grep = what
    searches, greps, total = [], [], 0
    for _ in range(rounds):
        reads.clear()
        started = time.process_time()
        total = (await source.search(query)).total or 0
        searches.append(time.process_time() - started)
        greps.append(_grep_s(grep, folder))
    ratio = statistics.median(ours / theirs for ours, theirs in zip(searches, greps, strict=True))
    return Row(name, total, sum(reads) / 1e6, statistics.median(searches), statistics.median(greps), ratio)


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _grep_s(arguments: tuple[str, ...], folder: Path) -> float:
    """CPU seconds of grep, at least a millisecond."""
    grep = shutil.which("grep") or "grep"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [grep, "-r", "-c", *arguments, str(folder)], capture_output=True, env={"LC_ALL": "C.UTF-8"}, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return max(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 0.001)


def _in_own_process(mb: int, late_s: float, rounds: int) -> Sized:
    with tempfile.TemporaryDirectory(prefix="rootproof-bench-logs-") as folder:
        write_corpus(Path(folder), mb * 1_000_000, late_s=late_s)
        command = [sys.executable, "-m", "eval.bench.logs", "--one", folder, "--rounds", str(rounds)]
        told = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return Sized(**{**told, "rows": tuple(Row(**row) for row in told["rows"])})


def render(sized: Sized, late_s: float = 0) -> str:
    """The figures of one size as Markdown; its records stand up to ``late_s`` seconds out of time order."""
    order = f"up to {late_s:g} s out of time order" if late_s else "in time order"
    head = (
        f"### {sized.mb:.0f} MB, {sized.n_lines} records {order}\n\n"
        f"Opening {sized.open_s:.1f} s ({sized.n_estimated} files estimated), first search {sized.first_s:.1f} s, "
        f"complete after {sized.n_surveying} searches and {sized.survey_s:.1f} s, "
        f"peak memory {sized.peak_mb} MB, of which {sized.start_mb} MB before opening.\n\n"
        "| search | found | MB read | CPU s | grep CPU s | ratio |\n|---|---:|---:|---:|---:|---:|\n"
    )
    return head + "".join(map(_rendered, sized.rows))


def _rendered(row: Row) -> str:
    return f"| {row.what} | {row.found} | {row.mb_read:.1f} | {row.cpu_s:.3f} | {row.grep_s:.3f} | {row.ratio:.1f} |\n"


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    sys.exit(main())
