"""Time spent at the ports of a run, without double counting what overlaps."""

import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from graph.stores import Stores

T = TypeVar("T")

PORTS = ("control", "canonical", "audit", "recording", "checkpoints")
"""Attributes of ``Stores`` that are measured."""

_METHODS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "control": (
        (
            "open_run",
            "take_lease",
            "drop_lease",
            "heartbeat",
            "reserve",
            "settle",
            "offer_event",
            "set_intent",
            "close",
        ),
        ("get_run", "previous_turn", "entries"),
    ),
    "canonical": (("raise_fence", "begin", "complete", "fail", "add_placeholders"), ("get", "records", "placeholders")),
    "audit": (("record",), ("events",)),
    "recording": (("put",), ("get",)),
    "checkpoints": (("aput", "aput_writes"), ("aget_tuple",)),
}
"""Methods that commit and methods that read; those that only delegate to one of these are left out."""


@dataclass
class PortTime:
    """Calls of one port."""

    n_commits: int = 0
    commits_s: float = 0.0
    n_reads: int = 0
    reads_s: float = 0.0

    def add(self, seconds: float, *, commits: bool) -> None:
        """Count one call."""
        if commits:
            self.n_commits += 1
            self.commits_s += seconds
        else:
            self.n_reads += 1
            self.reads_s += seconds


@dataclass
class Tally:
    """Calls since ``reset``."""

    ports: dict[str, PortTime] = field(default_factory=lambda: defaultdict(PortTime))
    busy_s: float = 0.0
    """Seconds in which at least one call was under way: calls that overlap count once."""
    _running: int = 0
    _since: float = 0.0

    def reset(self) -> None:
        """Forget what was counted."""
        self.ports, self.busy_s = defaultdict(PortTime), 0.0

    def timed(self, port: str, method: Callable[..., Awaitable[T]], *, commits: bool) -> Callable[..., Awaitable[T]]:
        """The same method, counted."""

        async def call(*args: object, **kwargs: object) -> T:
            started = self._enter()
            try:
                return await method(*args, **kwargs)
            finally:
                self.ports[port].add(self._leave() - started, commits=commits)

        return call

    def _enter(self) -> float:
        now = time.perf_counter()
        if not self._running:
            self._since = now
        self._running += 1
        return now

    def _leave(self) -> float:
        now = time.perf_counter()
        self._running -= 1
        if not self._running:
            self.busy_s += now - self._since
        return now


def watch(stores: Stores) -> Tally:
    """A tally of everything these stores are asked from now on; whoever holds them already is counted too."""
    tally = Tally()
    for port in PORTS:
        store = getattr(stores, port)
        for names, commits in zip(_METHODS[port], (True, False), strict=True):
            for name in names:
                setattr(store, name, tally.timed(port, getattr(store, name), commits=commits))
    return tally
