"""What a generated world consists of, as plain values; nothing here writes or draws.

`writer.py` turns a `World` into a folder. The expected answer is deliberately not part of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from worlds.generate.timeline import Timeline

Scalar: TypeAlias = str | int | float | None
"""A JSON and SQLite value."""


@dataclass(frozen=True, slots=True)
class Event:
    """One structured log record."""

    at: datetime
    """When it was logged; UTC."""
    service: str
    """Name of the service; also the name of its file."""
    level: str
    """DEBUG, INFO, WARN or ERROR."""
    message: str
    """The text as the technology writes it."""
    fields: tuple[tuple[str, Scalar], ...] = ()
    """Further JSON members, in order."""


@dataclass(frozen=True, slots=True)
class Line:
    """One record of a plain-text log; continuation lines are part of `text`."""

    at: datetime
    """Sort key; UTC."""
    text: str
    """The record with its own timestamp, without a final line break."""


@dataclass(frozen=True, slots=True)
class Table:
    """One database table."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Name and declared type (TEXT, INTEGER, REAL); the first is the primary key."""
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of one metric series."""

    at: datetime
    metric: str
    value: float
    labels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Alert:
    """One firing alert; its text names a symptom, never a cause."""

    name: str
    service: str
    severity: str
    summary: str
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class World:
    """Everything that one world folder holds."""

    name: str
    description: str
    """One neutral sentence about the system; names neither symptom nor cause."""
    times: Timeline
    events: tuple[Event, ...]
    """Structured records; one file a service."""
    text_logs: Mapping[str, tuple[Line, ...]]
    """Plain-text records by file name, for example `postgresql.log`."""
    database: str
    """Stem of the database file, and so the name of the datasource."""
    tables: tuple[Table, ...]
    samples: tuple[Sample, ...] = ()
    alerts: tuple[Alert, ...] = ()
