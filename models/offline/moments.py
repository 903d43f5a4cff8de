"""Instants in fields and texts. Pure."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from models.offline.loose import Scalar

_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?")
_TIME_NAME = re.compile(
    r"(?:^|_)(?:ts|time|timestamp|at|date|when|first_ts|started|created|applied|executed|deployed|"
    r"changed)$|_at$|_time$|_ts$|时间",
    re.IGNORECASE,
)


def parse_instant(text: str) -> datetime | None:
    """The first instant in a text, UTC (one without offset is read as UTC); None if there is none."""
    match = _STAMP.search(text)
    if match is None:
        return None
    raw = re.sub(r"([.,]\d{1,6})\d*", r"\1", match.group()).replace(",", ".").replace("Z", "+00:00")
    try:
        found = datetime.fromisoformat(raw)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def is_time_name(name: str) -> bool:
    """True for a column name that says it holds a time."""
    return _TIME_NAME.search(name) is not None


def field_instant(fields: Mapping[str, Scalar], *names: str) -> datetime | None:
    """The instant of the first named field that holds one."""
    found = (parse_instant(str(fields[name])) for name in names if isinstance(fields.get(name), str))
    return next((instant for instant in found if instant is not None), None)


def any_instant(fields: Mapping[str, Scalar]) -> tuple[str, datetime] | None:
    """Name and instant of the first field that is named and filled like a time."""
    for name, value in fields.items():
        instant = parse_instant(value) if isinstance(value, str) and is_time_name(name) else None
        if instant is not None:
            return name, instant
    return None
