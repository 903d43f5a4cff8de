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
    CPU = "CPU"
    """Share of processors; base unit is one core."""
    POINTS = "POINTS"
    """Percentage points: the difference of two shares."""
    PERCENTILE = "PERCENTILE"
    """A rank, not an amount: the 95th percentile."""
    LETTER = "LETTER"
    """A unit letter whose meaning the source leaves open: it carries the same letter and nothing else."""


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
    ("% percent pct", _of(Dimension.PERCENT, "1")),
    ("‰ permille", _of(Dimension.PERCENT, "0.1")),
    ("pp 个百分点 百分点", _of(Dimension.POINTS, "1")),
    ("percentile percentiles 百分位 分位", _of(Dimension.PERCENTILE, "1")),
    ("x times 倍 次 条 个 笔 行 台 项 起 人 份 家 种", ONE),
    ("thousand 千", _of(Dimension.COUNT, "1e3")),
    ("million 百万", _of(Dimension.COUNT, "1e6")),
    ("billion bn", _of(Dimension.COUNT, "1e9")),
    ("万", _of(Dimension.COUNT, "1e4")),
    ("千万", _of(Dimension.COUNT, "1e7")),
    ("亿", _of(Dimension.COUNT, "1e8")),
    ("core cores vcpu vcpus 核", _of(Dimension.CPU, "1") + ONE),
    ("millicore millicores 毫核", _of(Dimension.CPU, "1e-3")),
    ("k", _of(Dimension.COUNT, "1e3") + _bytes("1e3", _KILO)),
    ("g", _of(Dimension.COUNT, "1e9") + _bytes("1e9", _GIGA)),
)
UNITS: dict[str, tuple[Reading, ...]] = {word: meaning for words, meaning in _MEANINGS for word in words.split()}
"""Unit word in lower case → its meanings. The letters ``m`` and ``M`` differ: see ``readings_of``."""

_LETTER_M = (Reading(Dimension.LETTER, Decimal(1), "m"),)
_MILLI = _of(Dimension.CPU, "1e-3")
_M_SMALL = _of(Dimension.TIME, "60") + _bytes("1e6", _MEGA) + _MILLI + _LETTER_M
_M_LARGE = _of(Dimension.COUNT, "1e6") + _bytes("1e6", _MEGA)
_CJK_UNITS = sorted((word for word in UNITS if not word.isascii() and word != "μs"), key=len, reverse=True)
CJK_UNIT = re.compile("|".join(map(re.escape, _CJK_UNITS)))
"""A unit written without a space after it, longest first."""

_LONG_UNIT = (
    "ns|us|ms|millis|milliseconds|secs?|seconds|mins?|minutes|hours|days|bytes"
    "|kb|mb|gb|tb|kib|mib|gib|tib|pct|percent|millicores|cores"
)
_STATISTIC = r"(?:_(?:avg|mean|median|max|min|sum|total|p\d{2,3}))?"
"""What programs append to a name behind its unit: ``latency_ms_p99``."""
_NAME_PREFIX = re.compile(r"^(days|hours|minutes|seconds|bytes)_(?!.*(?:_|^)per_)", re.IGNORECASE)
"""``days_valid``: units that stand first only where they measure what follows."""
_NAME_SUFFIX = re.compile(rf"[_.](?:({_LONG_UNIT}){_STATISTIC}|(?<=_)([smh]){_STATISTIC})$", re.IGNORECASE)
_HUMP_SUFFIX = re.compile(r"(?<=[a-z0-9])(Ns|Us|Ms|MS|Millis|Secs?|Seconds|Minutes|Bytes|KB|MB|GB|Pct|Percent)$")
_WHOLE_NAME = re.compile(r"ms|millis|milliseconds|seconds|minutes|hours|bytes|[kmgt]i?b|pct|percent", re.IGNORECASE)
"""Units that are a name of their own; ``min``, ``us``, ``days`` and single letters are words as well."""
_BY_CONVENTION = (
    (re.compile(r"(?:used_memory|maxmemory|used_memory_(?:rss|peak|dataset|lua))", re.IGNORECASE), "bytes"),
    (re.compile(r"(?:(?:negative|dns|key|cache|record|soa)[ _-])?(?:ttl|max-age|max_age)", re.IGNORECASE), "s"),
)
"""Names whose unit is fixed by the program or protocol that prints them: Redis memory in bytes, a ttl in seconds."""
_ABOUT_CPU = re.compile(r"(?:^|[_.])(?:cpu|cores?)(?:[_.]|$)", re.IGNORECASE)
_ABOUT_CPU_IN_TEXT = re.compile(r"(?:(?<![a-z0-9])|_)(?:cpu|cores?)(?![a-z0-9])", re.IGNORECASE)
_SHARE = (*_of(Dimension.PERCENT, "100"), *ONE)


def readings_of(word: str) -> tuple[Reading, ...]:
    """Every meaning of a unit word; empty if it is no unit."""
    if word in {"m", "M"}:
        return _M_SMALL if word == "m" else _M_LARGE
    return UNITS.get(word) or UNITS.get(word.lower(), ())


def readings_of_name(field: str, *, about_cpu: bool = False) -> tuple[Reading, ...]:
    """The unit a name declares by its last part, else its first (``took_ms``, ``heapBytes``, ``days_valid``, ``mb``).

    Empty if it declares none. ``usage_m`` declares the letter m, whatever it means there; beside ``cpu``, in the name
    or in what it belongs to (``about_cpu``), it means thousandths of a core.
    """
    tail = field[-120:]
    declared = _NAME_SUFFIX.search(tail) or _HUMP_SUFFIX.search(tail) or _WHOLE_NAME.fullmatch(tail)
    declared = declared or _NAME_PREFIX.match(tail)
    if not declared:
        return next((readings_of(unit) for name, unit in _BY_CONVENTION if name.fullmatch(tail)), ())
    word = next((group for group in declared.groups() if group), declared.group()).lower()
    if word == "m":
        return _LETTER_M + (_MILLI if about_cpu or _ABOUT_CPU.search(tail) else ())
    return readings_of(word)


def is_about_cpu(words: str) -> bool:
    """True if a name among those words speaks of processors."""
    return _ABOUT_CPU_IN_TEXT.search(words) is not None


def readings_of_unit(unit: str) -> tuple[Reading, ...]:
    """What a declared unit means (``bytes``, ``ms/s``, ``ratio``); empty for one that is not known."""
    base = unit.removesuffix("/s")
    return _SHARE if base.lower() in {"ratio", "fraction"} else readings_of(base)


def points_of(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """What the difference of two numbers of those meanings means besides: of two shares, percentage points."""
    return tuple(Reading(Dimension.POINTS, one.factor) for one in readings if one.dimension is Dimension.PERCENT)
