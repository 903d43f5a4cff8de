"""Words that order two values of a sentence: rose and fell, more and less, before and after. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from guards.claims.claim import Claim, ClaimKind
from guards.claims.clock_words import Moment
from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.quantities import Quantity
from guards.claims.units import Dimension
from guards.claims.vocabulary import Vocabulary


@dataclass(frozen=True)
class OrderRule:
    """Words between or around two values that say which of them is larger, or later."""

    name: str
    explanation: str
    kind: ClaimKind
    before: str
    """Regular expression of the words directly before the first value, at their end."""
    between: str
    """Of all words between the two."""
    first_is_larger: bool
    examples: tuple[tuple[str, bool], ...]
    """(sentence, whether the order it states is wrong)."""


_UP = (
    r"(?:ris(?:es?|en|ing)|rose|increas(?:e[sd]?|ing)|gr[eo]w(?:s|n|ing)?|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|went up"
    r"|go(?:es)? up|spik(?:es?|ed|ing)|soar(?:s|ed)?|surg(?:es?|ed)|doubled|tripled|rais(?:es?|ed)|scaled up|ballooned)"
)
_DOWN = (
    r"(?:f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|shr[aiu]nk|went down"
    r"|go(?:es)? down|sank|plunge[sd]?|collapsed?|halved|lower(?:s|ed)?|reduc(?:es?|ed)|cut|scaled down|slid)"
)
_UP_ZH, _DOWN_ZH = (
    "[升涨增跃爬扩][高长加至到为大]{0,2}|提[高升]|攀升|飙升",
    "[降跌减缩落][低至到为少小]{0,2}|下[降跌滑]|回落",
)
_FEW = r"(?:[\w%/-]+ ){0,3}"
_ADVERB = r"(?: (?:sharply|slowly|steadily|suddenly|quickly|again|back|only|further|gradually))?"
_ABOUT = r"(?: (?:about|around|roughly|only|nearly|as (?:much|high|low|many|few) as|the|its|a|an))*"
_MORE, _LESS = "more|greater|longer|higher|larger|bigger", "less|fewer|shorter|lower|smaller"
_LINK = r"[\s,(]*(?:(?:which|and|that) )?(?:(?:is|was|are|were) )?(?:still |already |well |far |much |clearly |even )?"
_APART = rf"(?=[\s]*[,(]|\s(?:which|and|that|is|was|are|were)\s){_LINK}"
"""A comma, a bracket or a verb stands before the comparison: "2 s more than B" is a difference."""
_TO_LIMIT = r" (?:[a-z-]+ ){0,4}"
_ZH_LINK, _ZH_LIMIT = r"[\s,，(（]*(?:已经?|远远?|明显)?", r"了?(?:[\w]{0,8}?(?:的|为|是))?[\s(（]*"

ORDER_RULES: tuple[OrderRule, ...] = tuple(
    OrderRule(*row)
    for row in (
        (
            "rose from A to B",
            "A rise ends above where it began.",
            ClaimKind.NUMBER,
            rf"\b{_UP}{_ADVERB} from{_ABOUT} ",
            rf"\s?{_FEW}to{_ABOUT} ",
            False,
            (("It rose from 4 to 9.", False), ("It rose from 9 to 4.", True)),
        ),
        (
            "fell from A to B",
            "A fall ends below where it began.",
            ClaimKind.NUMBER,
            rf"\b{_DOWN}{_ADVERB} from{_ABOUT} ",
            rf"\s?{_FEW}to{_ABOUT} ",
            True,
            (("It fell from 9 to 4.", False), ("It fell from 4 to 9.", True)),
        ),
        (
            "rose to A from B",
            "A rise ends above where it began.",
            ClaimKind.NUMBER,
            rf"\b{_UP}{_ADVERB} to{_ABOUT} ",
            rf"\s?{_FEW}from{_ABOUT} ",
            True,
            (("It rose to 9 from 4.", False), ("It rose to 4 from 9.", True)),
        ),
        (
            "fell to A from B",
            "A fall ends below where it began.",
            ClaimKind.NUMBER,
            rf"\b{_DOWN}{_ADVERB} to{_ABOUT} ",
            rf"\s?{_FEW}from{_ABOUT} ",
            False,
            (("It fell to 4 from 9.", False), ("It fell to 9 from 4.", True)),
        ),
        (
            "从 A 升到 B",
            "升高之后的值大于之前的值。",
            ClaimKind.NUMBER,
            r"[从由自]\s?",
            rf"\s?\w{{0,4}}?\s?(?:{_UP_ZH})\s?(?:至|到|为|成)?了?约?\s?",
            False,
            (("从 4 升到 9", False), ("从 9 涨到 4", True)),
        ),
        (
            "从 A 降到 B",
            "降低之后的值小于之前的值。",
            ClaimKind.NUMBER,
            r"[从由自]\s?",
            rf"\s?\w{{0,4}}?\s?(?:{_DOWN_ZH})\s?(?:至|到|为|成)?了?约?\s?",
            True,
            (("从 9 降到 4", False), ("从 4 降到 9", True)),
        ),
        (
            "A, more than B",
            "What exceeds a value is larger.",
            ClaimKind.NUMBER,
            "",
            rf"{_APART}(?:(?:{_MORE}) than|above|beyond|exceed(?:s|ed|ing)|in excess of){_TO_LIMIT}",
            True,
            (("took 9 s, more than the 5 s allowed", False), ("took 4 s, more than the 5 s allowed", True)),
        ),
        (
            "A, less than B",
            "What is below a value is smaller.",
            ClaimKind.NUMBER,
            "",
            rf"{_APART}(?:(?:{_LESS}) than|below|under|within){_TO_LIMIT}",
            False,
            (("took 4 s, less than the 5 s allowed", False), ("took 9 s, less than the 5 s allowed", True)),
        ),
        (
            "A 超过 B",
            "超过的一方较大。",
            ClaimKind.NUMBER,
            "",
            rf"{_ZH_LINK}(?:超过|超出|高于|大于|多于|长于){_ZH_LIMIT}",
            True,
            (("耗时 9 秒，超过 5 秒", False), ("耗时 4 秒，高于 5 秒", True)),
        ),
        (
            "A 低于 B",
            "低于的一方较小。",
            ClaimKind.NUMBER,
            "",
            rf"{_ZH_LINK}(?:低于|小于|少于|短于|不到|不足){_ZH_LIMIT}",
            False,
            (("耗时 4 秒，低于 5 秒", False), ("耗时 9 秒，少于 5 秒", True)),
        ),
        (
            "A, before B",
            "What was before a time was earlier.",
            ClaimKind.TIME,
            "",
            r"[\s,(]*(?:well |shortly |long |just |right )?(?:before|earlier than|ahead of|prior to) (?:[a-z-]+ ){0,3}",
            False,
            (("at 14:05, before 14:20", False), ("at 14:25, before 14:20", True)),
        ),
        (
            "A, after B",
            "What was after a time was later.",
            ClaimKind.TIME,
            "",
            r"[\s,(]*(?:well |shortly |long |just |right )?(?:after|later than|subsequent to) (?:[a-z-]+ ){0,3}",
            True,
            (("at 14:25, after 14:20", False), ("at 14:05, after 14:20", True)),
        ),
        (
            "A 早于 B",
            "早于的一方在前。",
            ClaimKind.TIME,
            "",
            r"[^。；;.!?]{0,12}?(?:早于|先于)[^。；;.!?\d]{0,10}",
            False,
            (("14:05 触发，早于 14:20", False), ("14:25 触发，早于 14:20", True)),
        ),
        (
            "A 晚于 B",
            "晚于的一方在后。",
            ClaimKind.TIME,
            "",
            r"[^。；;.!?]{0,12}?(?:晚于|迟于|后于)[^。；;.!?\d]{0,10}",
            True,
            (("14:25 触发，晚于 14:20", False), ("14:05 触发，晚于 14:20", True)),
        ),
    )
)
"""Only two values that stand beside such words are compared, of one dimension and in one sentence."""

_BEFORE = {rule.name: re.compile(rf"(?:{rule.before})$", re.IGNORECASE) for rule in ORDER_RULES}
_BETWEEN = {rule.name: re.compile(rule.between, re.IGNORECASE) for rule in ORDER_RULES}
_LOOK_BACK, _MOST_BETWEEN = 60, 64


def turned_round(text: str) -> tuple[str, ...]:
    """Spans of the text, folded, whose words order two values the other way round than the values themselves."""
    folded = fold(text)
    claims = [claim for claim in extract_claims(text, Vocabulary()) if claim.kind is not ClaimKind.NAME]
    found = (
        folded[one.start : other.end]
        for one, other in zip(claims, claims[1:], strict=False)
        for rule in ORDER_RULES
        if _applies(rule, folded, one, other) and _is_wrong(rule, one, other)
    )
    return tuple(dict.fromkeys(found))


def _applies(rule: OrderRule, folded: str, one: Claim, other: Claim) -> bool:
    if rule.kind is not one.kind or rule.kind is not other.kind or other.start - one.end > _MOST_BETWEEN:
        return False
    if not _BETWEEN[rule.name].fullmatch(folded, one.end, other.start):
        return False
    return bool(_BEFORE[rule.name].search(folded[max(0, one.start - _LOOK_BACK) : one.start]))


def _is_wrong(rule: OrderRule, one: Claim, other: Claim) -> bool:
    """True if both values are known, may be compared, and stand in the other order; equal ones are never larger."""
    pair = _amounts(one, other) if rule.kind is ClaimKind.NUMBER else _instants(one, other)
    if pair is None:
        return False
    first, second = pair
    return first <= second if rule.first_is_larger else first >= second


def _amounts(one: Claim, other: Claim) -> tuple[Decimal, Decimal] | None:
    """Both in base units; None where a number may be read in several ways or the dimensions differ."""
    pairs = {
        (this.value * this_factor, that.value * that_factor)
        for this, this_of, this_factor in _meanings(one)
        for that, that_of, that_factor in _meanings(other)
        if this_of is that_of
    }
    orders = {(first > second) - (first < second) for first, second in pairs}
    return pairs.pop() if len(orders) == 1 else None


def _meanings(claim: Claim) -> Iterator[tuple[Quantity, Dimension | None, Decimal]]:
    for group in claim.readings:
        if len(group) != 1:
            continue
        if not group[0].readings:
            yield group[0], None, Decimal(1)
        for reading in group[0].readings:
            yield group[0], reading.dimension, reading.factor


def _instants(one: Claim, other: Claim) -> tuple[float, float] | None:
    """Both on one scale; None where only one has a date or a zone, or either may mean something else as well."""
    if one.moment is None or other.moment is None or one.other_moments or other.other_moments:
        return None
    first, second = one.moment, other.moment
    if _frame(first) != _frame(second):
        return None
    at, then = _at(first), _at(second)
    return None if at is None or then is None else (at, then)


def _frame(moment: Moment) -> tuple[object, ...]:
    """What two times must have in common to be compared: how much of a date, whether an offset, which zone."""
    return moment.year is None, moment.month is None, moment.day is None, moment.offset_s is None, moment.zone


def _at(moment: Moment) -> float | None:
    """Seconds on a scale of its frame; None for a date without a clock."""
    if moment.hour is None:
        return None
    try:
        day = datetime(moment.year or 2000, moment.month or 1, moment.day or 1, moment.hour, tzinfo=UTC)
    except ValueError:
        return None
    part = timedelta(minutes=moment.minute or 0, seconds=moment.second or 0)
    fraction = float(f"0.{moment.fraction}") if moment.fraction else 0.0
    return (day + part).timestamp() + fraction - (moment.offset_s or 0)
