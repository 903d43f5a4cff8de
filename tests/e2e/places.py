"""Places in a run at which a process can be made to die, and what reaches them in front of every store.

A database is reached before its work, when everything is sent and nothing committed, and after the commit; whatever
else is written to, before and after. Later campaigns add a ``Point`` to a table; the driver stays as it is.
"""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from signal import SIGKILL, Signals
from typing import Any, NamedTuple, TypeVar

from state.model.errors import TruthUnavailable
from state.stores.database import Database
from tests.faults.between import running_node

T = TypeVar("T")
WRITES = {
    "control": {"open_run", "take_lease", "drop_lease", "reserve", "settle", "offer_event", "set_intent", "close"},
    "canonical": {"raise_fence", "begin", "complete", "fail", "add_placeholders"},
    "audit": {"record", "close_timeline"},
    "recording": {"put"},
    "checkpoints": {"aput", "aput_writes"},
}
"""Every write a run makes, by store. The heartbeat is left out: it goes by the clock, not by the run."""

BEFORE, AFTER, COMMIT = "before", "after", "commit"


class Place(NamedTuple):
    """One moment of a run."""

    port: str
    method: str
    when: str
    node: str

    @property
    def is_write(self) -> bool:
        return self.method in WRITES.get(self.port, ())


@dataclass(frozen=True)
class Point:
    """Where to die: at the ``nth`` place with this port, method and moment. No port: at that moment of any write."""

    port: str = ""
    method: str = ""
    when: str = AFTER
    nth: int = 1
    node: str = ""

    def matches(self, place: Place) -> bool:
        if not self.port:
            return place.is_write and place.when == self.when
        at = (place.port, place.method, place.when) == (self.port, self.method, self.when)
        return at and self.node in {"", place.node}


@dataclass
class Course:
    """What a process did so far; it gets its signal where the point says."""

    point: Point | None = None
    signal: Signals = SIGKILL
    canonical_down_in: str = ""
    """Node in which the canonical store fails."""
    writes: dict[str, list[str]] = field(default_factory=lambda: {COMMIT: [], AFTER: []})
    """By moment: node, or the node before it for those of the graph itself, then store and method of each write."""
    _last_node: str = "start"
    _met: int = 0

    def reach(self, port: str, method: str, when: str, node: str | None = None) -> None:
        """Note the place, and take the signal if it is the one. ``node``: where the caller is in a thread."""
        place = Place(port, method, when, running_node() if node is None else node)
        self._last_node = place.node or self._last_node
        if place.is_write and when in self.writes:
            self.writes[when].append(f"{place.node or 'after ' + self._last_node}:{port}.{method}")
        if self.point is not None and self.point.matches(place):
            self._met += 1
            if self._met == self.point.nth:
                os.kill(os.getpid(), self.signal)

    def check_up(self, port: str, method: str) -> None:
        """Return if the store can be used here.

        Raises:
            TruthUnavailable: it is the canonical one, in the node where it fails.
        """
        if port == "canonical" and self.canonical_down_in and running_node() == self.canonical_down_in:
            raise TruthUnavailable("canonical", method)

    def port(self, name: str, inner: object) -> Any:
        """The same port with a place before and after every call."""
        return _Port(name, inner, self)

    async def around(self, port: str, method: str, call: Callable[[], Awaitable[Any]]) -> Any:
        self.reach(port, method, BEFORE)
        self.check_up(port, method)
        result = await call()
        self.reach(port, method, AFTER)
        return result


class TappedDatabase:
    """A ``Database`` with places around every work of it, the last of them before its commit."""

    def __init__(self, inner: Database, port: str, course: Course) -> None:
        self._inner = inner
        self._port = port
        self._course = course

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def read(self, operation: str, work: Callable[[Any], T]) -> T:
        found: T = await self._course.around(self._port, operation, lambda: self._inner.read(operation, work))
        return found

    async def write(self, operation: str, work: Callable[[Any], T]) -> T:
        node = running_node()

        def tapped(connection: Any) -> T:
            result = work(connection)
            self._course.reach(self._port, operation, COMMIT, node)
            return result

        done: T = await self._course.around(self._port, operation, lambda: self._inner.write(operation, tapped))
        return done


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
