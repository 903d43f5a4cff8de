"""Whether an item holds a quote: character for character, with a whole word in it, and no negation cut off. Pure."""

import re
from collections.abc import Iterator

from guards.claims.folding import CJK, WORD

_TOKEN = re.compile(rf"{WORD}+(?:[-.]{WORD}+)*")
_UNSPACED = re.compile(rf"[{CJK}]{{2}}")
_LETTER = re.compile(r"[^\W\d_]")
_CLASS_OF_PACKAGE = re.compile(r"(?<=[a-z]\.)[A-Z]\w*[a-z]\w*$")
_MIN_LETTERS = 3
_MAX_PLACES = 20
_LOOK_AROUND = 80

_NEGATION = re.compile(
    r"(?:\b(?:not|no|never|cannot|without|neither|nor|hardly|barely)|n['\u2019]t)"
    r"(?:\s+(?:yet|currently|even|really|fully|being|been|be|the|an?|any|longer|long|at\s+all)){0,2}\s+$"
    r"|\bnon[- ]?$|\b(?:un|in|im|ir|il|dis|mis)$"
    r"|(?:[没未无不非勿]|并非|没有|尚未|未能|无法|不能|不是|不会|不再|不可|不得|不要|没能|没被|未被|未曾|从未|避免|禁止)\s*$",
    re.IGNORECASE,
)
"""Directly before a quote, it turns what the quote says into its opposite."""


def holds_quote(text: str, quote: str) -> bool:
    """True if the text of an item contains the quote verbatim, as words and with the negation that belongs to it.

    A quote needs one whole word of three letters, a class without its package, two characters of an unspaced script,
    or a whole number or identifier; a shorter item may be quoted as a whole.
    """
    if not any(char.isalnum() for char in quote):
        return False
    return quote == text or any(_stands(text, at, at + len(quote)) for at in _places(text, quote))


def _places(text: str, quote: str) -> Iterator[int]:
    at, n_places = text.find(quote), 0
    while at >= 0 and n_places < _MAX_PLACES:
        yield at
        at, n_places = text.find(quote, at + 1), n_places + 1


def _stands(text: str, start: int, end: int) -> bool:
    opening = start + len(text[start:end]) - len(text[start:end].lstrip())
    if _NEGATION.search(text[max(0, opening - _LOOK_AROUND) : opening]) and not _holds_negation(text[start:end]):
        return False
    if _UNSPACED.search(text[start:end]):
        return True
    tokens = _TOKEN.finditer(text, _word_start(text, start), min(len(text), end + _LOOK_AROUND))
    return any(_holds_word(token, start, end) for token in tokens)


def _holds_word(token: re.Match[str], start: int, end: int) -> bool:
    """True if the word lies in the span, or the class at its end does: ``NullPointerException`` of its package."""
    if start <= token.start() and token.end() <= end:
        return _is_substantial(token.group())
    last = _CLASS_OF_PACKAGE.search(token.group())
    return last is not None and start <= token.start() + last.start() and token.end() <= end


def _holds_negation(quote: str) -> bool:
    """True if the quote opens with the negation itself (a second one before it is left to the reviewer)."""
    return re.match(r"\s*(?:not|no|never|cannot|without)\b", quote, re.IGNORECASE) is not None


def _word_start(text: str, at: int) -> int:
    """Where the word around that place starts, within bounds."""
    low = max(0, at - _LOOK_AROUND)
    while at > low and not text[at - 1].isspace():
        at -= 1
    return at


def _is_substantial(word: str) -> bool:
    return len(_LETTER.findall(word)) >= _MIN_LETTERS or any(char.isdigit() for char in word)
