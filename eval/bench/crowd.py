"""Many runs at once: how many a process ends in a second, and what one that is half done holds in memory.

Memory is measured in a process of its own per contender (`python -m eval.bench.crowd`), since an allocator keeps what
earlier work freed. All runs are stopped at the same place, inside the last tool call.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from eval.bench.notebook import Gate
from eval.bench.react_run import open_react
from eval.bench.rootproof_run import WorkMissing, open_rootproof

_TRACED_RUNS = 8


class Contender(Protocol):
    """What can be run and held."""

    async def run(self) -> object:
        """One whole run; it raises if the work was not done."""
        ...

    def hold(self, gate: Gate) -> None:
        """Let the runs from now on wait at this gate."""
        ...


Opener = Callable[[Path], AbstractAsyncContextManager[Contender]]
CONTENDERS: dict[str, Opener] = {"rootproof": open_rootproof, "react": open_react}


@dataclass(frozen=True)
class Throughput:
    """Runs a second of one process."""

    concurrency: int
    rootproof_per_s: float
    react_per_s: float

    @property
    def ratio(self) -> float:
        """Prebuilt agent to Rootproof."""
        return self.react_per_s / self.rootproof_per_s


@dataclass(frozen=True)
class Held:
    """Memory per run stopped in its last tool call."""

    n_runs: int
    """Runs held at once for the resident set."""
    traced_bytes: float
    """Python objects (tracemalloc)."""
    resident_bytes: float
    """Growth of the resident set; threads, SQLite caches and the allocator's slack included."""
    base_bytes: int
    """Resident set of the process before the runs, libraries included."""


async def measure_throughput(folder: Path, *, concurrency: int, n_runs: int) -> Throughput:
    """Half of the runs of each contender, then the other half, in homes of their own below ``folder``."""
    (folder / "react").mkdir(parents=True)
    async with open_rootproof(folder / "rootproof") as rootproof, open_react(folder / "react") as react:
        await rootproof.run()
        await react.run()
        ours_s, theirs_s = 0.0, 0.0
        for _ in range(2):
            ours_s += await _seconds(rootproof, concurrency, n_runs // 2)
            theirs_s += await _seconds(react, concurrency, n_runs // 2)
    return Throughput(concurrency, n_runs / ours_s, n_runs / theirs_s)


async def _seconds(contender: Contender, concurrency: int, n_runs: int) -> float:
    free = asyncio.Semaphore(concurrency)

    async def one() -> None:
        async with free:
            await contender.run()

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(n_runs):
            group.create_task(one())
    return time.perf_counter() - started


def measure_held(n_runs: int) -> dict[str, Held]:
    """Memory per run of each contender, from a child process each."""
    children = {name: _child(name, n_runs) for name in CONTENDERS}
    return {name: _said_by(child) for name, child in children.items()}


def _child(name: str, n_runs: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "eval.bench.crowd", name, str(n_runs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _said_by(child: "subprocess.Popen[str]") -> Held:
    """What the child printed.

    Raises:
        WorkMissing: it failed; what it said is on stderr.
    """
    printed, _ = child.communicate()
    if child.returncode:
        raise WorkMissing(f"a memory measurement ended with exit code {child.returncode}")
    return Held(**json.loads(printed))


async def hold_in_memory(name: str, folder: Path, n_runs: int) -> Held:
    """First the resident set, then fewer runs under tracemalloc, which is slow and would count in the resident set."""
    async with CONTENDERS[name](folder) as contender:
        await contender.run()
        base = _resident_bytes()
        resident = await _while_held(contender, n_runs, _resident_bytes)
        tracemalloc.start()
        traced = await _while_held(contender, min(n_runs, _TRACED_RUNS), lambda: tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    return Held(n_runs=n_runs, traced_bytes=traced, resident_bytes=resident, base_bytes=base)


async def _while_held(contender: Contender, n_runs: int, read: Callable[[], int]) -> float:
    """How much more ``read`` says while the runs are held, per run."""
    gate = Gate(n_runs)
    contender.hold(gate)
    gc.collect()
    before = read()
    async with asyncio.TaskGroup() as group:
        for _ in range(n_runs):
            group.create_task(_run(contender))
        await gate.full()
        gc.collect()
        held = read() - before
        gate.open()
    return held / n_runs


async def _run(contender: Contender) -> None:
    await contender.run()


def _resident_bytes() -> int:
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the peak, where the present value is not offered


def main() -> None:
    """Print what one contender holds, as JSON."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.crowd")
    parser.add_argument("contender", choices=CONTENDERS)
    parser.add_argument("n_runs", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rootproof-bench-") as folder:
        print(json.dumps(asdict(asyncio.run(hold_in_memory(given.contender, Path(folder), given.n_runs)))))


if __name__ == "__main__":
    main()
