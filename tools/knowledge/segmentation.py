"""Words for lexical search, and the identifiers of a text. English and Chinese.

The index splits on white space only, so that what is searched is decided here, equally for documents and queries:
an identifier is kept whole *and* in parts, Chinese is segmented, endings of plain English words are folded.
"""

import logging
import re
import threading
import unicodedata
import warnings
from collections.abc import Iterator
from pathlib import Path

with warnings.catch_warnings():
    # Its source has invalid escapes, which warn (or fail) wherever it is not compiled ahead.
    warnings.simplefilter("ignore")
    import jieba

SEGMENTATION = "s2"
"""Names these rules; an index made with other rules is another collection."""
MAX_SEARCH_TEXT_BYTES = 60_000

_HAN = r"\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff"
_TOKEN = re.compile(rf"[A-Za-z0-9_]+(?:[._:/@$#-]+[A-Za-z0-9_]+)*|[{_HAN}]+|[^\W_{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_VOWEL = re.compile(r"[aeiouy]")
_SHORTEST_STEMMED = 5
_SHORTEST_STEM = 3
_SEPARATOR = re.compile(r"[._:/@$#-]+")
_ACRONYM_CHARS = 6
"""Shorter words in capitals are acronyms, not names."""
_STOP_EN = frozenset(
    "a an and are as at be by do does did for from has have how i if in into is it its me my of on or our should so "
    "that the their then there they this to was we were what when where which who why will with you your".split()
)
_STOP_ZH = frozenset(
    "的 了 是 在 和 与 及 或 我 我们 你 他 它 这 那 这个 那个 什么 怎么 怎样 如何 为什么 "
    "吗 呢 吧 啊 就 都 也 还 有 被 把 请 请问".split()
)


class Segmenter:
    """Splits text into search words. The Chinese dictionary loads on first need (0.7 s). Thread-safe.

    Effects: writes the parsed dictionary into ``cache_folder`` (never a shared temporary folder: it is unmarshalled).
    """

    def __init__(self, cache_folder: Path) -> None:
        jieba.setLogLevel(logging.CRITICAL)
        self._dictionary = jieba.Tokenizer()
        self.cache_folder = cache_folder
        self._dictionary.tmp_dir = str(cache_folder)
        self._lock = threading.Lock()

    def search_text(self, text: str) -> str:
        """Lower-case words separated by spaces, in order; at most 60 000 bytes; empty if there is no word."""
        joined = " ".join(self._words(unicodedata.normalize("NFKC", text)))
        return joined.encode()[:MAX_SEARCH_TEXT_BYTES].decode(errors="ignore")

    def _words(self, text: str) -> Iterator[str]:
        for match in _TOKEN.finditer(text):
            token = match.group()
            yield from self._chinese(token) if _IS_HAN.match(token) else _latin(token)

    def _chinese(self, run: str) -> list[str]:
        with self._lock:
            return [word for word in self._dictionary.cut_for_search(run) if word not in _STOP_ZH]


def identifiers(text: str) -> frozenset[str]:
    """Case-folded names of things: begins with a letter and has a digit, an inner separator or an inner capital.

    No plain word, number, quantity ("30s") or short acronym ("CPU") is one.
    """
    tokens = (match.group() for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)))
    return frozenset(token.casefold() for token in tokens if _is_identifier(token))


def words_whole(text: str) -> frozenset[str]:
    """Case-folded unsplit tokens of a text: what an identifier is looked up in."""
    return frozenset(match.group().casefold() for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)))


def name_words(text: str) -> tuple[str, ...]:
    """Case-folded words as in a name, none left out: the parts of a compound, each Chinese character by itself."""
    tokens = (match.group() for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)))
    return tuple(word.casefold() for token in tokens for word in _parts(token))


def _parts(token: str) -> list[str]:
    if _IS_HAN.match(token):
        return list(token)
    return _PART.findall(token) if token.isascii() else [token]


def _is_identifier(token: str) -> bool:
    if len(token) < 3 or not token.isascii() or token[0].isdigit():
        return False
    if token.isalpha():
        return any(char.isupper() for char in token[1:]) and not (token.isupper() and len(token) < _ACRONYM_CHARS)
    return max(len(part) for part in _SEPARATOR.split(token)) > 1


def _latin(token: str) -> list[str]:
    whole = token.lower()
    parts = [part.lower() for part in _PART.findall(token)] if token.isascii() else []
    if len(parts) <= 1:
        return [] if whole in _STOP_EN else [_stem(whole)]
    return [whole, *(_stem(part) for part in parts if part not in _STOP_EN)]


def _stem(word: str) -> str:
    """Folds English endings crudely, alike for documents and queries: restarts, restarted, restarting → restart."""
    word = _singular(word)
    if len(word) < _SHORTEST_STEMMED or not (word.isascii() and word.isalpha()):
        return word
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM and _VOWEL.search(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    return word.removesuffix("e") if len(word) >= _SHORTEST_STEMMED else word


def _singular(word: str) -> str:
    """Folds English plurals crudely."""
    if len(word) < 4 or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
