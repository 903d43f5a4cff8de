"""Turns the time words of a question into a window of real time, in English and Chinese. Pure.

Everything is resolved against the ``now`` of the run and its time zone. What reads a language's time words lies in
``time_atoms``; this module knows what ranges, beginnings, looks back and single times mean for a search.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from state.model.evidence import Window
from state.model.numerals import AMOUNT, parse_amount
from state.model.time_moments import Moment, Span, find_moments, instants, lend_day, place, place_after

AROUND = timedelta(minutes=30)
"""Searched on both sides of a named time."""
BEFORE = timedelta(hours=2)
"""Searched back from "before 10:00"."""
MAX_QUESTION_CHARS = 4000
FIRST_INSTANT, LAST_INSTANT = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""Between them every source can hold a time, and any window around it can be computed."""

_CONNECTOR = re.compile(
    r"\s*(?:to|until|till|through|thru|up to|-|–|—|~|到|至|直到|一直到)\s*(?:about|around|at|大约)?\s*"
)
_AND = re.compile(r"\s*(?:and|和|与)\s*(?:about|around|大约)?\s*")
_BETWEEN = re.compile(r"(?:\bbetween|在|介于)\s*(?:about|around|大约)?\s*$")
_BETWEEN_AFTER = re.compile(r"\s*(?:之间|间)")
_SINCE_BEFORE = re.compile(
    r"(?:\bsince\b[^.;?!。；？！]{0,40}|\b(?:from|after|starting(?: at| from)?|beginning(?: at)?|as of)"
    r"\s*(?:about|around|at)?|自从?|从|打)\s*(?:大约|大概)?\s*$"
)
_SINCE_AFTER = re.compile(
    r"\s*(?:左右|前后|钟)?\s*(?:以来|至今|到现在|起(?!来)|开始|之后|以后|过后|后(?!端|台)|onwards?\b|and later\b)"
)
_UNTIL_BEFORE = re.compile(r"\b(?:before|until|prior to|up to)\s*(?:about|around|at)?\s*$")
_UNTIL_AFTER = re.compile(r"\s*(?:之前|以前|前(?![后端台]))")
_LOOK_BACK = re.compile(
    rf"\b(?:last(?! week\b)|past|previous|preceding|recent|trailing)\s+(?:(?P<en>{AMOUNT})(?!\s+(?:ago|earlier))"
    r"|(?P<unit>second|minute|hour|day|week|(?:half(?:\s+an)?\s+hour))\b)"
    rf"|(?:最近|过去|刚过去|近|前|这)的?(?P<zh>{AMOUNT})|(?P<within>{AMOUNT})(?:之内|以内|内)"
)
_SINCE_TEXT = re.compile(rf"(?:(?:last|past|最近|过去|近)\s*)?(?P<a>{AMOUNT})\s*(?:ago|以来|之?内|以?前)?")
_ZONE_WORD = re.compile(r"\s*(?:utc|gmt)$", re.IGNORECASE)

_Rule = Callable[[str, tuple[Moment, ...], datetime, tzinfo], tuple[datetime, datetime] | None]


def resolve_window(question: str, now: datetime, time_zone: str) -> Window | None:
    """The window that the time words of the question mean, UTC, ending at ``now`` at the latest.

    None if it holds no time words, or only ones about the future. A range wins over "since", that over "before",
    that over "last two hours", that over a single time. A single time is searched 30 minutes to both sides; a time
    without a date is its last occurrence; an hour without am or pm is read on the 24-hour clock.
    """
    text = unicodedata.normalize("NFKC", question[:MAX_QUESTION_CHARS]).lower()
    zone = ZoneInfo(time_zone)
    moments = find_moments(text)
    for candidates in (lend_day(text, moments), moments):
        for rule in _RULES:
            found = rule(text, candidates, now, zone)
            if found is not None:
                return _clipped(*found, now)
    return None


def parse_since(text: str) -> timedelta:
    """How far back ``30m``, ``1h30m``, ``2 days``, ``半小时`` reach; at most ten years.

    Raises:
        ValueError: the text is no length of time; the message is fit for people.
    """
    match = _SINCE_TEXT.fullmatch(unicodedata.normalize("NFKC", text).strip().lower())
    amount = parse_amount(match["a"]) if match else None
    if amount is None:
        raise ValueError(f"{text[:40]!r} is not a length of time; write it like 30m, 2h, 1h30m or 2 days")
    return amount


