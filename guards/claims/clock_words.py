"""Dates and clocks as they are written: patterns that name the parts of a time, and their reading. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

from guards.claims.numerals import ZH_NUMERAL, zh_value

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "(?P<mon>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_SECONDS = r"(?::(?P<s>\d{2})(?:\.(?P<f>\d{1,9})|,(?P<f2>\d{3}(?:\d{3})?(?!\d)))?)?"
"""A comma before parts of a second stands before three or six digits; before others it is one of the sentence."""
_FREE = r"(?<![\d.])(?<!\d:)"
"""Not inside a longer number or clock."""
_HOURS_OF = {
    "凌晨": range(6),
    **dict.fromkeys(("清晨", "早晨", "早上"), range(4, 12)),
    "上午": range(6, 13),
    "中午": range(11, 15),
    "下午": range(12, 20),
    "傍晚": range(16, 21),
    "晚上": range(17, 24),
    **dict.fromkeys(("夜里", "深夜"), (*range(6), *range(20, 24))),
}
"""Part of the day → the hours that may be called so."""
_PART = rf"(?P<part>{'|'.join(_HOURS_OF)})\s?"
NEVER = "-"
"""Zone of a clock that contradicts itself (晚上 10 of the morning): no evidence shows it."""
_ZH = f"[{ZH_NUMERAL}]"
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_HOUR = rf"(?P<hour_word>{'|'.join(_HOURS)}|\d{{1,2}})"
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_SOME_MINUTES = "five|ten|twenty-five|twenty"
_NAMED_HOURS = {"noon": 12, "midday": 12, "midnight": 0, "正午": 12, "午夜": 0, "零点": 0}

STAMPS = (
    re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})/{_MONTH}/(?P<y>\d{{4}}):(?P<h>\d{{2}}):(?P<mi>\d{{2}}):(?P<s>\d{{2}})(?!\d)"),
)
"""Date and clock in one."""

DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\d.-])(?P<y>(?:19|20|21)\d{2})(?P<sep>[-/])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d-])",
        r"(?<!\d)(?:(?P<y>\d{4})\s?年\s?)?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        rf"\b{_MONTH}\.? {{1,2}}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.%])(?:,? +(?P<y>(?:19|20|21)\d{{2}})(?!\d))?",
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH}\b\.?"
        r"(?:[ ,-]{1,2}(?P<y>(?:19|20|21)\d{2})(?!\d))?",
    )
)

CLOCKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_PART})?{_FREE}(?P<h>\d{{1,2}}):(?P<mi>\d{{2}}){_SECONDS}(?!\d|:\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?",
        rf"{_FREE}(?P<h>\d{{1,2}})(?=(?:\s?-\s?| to | and | until )\d{{1,2}}(?::\d\d){{0,2}}\s?(?P<half>[ap])\.?m\b)",
        rf"{_FREE}(?P<h>\d{{1,2}})\s?(?P<half>[ap])\.?m\b\.?",
        rf"(?:{_PART})?(?<![\d.])(?P<h>\d{{1,2}})\s?[点时]"
        r"(?:\s?(?P<mi>\d{1,2})\s?分(?!钟)(?:\s?(?P<s>\d{1,2})\s?秒)?"
        r"|(?P<mi2>\d{2})(?![\d.%个次条笔])|(?P<half_past>半)|(?P<quarter_zh>[一三]刻)|整)?",
        rf"(?:{_PART})?(?<![{ZH_NUMERAL}第几])(?P<zh>{_ZH}{{1,3}})[点时](?:钟)?"
        rf"(?:(?P<zmi>{_ZH}{{1,3}})分(?!钟)(?:(?P<zs>{_ZH}{{1,3}})秒)?|(?P<zs2>零{_ZH}{{1,2}})秒"
        r"|(?P<half_past>半)|(?P<quarter_zh>[一三]刻)|整|(?=起|左右|前后|之后|以后|之前|以前))",
        rf"{_PART}(?P<zh>{_ZH}{{1,3}})[点时](?:钟)?",
        r"\b(?:(?P<past>half|a quarter|quarter) (?P<side>past|to)"
        rf"|(?P<past2>{_SOME_MINUTES})(?: minutes)? (?P<side2>past)"
        rf"|(?P<past3>{_SOME_MINUTES}) minutes (?P<side3>to)) {_HOUR}\b"
        r"(?:\s?(?P<half>[ap])\.?m\b\.?)?",
        rf"\b{_HOUR} o'clock\b(?:\s?(?P<half>[ap])\.?m\b\.?)?",
        r"\b(?<!every )(?P<named>noon|midday|midnight)\b(?! (?:job|batch|run|task|backup|rotation))"
        rf"|(?P<named2>正午|午夜|零点(?!{_ZH}|几|\d))",
    )
)
"""Clocks; what an earlier pattern found, a later one does not see."""


class Role(StrEnum):
    """How a time stands beside others."""

    ALONE = "ALONE"
    OPEN_END = "OPEN_END"
    """One end of a span whose other end the text leaves open: since, until, 截至."""
    START = "START"
    END = "END"
    """The ends of a span that names both; an end follows its start."""


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


def read_moment(parts: dict[str, str | None]) -> Moment | None:
    """The moment of one match, or None if its numbers are no date or clock."""
    month = _MONTHS.index(mon[:3].lower()) + 1 if (mon := parts.get("mon")) else _int(parts.get("m"))
    hour, minute = _spoken(parts) or (_hour(parts), _minute(parts))
    moment = Moment(
        year=_int(parts.get("y")),
        month=month,
        day=_int(parts.get("d")),
        hour=hour,
        minute=minute,
        second=_int(parts.get("s") or parts.get("zs") or parts.get("zs2")),
        fraction=parts.get("f") or parts.get("f2") or "",
        zone=NEVER if _contradicts_itself(parts, hour) else "",
    )
    return moment if _is_possible(moment) else None


def names_half(parts: dict[str, str | None]) -> bool:
    """True if the clock says which half of the day it means."""
    return bool(parts.get("half") or parts.get("part") or parts.get("named") or parts.get("named2"))


def is_spoken(parts: dict[str, str | None]) -> bool:
    """True for a clock in words such as half past two: it leaves the half of the day to whoever hears it."""
    return bool(parts.get("hour_word") or parts.get("zh")) and not names_half(parts)


def _spoken(parts: dict[str, str | None]) -> tuple[int | None, int | None] | None:
    """Hour and minute of a clock in English words: a quarter to three, five o'clock, noon."""
    named = parts.get("named") or parts.get("named2")
    if named:
        return _NAMED_HOURS[named.lower()], None
    word = (parts.get("hour_word") or "").lower()
    if not word:
        return None
    hour = int(word) if word.isdecimal() else _HOURS.index(word) + 1
    hour = hour % 12 + 12 if (parts.get("half") or "").lower() == "p" else hour
    past = next((parts[name] for name in ("past", "past2", "past3") if parts.get(name)), None) or ""
    side = next((parts[name] for name in ("side", "side2", "side3") if parts.get(name)), None) or ""
    minute = _MINUTES.get(past.lower(), 0)
    return (hour - 1, 60 - minute) if side.lower() == "to" else (hour, minute)


