"""One fault: where it strikes, whether it did, and the errors it brings."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy.exc import OperationalError

from state.model.errors import TruthUnavailable
from state.stores.database import Database
from tests.faults.between import running_node
from tests.faults.dimensions import Kind, Part

T = TypeVar("T")
INTERNALS = "s3cr3t-of-the-vendor at /srv/rootproof/private.py"
"""In the text of every error brought in; nothing that is shown may hold any word of it."""
SLOW_S = 0.03
BUSY_S = 0.2
"""How long a store waits for a file that another process has locked."""


@dataclass
class Strike:
    """One part that fails in one way while one node is at work."""

    node: str
    part: Part
    kind: Kind
    struck: int = 0
    touched: set[tuple[Part, str, bool]] = field(default_factory=set)
    """Part, node and whether it was written, of every use of a store."""

    def is_due(self, part: Part) -> bool:
        """True if this use of the part must go wrong."""
        due = part is self.part and running_node() == self.node
        self.struck += due
        return due


NOTHING = Strike("", Part.CLOCK, Kind.SLOW)
"""Strikes nowhere."""


_WRITES_THAT_READ = frozenset({"close_timeline"})


def vendor_error() -> Exception:
    """As SQLAlchemy wraps what a driver raises."""
    return OperationalError("SELECT secret_column FROM private_table", {}, sqlite3.OperationalError(INTERNALS))


def bug() -> Exception:
    """An error nobody foresaw."""
    return RuntimeError(INTERNALS)


def raising(error: Exception) -> Callable[[Any], Any]:
    """Work that fails."""

    def work(_: object) -> object:
        raise error

    return work


class FaultyDatabase:
    """A ``Database`` in front of which the strike stands; the store above it is the product's own."""

    def __init__(self, inner: Database, path: Path, strike: Strike, part_of: Callable[[str], Part | None]) -> None:
        self._inner = inner
        self._path = path
        self._strike = strike
        self._part_of = part_of
        self.forge: Callable[[str, Any], Any] = lambda _, found: found
        """What is read in place of what is there, by operation."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def read(self, operation: str, work: Callable[[Any], T]) -> T:
        part = self._noted(operation, writes=False)
        if part is None or not self._strike.is_due(part):
            return await self._inner.read(operation, work)
        return await self._wrong(self._inner.read, operation, work)

    async def write(self, operation: str, work: Callable[[Any], T]) -> T:
        part = self._noted(operation, writes=True)
        if part is None or not self._strike.is_due(part):
            return await self._inner.write(operation, work)
        match self._strike.kind:
            case Kind.HANG:
                async with Locked(self._path):
                    return await self._inner.write(operation, work)
            case Kind.PARTIAL:
                await self._inner.write(operation, work)
                raise TruthUnavailable(part.value, operation)
        return await self._wrong(self._inner.write, operation, work)

    def _noted(self, operation: str, *, writes: bool) -> Part | None:
        part = self._part_of(operation)
        if part is not None:
            self._strike.touched.add((part, running_node(), writes))
            if operation in _WRITES_THAT_READ:
                self._strike.touched.add((part, running_node(), False))
        return part

    async def _wrong(self, run: Callable[[str, Any], Any], operation: str, work: Callable[[Any], Any]) -> Any:
        match self._strike.kind:
            case Kind.EXCEPTION:
                return await run(operation, raising(vendor_error()))
            case Kind.BUG:
                return await run(operation, raising(bug()))
            case Kind.SLOW:
                return await run(operation, _late(work))
            case Kind.WRONG:
                return self.forge(operation, await run(operation, work))
        return await run(operation, work)


def _late(work: Callable[[Any], T]) -> Callable[[Any], T]:
    def slow(connection: Any) -> T:
        time.sleep(SLOW_S)
        return work(connection)

    return slow


class Locked:
    """Another process's write transaction: while it is open, nobody else can write to the file."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    async def __aenter__(self) -> None:
        await asyncio.to_thread(self._connection.execute, "BEGIN IMMEDIATE")

    async def __aexit__(self, *_: object) -> None:
        with closing(self._connection):
            self._connection.execute("ROLLBACK")


async def forever() -> None:
    """Never returns; ends only by being cancelled."""
    await asyncio.Event().wait()
