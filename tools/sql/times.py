"""Times: comparing them with text of another form, or of another zone, finds nothing and proves nothing. Pure."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tools.sql.catalogue import Column

_STORED = re.compile(
    r"\d{4}-\d\d-\d\d(?:(?P<separator>[T ])\d\d:\d\d(?P<seconds>:\d\d(?P<fraction>\.\d{1,9})?)?"
    r"(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?)?"
)


def time_problem(column: Column, value: str, *, whole: bool) -> str | None:
    """Why this text cannot be compared with the column's stored times, or None.

    ``whole``: the comparison is for equality, so a date alone or another precision can never match.
    A column of text whose extremes do not share one form is not judged.
    """
    if column.zoned is not None:
        return _zone_problem(column, value)
    stored = _form(column.earliest) if column.text_times else None
    if stored is None or stored != _form(column.latest):
        return None
    given = _form(value)
    if given is None:
        return f"{column.name} holds times written like {column.earliest}; write the value in the same form."
    separator, seconds, zone = given
    same_zone = zone in ("", stored[2])
    same_separator = separator in ("", stored[0])
    if not (same_zone and same_separator):
        return f"{column.name} holds times written like {column.earliest}; write the value in the same form."
    if whole and given != stored:
        return f"{column.name} holds times written like {column.earliest}; use >= and < for a span of time."
    return None


def _zone_problem(column: Column, value: str) -> str | None:
    """A server reads a time without zone in its session's, and drops a zone where the column has none, silently."""
    match = _STORED.fullmatch(value)
    if match is None or bool(match["zone"]) is not column.zoned:
        kind, example = _KINDS[bool(column.zoned)]
        return f"{column.name} holds times {kind} zone; write them like {column.earliest or example}."
    return None


_KINDS = {True: ("with", "2026-03-01T10:00:00Z"), False: ("without", "2026-03-01 10:00:00")}


def utc_text(value: str) -> str:
    """A time with zone as ``YYYY-MM-DD HH:MM:SS[.ffffff]`` in UTC; anything else as it is."""
    match = _STORED.fullmatch(value)
    instant = _moment(value, match["fraction"] or "") if match and match["zone"] else None
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(" ") if instant else value


def utc_instant(stored: str) -> str:
    """A time in UTC as a server writes it, as ``YYYY-MM-DDTHH:MM:SS[.f]Z``; what is no such time as it is."""
    match = _STORED.fullmatch(stored)
    if match is None or not match["separator"] or _moment(stored, match["fraction"] or "") is None:
        return stored
    return stored[: match.start("zone")].replace(" ", "T") + "Z" if match["zone"] else stored.replace(" ", "T") + "Z"


def _moment(text: str, fraction: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.replace(fraction, fraction[:7]) if fraction else text)
    except ValueError:
        return None


def _form(value: str | None) -> tuple[str, bool, str] | None:
    """(separator, has seconds, zone) of a time in text; None if it is none."""
    match = _STORED.fullmatch(value or "")
    if match is None:
        return None
    return match["separator"] or "", bool(match["seconds"]), match["zone"] or ""


def instant_of(text: str, zone: ZoneInfo) -> str | None:
    """The stored time as ISO 8601 with offset, or None if the text is no date with a time of day.

    A time without offset is read in ``zone``; digits below a microsecond are cut.
    """
    match = _STORED.fullmatch(text)
    if match is None or not match["separator"]:
        return None
    moment = _moment(text, match["fraction"] or "")
    return None if moment is None else (moment if moment.tzinfo else moment.replace(tzinfo=zone)).isoformat()
