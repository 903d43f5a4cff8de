"""Places in a run at which a process can be made to die, and the proxies that reach them.

Later campaigns add a ``Point`` to a table or a port to ``WRITES``; the driver stays as it is.
"""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from signal import SIGKILL, Signals
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event

from state.model.errors import TruthUnavailable
from tests.graph.faults import running_node

WRITES = {
    "control": {"open_run", "take_lease", "drop_lease", "reserve", "settle", "offer_event", "set_intent", "close"},
    "canonical": {"raise_fence", "begin", "complete", "fail", "add_placeholders"},
    "audit": {"record"},
    "recording": {"put"},
    "checkpoints": {"aput", "aput_writes"},
}
"""Every write a run makes, by port. The heartbeat is left out: it goes by the clock, not by the run."""

BEFORE, AFTER, COMMIT = "before", "after", "commit"


class Place(NamedTuple):
    """One moment of a run."""

    port: str
    method: str
    when: str
    node: str

    @property
    def is_finished_write(self) -> bool:
        return self.when == AFTER and self.method in WRITES.get(self.port, ())


@dataclass(frozen=True)
class Point:
    """Where to die: at the ``nth`` place with this port, method and moment. No port: after that write of any store."""

    port: str = ""
    method: str = ""
    when: str = AFTER
    nth: int = 1
    node: str = ""

    def matches(self, place: Place) -> bool:
        if not self.port:
            return place.is_finished_write
        at = (place.port, place.method, place.when) == (self.port, self.method, self.when)
        return at and self.node in {"", place.node}


@dataclass
class Course:
    """What a process did so far; it gets its signal where the point says."""

    point: Point | None = None
    signal: Signals = SIGKILL
    canonical_down_in: str = ""
    """Node in which the canonical store fails."""
    writes: list[str] = field(default_factory=list)
    """Finished writes: node, or the node before it for those of the graph itself, then port and method."""
    _last_node: str = "start"
    _met: int = 0
    _closing: int = 0

    def reach(self, port: str, method: str, when: str) -> None:
        """Note the place, and take the signal if it is the one."""
        place = Place(port, method, when, running_node())
        self._last_node = place.node or self._last_node
        if place.is_finished_write:
            self.writes.append(f"{place.node or 'after ' + self._last_node}:{port}.{method}")
        if self.point is not None and self.point.matches(place):
            self._met += 1
            if self._met == self.point.nth:
                os.kill(os.getpid(), self.signal)

    def port(self, name: str, inner: object) -> Any:
        """The same port with a place before and after every call."""
        return _Port(name, inner, self)

    def watch_closing_commit(self) -> None:
        """Make the COMMIT of the closing transaction a place: everything is written, nothing is committed."""

        def before_commit(connection: Connection) -> None:
            if self._closing and str(connection.engine.url.database).endswith("control.db"):
                self.reach("control", "close", COMMIT)

        event.listen(Engine, "commit", before_commit)

    async def around(self, port: str, method: str, call: Callable[[], Awaitable[Any]]) -> Any:
        self.reach(port, method, BEFORE)
        if port == "canonical" and self.canonical_down_in and running_node() == self.canonical_down_in:
            raise TruthUnavailable("canonical", method)
        closing = (port, method) == ("control", "close")
        self._closing += closing
        try:
            result = await call()
        finally:
            self._closing -= closing
        self.reach(port, method, AFTER)
        return result


class _Port:
    def __init__(self, name: str, inner: object, course: Course) -> None:
        self._name = name
        self._inner = inner
        self._course = course

    def __getattr__(self, method: str) -> Any:
        found = getattr(self._inner, method)

        async def call(*args: object, **kwargs: object) -> object:
            return await self._course.around(self._name, method, lambda: found(*args, **kwargs))

        return call


def tap_saver(saver: Any, course: Course) -> Any:
    """The saver itself (LangGraph checks its type) with places around its two writes."""
    for method in WRITES["checkpoints"]:
        _tap(saver, method, course)
    return saver


def _tap(saver: Any, method: str, course: Course) -> None:
    write = getattr(saver, method)

    async def tapped(*args: object, **kwargs: object) -> object:
        return await course.around("checkpoints", method, lambda: write(*args, **kwargs))

    setattr(saver, method, tapped)
