"""Timestamps as the technologies write them; each names its zone."""

from datetime import UTC, datetime


def iso_z(at: datetime) -> str:
    """Return ISO 8601 in UTC with milliseconds, `2026-03-02T13:05:11.042Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def iso_seconds(at: datetime) -> str:
    """Return ISO 8601 in UTC with seconds, as the database tables hold it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_offset(at: datetime) -> str:
    """Return ISO 8601 with milliseconds and the offset of `at`."""
    return at.isoformat(timespec="milliseconds")


def syslog_stamp(at: datetime) -> str:
    """Return the RFC 3339 stamp with microseconds that rsyslog writes."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def postgres_stamp(at: datetime) -> str:
    """Return the `%m` stamp of PostgreSQL with its zone name."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.") + f"{at.microsecond // 1000:03d} UTC"


def clf_stamp(at: datetime) -> str:
    """Return the Common Log Format stamp, `02/Mar/2026:13:05:11 +0000`."""
    return at.astimezone(UTC).strftime("%d/%b/%Y:%H:%M:%S +0000")


def gc_stamp(at: datetime) -> str:
    """Return the `time` decoration of JVM unified logging."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}+0000"
