"""Points in time as people and programs write them, found in folded text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "(?P<mon>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_SECONDS = r"(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?"
_FREE = r"(?<![\d.])(?<!\d:)"
"""Not inside a longer number or clock."""

_CLF = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})/{_MONTH}/(?P<y>\d{{4}}):(?P<h>\d{{2}}):(?P<mi>\d{{2}}):(?P<s>\d{{2}})(?!\d)"
)
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\d.-])(?P<y>(?:19|20|21)\d{2})(?P<sep>[-/])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d-])",
        r"(?<!\d)(?:(?P<y>\d{4})\s?年\s?)?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        rf"\b{_MONTH}\.? {{1,2}}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.%])(?:,? +(?P<y>(?:19|20|21)\d{{2}})(?!\d))?",
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH}\b\.?"
        r"(?:[ ,-]{1,2}(?P<y>(?:19|20|21)\d{2})(?!\d))?",
    )
)
_CLOCKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_FREE}(?P<h>\d{{1,2}}):(?P<mi>\d{{2}}){_SECONDS}(?![\d:])(?:\s?(?P<half>[ap])\.?m\b\.?)?",
        rf"{_FREE}(?P<h>\d{{1,2}})\s?(?P<half>[ap])\.?m\b\.?",
        r"(?:(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上)\s?)?(?<![\d.])(?P<h>\d{1,2})\s?[点时]"
        r"(?:\s?(?P<mi>\d{1,2})\s?分(?!钟)(?:\s?(?P<s>\d{1,2})\s?秒)?"
        r"|(?P<mi2>\d{2})(?![\d.%个次条笔])|(?P<half_past>半)|整)?",
    )
)
_ZONE = re.compile(
    r"\s?(?:Z(?!\w)|(?:UTC|GMT)(?P<named>[+-]\d{1,2}(?::?\d{2})?)?(?!\w)"
    r"|\((?:UTC|GMT)(?P<paren>[+-]\d{1,2}(?::?\d{2})?)?\)|\((?P<bare>[+-]\d{2}:\d{2})\)"
    r"|(?P<sign>[+-])(?P<oh>\d{2}):?(?P<om>\d{2})(?![\d:]))"
)
_UNKNOWN_ZONE = re.compile(
    r"\s?\(?(?P<zone>[CEW]ES?T|[PMCE][SD]T|A?[ECW][SD]T|AE[SD]T|[BIJKM]ST|MSK|HKT|SGT|BRT|NZ[SD]T)(?!\w)"
)
_PLACES = {
    place: zone
    for zone, places in (
        ("Asia/Shanghai", "beijing|china|china standard|shanghai|北京|中国|上海|东八区"),
        ("Asia/Hong_Kong", "hong kong|香港"),
        ("Asia/Singapore", "singapore|新加坡"),
        ("Asia/Tokyo", "tokyo|japan|japan standard|东京|日本"),
        ("Asia/Kolkata", "india|indian|印度"),
        ("Europe/London", "london|伦敦"),
        ("Europe/Berlin", "berlin|central european|柏林"),
        ("Europe/Paris", "paris|巴黎"),
        ("Europe/Moscow", "moscow|莫斯科"),
        ("Australia/Sydney", "sydney|悉尼"),
        ("America/New_York", "new york|eastern|纽约|美东"),
        ("America/Chicago", "central|chicago"),
        ("America/Denver", "mountain"),
        ("America/Los_Angeles", "pacific|美西"),
        ("UTC", "协调世界|世界标准|格林尼治|格林威治|universal|greenwich mean"),
    )
    for place in places.split("|")
}
"""Places whose clock a text may name, and the zone of each."""
_CJK_PLACES = "|".join(sorted((place for place in _PLACES if not place.isascii()), key=len, reverse=True))
_LATIN_PLACES = "|".join(sorted((place for place in _PLACES if place.isascii()), key=len, reverse=True))
_PLACE_AFTER = re.compile(
    rf"\s?[(,]?\s?(?:in )?(?:(?P<iana>[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+)"
    rf"|(?P<latin>{_LATIN_PLACES}) (?:standard |daylight )?time"
    rf"|(?P<cjk>{_CJK_PLACES})(?:标准)?(?:时间|时区|时)?)\)?",
    re.IGNORECASE,
)
_PLACE_BEFORE = re.compile(
    rf"(?:(?P<cjk>{_CJK_PLACES})(?:标准)?(?:时间|时区|时)"
    rf"|(?P<latin>{_LATIN_PLACES}) (?:standard |daylight )?time)[,:]? ?$",
    re.IGNORECASE,
)
_LATE_YEAR = re.compile(r" (?P<y>(?:19|20|21)\d{2})(?![\d.:%-])")
_BETWEEN = re.compile(r"(?:T|,? {1,2}|, ?| at | 的 ?|在|)$")
_SPAN_JOINT = re.compile(r" ?- ?| and | to | ?[~至到和] ?")
_LATE = {"下午", "傍晚", "晚上"}
_ZONE_MINUTES = {0, 15, 30, 45}


@dataclass(frozen=True)
class Moment:
    """The parts of a time that a text names; None for a part it does not."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    fraction: str = ""
    offset_s: int | None = None
    """Seconds east of UTC; None where the text names no offset."""
    zone: str = ""
    """A zone abbreviation whose offset is not known here, or the IANA name of the place whose clock the text names."""


