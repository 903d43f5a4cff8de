"""Which bytes give a severe record away, so that lines without them need not be read. Pure."""

from collections.abc import Mapping

from tools.logs.levels import LEVELS, rank

_FORMS: Mapping[str, tuple[str, ...]] = {
    "WARN": ("WARN", "warn", "Warn", "警告"),
    "ERROR": ("ERR", "err", "Err", "SEVERE", "severe", "错误", "严重"),
    "FATAL": ("FATAL", "fatal", "Fatal", "CRIT", "crit", "PANIC", "panic", "EMERG", "emerg", "ALERT", "alert", "致命"),
}
SEVERE = frozenset(_FORMS)
"""Levels that are given away by a word; milder records are too many to be worth a search for theirs."""
_WORDS = {level: tuple(form.encode() for form in forms) for level, forms in _FORMS.items()}


class LevelWords:
    """Collects, over the records of one block, a word for each severe level."""

    def __init__(self) -> None:
        self._found: dict[str, set[bytes]] = {}
        self._wordless: set[str] = set()

    def take(self, level: str, raw: bytes) -> None:
        """A record of that level begins on that line."""
        words = _WORDS.get(level)
        if words is None or level in self._wordless:
            return
        found = self._found.setdefault(level, set())
        if any(word in raw for word in found):
            return
        word = next((word for word in words if word in raw), None)
        if word is None:
            self._wordless.add(level)
        else:
            found.add(word)

    def found(self) -> dict[str, frozenset[bytes]]:
        """By level; one that has a record without any of the words is absent."""
        return {level: frozenset(words) for level, words in self._found.items() if level not in self._wordless}


def words_from(level: str, held: frozenset[str], words: Mapping[str, frozenset[bytes]]) -> frozenset[bytes] | None:
    """Bytes of which one stands in every record of a block at ``level`` or worse; None if there are none such.

    ``held`` are the levels of the block. Empty: the block has no such record.
    """
    wanted = [one for one in LEVELS[rank(level) :] if one in held]
    if any(one not in words for one in wanted):
        return None
    return frozenset(word for one in wanted for word in words[one])
