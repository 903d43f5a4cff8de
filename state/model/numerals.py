"""Small numbers and lengths of time in English and Chinese words. Pure."""

import re
from datetime import timedelta

_ENGLISH = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "ninety": 90, "few": 3, "several": 3, "couple of": 2, "half": 0.5,
}  # fmt: skip
_CHINESE = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "几": 3}
_UNIT_S = (
    (r"s|secs?|seconds?|秒钟?", 1),
    (r"m|mins?|minutes?|分钟?", 60),
    (r"h|hrs?|hours?|个?小时|个?钟头", 3600),
    (r"刻钟", 900),
    (r"d|days?|天|日", 86400),
    (r"w|weeks?|周|个?星期|个?礼拜", 604800),
)
MAX_AMOUNT = timedelta(days=3660)
"""A longer time is not a search window."""

_UNITS = "|".join(unit for unit, _ in _UNIT_S)
CHINESE_NUMBER = "[零〇一二两三四五六七八九十百几]"
_WORD = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_PART = (
    rf"(?:(?:(?P<n>\d{{1,6}}(?:\.\d{{1,3}})?|{CHINESE_NUMBER}{{1,5}}|(?<![a-z])(?:an?\s+)?(?:{_WORD})(?![a-z])(?:\s+an?\b)?)"
    rf"\s*-?\s*(?P<zhalf>个半)?|(?P<half>半)个?)(?P<u>{_UNITS})(?![a-z])(?P<ehalf>\s+and\s+a\s+half)?)"
)
_ANONYMOUS = re.sub(r"\?P<\w+>", "?:", _PART)
AMOUNT = rf"(?:{_ANONYMOUS}(?:\s*(?:and\s+|零|又)?{_ANONYMOUS}){{0,3}})"
"""Pattern of a length of time in lower-case text: ``1h30m``, ``half an hour``, ``一个半小时``."""


def parse_number(text: str) -> float | None:
    """The number that digits, an English word or Chinese numerals up to 999 name; None for anything else."""
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text):
        return float(text)
    if text in _ENGLISH:
        return float(_ENGLISH[text])
    return _chinese(text)


def parse_amount(text: str) -> timedelta | None:
    """The length of time, or None if the (lower-case) text is anything else, zero or above ten years."""
    if not re.fullmatch(AMOUNT, text):
        return None
    seconds = sum(_seconds(match) for match in re.finditer(_PART, text))
    return timedelta(seconds=seconds) if 0 < seconds <= MAX_AMOUNT.total_seconds() else None


def largest_unit_s(text: str) -> int:
    """Seconds of the largest unit named in an amount; 0 if there is none."""
    return max((_unit_s(match["u"]) for match in re.finditer(_PART, text)), default=0)


def _seconds(match: re.Match[str]) -> float:
    unit = _unit_s(match["u"])
    number = 0.5 if match["half"] else _count(match["n"])
    extra = 0.5 if match["zhalf"] or match["ehalf"] else 0.0
    return (number + extra) * unit


def _count(words: str) -> float:
    """``two``, ``half an``, ``a few``, ``两``."""
    found = (parse_number(part) for part in (words, re.sub(r"^an?\s+|\s+an?$", "", words)))
    return next((number for number in found if number is not None), 0.0)


def _unit_s(unit: str) -> int:
    return next(seconds for pattern, seconds in _UNIT_S if re.fullmatch(pattern, unit))


def _chinese(text: str) -> float | None:
    if text == "半":
        return 0.5
    match = re.fullmatch(
        r"(?:(?P<h>[一二两三四五六七八九])百零?)?(?:(?P<t>[一二两三四五六七八九])?(?P<ten>十))?(?P<o>.)?", text
    )
    if not text or match is None or (match["o"] and match["o"] not in _CHINESE):
        return None
    hundreds = _CHINESE[match["h"]] if match["h"] else 0
    tens = (_CHINESE[match["t"]] if match["t"] else 1) if match["ten"] else 0
    ones = _CHINESE[match["o"]] if match["o"] else 0
    return float(hundreds * 100 + tens * 10 + ones)