def _int(digits: str | None) -> int | None:
    if not digits:
        return None
    if digits.isascii():
        return int(digits)
    value = zh_value(digits)
    return int(value) if value is not None else 99


def _minute(parts: dict[str, str | None]) -> int | None:
    if parts.get("quarter_zh"):
        return 15 if parts["quarter_zh"] == "一刻" else 45
    if parts.get("zs2"):
        return 0
    return 30 if parts.get("half_past") else _int(parts.get("mi") or parts.get("mi2") or parts.get("zmi"))


def _hour(parts: dict[str, str | None]) -> int | None:
    """The hour of the day; in the half that the text names, if the clock has one."""
    hour = _int(parts.get("h") or parts.get("zh"))
    half, part = (parts.get("half") or "").lower(), parts.get("part")
    if hour is None or hour > 12:
        return hour
    if half:
        return hour % 12 + (12 if half == "p" else 0)
    fitting = [at for at in (hour, (hour + 12) % 24) if part and at in _HOURS_OF[part]]
    return fitting[0] if fitting else hour


def _contradicts_itself(parts: dict[str, str | None], hour: int | None) -> bool:
    half, part = (parts.get("half") or "").lower(), parts.get("part")
    if hour is None:
        return False
    return bool((half == "a" and hour >= 12) or (half == "p" and hour < 12) or (part and hour not in _HOURS_OF[part]))


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
