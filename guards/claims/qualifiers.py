"""Words beside a number that say how it is meant: rounded, a bound, a change, a limit. Data, and its reading. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Bound(StrEnum):
    """What a text says of the true amount, measured by the number it names."""

    ABOVE = "ABOVE"
    AT_LEAST = "AT_LEAST"
    BELOW = "BELOW"
    AT_MOST = "AT_MOST"


@dataclass(frozen=True)
class BoundRule:
    """Words that make the number beside them a bound."""

    bound: Bound
    before: str
    """Regular expression of the words directly before the number."""
    after: str
    """Of those directly behind it and its unit."""
    examples: tuple[str, ...]


_MEASURE = "more|greater|longer|higher|larger|later|older"
_LESS = "less|fewer|shorter|lower|smaller|earlier"
BOUND_RULES: tuple[BoundRule, ...] = (
    BoundRule(
        Bound.AT_MOST,
        rf"\b(?:at (?:the )?most|(?:no|not) (?:{_MEASURE}) than|a maximum of|within|inside)"
        r"|至多|最多|不超过|不多于|不高于|不大于",
        r" or (?:less|fewer)\b|以内|之内|以下",
        ("at most 12 rows", "no more than 12 rows", "不超过12次", "12次以内"),
    ),
    BoundRule(
        Bound.AT_LEAST,
        rf"\b(?:at (?:the very )?least|no (?:{_LESS}) than|a minimum of|over|beyond|upwards? of)"
        r"|至少|不少于|不低于|不小于|起码",
        r" or more\b|\+(?!\d)|以上|有余|开外",
        ("at least 12 rows", "no fewer than 12 rows", "over 12 minutes", "至少12次", "12次以上"),
    ),
    BoundRule(
        Bound.ABOVE,
        rf"\b(?:(?:{_MEASURE}) than|above|exceed(?:s|ed|ing)?|in excess of|past|surpass(?:es|ed|ing)?)"
        r"|超过|超出|多于|大于|高于|长于|逾|突破|不止",
        r"(?!)",
        ("more than 12 rows", "above 1.3 s", "超过12次"),
    ),
    BoundRule(
        Bound.BELOW,
        rf"\b(?:(?:{_LESS}) than|under|below|short of)|不到|不足|少于|低于|小于|短于|未满|不满|未达|未到",
        r"(?!)",
        ("less than 12 rows", "under 3 s", "不到12次"),
    ),
)
"""In order of precedence: "no more than" before "more than". "Over" also means "during", so it includes its number."""

_LIMIT_WORD = (
    r"\b(?:limits?|thresholds?|quotas?|maximum|max|minimum|timeout|budget|ceiling|capacity|cap|allowance|allowed"
    r"|interval|target|deadline|slo|sla)\b|上限|下限|阈值|限制|限额|配额|额度|门限|期限|超时时间|目标"
)
_LIMIT_AFTER = re.compile(rf"[^.;,。;,]{{0,16}}?(?:{_LIMIT_WORD})", re.IGNORECASE)
_LIMIT_BEFORE = re.compile(rf"(?:{_LIMIT_WORD})[^.;。;]{{0,24}}$", re.IGNORECASE)
_LIMIT_NAME = re.compile(
    rf"(?:(?:limit|threshold|quota|max|maximum|timeout|interval|target)\w*[\"']?[^;\n]{{0,8}}"
    rf"|\b(?:{_MEASURE}|{_LESS}) than\b[^;\n]{{0,32}}|超过[^。;\n]{{0,24}})$",
    re.IGNORECASE,
)
_ABOUT_BEFORE = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|close to|an? good)|[~≈]"
    r"|约|大约|约为|大概|差不多|将近|接近|近)\s?$",
    re.IGNORECASE,
)
_ABOUT_AFTER = re.compile(r"\s?(?:左右|上下|前后|多|or so\b|-?ish\b)")
_CHANGE_WORD = (
    "by|lost|loses|cuts?|drop(?:ped|s)?|fell|falls|down|up|rose|rises|grew|grows|gain(?:ed|s)?|increased?|decreased?"
    "|reduc(?:ed?|tion)|rise|growth|decline|jump(?:ed)?|differ(?:ence)?|apart"
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:{_CHANGE_WORD})\b[^.;。;]{{0,28}}$|[降减少多增涨升跌差][^。;]{{0,14}}$", re.IGNORECASE
)
_CHANGE_AFTER = re.compile(
    r"\s?(?:less|more|fewer|higher|lower|faster|slower|above|below|increase|decrease|reduction|drop|rise|growth|cut)\b"
    r"|的?(?:降幅|增幅|涨幅|跌幅|差距)",
    re.IGNORECASE,
)
_LOOK_BACK = 48
_BEFORE_MINUS = frozenset(("", *" \n=(:\"'`[,<>~约为是到至"))

_BOUNDS = tuple(
    (rule.bound, re.compile(rf"(?:{rule.before})(?:\s?(?:about|the|its|their|了|了约))?\s?$", re.IGNORECASE))
    for rule in BOUND_RULES
)
_DIFFERENCE = re.compile(
    rf"(?:\d|\d ?%|\d [a-z]{{1,12}}|times|percent|half|twice) (?:{_MEASURE}|{_LESS}) than (?:the |its |their )?$",
    re.IGNORECASE,
)
"""A number before the comparison says by how much: "20 % less than the 1.21" names 1.21 itself."""
_BOUNDS_AFTER = tuple((rule.bound, re.compile(rule.after, re.IGNORECASE)) for rule in BOUND_RULES)


def is_about(text: str, start: int, end: int) -> bool:
    """True if the words beside that span say the value is rounded."""
    before = text[max(0, start - 16) : start]
    return bool(_ABOUT_BEFORE.search(before) or _ABOUT_AFTER.match(text, end))


def bound_of(text: str, start: int, end: int) -> Bound | None:
    """The bound that the number at that span is; None for an amount, and for a limit that something passed."""
    before = text[max(0, start - _LOOK_BACK) : start]
    bound = next((bound for bound, words in _BOUNDS if words.search(before)), None)
    bound = bound or next((bound for bound, words in _BOUNDS_AFTER if words.match(text, end)), None)
    if bound is None or _DIFFERENCE.search(before) or _is_named_limit(text, before, end):
        return None
    return bound


def _is_named_limit(text: str, before: str, end: int) -> bool:
    return bool(_LIMIT_AFTER.match(text, end, end + 48) or _LIMIT_BEFORE.search(before))


def is_limit(text: str, start: int) -> bool:
    """True if evidence names the number at that place as a limit, or says that something passed it."""
    return _LIMIT_NAME.search(text[max(0, start - _LOOK_BACK) : start]) is not None


def is_change(text: str, start: int, end: int) -> bool:
    """True if the words beside that span say by how much something changed or differs."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(_CHANGE_BEFORE.search(before) or _CHANGE_AFTER.match(text, end))


def is_negative(text: str, start: int) -> bool:
    """True if a minus sign stands directly before the number at that place, and no word or number before the sign."""
    return text[start - 1 : start] == "-" and text[max(0, start - 2) : start - 1] in _BEFORE_MINUS
