"""Statements turned round: a denial of what evidence affirms, or the reverse, and good news where it has bad. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from guards.claims.folding import CJK, fold_words

_NOT = (
    r"(?:not|never|no longer|cannot|can't|couldn't|can not|didn't|doesn't|don't|wasn't|weren't|isn't|aren't|hasn't"
    r"|haven't|hadn't|won't|wouldn't|n't|failed to|fails to|unable to)"
)
_AUXILIARY = r"(?:could|can|did|does|do|was|were|is|are|has|have|had|been|be|able to|would|will)"
_DENIED = re.compile(rf"\b{_NOT} (?:yet |even |ever |once |be |been |being |have |to |successfully )?([a-z]{{4,24}})\b")
_AFFIRMED = re.compile(rf"\b{_AUXILIARY} (?:then |still |again |always |already |been )?([a-z]{{4,24}})\b")
_WORD = re.compile(r"[a-z]{4,24}")
_NOT_ZH = "没有|并未|尚未|从未|未能|未曾|无法|不能|不会|不再|不可|未|不|没"
_DENIED_ZH = re.compile(rf"(?:{_NOT_ZH})(?:再|被|能|曾|成功)?([{CJK}]{{2}})")
_TELLING = frozenset(
    "only just also because been being have more less than that this these those there which with when where while"
    " able even ever just very much many same other such only yet from with into over under after before during until"
    " about between against".split()
)
"""Words whose denial says nothing about a record."""

_NIL = re.compile(r"\b(?:0|zero|no|none|null|false|off|nil|without)\b")
_NEAR = 28
"""Characters between a word and the value that denies it: ``active=false``, ``0 rows flushed``."""

_CANNOT_ZH = ("无法", "不能", "未能", "不可")
_FAILURE = re.compile(
    r"\b(?:fail|unable|cannot|can't|could not|refus|reject|denied|exhaust|timed out|timeout|not available|no space)"
    r"|exceed|失败|超时|拒绝|无法|不足|耗尽|用尽|中止|异常"
)
_RECORDS = re.compile(
    r"\b(?:never|not|no longer|n't) (?:once |ever |even |been )?"
    r"(?:record(?:ed)?|log(?:ged)?|hold|contain|show|list|report(?:ed)?|appear|occur(?:red)?|happen(?:ed)?)\b"
    r"|(?:没有|未|并未|从未|不)(?:被)?(?:记录|出现|发生|包含|显示|报告)|中(?:没有|无)(?:一行|任何|记录)"
)


def denied_records(text: str) -> tuple[str, ...]:
    """Words by which the text denies that something was recorded; for findings, whose evidence is a record."""
    return tuple(dict.fromkeys(found.group() for found in _RECORDS.finditer(fold_words(text))))


def turned_words(text: str, shown: Iterable[str]) -> tuple[str, ...]:
    """Words that the text denies while evidence only affirms them, or affirms while evidence only denies them.

    ``shown``: texts of telemetry. A word that evidence does not use, or uses both ways, proves nothing.
    """
    told, seen = fold_words(text), [fold_words(one) for one in shown]
    denied, affirmed = _denied(told), set(_AFFIRMED.findall(told))
    seen_denied = {word for one in seen for word in (*_denied(one), *_beside_nil(one))}
    seen_plain = {_stem(word) for one in seen for word in _WORD.findall(_DENIED.sub(" ", one))}
    seen_stems = {_stem(word) for word in seen_denied}
    against = [word for word in denied if _stem(word) in seen_plain and _stem(word) not in seen_stems]
    against_zh = [word for word in _denied_zh(told) if _affirms_zh(word, seen)]
    besides = [
        word
        for word in affirmed - denied
        if _stem(word) in seen_stems and _stem(word) not in seen_plain and word not in _TELLING
    ]
    return tuple(dict.fromkeys([*(f"not {word}" for word in against), *against_zh, *besides]))


def _denied(text: str) -> set[str]:
    return {word for word in _DENIED.findall(text) if word not in _TELLING}


def _beside_nil(text: str) -> list[str]:
    spans = (text[max(0, found.start() - _NEAR) : found.end() + _NEAR] for found in _NIL.finditer(text))
    return [word for span in spans for word in re.findall(r"[a-z]{4,24}", span.replace("_", " "))]


def _denied_zh(text: str) -> list[str]:
    return [found.group() for found in _DENIED_ZH.finditer(text)]


def _affirms_zh(denial: str, seen: list[str]) -> bool:
    """True if evidence has the denied word, and never behind a negation.

    Where evidence tells of a failure or an inability, that something could not be done is no contradiction.
    """
    word = denial[-2:]
    found = [one for one in seen if word in one]
    if denial.startswith(_CANNOT_ZH) and any(_FAILURE.search(one) for one in seen):
        return False
    return bool(found) and not any(re.search(rf"(?:{_NOT_ZH}).?.?{word}", one) for one in found)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word.removesuffix(ending)
    return word


@dataclass(frozen=True)
class Opposites:
    """Two states that exclude each other."""

    name: str
    bad: str
    """Regular expression of words for trouble, both languages."""
    good: str
    """Of words for its absence; a denied one counts as the other."""


OPPOSITES = (
    Opposites(
        "exhausted", r"exhaust\w*|used up|depleted|耗尽|用尽|用完", r"available|sufficient|plenty|充足|充裕|可用"
    ),
    Opposites(
        "failed",
        r"fail\w*|error\w*|refus\w*|reject\w*|tim(?:ed?|es) ?out|timeouts?|abort\w*|exception\w*"
        r"|失败|超时|拒绝|报错|错误|异常",
        r"succeed\w*|success\w*|answered in time|in time|completed|ok\b|noerror|成功|按时|及时",
    ),
    Opposites("busy", r"saturat\w*|busy|打满|占满|满载", r"idle|空闲"),
    Opposites("full", r"full|no space|enospc|写满|已满|占满|打满", r"empty|half[- ]empty|空闲|有余"),
    Opposites("expired", r"expired?|lapsed|过期|到期|失效", r"still valid|is valid|renewed|有效(?!期|载|负|性)|已续期"),
    Opposites("lost", r"lost|missing|丢失|缺失", r"preserved|intact|完好|保留"),
    Opposites(
        "down",
        r"down|unavailable|unreachable|crash\w*|killed|不可用|不可达|宕机|崩溃|被杀",
        r"up and|reachable|running|运行正常|可达",
    ),
    Opposites("blocked", r"block\w*|locked|waiting|阻塞|等待|锁住", r"unblocked|let through|放行|已释放"),
    Opposites("slow", r"slow\w*|lagging|delayed|变慢|缓慢|延迟", r"fast\w*|quick\w*|speed(?:ed|s) up|变快|加快|迅速"),
)
"""Only good news is refused, and only where what is cited has the bad and none of the good."""

_BAD = {one.name: re.compile(rf"\b(?:{one.bad})" if one.bad.isascii() else one.bad) for one in OPPOSITES}
_GOOD = {one.name: re.compile(one.good) for one in OPPOSITES}
_NEGATED = re.compile(rf"(?:\b{_NOT} (?:[a-z]+ ){{0,2}}|\bno (?:[a-z]+ )?|\bun|(?:{_NOT_ZH})(?:再|被|能|曾|任何)?)$")


def good_news(text: str, shown: Iterable[str]) -> tuple[str, ...]:
    """Words of the text for a good state of which the telemetry cited has only the opposite."""
    told, seen = fold_words(text), "\n".join(fold_words(one) for one in shown)
    found: list[str] = []
    for one in OPPOSITES:
        words = _read(_GOOD[one.name], told, is_denied=False)
        has_bad = bool(_BAD[one.name].search(seen) or _read(_GOOD[one.name], seen, is_denied=True))
        if words and has_bad and not _read(_GOOD[one.name], seen, is_denied=False):
            found += words
    return tuple(dict.fromkeys(found))


def _read(words: re.Pattern[str], text: str, *, is_denied: bool) -> list[str]:
    """Its matches that begin a word, and stand behind a negation or do not."""
    return [
        found.group()
        for found in words.finditer(text)
        if _begins_word(text, found.start())
        and bool(_NEGATED.search(text[max(0, found.start() - 32) : found.start()])) is is_denied
    ]


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not (text[at - 1].isascii() and text[at - 1].isalnum() and text[at].isascii())
