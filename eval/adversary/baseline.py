"""What each operator caught before, kept beside the code: a guard that catches less than it did is named."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from eval.adversary.mutation_run import Tally
from eval.adversary.rates import Rate

PATH = Path(__file__).parent / "guard_baseline.json"
Baseline = Mapping[str, Rate]
"""Operator → mutations caught, of those tried."""


def read_baseline(path: Path = PATH) -> dict[str, Baseline]:
    """The baselines by label of their run; empty if none was ever written."""
    if not path.is_file():
        return {}
    read = json.loads(path.read_text(encoding="utf-8"))
    return {label: {name: Rate(*pair) for name, pair in rates.items()} for label, rates in read.items()}


def write_baseline(label: str, tallies: Iterable[Tally], path: Path = PATH) -> None:
    """Replace the baseline of that label; those of others stay."""
    kept = {
        name: {one: [rate.n, rate.of] for one, rate in rates.items()} for name, rates in read_baseline(path).items()
    }
    kept[label] = {one.operator.name: [one.caught, one.tries] for one in tallies}
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def drops(tallies: Iterable[Tally], baseline: Baseline) -> Iterator[str]:
    """One sentence an operator whose rate fell beyond chance, or that applies to nothing any more."""
    for tally in tallies:
        before, now = baseline.get(tally.operator.name), Rate(tally.caught, tally.tries)
        if before is None or not before.share:
            continue
        if not now.of:
            yield f"{tally.operator.name} applies to no draft any more"
        elif now.interval[1] < before.share and now.share is not None:
            yield f"{tally.operator.name} fell from {before.share:.1%} to {now.share:.1%}"
