"""`python -m eval.bench [--output FILE] [--quick]`: measure everything, write the page. About a minute and a half."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from config.log_setup import configure_logging
from eval.bench.cost import measure_cost
from eval.bench.crowd import Throughput, measure_held, measure_throughput
from eval.bench.machine import load, this_machine
from eval.bench.page import Figures, render
from eval.bench.starting import YARDSTICK, commands, measure_opening, measure_starts
from eval.bench.tokens import measure_tokens
from state.model.redaction import redact_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    pairs: int
    concurrencies: tuple[int, ...]
    n_runs: int
    n_held: int
    n_worlds: int
    starts: int
    openings: int


FULL = Sizes(pairs=25, concurrencies=(1, 8, 32), n_runs=32, n_held=32, n_worlds=99, starts=3, openings=1)
QUICK = Sizes(pairs=3, concurrencies=(1, 2), n_runs=2, n_held=2, n_worlds=1, starts=1, openings=1)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0 once the page is written."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench", description=__doc__)
    parser.add_argument("--output", type=Path, default=PAGE, help="file of the page (default: docs/benchmarks.md)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    given = parser.parse_args(argv)
    configure_logging("error", "console", redact_text)
    with tempfile.TemporaryDirectory(prefix="rootproof-bench-") as folder:
        figures = measure(Path(folder), QUICK if given.quick else FULL)
    page = render(figures)
    given.output.write_text(page, encoding="utf-8")
    print(page)
    return 0


def measure(folder: Path, sizes: Sizes) -> Figures:
    """Everything, one thing after the other; progress on stderr."""
    started, before = time.perf_counter(), load()
    _say("memory")
    held = measure_held(sizes.n_held)
    _say("one run")
    cost = asyncio.run(measure_cost(folder / "cost", repetitions=sizes.pairs))
    _say("runs at once")
    throughput = [_throughput(folder, concurrency, sizes.n_runs) for concurrency in sizes.concurrencies]
    _say("tokens")
    tokens = asyncio.run(measure_tokens(folder / "tokens", n_worlds=sizes.n_worlds))
    _say("start")
    starts = measure_starts(commands(), repetitions=sizes.starts)
    yardstick_s = next(one.ms for one in starts if one.command == YARDSTICK) / 1000
    opening = measure_opening(folder / "opening", yardstick_s=yardstick_s, repetitions=sizes.openings)
    return Figures(
        machine=this_machine(),
        load=(before, load()),
        took_s=time.perf_counter() - started,
        cost=cost,
        throughput=throughput,
        held=held,
        tokens=tokens,
        starts=starts,
        opening=opening,
    )


def _throughput(folder: Path, concurrency: int, n_runs: int) -> Throughput:
    place = folder / f"at-once-{concurrency}"
    return asyncio.run(measure_throughput(place, concurrency=concurrency, n_runs=n_runs))


def _say(what: str) -> None:
    print(f"measuring: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
