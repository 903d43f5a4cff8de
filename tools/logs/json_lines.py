"""Reads one JSON object of a log file as a record. Pure."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from state.model.redaction import is_sensitive_key, redact_json
from state.model.stack_tail import drop_stack_tail
from tools.logs.levels import parse_level
from tools.logs.stamps import Reference, Stamped, in_calendar
from tools.valid_text import valid_text

_TIME_KEYS = ("ts", "timestamp", "@timestamp", "time", "datetime", "date", "eventTime")
_LEVEL_KEYS = ("level", "severity", "lvl", "loglevel", "log.level", "levelname", "级别")
_MESSAGE_KEYS = ("message", "msg", "log", "text", "event", "消息")
_SERVICE_KEYS = ("service", "service.name", "service_name", "app", "application", "服务")
MAX_VALUE_CHARS = 600
"""Of one further field."""
_EPOCH_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""Above the bound, the number counts parts of a second: nano, micro, milli."""


def read_json_line(line: str, reference: Reference, *, at: datetime | None = None) -> Stamped | None:
    """The record, or None if the line is no JSON object with a real time.

    ``at`` is the time of the record where the source knows it; then the line needs none.
    """
    try:
        row = json.loads(line)
        return read_json_row(row, reference, at=at) if isinstance(row, dict) else None
    except (ValueError, RecursionError, OverflowError):
        # Nested or long beyond what can be written out again: one bad line is a line that cannot be read.
        return None


def read_json_row(row: dict[str, object], reference: Reference, *, at: datetime | None = None) -> Stamped | None:
    """The record of a decoded object, as ``read_json_line``; takes from ``row`` what it has read."""
    own = _time(row, reference)
    at = own if at is None else at
    if at is None:
        return None
    message = _take(row, _MESSAGE_KEYS)
    level = _take(row, _LEVEL_KEYS)
    service = _take(row, _SERVICE_KEYS)
    return Stamped(
        at,
        valid_text(
            drop_stack_tail(message if isinstance(message, str) else "" if message is None else _dumped(message))
        ),
        parse_level(level) if level is not None else None,
        service_in(service),
        field_texts(row),
    )


@dataclass(frozen=True, slots=True)
class Places:
    """Which keys of an object hold what makes a record; None: it has no such key."""

    time: str | None
    level: str | None
    service: str | None
    message: str | None


def places_of(keys: Collection[str]) -> Places:
    """For any object with these keys: those that ``read_json_row`` reads, without the cost of its texts."""
    return Places(
        time=_first_of(_TIME_KEYS, keys),
        level=_first_of(_LEVEL_KEYS, keys),
        service=_first_of(_SERVICE_KEYS, keys),
        message=_first_of(_MESSAGE_KEYS, keys),
    )


def field_texts(row: Mapping[str, object]) -> dict[str, str]:
    """Every field that has a value, as bounded text; values under sensitive keys are removed."""
    return {
        valid_text(key): valid_text(_text(key, value))
        for key, value in row.items()
        if value is not None and value != ""
    }


def render_extra(fields: Mapping[str, str]) -> str:
    """``key=value`` pairs separated by one blank."""
    return " ".join([f"{key}={value}" for key, value in fields.items()])


def _first_of(wanted: tuple[str, ...], keys: Collection[str]) -> str | None:
    return next((key for key in wanted if key in keys), None)


def _take(row: dict[str, object], keys: tuple[str, ...]) -> object:
    for key in keys:
        if key in row:
            return row.pop(key)
    return None


def _time(row: dict[str, object], reference: Reference) -> datetime | None:
    for key in _TIME_KEYS:
        if key in row:
            at = instant_of(row[key], reference)
            if at is not None:
                del row[key]
            return at
    return None


def service_in(value: object) -> str | None:
    """The service a field names; None for anything else."""
    return valid_text(value.strip()) if isinstance(value, str) and value.strip() else None


def instant_of(value: object, reference: Reference) -> datetime | None:
    """The instant a field tells, in UTC; None: no real time."""
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value.strip().replace(",", "."))
            if read.tzinfo is UTC:
                return in_calendar(read)
            return in_calendar(read if read.tzinfo else read.replace(tzinfo=reference.zone)).astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return in_calendar(datetime.fromtimestamp(value / _scale(value), UTC))
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _scale(value: float) -> float:
    return next((scale for least, scale in _EPOCH_SCALES if value > least), 1.0)


def _text(key: str, value: object) -> str:
    if is_sensitive_key(key):
        value = redact_json({key: value})[key]  # type: ignore[index]  # an object stays one
    if isinstance(value, str):
        return drop_stack_tail(value)[:MAX_VALUE_CHARS] if len(value) > MAX_VALUE_CHARS or "\n" in value else value
    if isinstance(value, dict | list):
        return _dumped(redact_json(value))[:MAX_VALUE_CHARS]
    return json.dumps(value)


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
