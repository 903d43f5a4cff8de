"""When a written time is the same as one in evidence: compared as instants, at the precision of the writer."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from guards.claims.clock_words import Moment

_HOUR_S = 3600
_DAY_S = 86400
_ABOUT_ROUND_S, _ABOUT_S = 150, 60
_PARTS = ("year", "month", "day", "hour", "minute", "second")


@lru_cache(maxsize=32)
def zone_of(name: str) -> tzinfo:
    """The zone of that IANA name; UTC if there is none, so that judging never fails."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@dataclass(frozen=True)
class Instants:
    """Times that evidence shows."""

    points: tuple[datetime, ...] = ()
    """Full instants, UTC."""
    partial: tuple[Moment, ...] = ()
    """Times without date or year, as written."""
    edges: tuple[datetime, ...] = ()
    """Ends of the window in which something was found: they say when was searched, never when it happened."""
    spans: tuple[tuple[datetime, datetime], ...] = ()
    """Searched windows, where any time inside counts (an absence speaks about its whole window)."""


def instant_of(moment: Moment, zone: tzinfo) -> datetime | None:
    """The UTC instant of a complete moment (zone for one without offset), or None if it is not complete.

    An abbreviation such as CST is ambiguous by itself; it is understood where ``zone`` itself is called so on that day.
    """
    year, month, day, hour, minute = moment.year, moment.month, moment.day, moment.hour, moment.minute
    if year is None or month is None or day is None or hour is None or minute is None:
        return None
    moment, zone = _placed(moment, zone)
    place = zone if moment.offset_s is None else timezone(timedelta(seconds=moment.offset_s))
    micros = int(moment.fraction[:6].ljust(6, "0"))
    try:
        local = datetime(year, month, day, hour, minute, moment.second or 0, micros, tzinfo=place)
        return local.astimezone(UTC) if moment.zone in {"", local.tzname()} else None
    except (ValueError, OverflowError):
        return None


def _placed(moment: Moment, zone: tzinfo) -> tuple[Moment, tzinfo]:
    """The moment and the zone in which to read it: that of the place it names; an unknown place stays with it."""
    if moment.zone == "UTC" or "/" in moment.zone:
        try:
            return replace(moment, zone=""), ZoneInfo(moment.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return moment, zone
    return moment, zone


def gather(moments: tuple[Moment, ...], zone: tzinfo) -> Instants:
    """What those moments of an evidence text show."""
    pairs = [(moment, instant_of(moment, zone)) for moment in moments]
    points = tuple(instant for _, instant in pairs if instant is not None)
    return Instants(points, tuple(moment for moment, instant in pairs if instant is None))


def shows(evidence: Instants, stated: Moment, zone: tzinfo, *, about: bool, of_span: bool = False) -> bool:
    """True if evidence holds the stated time; a clock without offset is read in ``zone``.

    The edges of a searched window are shown only to an end of a span (``of_span``) and to a bare date.
    """
    if shown_at(evidence, stated, zone, about=about, of_span=of_span):
        return True
    stated, zone = _placed(stated, zone)
    place = zone if stated.offset_s is None else timezone(timedelta(seconds=stated.offset_s))
    if not stated.zone and any(_is_within(span, stated, place) for span in evidence.spans):
        return True
    if not stated.zone and any(_is_within(span, stated, place) for span in evidence.spans):
        return True
    return any(_repeats(_at_home(partial, zone), _at_home(stated, zone)) for partial in evidence.partial)


def shown_at(
    evidence: Instants, stated: Moment, zone: tzinfo, *, about: bool, of_span: bool = False
) -> tuple[datetime, ...]:
    """The full instants of the evidence that the stated time may mean, in its own zone; empty for none."""
    stated, zone = _placed(stated, zone)
    place = zone if stated.offset_s is None else timezone(timedelta(seconds=stated.offset_s))
    edges = evidence.edges if of_span or stated.hour is None else ()
    local = [point.astimezone(place) for point in (*evidence.points, *edges)]
    return tuple(at for at in local if stated.zone in {"", at.tzname()} and _is_at(at, stated, about=about))


def _at_home(moment: Moment, zone: tzinfo) -> Moment:
    """The moment without the abbreviation that ``zone`` has all year; one that changes with the seasons stays."""
    names = {datetime(2026, month, 1, tzinfo=zone).tzname() for month in (1, 7)}
    return replace(moment, zone="") if names == {moment.zone} else moment


def _is_at(local: datetime, stated: Moment, *, about: bool) -> bool:
    if not _same_day(local, stated):
        return False
    if stated.hour is None:
        return True
    if stated.minute is None or about:
        return _apart_s(local, stated) <= _tolerance_s(stated)
    if (local.hour, local.minute) != (stated.hour, stated.minute):
        return False
    return stated.second is None or (local.second == stated.second and _same_fraction(local, stated.fraction))


def _same_day(local: datetime, stated: Moment) -> bool:
    given = ((local.year, stated.year), (local.month, stated.month), (local.day, stated.day))
    return all(part is None or part == shown for shown, part in given)


def _same_fraction(local: datetime, fraction: str) -> bool:
    """Digits compare after cutting or rounding; more than microseconds are not held."""
    shown, digits = local.microsecond, min(len(fraction), 6)
    unit = 10 ** (6 - digits)
    return not fraction or int(fraction[:digits]) in {shown // unit, (shown + unit // 2) // unit}


def _apart_s(local: datetime, stated: Moment) -> float:
    shown = local.hour * _HOUR_S + local.minute * 60 + local.second + local.microsecond / 1e6
    written = (stated.hour or 0) * _HOUR_S + (stated.minute or 0) * 60 + (stated.second or 0)
    apart = abs(shown - written)
    return apart if stated.day is not None else min(apart, _DAY_S - apart)


def _tolerance_s(stated: Moment) -> float:
    """Half an hour for a bare hour; two and a half minutes for a stated "about 14:05"; else one."""
    if stated.minute is None:
        return _HOUR_S / 2
    return _ABOUT_ROUND_S if stated.minute % 5 == 0 else _ABOUT_S


def _is_within(span: tuple[datetime, datetime], stated: Moment, place: tzinfo) -> bool:
    """True if the time lies in the window, on whatever of the window's days the text leaves open."""
    start, end = (edge.astimezone(place) for edge in span)
    if stated.hour is None:
        return any(_same_day(edge, stated) for edge in (start, end))
    days = (start, end) if stated.day is None else (start.replace(day=1),)
    return any(start <= at <= end for day in days if (at := _on(day, stated, place)) is not None)


def _on(day: datetime, stated: Moment, place: tzinfo) -> datetime | None:
    filled = replace(
        stated,
        year=stated.year or day.year,
        month=stated.month or day.month,
        day=stated.day or day.day,
        minute=stated.minute or 0,
    )
    return instant_of(filled, place)


def _repeats(partial: Moment, stated: Moment) -> bool:
    """True if an incomplete time of the evidence shows everything the text states."""
    if stated.zone != partial.zone or (stated.offset_s is not None and stated.offset_s != partial.offset_s):
        return False
    stated_parts = [(getattr(stated, part), getattr(partial, part)) for part in _PARTS]
    same = all(written is None or written == shown for written, shown in stated_parts)
    return same and partial.fraction.startswith(stated.fraction)
