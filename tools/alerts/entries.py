"""Reads alert entries of Alertmanager's API (version 2) and of Prometheus' API. Pure; strict, one entry at a time."""

import math
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import NoReturn

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tools.alerts.fingerprint import fingerprint
from tools.alerts.port import (
    MAX_ALERTS,
    MAX_LABELS,
    MAX_VALUE_CHARS,
    Alert,
    AlertPage,
    AlertState,
    Holdings,
    Unread,
)
from tools.metrics.identity import identity_values
from tools.valid_text import valid_text

_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_LONG_FRACTION = re.compile(r"(\.\d{6})\d+")
_NO_TIME_BEFORE = datetime(1971, 1, 1, tzinfo=UTC)
"""Go writes a time that is not set as year 1."""
_NO_TIME_AFTER = datetime(9997, 1, 1, tzinfo=UTC)
_STATES = {"active": AlertState.FIRING, **{state.value: state for state in AlertState}}


class BadEntry(ValueError):
    """The entry is not an alert of this API."""


def read_entries(entries: object, read: Callable[[object], Alert]) -> AlertPage:
    """The alerts of a list, each once, by fingerprint; entries that are none are counted.

    Raises:
        ToolFailed: RESULT_TOO_LARGE for more than 10 000; TOOL_EXECUTION_ERROR if it is no list.
    """
    if not isinstance(entries, list):
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail="the alerts are no list")
    if len(entries) > MAX_ALERTS:
        raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"{len(entries)} alerts")
    found: dict[str, Alert] = {}
    n_bad = 0
    for entry in entries:
        try:
            alert = read(entry)
        except BadEntry:
            n_bad += 1
            continue
        known = found.get(alert.fingerprint)
        # The same alert twice is two of its episodes: the later one tells its state.
        if known is None or known.starts_at <= alert.starts_at:
            found[alert.fingerprint] = alert
    unread = (Unread(name=f"{n_bad} of {len(entries)} entries", why="bad_entries"),) if n_bad else ()
    return AlertPage(tuple(found[key] for key in sorted(found)), unread)


def read_alertmanager(entry: object) -> Alert:
    """One alert of ``GET /api/v2/alerts``; without a status it is as its times say.

    Raises:
        BadEntry: it has no labels or no start, or something has another type.
    """
    members = _members(entry)
    status = _members(members.get("status") or {})
    labels = _label_set(members.get("labels"))
    given = members.get("fingerprint")
    return Alert(
        fingerprint=given if isinstance(given, str) and _FINGERPRINT.fullmatch(given) else fingerprint(labels),
        labels=labels,
        annotations=_texts(members.get("annotations") or {}),
        state=_state(status.get("state", "active")),
        starts_at=_needed_instant(members.get("startsAt")),
        ends_at=_instant(members.get("endsAt")),
        updated_at=_instant(members.get("updatedAt")),
    )


def read_prometheus(entry: object) -> Alert:
    """One alert of ``GET /api/v1/alerts``.

    Raises:
        BadEntry: it has no labels or no start, or something has another type.
    """
    members = _members(entry)
    labels = _label_set(members.get("labels"))
    return Alert(
        fingerprint=fingerprint(labels),
        labels=labels,
        annotations=_texts(members.get("annotations") or {}),
        state=_state(members.get("state")),
        starts_at=_needed_instant(members.get("activeAt")),
        value=_value(members.get("value")),
    )


def _refuse(why: str) -> NoReturn:
    raise BadEntry(why)


def _members(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        _refuse("no object")
    return value


def _label_set(value: object) -> dict[str, str]:
    labels = _texts(value)
    if not labels:
        _refuse("no labels")
    return labels


def _texts(value: object) -> dict[str, str]:
    """Names and texts as they are.

    Raises:
        BadEntry: it is something else, or too many.
    """
    members = _members(value)
    if len(members) > MAX_LABELS or not all(isinstance(text, str) for text in members.values()):
        raise BadEntry("too many, or no texts")
    return {valid_text(str(name)): valid_text(str(text))[:MAX_VALUE_CHARS] for name, text in sorted(members.items())}


def _state(value: object) -> AlertState:
    if not isinstance(value, str) or value not in _STATES:
        _refuse("no state")
    return _STATES[value]


def _needed_instant(value: object) -> datetime:
    at = _instant(value)
    if at is None:
        _refuse("no start")
    return at


def _instant(value: object) -> datetime | None:
    """The instant; None if it is absent or Go's time that is not set.

    Raises:
        BadEntry: it is something else.
    """
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > 64:
        _refuse("no time")
    try:
        at = datetime.fromisoformat(_LONG_FRACTION.sub(r"\1", value))
        at = at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        _refuse("no time")
    return at if _NO_TIME_BEFORE <= at < _NO_TIME_AFTER else None


def _value(value: object) -> float | None:
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def held_by(page: AlertPage, *, rules: Collection[str] = (), newest: datetime | None = None) -> Holdings:
    """What a source holds that has these alerts now, and alerting rules of these names."""
    return Holdings(
        names=tuple(sorted({alert.name for alert in page.alerts if alert.name} | set(rules))),
        labels=tuple(sorted({name for alert in page.alerts for name in alert.labels})),
        n_alerts=len(page.alerts),
        newest=newest,
        unread=page.unread,
        label_values=identity_values(alert.labels for alert in page.alerts),
    )
