"""`python -m eval.bench.served [--quick]`: the service against the same graph called directly, in a process each.

The model plays one written turn for every question, so that any number of runs may share it. The load comes from a
third process. Writes the section *Served* of the benchmarks page.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path

import httpx2

from config.log_setup import configure_logging
from config.settings import Settings
from eval.bench.page import table
from graph.app import App, open_app
from state.model.diagnosis import RunOptions
from state.model.redaction import redact_text
from state.model.release import RunResult
from state.model.tool_call import SUBMIT_TOOL

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
QUESTION = "Why do payments fail since 14:05?"
OUTCOME = "FALLBACK"
HEADING = "## Served"
START_S = 120.0
_URL = re.compile(r"http://127\.0\.0\.1:\d+")

WORDS = """

One question over `POST /api/chat`, its stream read to the end, against the same question given to the graph in its own
process: the same model (one written turn, at once), stores and nodes, no source. *Ratio*: time of all runs together,
service to direct; what HTTP, events, following and heartbeats add. Latencies are of one run among the others, from its
request to its `done`. Where more runs are asked for at once than can be computed, both sides queue.

Resident memory of the service: {before:.0f} MB after the first run, {after:.0f} MB after all {n_runs} of them.
"""


class ServiceMissing(RuntimeError):
    """The author of the benchmark acts: the service or a run did not do its work."""


@dataclass(frozen=True)
class Level:
    """What one number of concurrent runs took."""

    concurrency: int
    n_runs: int
    seconds: float
    p50_ms: float
    p95_ms: float

    @property
    def per_s(self) -> float:
        """Runs a second."""
        return self.n_runs / self.seconds


@dataclass(frozen=True)
class Served:
    """Everything that was measured."""

    served: Sequence[Level]
    direct: Sequence[Level]
    before_mb: float
    """Resident memory of the service after its first run."""
    after_mb: float
    """The same after all runs."""


FULL: tuple[tuple[int, int], ...] = ((1, 40), (50, 150), (200, 200))
"""Concurrency, and runs at it."""
QUICK: tuple[tuple[int, int], ...] = ((1, 2), (4, 4))


def measure_served(folder: Path, levels: Sequence[tuple[int, int]]) -> Served:
    """First the service, then the graph alone, in homes of their own below ``folder``.

    Raises:
        ServiceMissing: one of them did not do its work.
    """
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "script.json"
    script.write_text(_script(1 + sum(n for _, n in levels)), encoding="utf-8")
    with _service(folder, script) as (url, pid):
        before_mb, served = asyncio.run(_load(url, pid, levels))
        after_mb = _resident_mb(pid)
    return Served(served, _direct(folder, script, levels), before_mb, after_mb)


def _script(n_runs: int) -> str:
    """The same turn for every run: a complete draft without a conclusion, which needs no review."""
    draft = {"conclusion": None, "limitations": {"scope": "nothing", "missing_info": ["which service is affected"]}}
    turn = {"calls": [{"name": SUBMIT_TOOL, "arguments": draft}]}
    return json.dumps({"router": [{"text": '{"intent":"DIAGNOSIS"}'}] * n_runs, "agent": [turn] * n_runs})


@contextmanager
def _service(folder: Path, script: Path) -> Iterator[tuple[str, int]]:
    """Address and process of a service without a source."""
    place, log_file = folder / "elsewhere", folder / "serve.log"
    place.mkdir()
    settings = {
        "home": folder / "served",
        "model": f"scripted:{script}",
        "max_running": 1000,
        "max_running_per_key": 1000,
        "max_streams_per_key": 1000,
        "requests_per_minute": 100_000,
        "requests_per_minute_total": 1_000_000,
        "log_level": "error",
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ROOTPROOF_")}  # noqa: TID251 - for a child
    own = {f"ROOTPROOF_{name.upper()}": str(value) for name, value in settings.items()}
    command = [str(Path(sys.executable).with_name("rootproof")), "serve", "--port", "0"]
    with log_file.open("w") as log:
        process = subprocess.Popen(command, cwd=place, env={**inherited, **own}, stdout=log, stderr=log)
    try:
        yield _address(process, log_file), process.pid
    finally:
        process.terminate()
        process.wait()


def _address(process: "subprocess.Popen[bytes]", log_file: Path) -> str:
    """Where it says it serves.

    Raises:
        ServiceMissing: it does not start.
    """
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        if found := _URL.search(log_file.read_text(errors="replace")):
            return found.group()
        time.sleep(0.05)
    raise ServiceMissing(f"the service did not start: {log_file.read_text(errors='replace')[-500:]}")


async def _load(url: str, pid: int, levels: Sequence[tuple[int, int]]) -> tuple[float, list[Level]]:
    limits = httpx2.Limits(max_connections=None, keepalive_expiry=2.0)
    async with httpx2.AsyncClient(base_url=url, timeout=600, limits=limits, trust_env=False) as http:
        await _asked(http)
        before = _resident_mb(pid)
        return before, [await _level(lambda: _asked(http), *level) for level in levels]


async def _asked(http: httpx2.AsyncClient) -> None:
    """One question, its stream read to the end.

    Raises:
        ServiceMissing: it ended in another way than it must.
    """
    async with http.sse("/api/chat", method="POST", json={"query": QUESTION}) as source:
        if source.response.status_code != httpx2.codes.OK:
            raise ServiceMissing(f"a question was answered with {source.response.status_code}")
        last = [frame async for frame in source][-1]
    if last.json() != {"outcome": OUTCOME}:
        raise ServiceMissing(f"a run ended with {last.data}")


async def _level(run: Callable[[], Awaitable[None]], concurrency: int, n_runs: int) -> Level:
    free, took = asyncio.Semaphore(concurrency), []

    async def one() -> None:
        async with free:
            started = time.perf_counter()
            await run()
            took.append(1000 * (time.perf_counter() - started))

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(n_runs):
            group.create_task(one())
    seconds = time.perf_counter() - started
    ordered = sorted(took)
    return Level(concurrency, n_runs, seconds, statistics.median(ordered), ordered[ceil(0.95 * n_runs) - 1])


def _direct(folder: Path, script: Path, levels: Sequence[tuple[int, int]]) -> list[Level]:
    """The graph alone.

    Raises:
        ServiceMissing: the child process failed; what it said is on stderr.
    """
    command = [sys.executable, "-m", "eval.bench.served", "--direct", str(folder / "direct"), str(script)]
    child = subprocess.run([*command, json.dumps(levels)], stdout=subprocess.PIPE, check=False)
    if child.returncode:
        raise ServiceMissing(f"the direct runs ended with exit code {child.returncode}")
    return [Level(**level) for level in json.loads(child.stdout)]


async def _run_directly(home: Path, script: Path, levels: Sequence[tuple[int, int]]) -> list[Level]:
    settings = Settings(home=home, model=f"scripted:{script}")
    async with open_app(settings, None) as app:
        await _diagnosed(app)
        return [await _level(lambda: _diagnosed(app), *level) for level in levels]


async def _diagnosed(app: App) -> None:
    """One question, given to the graph.

    Raises:
        ServiceMissing: it ended in another way than it must.
    """
    request = {"query": QUESTION, "run_id": app.new_run_id()}
    result: RunResult = await app.diagnose(request, RunOptions(), lambda _: None)  # type: ignore[arg-type]
    if result.outcome != OUTCOME:
        raise ServiceMissing(f"a run ended {result.outcome} {result.failure_code or ''}")


def _resident_mb(pid: int) -> float:
    """Resident memory of another process; 0 where the system does not tell."""
    statm = Path(f"/proc/{pid}/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024**2 if statm.exists() else 0.0


def render_served(measured: Served) -> str:
    """The section of the page, without its heading."""
    rows = [
        (
            str(ours.concurrency),
            f"{ours.per_s:.1f}",
            f"{alone.per_s:.1f}",
            f"{ours.seconds / ours.n_runs / (alone.seconds / alone.n_runs):.2f}×",
            f"{ours.p50_ms:.0f} ms",
            f"{ours.p95_ms:.0f} ms",
            f"{alone.p50_ms:.0f} ms",
        )
        for ours, alone in zip(measured.served, measured.direct, strict=True)
    ]
    head = ("runs at once", "service /s", "direct /s", "ratio", "p50", "p95", "direct p50")
    n_runs = 1 + sum(level.n_runs for level in measured.served)
    return table(head, rows) + WORDS.format(before=measured.before_mb, after=measured.after_mb, n_runs=n_runs).rstrip()


def with_section(page: str, section: str) -> str:
    """The page with this section in place of the one it has, or at its end. Pure."""
    before, found, after = page.partition(f"{HEADING}\n")
    rest = after.partition("\n## ")
    tail = f"\n## {rest[2]}" if found and rest[1] else ""
    return f"{before.rstrip()}\n\n{HEADING}\n\n{section}\n{tail}"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0 once the section is written."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.served", description=__doc__)
    parser.add_argument("--output", type=Path, default=PAGE, help="the page (default: docs/benchmarks.md)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    parser.add_argument("--direct", nargs=3, metavar=("HOME", "SCRIPT", "LEVELS"), help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    configure_logging("error", "console", redact_text)
    if given.direct:
        home, script, levels = given.direct
        measured = asyncio.run(_run_directly(Path(home), Path(script), json.loads(levels)))
        print(json.dumps([asdict(level) for level in measured]))
        return 0
    with tempfile.TemporaryDirectory(prefix="rootproof-bench-") as folder:
        section = render_served(measure_served(Path(folder), QUICK if given.quick else FULL))
    given.output.write_text(with_section(given.output.read_text(encoding="utf-8"), section), encoding="utf-8")
    print(section)
    return 0


if __name__ == "__main__":
    sys.exit(main())
