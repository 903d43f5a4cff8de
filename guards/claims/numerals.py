"""The value of a Chinese numeral. Pure."""

from decimal import Decimal

ZH_DIGITS = {"零": 0, "〇": 0, **{char: value for value, char in enumerate("一二三四五六七八九", 1)}, "两": 2}
ZH_DIGITS |= {char: value for value, char in enumerate("壹贰叁肆伍陆柒捌玖", 1)} | {"貳": 2, "參": 3, "陸": 6, "兩": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_GROUPS = {"万": 10_000, "亿": 100_000_000, "萬": 10_000, "億": 100_000_000}
ZH_NUMERAL = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟萬億貳參陸兩廿卅卌"
"""Every character that such a numeral is written with."""


def zh_value(numeral: str) -> Decimal | None:
    """The value of a numeral with or without decimals; None for "三四" (a vague one) and whatever else is no number."""
    whole, _, decimals = numeral.partition("点")
    total = section = digit = 0
    for char in whole:
        if char in ZH_DIGITS:
            if digit:
                return None
            digit = ZH_DIGITS[char]
        elif char in _TENS:
            section += _TENS[char]
        elif char in _PLACES:
            section += max(digit, 1) * _PLACES[char]
            digit = 0
        else:
            total = (total + section + digit) * _GROUPS[char]
            section = digit = 0
    value = Decimal(total + section + digit)
    return value + sum((Decimal(ZH_DIGITS[char]).scaleb(-at) for at, char in enumerate(decimals, 1)), Decimal(0))
