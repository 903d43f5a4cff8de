"""How long it takes to start: fresh processes in turn, each against one that only imports LangGraph's graph."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from worlds import build_world, bundled_worlds

YARDSTICK = "python -c 'import langgraph.graph'"


@dataclass(frozen=True)
class StartTime:
    """One way to start."""

    command: str
    ms: float
    ratio: float
    """To the yardstick."""


@dataclass(frozen=True)
class OpenTime:
    """Seconds of ``open_app`` over a bundled world, imports not included."""

    world: str
    cold_s: float
    """In a new home: the runbook library is indexed."""
    warm_s: float
    """In the same home, from another process."""
    yardstick_s: float

    @property
    def cold_ratio(self) -> float:
        """To the yardstick."""
        return self.cold_s / self.yardstick_s

    @property
    def warm_ratio(self) -> float:
        """To the yardstick."""
        return self.warm_s / self.yardstick_s


def commands() -> dict[str, list[str]]:
    """What is started, by the name it is shown with; the yardstick first."""
    python = sys.executable
    return {
        YARDSTICK: [python, "-c", "import langgraph.graph"],
        "rootproof --version": [str(Path(python).with_name("rootproof")), "--version"],
        "python -c 'import graph.app'": [python, "-c", "import graph.app"],
        "python -c 'import graph.sources'": [python, "-c", "import graph.sources"],
    }


def measure_starts(wanted: Mapping[str, list[str]], *, repetitions: int) -> list[StartTime]:
    """Medians of rounds over all commands. The first command is the yardstick.

    Raises:
        CalledProcessError: a command failed.
    """
    rounds = [{name: _seconds(command) for name, command in wanted.items()} for _ in range(repetitions)]
    first = next(iter(wanted))
    return [
        StartTime(
            command=name,
            ms=median(one[name] for one in rounds) * 1000,
            ratio=median(one[name] / one[first] for one in rounds),
        )
        for name in wanted
    ]


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def measure_opening(folder: Path, *, yardstick_s: float, repetitions: int) -> OpenTime:
    """``open_app`` in processes of their own: once in a new home, then ``repetitions`` times in the same."""
    world = bundled_worlds()[0].name
    build_world(world, folder / "world")
    cold, *warm = [_opened(folder) for _ in range(repetitions + 1)]
    return OpenTime(world=world, cold_s=cold, warm_s=median(warm), yardstick_s=yardstick_s)


def _opened(folder: Path) -> float:
    command = [sys.executable, "-m", "eval.bench.starting", str(folder)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(json.loads(printed))


async def open_once(folder: Path) -> float:
    """Seconds until ``open_app`` is ready to diagnose."""
    from config.settings import Settings
    from graph.app import open_app

    settings = Settings(home=folder / "home")
    started = time.perf_counter()
    async with open_app(settings, folder / "world"):
        return time.perf_counter() - started


if __name__ == "__main__":
    print(json.dumps(asyncio.run(open_once(Path(sys.argv[1])))))
