"""Word 4-grams for English, Chinese and mixed text.

Words: after NFKC and case folding, a run of CJK characters is cut by jieba without its hidden
Markov model; elsewhere a word is a run of letters, digits and underscores. Runs of digits count
as one word `0`, so telemetry with other numbers is the same telemetry (this can only find more).
"""

import re
import unicodedata
import warnings
from collections.abc import Iterable
from functools import cache

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jieba

RUN = re.compile(r"[\u4e00-\u9fff]+|[a-z0-9_]+")
NUMBER = re.compile(r"(?<![a-z_])(?:[0-9a-f]{8,}|\d+)(?![a-z_])")
jieba.setLogLevel(60)


@cache
def _cut(run: str) -> tuple[str, ...]:
    return tuple(jieba.cut(run, HMM=False)) if "\u4e00" <= run[0] <= "\u9fff" else (run,)


def fold(text: str) -> str:
    return NUMBER.sub("0", unicodedata.normalize("NFKC", text).casefold())


def words(folded: str) -> list[str]:
    return [word for run in RUN.findall(folded) for word in _cut(run)]


def four_grams(text: str) -> set[tuple[str, ...]]:
    return _grams(words(fold(text)))


def all_four_grams(texts: Iterable[str]) -> set[tuple[str, ...]]:
    grams: set[tuple[str, ...]] = set()
    for folded in {fold(text) for text in set(texts)}:
        grams |= _grams(words(folded))
    return grams


def _grams(sequence: list[str]) -> set[tuple[str, ...]]:
    return set(zip(sequence, sequence[1:], sequence[2:], sequence[3:], strict=False))
