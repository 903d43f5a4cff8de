"""Units as data: what a unit word may mean, and which unit a field name declares."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Dimension(StrEnum):
    """What a number measures. Numbers of different dimensions never carry one another."""

    COUNT = "COUNT"
    TIME = "TIME"
    BYTES = "BYTES"
    PERCENT = "PERCENT"


@dataclass(frozen=True)
class Reading:
    """One meaning of a unit: its dimension and how many base units (1, s, byte, %) it is."""

    dimension: Dimension
    factor: Decimal
    family: str = ""
    """``decimal`` or ``binary`` where one word may mean either: both sides of a comparison are then read alike."""


def _bytes(decimal: str, binary: str) -> tuple[Reading, ...]:
    return (
        Reading(Dimension.BYTES, Decimal(decimal), "decimal"),
        Reading(Dimension.BYTES, Decimal(binary), "binary"),
    )


def _of(dimension: Dimension, *factors: str) -> tuple[Reading, ...]:
    return tuple(Reading(dimension, Decimal(factor)) for factor in factors)


ONE = _of(Dimension.COUNT, "1")
"""Reading of a number followed by a thing counted."""

_KILO, _MEGA, _GIGA, _TERA = "1024", "1048576", "1073741824", "1099511627776"

_MEANINGS: tuple[tuple[str, tuple[Reading, ...]], ...] = (
    ("ns nanosecond nanoseconds 纳秒", _of(Dimension.TIME, "1e-9")),
    ("us μs microsecond microseconds 微秒", _of(Dimension.TIME, "1e-6")),
    ("ms msec msecs millis millisecond milliseconds 毫秒", _of(Dimension.TIME, "1e-3")),
    ("s sec secs second seconds 秒 秒钟", _of(Dimension.TIME, "1")),
    ("min mins minute minutes 分钟 分", _of(Dimension.TIME, "60")),
    ("h hr hrs hour hours 小时 个小时", _of(Dimension.TIME, "3600")),
    ("d day days 天", _of(Dimension.TIME, "86400")),
    ("week weeks 周", _of(Dimension.TIME, "604800")),
    ("b byte bytes 字节", _of(Dimension.BYTES, "1")),
    ("kb", _bytes("1e3", _KILO)),
    ("kib", _of(Dimension.BYTES, _KILO)),
    ("mb", _bytes("1e6", _MEGA)),
    ("mib", _of(Dimension.BYTES, _MEGA)),
    ("gb", _bytes("1e9", _GIGA)),
    ("gib", _of(Dimension.BYTES, _GIGA)),
    ("tb", _bytes("1e12", _TERA)),
    ("tib", _of(Dimension.BYTES, _TERA)),
    ("% percent pct 个百分点 百分点", _of(Dimension.PERCENT, "1")),
    ("x times 倍 次 条 个 笔 行 台 项 起 人 份 家 种", ONE),
    ("thousand 千", _of(Dimension.COUNT, "1e3")),
    ("million 百万", _of(Dimension.COUNT, "1e6")),
    ("billion bn", _of(Dimension.COUNT, "1e9")),
    ("万", _of(Dimension.COUNT, "1e4")),
    ("千万", _of(Dimension.COUNT, "1e7")),
    ("亿", _of(Dimension.COUNT, "1e8")),
    ("k", _of(Dimension.COUNT, "1e3") + _bytes("1e3", _KILO)),
    ("g", _of(Dimension.COUNT, "1e9") + _bytes("1e9", _GIGA)),
)
UNITS: dict[str, tuple[Reading, ...]] = {word: meaning for words, meaning in _MEANINGS for word in words.split()}
"""Unit word in lower case → its meanings. The letters ``m`` and ``M`` differ: see ``readings_of``."""

_M_SMALL = _of(Dimension.TIME, "60") + _bytes("1e6", _MEGA)
_M_LARGE = _of(Dimension.COUNT, "1e6") + _bytes("1e6", _MEGA)
_CJK_UNITS = sorted((word for word in UNITS if not word.isascii() and word != "μs"), key=len, reverse=True)
CJK_UNIT = re.compile("|".join(map(re.escape, _CJK_UNITS)))
"""A unit written without a space after it, longest first."""

_NAME_SUFFIX = re.compile(
    r"(?:_|(?<=[a-z0-9])(?=[A-Z]))(ns|us|ms|millis|Millis|Ms|s|sec|secs|seconds|Seconds|min|minutes|bytes|Bytes|kb|mb|gb|KB|MB|GB|pct|percent|Percent)$"
)


def readings_of(word: str) -> tuple[Reading, ...]:
    """Every meaning of a unit word; empty if it is no unit."""
    if word in {"m", "M"}:
        return _M_SMALL if word == "m" else _M_LARGE
    return UNITS.get(word) or UNITS.get(word.lower(), ())


def readings_of_name(field: str) -> tuple[Reading, ...]:
    """The unit a field name declares by its last part (``took_ms``, ``heapBytes``); empty if it declares none."""
    declared = _NAME_SUFFIX.search(field[-120:])
    return readings_of(declared.group(1)) if declared else ()
