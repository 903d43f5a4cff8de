"""Which words of a draft its evidence does not hold: a planted draft may be wrong in meaning only."""

import json
import logging
import re
import warnings
from pathlib import Path

with warnings.catch_warnings():
    # Its source has invalid escapes, which warn (or fail) wherever it is not compiled ahead.
    warnings.simplefilter("ignore")
    import jieba

_WORD = re.compile(r"[a-z0-9]+(?:[-._:/%][a-z0-9]+)*%?")
_PARTS = re.compile(r"[-._:/]")
_RUN = re.compile(r"[\u4e00-\u9fff]+")

FUNCTION_WORDS = frozenset(
    "a an the this that these those it its they their them there is are was were be been being has have had do does"
    " did not no nor and or but so as than then of in on at by for from to with without into onto over under up out"
    " off if when while where which who whose what why how because due since until till before after during between"
    " again also already both each every any all only still just very more most less other another such same too can"
    " never could may might must shall should will would about against through itself themselves once both one".split()
)
"""English words that carry grammar, not facts; causal verbs are not among them."""

FUNCTION_WORDS_ZH = frozenset(
    "的 了 着 过 是 在 和 与 及 或 而 并 且 并且 但 但是 不 不是 没 没有 未 把 被 将 对 为 以 于 从 自 到 至 给"
    " 让 向 由 由于 因 因为 所以 因此 就 才 也 还 都 再 又 则 却 其 之 所 此 这 那 这个 那个 该 它 他 个 次 条"
    " 时 中 里 内 上 下 前 后 之前 之后 以后 以来 先 随后 然后 后来 当 等 只 仅 已 已经 正 正在 会 能 可 要 有"
    " 来自 自己 本身 是因为 不会 于是 一直 仍 仍然 起 开始 直到 均 各 每 某 另 几 多 两 一 一个".split()
)
"""The same for Chinese."""


class WordChecker:
    """Finds foreign words; the Chinese dictionary loads on first need (0.7 s).

    Effects: writes the parsed dictionary into ``cache_folder``.
    """

    def __init__(self, cache_folder: Path) -> None:
        jieba.setLogLevel(logging.CRITICAL)
        self._dictionary = jieba.Tokenizer()
        self._dictionary.tmp_dir = str(cache_folder)

    def foreign(self, review: str) -> tuple[str, ...]:
        """Words of conclusion and analyses in a review input that its evidence lacks; function words excepted."""
        shown = json.loads(review)
        held = json.dumps(shown["evidence"], ensure_ascii=False).casefold()
        known = {part for word in _WORD.findall(held) for part in (word, *_PARTS.split(word))} | FUNCTION_WORDS
        texts = [shown["draft"]["conclusion"]["text"], *(one["text"] for one in shown["draft"]["analysis"])]
        spoken = "\n".join(texts).casefold()
        latin = (word for word in _WORD.findall(spoken) if word not in known and not _is_inside(word, held))
        return (*latin, *(word for word in self._chinese(spoken) if word not in FUNCTION_WORDS_ZH and word not in held))

    def _chinese(self, text: str) -> list[str]:
        return [word for run in _RUN.findall(text) for word in self._dictionary.cut(run, HMM=False)]


def _is_inside(word: str, held: str) -> bool:
    """True if a time, number or compound name stands in the evidence as part of a longer token."""
    return not word.isalpha() and word in held
