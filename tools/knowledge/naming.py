"""Which document a question names: a title or file name that stands in it, however it is spelled. Pure.

Names of alerts differ by one word (``KubePodNotReady``, ``KubePodCrashLooping``), so that shared words say little
and the whole name says all. Only whole names count, and only names of documents, not of sections.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from tools.knowledge.segmentation import name_words

_MIN_WORDS = 2.0
_HAN_WEIGHT = 0.5
"""A Chinese character says about half as much as an English word."""
_MAX_NAME_WORDS = 24
_IS_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
BREADCRUMB_SEPARATOR = " > "


class Naming:
    """A question, ready to be compared with names."""

    def __init__(self, question: str) -> None:
        words = name_words(question)
        self._runs = frozenset(
            "".join(words[first : first + length])
            for first in range(len(words))
            for length in range(1, min(_MAX_NAME_WORDS, len(words) - first) + 1)
        )

    def named(self, path: str, breadcrumb: str) -> str:
        """The longest name of the document that the question holds whole, folded; empty: it names none."""
        title = breadcrumb.split(BREADCRUMB_SEPARATOR, maxsplit=1)[0]
        return max((name for name in _names(path, title) if name in self._runs), key=len, default="")


@lru_cache(maxsize=4096)
def _names(path: str, title: str) -> tuple[str, ...]:
    names = (name_words(PurePosixPath(path).stem), name_words(title))
    return tuple("".join(name) for name in names if _is_telling(name))


def _is_telling(name: tuple[str, ...]) -> bool:
    weight = sum(_HAN_WEIGHT if _IS_HAN.match(word) else 1.0 for word in name)
    return weight >= _MIN_WORDS and len(name) <= _MAX_NAME_WORDS
