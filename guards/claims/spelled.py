"""Numbers written in words, English and Chinese, found in folded text: "sixteen seconds" claims what "16 s" claims.

A word for a number is a claim only in front of a unit or of what it counts: "two of them", "one or two" and "一次"
measure nothing. A small number that points back ("the two pools", "这两个") counts nothing new.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from guards.claims.claim import Claim, ClaimKind
from guards.claims.numbers import unit_after
from guards.claims.numerals import ZH_NUMERAL, zh_value
from guards.claims.qualifiers import is_about
from guards.claims.quantities import Quantity, quantity
from guards.claims.things import singular, thing_at
from guards.claims.units import CJK_UNIT, ONE, Dimension, Reading, readings_of

_ONES = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen".split(),
        1,
    )
}
_TENS = {
    word: value * 10 for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_BELOW_20 = "|".join(sorted(_ONES, key=len, reverse=True))
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|{_BELOW_20})"
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SCALE = rf"(?:{'|'.join(_SCALES)})(?!\w)"
_ENGLISH = re.compile(
    rf"(?<![\w.-])(?:(?P<scaled>(?:an?|{_BELOW_100})[- ]{_SCALE}"
    rf"(?:(?:[- ]| and )(?:{_SCALE}|{_BELOW_100}(?!\w))){{0,6}})"
    rf"|{_BELOW_100}(?P<half> and a half)?(?=[- ]\w))",
    re.IGNORECASE | re.ASCII,
)
_UNIT_WORD = re.compile(r"[- ](?:(?:full|whole|more|further|consecutive|additional) )?([A-Za-z]{1,14})(?!\w)", re.ASCII)
_POINTS_BACK = re.compile(
    r"\b(?:the|these|those|both|all|which|last|first|next|other|previous|former|latter|its|their|between|or|and)"
    r"(?: (?:first|last|other))? $",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b(?:step|phase|stage|tier|level|option|case|number|part|chapter|section) $", re.IGNORECASE)
_SMALL = 4
"""Up to here a number that points back names its things rather than counting them."""

_HALF = Decimal("0.5")
_COUNTED = frozenset({Dimension.COUNT, Dimension.CPU})
_NOT_COUNTED = frozenset(
    "reason reasons thing things point points way ways step steps cause causes fact facts possibility possibilities"
    " option options sign signs finding findings observation observations side sides part parts kind kinds type types"
    " hypothesis hypotheses factor factors question questions".split()
)
"""What a text counts of itself, not of the system."""

_CHINESE = re.compile(
    rf"(?<![{ZH_NUMERAL}第数几好上成近周之])(?<!\d)(?<!\d )(?<!星期)(?<![{ZH_NUMERAL}\d]点)"
    rf"[{ZH_NUMERAL}]{{1,12}}(?:点[零〇一二三四五六七八九]{{1,6}})?"
    rf"(?![{ZH_NUMERAL}几]|分之|[多余][{ZH_NUMERAL}])"
)
_ZH_PERCENT = re.compile(rf"百分之([{ZH_NUMERAL}]{{1,8}}(?:点[零〇一二三四五六七八九]{{1,6}})?)(?![{ZH_NUMERAL}])")
_ZH_MORE = re.compile(r"[多余来]?\s?")
_ZH_MINUTE = re.compile(rf"分(?=\s?[{ZH_NUMERAL}\d]{{1,4}}\s?秒)")
_ZH_HALF = re.compile(r"个半|(?:个小时|小时|分钟|分|天)半")
_ZH_POINTS_BACK = re.compile(r"(?:[这那该此另前后每各同任某哪]|上述|以上|其余|其他|另外|其中|最后)$")
_ZH_PAIR = re.compile(r"[次个条].{0,8}?(?:之间|间隔|相隔)")
_ZH_OF_THE_TEXT = re.compile(
    r"个(?:主要|可能的?|不同的?)?(?:原因|方面|问题|现象|条件|步骤|阶段|因素|方向|假设|可能|线索|证据)"
)
_ZH_NOT_COUNTED = frozenset("分 起 种 项 家 千 百万 万 千万 亿 份 人 周".split())
"""Units that stand in words such as 十分, 一起, 两种: only digits before them are a claim."""


def find_spelled(text: str) -> tuple[Claim, ...]:
    """Numbers in words with their unit, in order, without overlap. Positions are those of the folded text."""
    claims = sorted((*_english(text), *_percents(text), *_chinese(text)), key=lambda claim: claim.start)
    return tuple(claims)


def _english(text: str) -> Iterator[Claim]:
    for match in _ENGLISH.finditer(text):
        value = _value_of(match.group().lower()) + (_HALF if match["half"] else 0)
        step = _HALF if match["half"] else None
        unit = _UNIT_WORD.match(text, match.end())
        meaning = readings_of(unit.group(1)) if unit and len(unit.group(1)) > 1 else ()
        if unit and meaning and any(one.dimension is not Dimension.COUNT for one in meaning):
            yield _claim(text, (match.start(), unit.end()), value, meaning, step=step)
        elif match["scaled"] or (value > 1 and text[match.end()] == " " and _is_counted(text, match, value)):
            meaning, end = unit_after(text, match.end())
            if meaning or match["scaled"]:
                yield _claim(
                    text, (match.start(), end), value, meaning, counted=singular(unit.group(1)) if unit else ""
                )


def _value_of(words: str) -> Decimal:
    """The value of the words that the pattern admits."""
    total = value = Decimal(0)
    for word in re.split(r"[- ]", words):
        scale = _SCALES.get(word, 1)
        if scale > 1:
            value = max(value, Decimal(1)) * scale
        if scale >= _SCALES["thousand"]:
            total, value = total + value, Decimal(0)
        value += _ONES.get(word, 0) + _TENS.get(word, 0)
    return total + value


def _is_counted(text: str, match: re.Match[str], value: Decimal) -> bool:
    before = text[max(0, match.start() - 24) : match.start()]
    thing = text[match.end() + 1 : match.end() + 16].split(" ")[0].strip(".,;:").lower()
    return not (thing in _NOT_COUNTED or _NUMBERED.search(before) or (value <= _SMALL and _POINTS_BACK.search(before)))


def _percents(text: str) -> Iterator[Claim]:
    for match in _ZH_PERCENT.finditer(text):
        value = Decimal(100) if match.group(1) == "百" else zh_value(match.group(1))
        if value is not None:
            yield _claim(text, match.span(), value, readings_of("%"))


def _chinese(text: str) -> Iterator[Claim]:
    for match in _CHINESE.finditer(text):
        value = zh_value(match.group())
        more = _ZH_MORE.match(text, match.end())
        at = more.end() if more else match.end()
        meaning, end = unit_after(text, match.end())
        if value and any(one.dimension not in _COUNTED for one in meaning) and text[end - 1].isascii():
            yield _claim(text, (match.start(), end), value, meaning)
            continue
        unit = _ZH_MINUTE.match(text, at) or CJK_UNIT.match(text, at)
        if value and unit and not _ZH_HALF.match(text, at) and _zh_is_counted(text, match.start(), unit, value):
            meaning = readings_of("分钟" if unit.group() == "分" else unit.group())
            claim = _claim(text, (match.start(), unit.end()), value, meaning, counted=thing_at(text, unit.end()))
            yield _roughly(claim) if at > match.end() and text[match.end()] != " " else claim


def _roughly(claim: Claim) -> Claim:
    """三十多次: the numeral itself says that it is rounded."""
    return replace(claim, readings=tuple(tuple(replace(one, about=True) for one in group) for group in claim.readings))


def _zh_is_counted(text: str, start: int, unit: re.Match[str], value: Decimal) -> bool:
    word, meaning = unit.group(), readings_of(unit.group())
    if word in _ZH_NOT_COUNTED and not _ZH_MINUTE.match(text, unit.start()):
        return False
    before = text[max(0, start - 2) : start]
    if any(one.dimension is Dimension.COUNT for one in meaning):
        if _ZH_OF_THE_TEXT.match(text, unit.start()) or (value == 2 and _ZH_PAIR.match(text, unit.start())):
            return False
        return value > 1 and not (value <= _SMALL and _ZH_POINTS_BACK.search(before))
    return value > 1 or (word != "天" and not _ZH_POINTS_BACK.search(before))


def _claim(
    text: str,
    span: tuple[int, int],
    value: Decimal,
    meaning: tuple[Reading, ...],
    *,
    counted: str = "",
    step: Decimal | None = None,
) -> Claim:
    start, end = span
    found = replace(_quantity(value), readings=meaning or ONE, about=is_about(text, start, end))
    found = replace(found, step=step) if step else found
    return Claim(ClaimKind.NUMBER, "spelled number", text[start:end], start, end, ((found,),), counted=counted)


def _quantity(value: Decimal) -> Quantity:
    found = quantity(f"{value:f}")
    assert found is not None
    return found
