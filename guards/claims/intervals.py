"""Lengths of time in words that hold no numeral: half an hour, a minute later, 两个半小时, 一刻钟. Pure.

"An hour" is a length only where words around it say so: "240 an hour" is a rate.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from guards.claims.claim import Claim, ClaimKind
from guards.claims.numerals import ZH_NUMERAL, zh_value
from guards.claims.qualifiers import Bound, is_about
from guards.claims.quantities import Quantity
from guards.claims.units import Reading, readings_of

_UNIT = r"(?P<unit>second|minute|hour|day|week)s?"
_LENGTH_BEFORE = (
    r"(?:\b(?:after|within|for|about|around|almost|nearly|roughly|just|exactly|some|over|under|than|last(?:ed|s)?"
    r"|t[oa]kes?|took|another|least|most|in|by|full|whole|only) )"
)
_LENGTH_AFTER = r"(?= (?:later|earlier|before|after|ago|apart|long|late|early|or so)\b)"
_AND_A_HALF = r"(?P<half> and a half)?"
_ENGLISH: tuple[tuple[re.Pattern[str], Decimal], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), Decimal(value))
    for pattern, value in (
        (rf"\bhalf an? {_UNIT}\b", "0.5"),
        (rf"\bthree[ -]quarters of an? {_UNIT}\b", "0.75"),
        (rf"\b(?:a )?quarter of an? {_UNIT}\b", "0.25"),
        (rf"\ban? (?:(?:full|whole|good) )?{_UNIT} and a half\b", "1.5"),
        (rf"{_LENGTH_BEFORE}(?:an?|one) (?:(?:full|whole|good) )?(?P<unit>minute|hour|day|week)\b", "1"),
        (rf"{_LENGTH_BEFORE}a (?P<unit>second)(?=[.,;:)]|$)", "1"),
        (rf"(?<!half )\ban? {_UNIT}\b{_LENGTH_AFTER}", "1"),
    )
)
_LEADING = re.compile(_LENGTH_BEFORE, re.IGNORECASE)
_ZH_UNIT = r"(?P<unit>小时|钟头|分钟|秒钟|秒)"
_CHINESE = re.compile(
    rf"(?<![{ZH_NUMERAL}\d个])半个?多?{_ZH_UNIT}"
    rf"|(?<![{ZH_NUMERAL}\d第])(?P<n>[{ZH_NUMERAL}]{{1,3}}|\d{{1,3}})\s?"
    r"(?:个半(?P<unit2>小时|钟头)|(?P<unit3>分|小时|天)半钟?|(?:个多(?P<over>小时|钟头)|(?P<over2>分|小时|天)多钟?))"
    r"|(?P<quarter>[一三])刻钟"
)
_ZH_READINGS = {"钟头": "小时", "秒钟": "秒", "分": "分钟"}
_HALF = Decimal("0.5")


def find_intervals(text: str) -> tuple[Claim, ...]:
    """Such lengths in the folded text, in order, without overlap."""
    found: list[Claim] = []
    for claim in sorted((*_english(text), *_chinese(text)), key=lambda claim: (claim.start, -claim.end)):
        if not found or claim.start >= found[-1].end:
            found.append(claim)
    return tuple(found)


def _english(text: str) -> Iterator[Claim]:
    for pattern, value in _ENGLISH:
        for match in pattern.finditer(text):
            leading = _LEADING.match(text, match.start())
            start = leading.end() if leading else match.start()
            yield _claim(text, (start, match.end()), value, readings_of(match["unit"].lower()))


def _chinese(text: str) -> Iterator[Claim]:
    for match in _CHINESE.finditer(text):
        over = match["over"] or match["over2"]
        unit = match["unit"] or match["unit2"] or match["unit3"] or over
        if match["quarter"]:
            value, unit = Decimal(15 if match["quarter"] == "一" else 45), "分钟"
        elif match["n"]:
            whole = Decimal(match["n"]) if match["n"].isdecimal() else zh_value(match["n"])
            if whole is None:
                continue
            value = whole + (0 if over else _HALF)
        else:
            value = _HALF
        claim = _claim(text, match.span(), value, readings_of(_ZH_READINGS.get(unit, unit)))
        yield _over(claim) if "多" in match.group() else claim


def _claim(text: str, span: tuple[int, int], value: Decimal, meaning: tuple[Reading, ...]) -> Claim:
    step = Decimal(1) if value == 1 else _HALF
    found = Quantity(value, step, meaning, about=is_about(text, *span), reach=step)
    return Claim(ClaimKind.NUMBER, "interval in words", text[span[0] : span[1]], *span, ((found,),))


def _over(claim: Claim) -> Claim:
    """三个多小时: as much, and less than one more."""
    said = tuple(
        tuple(replace(one, bound=Bound.AT_LEAST, reach=max(one.reach, Decimal(1))) for one in group)
        for group in claim.readings
    )
    return replace(claim, readings=said)
