"""The reason an error carries, in the language of its reader. Pure."""

import re
from functools import cache

from service.texts.reasons import REASONS
from state.model.enums import Language

_NESTED = re.compile(r"(?P<reason>.+?)\. Meaning: (?P<meaning>.+)", re.DOTALL)
KILLED_LATELY = {
    "another process executes it": "another process executes it, or was killed less than 30 seconds ago",
}
"""What the store cannot know, and the person should."""


def reason_in(language: Language, reason: str) -> str:
    """The reason in that language; one without a translation stays in English."""
    said = KILLED_LATELY.get(reason, reason)
    return said if language is Language.EN else _chinese(said)


def translated(reason: str) -> bool:
    """True if the reason has a translation."""
    return any(pattern.fullmatch(KILLED_LATELY.get(reason, reason)) for pattern, _ in _patterns())


def _chinese(reason: str) -> str:
    nested = _NESTED.fullmatch(reason)
    if nested:
        return f"{_chinese(nested['reason'])}。含义：{nested['meaning']}"
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(reason)
        if found:
            return chinese.format(*found.groups())
    return reason


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern(english), chinese) for english, chinese in REASONS)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(part) for part in template.split("{}")), re.DOTALL)
