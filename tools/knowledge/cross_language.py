"""English words for the Chinese operations terms of a question, so that words find English documents too. Pure.

Vectors bridge languages, words do not: without this the lexical list of a Chinese question holds what shares a
product name. The terms are data (``operations_terms.txt``); they are added to the words of the question only.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_TERMS = Path(__file__).with_name("operations_terms.txt")


def english_terms(question: str) -> str:
    """Words for the terms that occur, each once, in order; longest term first; empty if none does."""
    return " ".join(dict.fromkeys(word for words in _found(question, terms()) for word in words.split()))


@cache
def terms() -> Mapping[str, str]:
    """The terms and their English words."""
    lines = _TERMS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {term: words for term, words in pairs}


def _found(text: str, known: Mapping[str, str]) -> Iterator[str]:
    longest = max(map(len, known))
    place = 0
    while place < len(text):
        term = next((text[place : place + n] for n in range(longest, 0, -1) if text[place : place + n] in known), "")
        if term:
            yield known[term]
        place += len(term) or 1
