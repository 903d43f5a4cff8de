"""What is known of one piece of a large log file without keeping its text.

A block begins where a record begins, so it can be read alone: its records are the same as if the whole file were read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tools.logs.layout import Layout
from tools.logs.read_file import Gap
from tools.logs.writing import Writing


@dataclass(slots=True)
class Held:
    """Records of one service in one block."""

    lines: int
    oldest: datetime
    newest: datetime
    levels: set[str]


def add_held(total: dict[str, Held], more: Iterable[tuple[str, Held]]) -> None:
    """Add what is held of some services to a total."""
    for name, held in more:
        known = total.get(name)
        if known is None:
            total[name] = Held(held.lines, held.oldest, held.newest, set(held.levels))
            continue
        known.lines += held.lines
        known.levels |= held.levels
        known.oldest = min(known.oldest, held.oldest)
        known.newest = max(known.newest, held.newest)


def count_record(total: dict[str, Held], service: str, at: datetime, level: str) -> None:
    """Add one record to a total."""
    held = total.get(service)
    if held is None:
        total[service] = Held(1, at, at, {level})
        return
    held.lines += 1
    held.levels.add(level)
    if at > held.newest:
        held.newest = at
    elif at < held.oldest:
        held.oldest = at


@dataclass(frozen=True, slots=True)
class Contents:
    """What reading the lines of one block once has told."""

    services: Mapping[str, Held]
    """By name as shown; empty: the block holds no record."""
    first_at: datetime | None = None
    """Time of the first record in the order of the file."""
    gaps: tuple[Gap, ...] = ()
    """Broken lines; the last may still be open, with ``before`` None."""
    n_undecodable: int = 0
    is_faithful: bool = True
    """Words of a record stand in the bytes as they stand in its text: no escapes of letters, no rewritten numbers."""
    is_unescaped: bool = True
    """The same for characters beyond ASCII."""
    writing: Writing = Writing()
    """Which of its bytes stand in the text of its records; of a block that is not faithful nothing is told."""
    layout: Layout | None = None
    """Which line begins which record; None: it is not known."""
    is_ordered: bool = False
    """No record is older than the one before it in the block."""


@dataclass(frozen=True, slots=True)
class Block:
    """Where it stands, and what it holds."""

    start: int
    """Byte offset of its first line."""
    end: int
    """Byte offset behind its last line."""
    first_line: int
    """Number of its first line, from 1."""
    next_line: int
    """Number of the line behind it."""
    contents: Contents
    check: int
    """Checksum of its bytes."""

    @property
    def oldest(self) -> datetime | None:
        """Of its records; None if it has none."""
        return min((held.oldest for held in self.contents.services.values()), default=None)

    @property
    def newest(self) -> datetime | None:
        """Of its records; None if it has none."""
        return max((held.newest for held in self.contents.services.values()), default=None)

    def may_hold(self, start: datetime, end: datetime) -> bool:
        """False: no record of it lies in ``start`` ≤ time < ``end``."""
        oldest, newest = self.oldest, self.newest
        return oldest is not None and newest is not None and oldest < end and newest >= start

    def lies_within(self, start: datetime, end: datetime) -> bool:
        """All its records lie in that time, and there is one."""
        oldest, newest = self.oldest, self.newest
        return oldest is not None and newest is not None and oldest >= start and newest < end

    def levels(self, service: str | None = None) -> frozenset[str]:
        """Of its records, or of those of one service."""
        services = self.contents.services
        held = services.values() if service is None else [services[service]] if service in services else []
        return frozenset(level for one in held for level in one.levels)