@dataclass(frozen=True)
class Found:
    """A moment and where it stands in the folded text."""

    moment: Moment
    start: int
    end: int


def find_moments(text: str) -> tuple[Found, ...]:
    """Every point in time of the folded text, in order, without overlap."""
    rest, stamps = _take(text, (_CLF,))
    rest, days = _take(rest, _DATES)
    _, clocks = _take(rest, _CLOCKS)
    zoned = _shared_zone(_zoned(sorted(clocks, key=lambda clock: clock.start), text), text)
    joined = _joined(days, zoned, text)
    return tuple(sorted([*(_with_zone(stamp, text) for stamp in stamps), *joined], key=lambda found: found.start))


def blank(text: str, spans: Iterator[tuple[int, int]]) -> str:
    """The text with each span overwritten by spaces; every other character keeps its place."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        pieces.append(" " * (end - max(start, at)))
        at = end
    return "".join([*pieces, text[at:]])


def _take(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, list[Found]]:
    """The text without what the patterns found, and what they found. An earlier pattern wins."""
    taken: list[Found] = []
    for pattern in patterns:
        matches = [(_read(match.groupdict()), match.span()) for match in pattern.finditer(text)]
        found = [Found(moment, *span) for moment, span in matches if moment]
        text = blank(text, ((one.start, one.end) for one in found))
        taken += found
    return text, taken


def _read(parts: dict[str, str | None]) -> Moment | None:
    """The moment of one match, or None if its numbers are no date or clock."""
    month = _MONTHS.index(mon[:3].lower()) + 1 if (mon := parts.get("mon")) else _int(parts.get("m"))
    moment = Moment(
        year=_int(parts.get("y")),
        month=month,
        day=_int(parts.get("d")),
        hour=_hour(parts),
        minute=30 if parts.get("half_past") else _int(parts.get("mi") or parts.get("mi2")),
        second=_int(parts.get("s")),
        fraction=parts.get("f") or "",
    )
    return moment if _is_possible(moment) else None


def _int(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _hour(parts: dict[str, str | None]) -> int | None:
    hour = _int(parts.get("h"))
    if hour is None or hour > 12:
        return hour
    half, part = parts.get("half"), parts.get("part")
    if half == "a" or (part == "凌晨" and hour == 12):
        return hour % 12
    late = half == "p" or part in _LATE or (part == "中午" and hour < 11)
    return hour % 12 + 12 if late else hour


def _is_possible(moment: Moment) -> bool:
    bounds = (
        (moment.year, 1970, 2199),
        (moment.month, 1, 12),
        (moment.day, 1, 31),
        (moment.hour, 0, 23),
        (moment.minute, 0, 59),
        (moment.second, 0, 59),
    )
    return all(part is None or low <= part <= high for part, low, high in bounds)


def _zoned(clocks: list[Found], text: str) -> list[Found]:
    """Clocks with their offsets; an offset is no clock of its own."""
    zoned: list[Found] = []
    for clock in clocks:
        if not zoned or clock.start >= zoned[-1].end:
            zoned.append(_with_zone(clock, text))
    return zoned


def _with_zone(found: Found, text: str) -> Found:
    match = _ZONE.match(text, found.end)
    if match and (offset_s := _offset_s(match, found, text)) is not None:
        return Found(replace(found.moment, offset_s=offset_s), found.start, match.end())
    unknown = _UNKNOWN_ZONE.match(text, found.end)
    if unknown:
        return Found(replace(found.moment, zone=unknown["zone"]), found.start, unknown.end())
    return _with_place(found, text)


def _with_place(found: Found, text: str) -> Found:
    """``14:06 Beijing time``, ``14:06 (Asia/Shanghai)``, 北京时间 14:06: the clock of that place."""
    after = _PLACE_AFTER.match(text, found.end)
    if after:
        name = after["iana"] or _PLACES[(after["latin"] or after["cjk"]).lower()]
        return Found(replace(found.moment, zone=name), found.start, after.end())
    before = _PLACE_BEFORE.search(text[max(0, found.start - 32) : found.start])
    if before:
        name = _PLACES[(before["latin"] or before["cjk"]).lower()]
        return Found(replace(found.moment, zone=name), found.start, found.end)
    return found


def _shared_zone(clocks: list[Found], text: str) -> list[Found]:
    """``14:05-14:10 UTC``: the zone behind the end of a span is also that of its start."""
    shared: list[Found] = []
    for clock in reversed(clocks):
        after = shared[-1] if shared else None
        if after and clock.moment.offset_s is None and _SPAN_JOINT.fullmatch(text[clock.end : after.start][:6]):
            moment = replace(clock.moment, offset_s=after.moment.offset_s, zone=after.moment.zone)
            clock = Found(moment, clock.start, clock.end)
        shared.append(clock)
    return shared


def _offset_s(match: re.Match[str], found: Found, text: str) -> int | None:
    """Seconds east of UTC; None where ``-14:30`` after a clock is the end of a span rather than an offset."""
    if match["sign"] is None:
        return _named_offset_s(match["named"] or match["paren"] or match["bare"])
    hours, minutes = int(match["oh"]), int(match["om"])
    precise = found.moment.second is not None or text[max(0, found.start - 1) : found.start] == "T"
    if hours > 14 or minutes not in _ZONE_MINUTES or (match["sign"] == "-" and not precise):
        return None
    return (hours * 3600 + minutes * 60) * (-1 if match["sign"] == "-" else 1)


def _named_offset_s(written: str | None) -> int | None:
    if not written:
        return 0
    digits = written[1:].replace(":", "")
    hours, minutes = (int(digits), 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]))
    return (hours * 3600 + minutes * 60) * (-1 if written[0] == "-" else 1) if hours <= 14 else None


def _with_late_year(found: Found, text: str) -> Found:
    """``May 20 08:00:00 CST 2026`` and ``Oct 23 02:00:00 2026 GMT``: the year, and perhaps the zone, come last."""
    year = _LATE_YEAR.match(text, found.end) if found.moment.year is None else None
    if not year:
        return found
    dated = Found(replace(found.moment, year=int(year["y"])), found.start, year.end())
    return dated if dated.moment.zone or dated.moment.offset_s is not None else _with_zone(dated, text)


def _joined(days: list[Found], clocks: list[Found], text: str) -> Iterator[Found]:
    """Dates and clocks, joined where a clock follows its date."""
    following = {clock.start: clock for clock in clocks}
    used: set[int] = set()
    for day in sorted(days, key=lambda found: found.start):
        clock = next((following[at] for at in range(day.end, day.end + 5) if at in following), None)
        if clock is None or not _BETWEEN.match(text[day.end : clock.start]):
            yield day
            continue
        used.add(clock.start)
        moment = replace(clock.moment, year=day.moment.year, month=day.moment.month, day=day.moment.day)
        yield _with_late_year(Found(moment, day.start, clock.end), text)
    yield from (clock for clock in clocks if clock.start not in used)
