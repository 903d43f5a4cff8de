"""Cost of one run and of one step: both contenders in turn, so that what slows the machine slows both."""

import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from eval.bench.react_run import ReactStage, open_react
from eval.bench.rootproof_run import RootproofStage, open_rootproof
from eval.bench.tally import PORTS, Tally
from graph.stores import CHECKPOINT_FILE

_WARM_UP = 2


@dataclass(frozen=True)
class PortCost:
    """What one run asks of one store; medians."""

    n_commits: float
    commits_ms: float
    n_reads: float
    reads_ms: float


@dataclass(frozen=True)
class Checkpointed:
    """What one run leaves in the checkpoint file."""

    n_checkpoints: int
    """One per step and one for the input."""
    n_writes: int
    bytes: int
    """Checkpoints, their metadata and the writes of single nodes."""


@dataclass(frozen=True)
class RunCost:
    """Medians over the repetitions."""

    repetitions: int
    rootproof_ms: float
    react_ms: float
    ratio: float
    """Median of the paired ratios, Rootproof to prebuilt agent."""
    step_ratio: float
    """The same per step, a step being one checkpoint."""
    ports: dict[str, PortCost]
    """By store; the times of calls that overlap are each counted in full."""
    rest_ms: float
    """Time of a Rootproof run in which no store call was under way: Python, LangGraph, LangChain."""
    rootproof: Checkpointed
    react: Checkpointed


@dataclass(frozen=True)
class _Round:
    rootproof_s: float
    react_s: float
    ports: dict[str, PortCost]
    busy_s: float


async def measure_cost(folder: Path, *, repetitions: int) -> RunCost:
    """Costs over ``repetitions`` pairs of runs after a warm-up; ``folder`` takes the files of both."""
    react_home = folder / "react"
    react_home.mkdir(parents=True)
    async with open_rootproof(folder / "rootproof") as rootproof, open_react(react_home) as react:
        for _ in range(_WARM_UP):
            run_id, thread_id = await rootproof.run(), await react.run()
        rounds = [await _round(rootproof, react, react_first=n % 2 == 1) for n in range(repetitions)]
        left = _checkpointed(rootproof.stores.home / CHECKPOINT_FILE, run_id)
        react_left = _checkpointed(react_home / CHECKPOINT_FILE, thread_id)
    return _summed(rounds, left, react_left)


async def _round(rootproof: RootproofStage, react: ReactStage, *, react_first: bool) -> _Round:
    tally = rootproof.tally
    tally.reset()
    if react_first:
        react_s, rootproof_s = await seconds(react.run), await seconds(rootproof.run)
    else:
        rootproof_s, react_s = await seconds(rootproof.run), await seconds(react.run)
    return _Round(rootproof_s, react_s, {port: _port_cost(tally, port) for port in PORTS}, tally.busy_s)


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    """Wall time of one piece of work."""
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


def _port_cost(tally: Tally, port: str) -> PortCost:
    spent = tally.ports[port]
    return PortCost(spent.n_commits, spent.commits_s * 1000, spent.n_reads, spent.reads_s * 1000)


def _checkpointed(file: Path, thread_id: str) -> Checkpointed:
    with closing(sqlite3.connect(file)) as connection:
        checkpoints = connection.execute(
            "SELECT COUNT(*), SUM(LENGTH(checkpoint) + LENGTH(metadata)) FROM checkpoints WHERE thread_id = ?",
            (thread_id,),
        ).fetchone()
        writes = connection.execute(
            "SELECT COUNT(*), SUM(LENGTH(value)) FROM writes WHERE thread_id = ?", (thread_id,)
        ).fetchone()
    return Checkpointed(n_checkpoints=checkpoints[0], n_writes=writes[0], bytes=checkpoints[1] + writes[1])


def _summed(rounds: Sequence[_Round], rootproof: Checkpointed, react: Checkpointed) -> RunCost:
    ratio = median(one.rootproof_s / one.react_s for one in rounds)
    return RunCost(
        repetitions=len(rounds),
        rootproof_ms=median(one.rootproof_s for one in rounds) * 1000,
        react_ms=median(one.react_s for one in rounds) * 1000,
        ratio=ratio,
        step_ratio=ratio * react.n_checkpoints / rootproof.n_checkpoints,
        ports={port: _median_port([one.ports[port] for one in rounds]) for port in PORTS},
        rest_ms=median(one.rootproof_s - one.busy_s for one in rounds) * 1000,
        rootproof=rootproof,
        react=react,
    )


def _median_port(costs: Sequence[PortCost]) -> PortCost:
    return PortCost(
        n_commits=median(cost.n_commits for cost in costs),
        commits_ms=median(cost.commits_ms for cost in costs),
        n_reads=median(cost.n_reads for cost in costs),
        reads_ms=median(cost.reads_ms for cost in costs),
    )
