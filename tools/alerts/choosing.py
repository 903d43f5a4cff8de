"""Which alerts hold at an instant, match a request, and come first. Pure and deterministic."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from tools.alerts.port import Alert, AlertState
from tools.alerts.request import ACTIVE

_ORDER = tuple(AlertState)


def as_of(alerts: Iterable[Alert], now: datetime) -> list[Alert]:
    """The alerts that had begun by then; one whose end has passed is resolved."""
    return [
        replace(alert, state=AlertState.RESOLVED) if alert.ends_at is not None and alert.ends_at <= now else alert
        for alert in alerts
        if alert.starts_at <= now
    ]


def matching(alerts: Iterable[Alert], state: str, labels: Mapping[str, str]) -> list[Alert]:
    """The alerts of the state with exactly these labels: by state, the latest first, then by fingerprint.

    A label that an alert lacks is the empty text.
    """
    found = [
        alert
        for alert in alerts
        if (alert.state is not AlertState.RESOLVED if state == ACTIVE else alert.state == state)
        and all(alert.labels.get(name, "") == value for name, value in labels.items())
    ]
    return sorted(found, key=lambda alert: (_ORDER.index(alert.state), -alert.starts_at.timestamp(), alert.fingerprint))
