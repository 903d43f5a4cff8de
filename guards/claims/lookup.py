"""Whether evidence holds a name: as a whole word, with only that appended which programs append to a name."""

import re

from guards.claims.folding import WORD, fold_case

_WORD_CHAR = re.compile(WORD)
_MEASURE_PARTS = frozenset(
    "ns us ms s sec secs seconds minutes hours days bytes kb mb gb tb kib mib gib tib pct percent ratio m millicores"
    " cores count total sum avg mean median max min p50 p90 p95 p99 p999".split()
)
"""Parts by which a metric or column says how its thing was measured: ``pg_wal_gb`` measures pg_wal."""


def holds_name(folded: str, name: str) -> bool:
    """True if the folded lower-case text holds the name as a whole word.

    A longer name does not hold a shorter one, except for what programs append to a name: a domain, a package
    before it, a pod's or instance's number after it.
    """
    word = fold_case(name).strip()
    singular = word[:-1] if word.endswith("s") and len(word) > 4 else ""
    return any(candidate and _occurs(folded, candidate) for candidate in (word, singular))


def _occurs(folded: str, word: str) -> bool:
    at = folded.find(word)
    while at >= 0:
        if _starts_here(folded, at, word) and _ends_here(folded, at + len(word), word):
            return True
        at = folded.find(word, at + 1)
    return False


def _starts_here(folded: str, at: int, word: str) -> bool:
    before = folded[at - 1 : at] if at else ""
    if not _is_word(word[0]):
        return True
    if before == "-":
        return not _is_word(folded[at - 2 : at - 1])
    return not _is_word(before)


def _ends_here(folded: str, end: int, word: str) -> bool:
    after, following = folded[end : end + 1], folded[end + 1 : end + 10]
    if _is_word(after) and _is_word(word[-1]):
        return False
    if after == "." and word[-1].isdigit() and following[:1].isdigit():
        return False
    return after != "-" or not _is_word(following[:1]) or _is_appended(following, word)


def _is_appended(following: str, word: str) -> bool:
    """``-7d9f8`` of a pod, or ``-1`` of an instance whose name has no number."""
    part = following.split("-")[0].split(".")[0]
    part = part[: next((i for i, char in enumerate(part) if not _is_word(char)), len(part))]
    if part.isdigit():
        return not any(char.isdigit() for char in word)
    return len(part) >= 4 and any(char.isdigit() for char in part)


def _is_word(char: str) -> bool:
    """True for one letter, digit or underscore of a spaced script."""
    return _WORD_CHAR.fullmatch(char) is not None


def holds_measure(folded: str, name: str) -> bool:
    """True if the folded lower-case text holds a measure of the joined name: it, and only unit words behind it."""
    word = fold_case(name).strip()
    at = folded.find(word) if "_" in word.strip("_") else -1
    while at >= 0:
        if _starts_here(folded, at, word) and _is_measured(folded[at + len(word) : at + len(word) + 40]):
            return True
        at = folded.find(word, at + 1)
    return False


def _is_measured(following: str) -> bool:
    """``_gb`` or ``_seconds_sum``, and then the word is over."""
    tail = following[: next((i for i, char in enumerate(following) if not _is_word(char)), len(following))]
    return tail.startswith("_") and all(part in _MEASURE_PARTS for part in tail[1:].split("_"))


_PART = re.compile(r"p\d{2,3}|[1-5]xx")


def holds_part(folded: str, name: str) -> bool:
    """True if a joined name of the folded lower-case text has it as a part: p95 of ``http_p95_ms``, 5xx of a ratio."""
    word = fold_case(name).strip()
    if not _PART.fullmatch(word):
        return False
    return re.search(rf"_{word}(?![a-z0-9])|(?<![a-z0-9]){word}_", folded) is not None
