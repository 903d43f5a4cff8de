"""Which way a document says a metric goes: words near its name, English and Chinese. Pure."""

import re

from models.offline.measures import DOWN, FLAT, UP

_NEAR_CHARS = 60
_CLAUSE_END = re.compile(
    r"[;.。；，,`]|\b(?:and|while|whereas|but|until|when|before|after)\b|同时|而|并且|但|且", re.IGNORECASE
)
_SUBJECT_JOIN = re.compile(r"^\s*(?:,|and|or|和|与|、|及)\s*`[^`]*`\s*(?:both|all|together|均|都)?", re.IGNORECASE)
_FLAT = re.compile(
    r"\b(?:flat|steady|unchanged|stable|constant|normal|as (?:usual|before))\b|"
    r"\b(?:not|never|without|hardly|barely|no)\s+(?:\w+\s+)?(?:ris|clim|grow|chang|mov|fall|drop|increas|react)\w*|"
    r"\b(?:stay|remain|keep)s?\b|平稳|不变|保持|正常|无变化|没有?(?:明显)?(?:上升|下降|变化|增长)|未见?(?:上升|下降|变化)",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:fall|fell|drop|declin|decreas|sink|sank|shrink|shrank|lower|collaps|dip|plung|tumbl|slump|reduc|diminish)\w*|"
    r"\b(?:low|down|below|under|to (?:zero|0)|zero)\b|下降|降低|减少|下跌|骤降|变低|偏低|归零|低于|跌|变少|缩减|降到",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:climb|ris|rose|grow|grew|increas|jump|spik|surg|soar|doubl|tripl|multipl|elevat|peak|saturat|exceed|reach|"
    r"accumulat|mount|escalat|swell|shoot|max)\w*|\b(?:high|higher|up|above|over|at (?:its|the) (?:limit|max\w*)|"
    r"builds? up|backs? up|non-?zero)\b|"
    r"上升|升高|增长|增加|飙升|突增|激增|上涨|变高|偏高|打满|上限|堆积|超过|陡增|走高|变多|升到|攀升|高于|翻倍",
    re.IGNORECASE,
)


def told_trend(text: str, start: int, end: int) -> str:
    """up, down or flat as the words right after, else right before, ``text[start:end]`` say; empty if they do not."""
    return _trend(_after(text[end : end + 2 * _NEAR_CHARS])) or _trend(
        _before(text[max(0, start - _NEAR_CHARS) : start])
    )


def _after(rest: str) -> str:
    """To the end of the clause; over further names that share the verb."""
    while match := _SUBJECT_JOIN.match(rest):
        rest = rest[match.end() :]
    end = _CLAUSE_END.search(rest)
    return rest[: end.start()] if end else rest[:_NEAR_CHARS]


def _before(lead: str) -> str:
    ends = list(_CLAUSE_END.finditer(lead))
    return lead[ends[-1].end() :] if ends else lead


def _trend(words: str) -> str:
    """The word nearest to the beginning decides between up and down; a denial of either is flat."""
    if _FLAT.search(words):
        return FLAT
    down, up = _DOWN.search(words), _UP.search(words)
    if down and (not up or down.start() < up.start() or down.group().lower() in {"to zero", "to 0", "zero"}):
        return DOWN
    return UP if up else ""
