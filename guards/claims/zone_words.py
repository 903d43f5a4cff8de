"""The zones that a text may name beside a clock: offsets, abbreviations, places. Data, and its reading. Pure."""

import re
from dataclasses import dataclass

_OFFSET = re.compile(
    r"\s?(?:Z(?!\w)|(?:UTC|GMT)(?P<named>[+-]\d{1,2}(?::?\d{2})?)?(?!\w)"
    r"|\((?:UTC|GMT)(?P<paren>[+-]\d{1,2}(?::?\d{2})?)?\)|\((?P<bare>[+-]\d{2}:\d{2})\)"
    r"|(?P<sign>[+-])(?P<oh>\d{2}):?(?P<om>\d{2})(?![\d:]))"
)
_ABBREVIATION = re.compile(
    r"\s?\(?(?P<zone>[CEW]ES?T|[PMCE][SD]T|A?[ECW][SD]T|AE[SD]T|[BIJK]ST|MSK|HKT|SGT|BRT|NZ[SD]T)(?!\w)"
)
_HOURS_EAST = {
    **{"CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "HKT": 8, "SGT": 8, "JST": 9, "KST": 9},
    **{"AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "EST": -5, "EDT": -4, "MDT": -6, "PST": -8, "PDT": -7},
}
"""Abbreviations that mean one offset; CST, IST, BST, CDT and their like mean several and are read in the run's zone."""
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
_PLACE = (
    r"(?:in )?(?:(?P<iana>[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+)"
    rf"|(?P<latin>{_LATIN_PLACES}) (?:standard |daylight )?time"
    rf"|(?P<cjk>{_CJK_PLACES})(?:标准)?(?:时间|时区|时)?)"
)
_PLACE_IN_BRACKETS = re.compile(rf"\s?\({_PLACE}\)", re.IGNORECASE)
_PLACE_AFTER = re.compile(rf"\s?,?\s?{_PLACE}(?!\s?\d)", re.IGNORECASE)
_BEFORE = re.compile(
    rf"(?:(?P<cjk>{_CJK_PLACES})(?:标准)?(?:时间|时区|时)"
    rf"|(?P<latin>{_LATIN_PLACES}) (?:standard |daylight )?time"
    r"|(?<![\w:])(?:UTC|GMT)(?P<named>[+-]\d{1,2}(?::?\d{2})?)?(?:\s?(?:时间|time))?)[,:]?\s?$",
    re.IGNORECASE,
)
_OF_THE_TEXT = re.compile(
    r"\b(?:all )?times (?:are |given )?(?:in )?(?:UTC|GMT)\b"
    r"|(?:时间|时刻)(?:均|都|一律)?(?:为|是|以|采用)\s?(?:UTC|GMT)",
    re.IGNORECASE,
)
_LOOK_BACK = 40
_ZONE_MINUTES = {0, 15, 30, 45}


@dataclass(frozen=True)
class Zone:
    """A zone as named: an offset, or the name of a place or of an abbreviation whose offset is not known here."""

    offset_s: int | None = None
    name: str = ""


@dataclass(frozen=True)
class ZoneFound:
    """A zone and where its words end."""

    zone: Zone
    end: int


def zone_after(text: str, end: int, *, is_precise: bool) -> ZoneFound | None:
    """The zone named right behind a clock; ``is_precise``: it has seconds, so that ``-0500`` can be an offset."""
    match = _OFFSET.match(text, end)
    if match and (offset_s := _offset_s(match, is_precise=is_precise)) is not None:
        return ZoneFound(Zone(offset_s), match.end())
    short = _ABBREVIATION.match(text, end)
    if short:
        hours = _HOURS_EAST.get(short["zone"])
        return ZoneFound(Zone(hours * 3600) if hours is not None else Zone(name=short["zone"]), short.end())
    place = _PLACE_IN_BRACKETS.match(text, end) or _PLACE_AFTER.match(text, end)
    return ZoneFound(Zone(name=_named(place)), place.end()) if place else None


def zone_before(text: str, start: int) -> Zone | None:
    """The zone named right before a time: 北京时间 14:06, UTC 18:00."""
    match = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    if match is None:
        return None
    if match["cjk"] or match["latin"]:
        return Zone(name=_PLACES[(match["cjk"] or match["latin"]).lower()])
    offset_s = _named_offset_s(match["named"])
    return Zone(offset_s) if offset_s is not None else None


def zone_of_the_text(text: str) -> Zone | None:
    """UTC where the text says that all its times are."""
    return Zone(0) if _OF_THE_TEXT.search(text) else None


def _named(place: re.Match[str]) -> str:
    return place["iana"] or _PLACES[(place["latin"] or place["cjk"]).lower()]


def _offset_s(match: re.Match[str], *, is_precise: bool) -> int | None:
    """Seconds east of UTC; None where ``-14:30`` after a clock is the end of a span rather than an offset."""
    if match["sign"] is None:
        return _named_offset_s(match["named"] or match["paren"] or match["bare"])
    hours, minutes = int(match["oh"]), int(match["om"])
    if hours > 14 or minutes not in _ZONE_MINUTES or (match["sign"] == "-" and not is_precise):
        return None
    return (hours * 3600 + minutes * 60) * (-1 if match["sign"] == "-" else 1)


def _named_offset_s(written: str | None) -> int | None:
    if not written:
        return 0
    digits = written[1:].replace(":", "")
    hours, minutes = (int(digits), 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]))
    return (hours * 3600 + minutes * 60) * (-1 if written[0] == "-" else 1) if hours <= 14 else None
