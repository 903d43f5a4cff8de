"""A world: a folder of evidence as a value. Reading one is ``tools.world``. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from state.model.base import Value


class SourceKind(StrEnum):
    """What a source of a world holds."""

    KNOWLEDGE = "knowledge"
    LOGS = "logs"
    SQL = "sql"
    METRICS = "metrics"
    ALERTS = "alerts"


class WorldSource(Value):
    """One place of evidence inside the folder."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    """What the model calls it; unique in its kind."""
    kind: SourceKind
    path: Path
    """Absolute. A folder for knowledge, logs and metrics; one file for sql and alerts."""


class World(Value):
    """Everything a world folder declares or implies."""

    path: Path
    """Absolute, links resolved."""
    name: str
    """Declared, else the name of the folder."""
    description: str = ""
    now: datetime | None = None
    """UTC instant at which questions are asked; None: the latest telemetry, or the clock if there is none."""
    time_zone: str = "UTC"
    """IANA name: reads stamps without offset, shows all times."""
    sources: tuple[WorldSource, ...] = ()
    """By kind, then name."""
    allowlists: dict[str, dict[str, tuple[str, ...]]] = {}
    """Datasource → table → columns that may be read; a datasource without an entry has its default."""
    has_bundled_runbooks: bool = False
    """True: without runbooks of its own it is read with the bundled library, whatever documents people added."""
    ignored: tuple[str, ...] = ()
    """Links that lead out of the folder, relative to it; they are not followed."""

    def of_kind(self, kind: SourceKind) -> tuple[WorldSource, ...]:
        """The sources of one kind, by name."""
        return tuple(source for source in self.sources if source.kind is kind)


def settle_now(world: World, latest: datetime | None, clock_now: datetime) -> tuple[datetime, bool]:
    """The instant questions refer to, and whether it was taken from the data: declared, else latest, else clock.

    From the data it is the first whole second after the latest record: windows end before their end, and the last
    record is often the one that matters.
    """
    if world.now is not None:
        return world.now, False
    if latest is None:
        return clock_now, False
    return latest.replace(microsecond=0) + timedelta(seconds=1), True
