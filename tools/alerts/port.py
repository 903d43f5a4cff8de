"""What an alert source is: a bounded, read-only look at the alerts of now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from state.model.base import Value

MAX_ALERTS = 10_000
"""Of one source; more is an error, never cut."""
MAX_LABELS = 64
MAX_NAME_CHARS = 200
MAX_VALUE_CHARS = 16 * 1024
"""A longer label or annotation is cut there; what is shown is far shorter."""


class AlertState(StrEnum):
    """In which state an alert is. ``firing`` covers what Alertmanager calls active."""

    FIRING = "firing"
    PENDING = "pending"
    """Its condition holds, not yet for long enough."""
    SUPPRESSED = "suppressed"
    """Firing, but silenced or inhibited."""
    UNPROCESSED = "unprocessed"
    """Received a moment ago, not yet sorted by Alertmanager."""
    RESOLVED = "resolved"


@dataclass(frozen=True)
class Alert:
    """One alert as a source holds it."""

    fingerprint: str
    """16 hex digits that name its label set."""
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    """Both as the source holds them; secrets may still be in them."""
    state: AlertState
    """As the source says it; whether it is resolved by ``now`` is decided by ``ends_at``."""
    starts_at: datetime
    ends_at: datetime | None = None
    """None: no end is known."""
    updated_at: datetime | None = None
    value: float | None = None
    """Of its expression, where the source tells it."""

    @property
    def name(self) -> str:
        """Its ``alertname``; empty if it has none."""
        return self.labels.get("alertname", "")


class Unread(Value):
    """Something of the source that could not be read."""

    name: str
    why: str
    """One of bad_entries, warned."""


@dataclass(frozen=True)
class AlertPage:
    """All alerts of a source."""

    alerts: tuple[Alert, ...]
    unread: tuple[Unread, ...] = ()
    """Empty: everything was read."""


@dataclass(frozen=True)
class Holdings:
    """What a source holds, for the catalogue."""

    names: tuple[str, ...]
    """Of alerts that fire now, and of alerting rules where the source tells them; sorted."""
    labels: tuple[str, ...]
    """Names of their labels, sorted."""
    n_alerts: int
    newest: datetime | None = None
    """Latest start, end or update of an alert that the source recorded; None for a live source."""
    unread: tuple[Unread, ...] = ()
    label_values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Label that names a service or the like → its values."""


class AlertSource(Protocol):
    """One configured place that knows alerts."""

    name: str
    """Matches ``[A-Za-z0-9][A-Za-z0-9._-]{0,63}``."""

    async def alerts(self) -> AlertPage:
        """All alerts it has. Raises ToolFailed: RESULT_TOO_LARGE, TOOL_TIMEOUT, else TOOL_EXECUTION_ERROR."""
        ...

    async def holdings(self) -> Holdings:
        """What it has now. Raises ToolFailed as ``alerts``."""
        ...
