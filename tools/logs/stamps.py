"""Reads the time stamp and the structured prefix of one line of plain text. Pure.

One recogniser per family of formats, tried in order. A line without a stamp continues the record before it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from tools.logs.levels import detect_level, level_of_status, parse_level

_MONTHS = {name: place for place, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
_CLOCK = r"(?P<H>\d{2}):(?P<M>\d{2})(?::(?P<S>\d{2}))?(?:[.,](?P<f>\d{1,9}))?"
_ZONE = r"(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2})"


@dataclass(frozen=True)
class Stamped:
    """A line that begins a record."""

    at: datetime
    """UTC."""
    message: str
    level: str | None = None
    service: str | None = None
    """Only where the format names the program."""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reference:
    """What a line does not say itself."""

    zone: tzinfo
    """For stamps without offset."""
    now: datetime
    """For stamps without a year: the record lies in the year before this instant (a day ahead is allowed)."""


def in_calendar(at: datetime) -> datetime:
    """The instant, if it can be shown in any zone and have a year added or taken.

    Raises:
        ValueError: it lies too near the ends of the calendar.
    """
    if not 2 < at.year < 9998:
        raise ValueError("must be a time between the years 3 and 9997")
    return at


def read_stamp(line: str, reference: Reference) -> Stamped | None:
    """The record that begins on this line; None if the line has no stamp that is a real time."""
    for pattern, build in _FORMATS:
        match = pattern.match(line)
        if match is None:
            continue
        try:
            return build(match, line, reference)
        except (ValueError, OverflowError):
            continue
    return None


def _instant(match: re.Match[str], reference: Reference, *, year: int | None = None) -> datetime:
    parts = match.groupdict()
    written = parts["y"] if year is None else str(year)
    second = _second(
        written, parts["m"], parts["d"], parts["H"], parts["M"], parts["S"], parts.get("z"), reference.zone
    )
    fraction = parts.get("f")
    return second.replace(microsecond=int(fraction.ljust(6, "0")[:6])) if fraction else second


@lru_cache(maxsize=8192)
def _second(  # noqa: PLR0913  (the parts of a time)
    year: str, month: str, day: str, hour: str, minute: str, second: str | None, zone: str | None, local: tzinfo
) -> datetime:
    """The whole second; kept, for the records of a file share their seconds and the days of a zone are dear.

    Raises:
        ValueError: there is no such time, or it lies too near the ends of the calendar.
    """
    at = datetime(
        int(year),
        _MONTHS[month] if month in _MONTHS else int(month),
        int(day),
        int(hour),
        int(minute),
        int(second or 0),
        tzinfo=_zone(zone, local),
    )
    return in_calendar(at).astimezone(UTC)


def _zone(text: str | None, local: tzinfo) -> tzinfo:
    if not text:
        return local
    if text in {"Z", "UTC", "GMT"}:
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _without_year(match: re.Match[str], reference: Reference) -> datetime:
    """The last such time up to a day after ``now``; 29 February may be some years back.

    Raises:
        ValueError: there is no such day.
    """
    latest = reference.now + timedelta(days=1)
    for back in range(9):
        try:
            at = _instant(match, reference, year=latest.year - back)
        except ValueError:
            continue
        if at <= latest:
            return at
    raise ValueError("no such day")


def _plain(match: re.Match[str], line: str, reference: Reference) -> Stamped:
    """ISO and its relatives; what follows decides which writer it was."""
    at, rest = _instant(match, reference), line[match.end() :]
    is_rsyslog = match["T"] == "T" and len(match["f"] or "") == 6 and (match["z"] or "Z") not in {"Z", "UTC", "GMT"}
    for pattern, build in _AFTER_ISO:
        after = pattern.match(rest)
        if after is not None and (pattern is not _PROGRAM or after["pid"] or after["prog"] == "kernel" or is_rsyslog):
            return build(at, after)
    return Stamped(at, rest, detect_level(rest) or _status_level(rest))


def _postgres(at: datetime, after: re.Match[str]) -> Stamped:
    level = after["level"]
    fields = {"pid": after["pid"]} | ({"session": after["who"].strip()} if after["who"] else {})
    if level in {"DETAIL", "HINT", "STATEMENT", "CONTEXT", "QUERY"}:
        return Stamped(at, f"{level}: {after['text']}", fields=fields | {"kind": level})
    return Stamped(at, after["text"], parse_level(level.rstrip("12345")), fields=fields)


def _program(at: datetime, after: re.Match[str]) -> Stamped:
    fields = {"host": after["host"]} | ({"pid": after["pid"]} if after["pid"] else {})
    return Stamped(at, after["text"], detect_level(after["text"]), after["prog"], fields)


def _access(match: re.Match[str], line: str, reference: Reference) -> Stamped:
    message = line[: match.start("stamp")].rstrip("- ") + line[match.end("stamp") :]
    return Stamped(_instant(match, reference), message.strip(), _status_level(message))


def _syslog(match: re.Match[str], _line: str, reference: Reference) -> Stamped:
    return _program(_without_year(match, reference), match)


def _klog(match: re.Match[str], _line: str, reference: Reference) -> Stamped:
    fields = {"pid": match["pid"], "caller": match["caller"]}
    return Stamped(_without_year(match, reference), match["text"], parse_level(match["level"]), fields=fields)


def _redis(match: re.Match[str], _line: str, reference: Reference) -> Stamped:
    level = {"#": "WARN", "*": "INFO", "-": "DEBUG", ".": "DEBUG"}[match["mark"]]
    return Stamped(
        _instant(match, reference), match["text"], level, fields={"pid": match["pid"], "role": match["role"]}
    )


def _logfmt(match: re.Match[str], line: str, reference: Reference) -> Stamped:
    return read_logfmt(line, _instant(match, reference), rest=line[match.end() :])


def read_logfmt(line: str, at: datetime, *, rest: str) -> Stamped:
    """The record of ``key=value`` pairs written at ``at``; ``rest`` is its text where no pair is the message."""
    pairs = {key: quoted or bare for key, quoted, bare in _PAIR.findall(line[:8192])}
    message = pairs.pop("msg", None) or pairs.pop("message", None)
    level = parse_level(pairs.pop("level", None) or pairs.pop("lvl", ""))
    service = pairs.pop("service", None)
    for key in ("time", "ts", "timestamp", "t"):
        pairs.pop(key, None)
    if message is None:
        return Stamped(at, rest.strip(' "'), level, service)
    return Stamped(at, message.replace('\\"', '"'), level, service, pairs)


def _status_level(text: str) -> str | None:
    status = _STATUS.search(text[:600])
    return level_of_status(int(status[1])) if status else None


_STATUS = re.compile(r'" ([1-5]\d\d) ')
_PAIR = re.compile(r'([A-Za-z_][\w.@-]{0,60})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))')
_POSTGRES = re.compile(
    r"(?:(?P<abbr>[A-Z]{3,5}) )?\[(?P<pid>\d+)\](?::)? (?:\[[\d-]+\] )?(?P<who>[^\s@]{1,63}@[^\s@]{1,63} )?(?P<level>"
    r"LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|INFO|DEBUG[1-5]?|DETAIL|HINT|STATEMENT|CONTEXT|QUERY): +(?P<text>.*)",
    re.DOTALL,
)
_PROGRAM = re.compile(
    r"(?P<host>(?!TRACE|DEBUG|INFO|WARN|ERROR|FATAL)[A-Za-z0-9][\w.-]*) "
    r"(?P<prog>[A-Za-z][\w./-]*)(?:\[(?P<pid>\d+)\])?: ?(?P<text>.*)",
    re.DOTALL,
)
_AFTER_ISO: tuple[tuple[re.Pattern[str], Callable[[datetime, re.Match[str]], Stamped]], ...] = (
    (_POSTGRES, _postgres),
    (_PROGRAM, _program),
)
_Build = Callable[[re.Match[str], str, Reference], Stamped]
_DAY = r"(?P<d>\d{1,2})"
_MONTH = r"(?P<m>[A-Z][a-z]{2})"
_YEAR = r"(?P<y>\d{4})"
_TEXT = r"(?P<text>.*)"
_PROG = r"(?P<prog>[A-Za-z][\w./-]*)(?:\[(?P<pid>\d+)\])?:"


def _tomcat(match: re.Match[str], line: str, reference: Reference) -> Stamped:
    rest = line[match.end() :].strip()
    return Stamped(_instant(match, reference), rest, detect_level(rest))


def _compiled(*table: tuple[str, _Build]) -> tuple[tuple[re.Pattern[str], _Build], ...]:
    return tuple((re.compile(pattern, re.DOTALL), build) for pattern, build in table)


_FORMATS = _compiled(
    (rf"\[?{_YEAR}[-/](?P<m>\d{{2}})[-/]{_DAY}(?P<T>[T ]){_CLOCK} ?{_ZONE}?\]?:?[ \t]*", _plain),
    (rf"(?:<\d+>)?{_MONTH} {{1,2}}{_DAY} {_CLOCK} (?P<host>\S+) {_PROG} ?{_TEXT}", _syslog),
    (rf"(?P<level>[IWEF])(?P<m>\d{{2}})(?P<d>\d{{2}}) {_CLOCK} +(?P<pid>\d+) (?P<caller>[^\s\]]+)\] ?{_TEXT}", _klog),
    (rf"(?P<pid>\d+):(?P<role>[MSCX]) {_DAY} {_MONTH} {_YEAR} {_CLOCK} (?P<mark>[.*#-]) {_TEXT}", _redis),
    (rf"(?:time|ts|timestamp|t)=\"?{_YEAR}-(?P<m>\d{{2}})-{_DAY}[T ]{_CLOCK} ?{_ZONE}?\"?", _logfmt),
    (rf"{_DAY}-{_MONTH}-{_YEAR} {_CLOCK} ?{_ZONE}?", _tomcat),
    (rf"[^\[\n]{{1,200}}(?P<stamp>\[{_DAY}/{_MONTH}/{_YEAR}:{_CLOCK} {_ZONE}\])", _access),
)
