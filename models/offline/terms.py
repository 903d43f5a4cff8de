"""Text → comparable terms, in English and Chinese, and how rare a term is. Pure.

A term is ``c:<concept>``, ``w:<stem>``, ``i:<identifier>``, ``n:<number>`` or ``z:<two CJK characters>``.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from models.offline.concepts import CONCEPTS
from models.offline.lexicon import STOP_WORDS, ZH_STOP

Term = str

_STAMP = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|"
    r"(?<!\d)\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?!\d)"
)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._\-/][A-Za-z0-9]+)*|\d+(?:\.\d+)*|[\u3400-\u9fff]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_SUFFIXES = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "s",
)
_MAX_PHRASE = 4


def normal(text: str) -> str:
    """NFKC without time stamps: what terms are read from."""
    return _STAMP.sub(" ", unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=20000)
def stem(word: str) -> str:
    """A crude common root of an English word's forms; never shorter than three letters."""
    low = word.lower()
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3:
            low = low[: -len(suffix)]
            break
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "aeiouls":
        low = low[:-1]
    return low[:-1] if len(low) > 3 and low[-1] in "eyi" else low


def _phrases() -> tuple[dict[tuple[str, ...], str], dict[str, str]]:
    english: dict[tuple[str, ...], str] = {}
    chinese: dict[str, str] = {}
    for line in CONCEPTS.strip().replace("\n  ", " ").splitlines():
        name, _, words = line.partition(":")
        left, _, right = words.partition("|")
        for phrase in filter(None, (part.strip() for part in left.split(","))):
            english.setdefault(tuple(stem(word) for word in phrase.split()), name)
        for phrase in filter(None, (part.strip() for part in right.split(","))):
            chinese.setdefault(phrase, name)
    return english, chinese


_ENGLISH, _CHINESE = _phrases()
_LONGEST_ZH = max(len(word) for word in _CHINESE)


@lru_cache(maxsize=8192)
def terms(text: str) -> tuple[Term, ...]:
    """Terms in reading order, stop words left out; empty for a text without words."""
    found: list[Term] = []
    words: list[str] = []
    for token in _TOKEN.findall(normal(text)):
        if token[0] >= "\u3400":
            found += _latin_terms(words) + _cjk_terms(token)
            words = []
        elif token[0].isdigit():
            words.append(token)
        else:
            found += _identifier(token)
            words += _CAMEL.findall(token)
    return tuple(found + _latin_terms(words))


def term_set(text: str) -> frozenset[Term]:
    """The distinct terms of a text."""
    return frozenset(terms(text))


def is_identifier(token: str) -> bool:
    """True for a token that names one thing: inner digits, separators or capitals."""
    return any(char in "._/-" or char.isdigit() for char in token) or any(char.isupper() for char in token[1:])


def _identifier(token: str) -> list[Term]:
    return [f"i:{token.lower()}"] if is_identifier(token) else []


def _latin_terms(words: list[str]) -> list[Term]:
    found: list[Term] = []
    stems = [stem(word) for word in words]
    at = 0
    while at < len(words):
        size = next((n for n in range(_MAX_PHRASE, 0, -1) if tuple(stems[at : at + n]) in _ENGLISH), 0)
        if size:
            found.append(f"c:{_ENGLISH[tuple(stems[at : at + size])]}")
        elif words[at][0].isdigit():
            found.append(f"n:{words[at]}")
        elif len(words[at]) > 1 and words[at].lower() not in STOP_WORDS:
            found.append(f"w:{stems[at]}")
        at += size or 1
    return found


def _cjk_terms(run: str) -> list[Term]:
    found: list[Term] = []
    rest = ""
    at = 0
    while at < len(run):
        size = next((n for n in range(_LONGEST_ZH, 0, -1) if run[at : at + n] in _CHINESE), 0)
        if size:
            found += _bigrams(rest) + [f"c:{_CHINESE[run[at : at + size]]}"]
            rest = ""
        else:
            rest += run[at]
        at += size or 1
    return found + _bigrams(rest)


def _bigrams(run: str) -> list[Term]:
    kept = run
    for word in ZH_STOP:
        kept = kept.replace(word, " ")
    return [f"z:{part[at : at + 2]}" for part in kept.split() for at in range(len(part) - 1)]


class Rarity:
    """How rare each term is in a body of texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        documents = [term_set(text) for text in texts]
        self._size = len(documents)
        self._frequency = Counter(term for document in documents for term in document)

    def of(self, term: Term) -> float:
        """0 for a term in every text, about 1 for one in a single text (or none) of many."""
        if self._size == 0:
            return 1.0
        seen = self._frequency.get(term, 0)
        return math.log((self._size + 1) / (seen + 0.5)) / math.log((self._size + 1) / 0.5)

    def total(self, wanted: Iterable[Term]) -> float:
        """Sum over the given terms."""
        return sum(self.of(term) for term in wanted)