def parse_instant(text: str, time_zone: str) -> datetime:
    """The UTC instant of an ISO 8601 date or date and time; without offset it is read in ``time_zone``.

    Of a local time that exists twice it is the earlier one.

    Raises:
        ValueError: the text is no date or date and time from 1970 to 2199; the message is fit for people.
    """
    clean = _ZONE_WORD.sub("+00:00", unicodedata.normalize("NFKC", text).strip())
    try:
        read = datetime.fromisoformat(clean.replace("/", "-").replace(",", "."))
        at = instants(read, ZoneInfo(time_zone))[0] if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text[:40]!r} is not a time; write it like 2026-11-30T10:30:00+08:00") from error
    if not FIRST_INSTANT <= at < LAST_INSTANT:
        raise ValueError(f"{text[:40]!r} is not a time between the years 1970 and 2199")
    return at


def _clipped(start: datetime, end: datetime, now: datetime) -> Window | None:
    end = min(end, now)
    return Window(start=start.astimezone(UTC), end=end.astimezone(UTC)) if start < end else None


def _range(text: str, moments: tuple[Moment, ...], now: datetime, zone: tzinfo) -> tuple[datetime, datetime] | None:
    for first, second in zip(moments, moments[1:], strict=False):
        if not _is_range(text, first, second):
            continue
        first, second = _share_day(first, second)
        begin = place(first, now, zone)
        end = place_after(second, begin, now, zone) if begin else None
        if begin and end and begin.start < end.end:
            return begin.start, end.end
    return None


def _is_range(text: str, first: Moment, second: Moment) -> bool:
    if _CONNECTOR.fullmatch(text, first.end, second.begin):
        return True
    is_between = _BETWEEN.search(text[: first.begin]) or _BETWEEN_AFTER.match(text, second.end)
    return bool(is_between and _AND.fullmatch(text, first.end, second.begin))


def _share_day(first: Moment, second: Moment) -> tuple[Moment, Moment]:
    """What the second end says holds for the first: "13:00 to 14:00 yesterday", "3-5pm"."""
    clock = second.one("clock")
    half = clock.clock.half if clock and clock.clock else None
    ahead = first.one("clock")
    if ahead and ahead.clock and clock and clock.clock and half and not first.part:
        if ahead.clock.hour % 12 <= clock.clock.hour % 12:
            first = first.with_half(half)
    if first.is_bare_clock and second.one("day"):
        first = first.joined(Moment(0, 0, tuple(atom for atom in second.atoms if atom.day)))
        second = Moment(second.begin, second.end, tuple(atom for atom in second.atoms if not atom.day))
    return first, second


def _since(text: str, moments: tuple[Moment, ...], now: datetime, zone: tzinfo) -> tuple[datetime, datetime] | None:
    for moment in moments:
        is_since = _SINCE_BEFORE.search(text[: moment.begin]) or _SINCE_AFTER.match(text, moment.end)
        span = place(moment, now, zone) if is_since and not moment.is_now else None
        if span is not None:
            return span.start, now
    return None


def _until(text: str, moments: tuple[Moment, ...], now: datetime, zone: tzinfo) -> tuple[datetime, datetime] | None:
    for moment in moments:
        is_until = _UNTIL_BEFORE.search(text[: moment.begin]) or _UNTIL_AFTER.match(text, moment.end)
        span = place(moment, now, zone) if is_until and not moment.is_now else None
        if span is not None:
            return span.start - BEFORE, span.start
    return None


def _look_back(
    text: str, _moments: tuple[Moment, ...], now: datetime, _zone: tzinfo
) -> tuple[datetime, datetime] | None:
    for match in _LOOK_BACK.finditer(text):
        said = match["en"] or match["zh"] or match["within"]
        amount = parse_amount(said) if said else parse_amount(f"1 {match['unit']}") or parse_amount(match["unit"])
        if amount is not None:
            return now - amount, now
    return None


def _single(_text: str, moments: tuple[Moment, ...], now: datetime, zone: tzinfo) -> tuple[datetime, datetime] | None:
    for moment in moments:
        span: Span | None = None if moment.is_now else place(moment, now, zone)
        if span is not None:
            margin = AROUND if span.is_point else timedelta()
            return span.start - margin, span.end + margin
    return None


_RULES: tuple[_Rule, ...] = (_range, _since, _until, _look_back, _single)
