"""The alert a run came from, and what else fired with it. Words of the alerting system: untrusted, bounded. Pure."""

from datetime import datetime

from pydantic import Field

from state.model.base import Value

MAX_RISKS = 20
"""Related alerts that a run names; further ones are counted."""
MAX_SHOWN_CHARS = 120
"""Of an alert's name and of one label value."""


class FiringAlert(Value):
    """One alert as it is shown: without secrets, each text one line."""

    name: str = Field(max_length=MAX_SHOWN_CHARS)
    """Empty where it has none."""
    labels: dict[str, str]
    """Those that say what it is about, such as ``service``; the others are left out."""
    started_at: datetime
    """When it began to fire, UTC."""


class AlertOrigin(Value):
    """Why there is a run: one alert of a notification. The others were not looked into."""

    subject: FiringAlert
    """The one that began first; what the run is about."""
    related_risks: tuple[FiringAlert, ...] = Field((), max_length=MAX_RISKS)
    """What else fired when the run was started, oldest first: not the subject, not diagnosed."""
    omitted: int = Field(0, ge=0)
    """How many more fired beyond those."""
