"""When a plain word of the catalogue is meant as the name of a source, service or table. Pure."""

import re

from guards.claims.folding import fold_case
from guards.claims.vocabulary import ORDINARY_NOUNS, THING_WORDS, THING_WORDS_CJK, Vocabulary

_BEFORE = re.compile(r"([A-Za-z]+)\s[\"'`]?$")
_AFTER = re.compile(r"[\"'`]?\s([A-Za-z]+)")
_HOLDS_A_ROW = re.compile(
    r"[\"'`]? (?:holds?|contains?|has|shows?|lists?) (?:a|an|one|two|three|no|\d+) (?:\w+ )?"
    r"(?:rows?|records?|entr(?:y|ies))\b"
    r"|[\"'`]?\s?[中里](?:没?有|无|含有?|存在)"
)
_TELLS = re.compile(
    r"[\"'`]? (?:log(?:s|ged)|record(?:s|ed)|report(?:s|ed)|show(?:s|ed)|hold(?:s)?|answer(?:s|ed)|return(?:s|ed)"
    r"|throws|threw|emit(?:s|ted)|rais(?:es|ed)|timed out|crash(?:es|ed)|restart(?:s|ed))\b"
    r"|[\"'`]?\s?(?:记录|报错|报告|返回|显示|抛出|重启|打印)"
)
_PLACED = re.compile(r"\b(?:in|from|of|by|at|on|inside|table|service) [\"'`]?$|[在由]\s?[\"'`]?$", re.IGNORECASE)
_ENDS = re.compile(
    r"[\"'`]?(?:\s?$|\s?[.,;:)(=\d。,;、]"
    r"| (?:at|and|or|with|was|were|is|are|had|has|between|from|after|before|since|\d))"
)
_VALUE_OF = re.compile(r"\w[=:]\s?[\"'`]?$")
_LOOK_BACK = 24


def is_meant(text: str, start: int, end: int, vocabulary: Vocabulary) -> bool:
    """True if the catalogued word at that span of the folded text names the thing the catalogue knows by it."""
    word = fold_case(text[start:end])
    before, rest = text[max(0, start - _LOOK_BACK) : start], text[end : end + 48]
    if word in vocabulary.separated or _is_proper(text, start) or _is_beside_thing(text, start, end):
        return True
    if _HOLDS_A_ROW.match(rest) or _VALUE_OF.search(before):
        return True
    if word in ORDINARY_NOUNS and word not in vocabulary.in_use:
        return False
    return bool(_TELLS.match(rest) or (_PLACED.search(before) and _ENDS.match(rest)))


def _is_proper(text: str, start: int) -> bool:
    """Capitalised, and not merely because a sentence starts with it."""
    before = text[max(0, start - 3) : start].rstrip()
    return text[start].isupper() and bool(before) and before[-1] not in ".!?。!?:;\n\"'("


def _is_beside_thing(text: str, start: int, end: int) -> bool:
    before = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    after = _AFTER.match(text, end)
    beside = {match.group(1).lower() for match in (before, after) if match}
    in_code = text[start - 1 : start] == "`" == text[end : end + 1]
    following = text[end : end + 5].lstrip()
    return in_code or bool(beside & THING_WORDS) or following.startswith(THING_WORDS_CJK)
