"""Is a text with placeholders the same as the published one, in which they were looked up? Pure.

A recording does not hold what placeholders stand for, so a replay of a masked run ends with them. It is the same answer
if every placeholder stands for one value throughout, and every value for one placeholder.
"""

from collections.abc import Mapping

from state.model.placeholders import PLACEHOLDER, PlaceholderMap, unmask


def is_same_unmasked(masked: object, plain: object) -> bool:
    """True if the JSON value ``plain`` is ``masked`` with each placeholder replaced by one value of its own."""
    known: dict[str, str] = {}
    return _matches(masked, plain, known) and len(set(known.values())) == len(known)


def _matches(masked: object, plain: object, known: dict[str, str]) -> bool:
    """True if they may be the same; ``known`` grows by what placeholders must stand for."""
    if isinstance(masked, str) and isinstance(plain, str):
        return _matches_text(masked, plain, known)
    if isinstance(masked, list) and isinstance(plain, list):
        return len(masked) == len(plain) and all(_matches(*pair, known) for pair in zip(masked, plain, strict=True))
    if isinstance(masked, dict) and isinstance(plain, dict):
        return masked.keys() == plain.keys() and all(_matches(masked[key], plain[key], known) for key in masked)
    return type(masked) is type(plain) and masked == plain


def _matches_text(masked: str, plain: str, known: dict[str, str]) -> bool:
    at = 0
    for match in PLACEHOLDER.finditer(masked):
        before = masked[at : match.start()]
        if not plain.startswith(before):
            return False
        plain, at = plain[len(before) :], match.end()
        value = known.setdefault(match[0], _value(plain, _next_words(masked, at, known)))
        if not value or not plain.startswith(value):
            return False
        plain = plain[len(value) :]
    return plain == masked[at:]


def _value(plain: str, following: str) -> str:
    """What stands at the start of the text before the words that follow; all of it if none do; empty: nothing does."""
    return plain if not following else plain[: max(0, plain.find(following, 1))]


def _next_words(masked: str, at: int, known: Mapping[str, str]) -> str:
    """What follows there up to the next placeholder whose value is not known."""
    unknown = (match.start() for match in PLACEHOLDER.finditer(masked, at) if match[0] not in known)
    return unmask(masked[at : next(unknown, len(masked))], PlaceholderMap(entries=dict(known)))
