"""One measured part of the evaluation page: words, tables, and the gates it must hold. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Gate:
    """One bound that a measured value must hold."""

    name: str
    value: float
    bound: float
    at_least: bool
    """True: ``value`` must not be below ``bound``; False: not above it."""

    @property
    def holds(self) -> bool:
        """True if the bound is kept."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


@dataclass(frozen=True)
class Section:
    """A heading of ``docs/evaluation.md`` with everything below it."""

    title: str
    body: str
    """Markdown, without the heading."""
    gates: tuple[Gate, ...] = ()


def render(sections: Sequence[Section]) -> str:
    """The sections as Markdown, each followed by its gates; empty for none."""
    return "\n".join(f"## {one.title}\n\n{one.body.strip()}\n{_gates(one.gates)}" for one in sections)


def failed(sections: Sequence[Section]) -> tuple[Gate, ...]:
    """Every gate that does not hold, in order."""
    return tuple(gate for one in sections for gate in one.gates if not gate.holds)


def _gates(gates: Sequence[Gate]) -> str:
    if not gates:
        return ""
    rows = "".join(
        f"| {gate.name} | {gate.value:g} | {'≥' if gate.at_least else '≤'} {gate.bound:g} "
        f"| {'holds' if gate.holds else '**broken**'} |\n"
        for gate in gates
    )
    return f"\n| gate | measured | bound | |\n|---|---:|---:|---|\n{rows}"
