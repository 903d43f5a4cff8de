"""Times and windows as people read them: in the zone of the run, always with its offset. Pure."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from state.model.evidence import Window


def zone_of(name: str | None) -> tzinfo:
    """The zone; UTC for an unknown name."""
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, ValueError, OSError):
        return UTC


def moment(instant: datetime, zone: tzinfo) -> str:
    """``2026-03-02 14:05:31 +08:00``."""
    local = _local(instant, zone)
    return f"{local:%Y-%m-%d %H:%M:%S} {_offset(local)}"


def span(window: Window, zone: tzinfo) -> str:
    """``2026-03-02 13:05–14:05 +08:00``; the second date only where it differs."""
    start, end = _local(window.start, zone), _local(window.end, zone)
    date = "" if start.date() == end.date() else f"{end:%Y-%m-%d} "
    dash = "–" if not date else " – "
    return f"{start:%Y-%m-%d} {_clock(start)}{dash}{date}{_clock(end)} {_offset(end)}"


def iso(instant: datetime, zone: tzinfo) -> str:
    """ISO 8601 with the zone's offset."""
    return _local(instant, zone).isoformat()


def _clock(local: datetime) -> str:
    return f"{local:%H:%M}" if local.second == 0 else f"{local:%H:%M:%S}"


def _offset(local: datetime) -> str:
    raw = local.strftime("%z") or "+0000"
    return f"{raw[:3]}:{raw[3:5]}"


def _local(instant: datetime, zone: tzinfo) -> datetime:
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    try:
        return aware.astimezone(zone)
    except (OverflowError, ValueError):
        return aware
