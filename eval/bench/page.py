"""The benchmarks page as Markdown: tables here, words in `page.md`. Pure but for reading that file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from eval.bench.cost import RunCost
from eval.bench.crowd import Held, Throughput
from eval.bench.machine import Machine
from eval.bench.starting import OpenTime, StartTime
from eval.bench.tokens import WorldTokens

_WORDS = Path(__file__).with_name("page.md")
_CONTENDERS = ("", "Rootproof", "prebuilt agent", "ratio")


@dataclass(frozen=True)
class Figures:
    """Everything that was measured."""

    machine: Machine
    load: tuple[float, float]
    """Load average before and after."""
    took_s: float
    cost: RunCost
    throughput: Sequence[Throughput]
    held: Mapping[str, Held]
    tokens: Sequence[WorldTokens]
    starts: Sequence[StartTime]
    opening: OpenTime


def render(figures: Figures) -> str:
    """The whole page."""
    return Template(_WORDS.read_text(encoding="utf-8")).substitute(
        machine=_machine(figures),
        cost=_cost(figures.cost),
        pairs=figures.cost.repetitions,
        ports=_ports(figures.cost),
        checkpoints=_checkpoints(figures.cost),
        throughput=_throughput(figures.throughput),
        memory=_memory(figures.held["rootproof"], figures.held["react"]),
        held=figures.held["rootproof"].n_runs,
        tokens=_tokens(figures.tokens),
        starts=_starts(figures.starts, figures.opening),
        world=figures.opening.world,
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; every column but the first is right-aligned."""
    rule = [":--", *("--:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def _machine(figures: Figures) -> str:
    machine, (before, after) = figures.machine, figures.load
    versions = ", ".join(f"{name} {number}" for name, number in machine.versions.items())
    return (
        f"- {machine.cpu}, {machine.cores} cores, {machine.system}, Python {machine.python}, SQLite {machine.sqlite}\n"
        f"- {versions}\n"
        f"- load average {before:.1f} before and {after:.1f} after; the whole run took {figures.took_s:.0f} s"
    )


def _cost(cost: RunCost) -> str:
    steps, theirs = cost.rootproof.n_checkpoints, cost.react.n_checkpoints
    run = ("time of a run", _ms(cost.rootproof_ms), _ms(cost.react_ms), _times(cost.ratio))
    count = ("steps (checkpoints)", str(steps), str(theirs), _times(steps / theirs))
    step = ("time of a step", _ms(cost.rootproof_ms / steps), _ms(cost.react_ms / theirs), _times(cost.step_ratio))
    return table(_CONTENDERS, (run, count, step))


def _ports(cost: RunCost) -> str:
    rows = [
        (
            port,
            f"{spent.n_commits:.0f}",
            _share(spent.commits_ms, cost.rootproof_ms),
            f"{spent.n_reads:.0f}",
            _share(spent.reads_ms, cost.rootproof_ms),
            _ms(spent.commits_ms + spent.reads_ms),
        )
        for port, spent in cost.ports.items()
    ]
    rest = ("Python, LangGraph, LangChain", "", "", "", _share(cost.rest_ms, cost.rootproof_ms), _ms(cost.rest_ms))
    return table(("store", "commits", "their share", "reads", "their share", "time"), (*rows, rest))


def _checkpoints(cost: RunCost) -> str:
    ours, theirs = cost.rootproof, cost.react
    rows = (
        _counted("checkpoints", ours.n_checkpoints, theirs.n_checkpoints),
        _counted("writes of single nodes", ours.n_writes, theirs.n_writes),
        _sized("a run", ours.bytes, theirs.bytes),
        _sized("a step", ours.bytes / ours.n_checkpoints, theirs.bytes / theirs.n_checkpoints),
    )
    return table(_CONTENDERS, rows)


def _throughput(measured: Sequence[Throughput]) -> str:
    first = measured[0]
    rows = [
        (
            str(one.concurrency),
            f"{one.rootproof_per_s:.1f}",
            f"{one.rootproof_per_s / first.rootproof_per_s:.2f}",
            f"{one.react_per_s:.1f}",
            f"{one.react_per_s / first.react_per_s:.2f}",
            _times(one.ratio),
        )
        for one in measured
    ]
    head = (
        "runs at once",
        "Rootproof /s",
        "to the first",
        "prebuilt agent /s",
        "to the first",
        "prebuilt : ours",
    )
    return table(head, rows)


def _memory(ours: Held, theirs: Held) -> str:
    rows = (
        _sized("Python objects a run", ours.traced_bytes, theirs.traced_bytes),
        _sized("resident memory a run", ours.resident_bytes, theirs.resident_bytes),
        _sized("resident memory before them", ours.base_bytes, theirs.base_bytes),
    )
    return table(_CONTENDERS, rows)


def _tokens(worlds: Sequence[WorldTokens]) -> str:
    rows = [
        (
            one.world,
            one.outcome,
            str(one.agent_calls),
            str(one.sent),
            f"{one.sent / one.whole_raw:.2f}",
            f"{one.results / one.raw:.2f}",
            f"{one.results / one.all_matches:.2f}",
            _share(one.schemas, one.sent),
        )
        for one in worlds
    ]
    against = ("to raw results", "results alone", "to all matches", "schemas")
    return table(("world", "outcome", "prompts", "tokens", *against), rows)


def _starts(starts: Sequence[StartTime], opening: OpenTime) -> str:
    rows = [(f"`{one.command}`", _ms(one.ms), _times(one.ratio)) for one in starts]
    cold = ("`open_app` in a new home (indexes the runbooks)", _ms(opening.cold_s * 1000), _times(opening.cold_ratio))
    warm = ("`open_app` in the same home again", _ms(opening.warm_s * 1000), _times(opening.warm_ratio))
    return table(("fresh process", "time", "to the first"), (*rows, cold, warm))


def _counted(name: str, ours: int, theirs: int) -> tuple[str, ...]:
    return (name, str(ours), str(theirs), _times(ours / theirs))


def _sized(name: str, ours: float, theirs: float) -> tuple[str, ...]:
    return (name, _size(ours), _size(theirs), _times(ours / theirs) if theirs > 0 else "–")


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"


def _times(ratio: float) -> str:
    return f"{ratio:.1f}×" if ratio >= 1 else f"{ratio:.2f}×"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %"


def _size(size: float) -> str:
    return f"{size / 1024:.1f} KB" if size < 1024 * 1024 else f"{size / 1024 / 1024:.0f} MB"
