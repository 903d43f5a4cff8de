"""Amounts in words other than plain counts: shares, multiples, orders of magnitude, Roman numerals.

Shares and multiples are numbers that a cited or derived value must carry. An order of magnitude ("hundreds", 数百)
says no number at all: evidence must use the word itself.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from guards.claims.claim import Claim, ClaimKind
from guards.claims.numerals import zh_value
from guards.claims.quantities import Quantity
from guards.claims.units import ONE, Reading, readings_of

_PERCENT = readings_of("%")
_COARSE = Decimal(5)
"""A share in words is as coarse as this many points of a hundred, and what passes it may lie so much farther."""
_REACH = Decimal(17)
_SHARES = (
    (r"(?<!and a )\bhalf(?= (?:of|the|all|its|their|our|every)\b| of)|\bone half\b|\bhalved\b|一半|半数", "50"),
    (r"\b(?:a|one) third(?= of\b|$|[.,;])", "33.3"),
    (r"\btwo[ -]thirds\b", "66.7"),
    (r"\b(?:a|one) quarter(?= of\b|$|[.,;])", "25"),
    (r"\bthree[ -]quarters\b", "75"),
    (r"\b(?:a|one) fifth(?= of\b|$|[.,;])", "20"),
    (r"\btwo[ -]fifths\b", "40"),
    (r"\bthree[ -]fifths\b", "60"),
    (r"\bfour[ -]fifths\b", "80"),
    (r"\b(?:a|one) tenth(?= of\b|$|[.,;])", "10"),
    (r"\bnine[ -]tenths\b", "90"),
)
_DIGIT = "一二两三四五六七八九"
_ZH_FRACTION = re.compile(rf"(?<![{_DIGIT}十百千])([{_DIGIT}十千]{{1,2}})分之([{_DIGIT}十百]{{1,3}})(?![{_DIGIT}十百])")
_ZH_TENTHS = re.compile(
    rf"(?<![{_DIGIT}十百千万第\d.])([{_DIGIT}]|[1-9])成(?!功|为|本|员|立|果|分|交|型|品|长)([{_DIGIT}](?![{_DIGIT}十个次条]))?"
)
_MULTIPLES = (
    (r"\b(?:doubl(?:es|ed|ing)|double(?= (?:the|its|their|as|that|what)\b)|two-?fold|twice)\b|翻(?:了?一?倍|番)", 2),
    (r"\b(?:tripl(?:es|ed|ing)|triple(?= (?:the|its|their|as|that|what)\b)|three-?fold|thrice)\b", 3),
    (r"\b(?:quadrupl(?:es|ed|ing)|quadruple(?= (?:the|its|their|as)\b)|four-?fold)\b", 4),
    (r"\b(?:five-?fold)\b", 5),
    (r"\b(?:ten-?fold)\b", 10),
    (r"\b(?:hundred-?fold)\b", 100),
)
_MAGNITUDE = re.compile(
    r"\b(?:dozens|hundreds|thousands|millions|billions)\b"
    r"|[数几上成][十百千万亿]{1,3}(?!分)|成千上万|[一二两三四五六七八九十百千]{1,6}[余多][百千万亿]{1,2}|(?<![零一二两三四五六七八九十百千万亿\d])千万(?=[个名条次笔用客])",
    re.IGNORECASE,
)
_ROMAN = re.compile(
    r"(?<![\w.-])(?=[IVXLCDM]{4,15}(?![\w-]))M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w-])"
)
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def find_vague(text: str) -> tuple[Claim, ...]:
    """Such amounts in the folded text, in order, without overlap."""
    found: list[Claim] = []
    readers = (_shares, _zh_shares, _multiples, _magnitudes, _romans)
    for claim in sorted((claim for read in readers for claim in read(text)), key=_start):
        if not found or claim.start >= found[-1].end:
            found.append(claim)
    return tuple(found)


def _start(claim: Claim) -> int:
    return claim.start


def _shares(text: str) -> Iterator[Claim]:
    for pattern, percent in _SHARES:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield _number(match, ((_share(Decimal(percent), _COARSE),),))


def _zh_shares(text: str) -> Iterator[Claim]:
    """四分之三, 千分之三; 三成, 六成五."""
    for match in _ZH_FRACTION.finditer(text):
        whole, part = zh_value(match.group(1)), zh_value(match.group(2))
        if whole and part and part < whole:
            yield _number(match, ((_share(part * 100 / whole, min(_COARSE, Decimal(100) / whole)),),))
    for match in _ZH_TENTHS.finditer(text):
        tenths = Decimal(match.group(1)) if match.group(1).isdecimal() else zh_value(match.group(1))
        fives = zh_value(match.group(2)) if match.group(2) else None
        if tenths is not None:
            share = tenths * 10 + (fives or 0)
            yield _number(match, ((_share(share, Decimal(1) if fives else _COARSE),),))


def _share(percent: Decimal, step: Decimal) -> Quantity:
    return Quantity(percent, step, _PERCENT, reach=_REACH if step == _COARSE else Decimal(0))


def _multiples(text: str) -> Iterator[Claim]:
    for pattern, value in _MULTIPLES:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield _number(match, ((_whole(value),),))


def _magnitudes(text: str) -> Iterator[Claim]:
    for match in _MAGNITUDE.finditer(text):
        yield Claim(ClaimKind.NAME, "order of magnitude", match.group(), *match.span())


def _romans(text: str) -> Iterator[Claim]:
    for match in _ROMAN.finditer(text):
        yield _number(match, ((_whole(_roman(match.group())),),))


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[char] for char in numeral]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _whole(value: int, meaning: tuple[Reading, ...] = ONE) -> Quantity:
    return Quantity(Decimal(value), Decimal(1), meaning)


def _number(match: re.Match[str], readings: tuple[tuple[Quantity, ...], ...]) -> Claim:
    return Claim(ClaimKind.NUMBER, "amount in words", match.group(), *match.span(), readings)
