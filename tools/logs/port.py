"""What a log source is: a bounded, read-only search over a window of time.

Every source passes the same contract suite (``tests/tools/logs/source_contract.py``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from state.model.base import Value
from state.model.evidence import Window


class LogQuery(Value):
    """One search. All given filters must hold."""

    window: Window
    """Half-open, UTC."""
    service: str | None = None
    """Exact name."""
    level: str | None = None
    """At least this level, one of ``tools.logs.levels.LEVELS``."""
    contains: str | None = None
    """Text that must occur in message or fields, upper and lower case alike."""


@dataclass(slots=True)
class LogEvent:
    """One record. Sources build it; nobody changes it afterwards except for the cached ``shape``."""

    at: datetime
    """UTC instant."""
    service: str
    level: str
    message: str
    """As written, without time stamp and structured prefix; secrets may still be in it."""
    extra: str
    """Further fields as ``key=value`` pairs; sensitive ones already removed."""
    origin: str
    """Where it stands in the source: the same record always has the same origin."""
    shape: str = field(default="", compare=False)
    """Cache of ``tools.logs.shapes``; empty until it was needed."""


class Unread(Value):
    """Something of the source that could not be searched."""

    name: str
    """File or shard, relative to the source."""
    why: str
    """One of binary, undecodable, unreadable, too_large, timed_out, no_timestamps; of a server also server_warning,
    not_returned (counted but withheld), too_many (of one instant), not_searchable (hidden by the mapping)."""


@dataclass(frozen=True)
class LogPage:
    """What a search found, and how much it really searched."""

    events: Sequence[LogEvent]
    """Matches in time order; all of them, or an even selection if the source had to bound them."""
    total: int | None
    """Matches at the source; None if it cannot say."""
    is_complete: bool
    """False: something of the asked scope could not be searched."""
    holds_window: bool
    """False: the source has no record at all in the window, or never had one of the asked service."""
    oldest: datetime | None
    """Oldest record of the whole source; None if it is empty."""
    oldest_by_service: Mapping[str, datetime]
    unread: tuple[Unread, ...] = ()
    unparsed: int = 0
    """Broken records that may belong to the window."""


@dataclass(frozen=True)
class ServiceHolding:
    """What a source holds of one service."""

    service: str
    lines: int
    levels: tuple[str, ...]
    """Mildest first."""
    oldest: datetime
    newest: datetime


@dataclass(frozen=True)
class Holdings:
    """What a source holds, for the catalogue."""

    services: tuple[ServiceHolding, ...]
    """By name."""
    unread: tuple[Unread, ...] = ()
    ignored: tuple[str, ...] = ()
    """Entries left out by rule (links that leave the folder), by name."""
    n_estimated: int = 0
    """Files too large to be counted here: their lines are estimates, and they may hold further services and levels."""

    @property
    def newest(self) -> datetime | None:
        """Newest record of the source; None if it is empty."""
        return max((held.newest for held in self.services), default=None)

    @property
    def oldest(self) -> datetime | None:
        """Oldest record of the source; None if it is empty."""
        return min((held.oldest for held in self.services), default=None)


class LogSource(Protocol):
    """One configured place where logs are kept."""

    name: str
    """Matches ``[A-Za-z0-9][A-Za-z0-9._-]{0,63}``."""

    async def search(self, query: LogQuery) -> LogPage:
        """All matches. Raises ToolFailed if the source as a whole cannot be searched.

        On CancelledError the work at the source ends before the error propagates.
        """
        ...

    async def holdings(self) -> Holdings:
        """What the source holds now. Raises ToolFailed as ``search``."""
        ...
