"""Does the conclusion stay as narrow as its evidence? Pure."""

import re

from models.offline.review.case import Case
from models.offline.review.reasons import Refusal

_PARTS = frozenset(
    "connection thread key inode descriptor row block byte core slot page worker time once line minute second hour "
    "day write read query statement request segment record message lookup file call packet token core cpu gb mb of".split()
)
"""Nouns of which "all" is said within one component."""
_WIDE = re.compile(
    r"\b(?P<q>every|all|any|each|entire|whole|both)\s+(?:of\s+)?(?:(?:the|our|its|their|other|these|those)\s+)?"
    r"(?P<noun>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"\b(?:always|everywhere|everything|everyone|nobody|in general|globally|(?:system|company|platform|cluster|fleet|"
    r"site)-?wide|permanently|exclusively|nothing else|no other|on all of them|on each of them)\b"
    r"|始终|永远|从来都?|唯一|到处|全站|全网|全公司|全平台|全链路|整个(?:系统|平台|集群|公司|站点|机房)|无一例外|一律|所有人",
    re.IGNORECASE,
)
_PARTS_ZH = r"连接|线程|键|条目|内存|句柄|空间|索引|时间|请求|数据|查询|会话|写入|消息|分配|资源|占|被|用|耗|失|为"
_WIDE_ZH = re.compile(
    rf"(?:所有|全部(?:的)?|一切|任何|每(?:个|台|一个|一台|条|家|套)|各(?:个|台|类|家)?(?!自|种))(?:的)?(?!{_PARTS_ZH})"
    r"(?P<noun>[\u3400-\u9fff]{1,4}|\s?[a-z][\w-]*)",
    re.IGNORECASE,
)


def scope_is_kept(case: Case) -> Refusal | None:
    """No word that makes one place the whole system, unless the evidence or the question says so too."""
    shown = " ".join((case.question, *(p.text for p in case.proofs))).lower()
    texts = (case.text, *(s.text for s in case.statements))
    return Refusal.TOO_WIDE if any(_is_wide(text, shown) for text in texts) else None


def _is_wide(text: str, shown: str) -> bool:
    if any(match.group().lower() not in shown for match in _ABSOLUTE.finditer(text)):
        return True
    if any(not _is_said(match, shown) for match in _WIDE.finditer(text)):
        return True
    return any(match.group("noun")[:2].lower() not in _after_quantifiers(shown) for match in _WIDE_ZH.finditer(text))


def _is_said(match: re.Match[str], shown: str) -> bool:
    nouns = [_single(word) for word in match.group("noun").lower().split()]
    if any(noun in _PARTS for noun in nouns):
        return True
    quantified = re.findall(r"\b(?:every|all|any|each|entire|whole|both)\s+(?:[a-z-]+\s+){0,2}?([a-z-]+)", shown)
    return any(_single(word) == nouns[0] for word in quantified)


def _single(word: str) -> str:
    return word[:-3] + "y" if word.endswith("ies") else word[:-1] if word.endswith("s") else word


def _after_quantifiers(shown: str) -> str:
    return " ".join(match.group("noun") for match in _WIDE_ZH.finditer(shown))
