"""Words that a statement resting on documents alone may hold: those of its quotes, and words that carry no fact."""

import re
from collections.abc import Iterable

from guards.claims.folding import CJK, WORD, fold_case

_RUN = re.compile(rf"[{CJK}]+")
_LATIN = re.compile(rf"{WORD}+(?:[-.]{WORD}+)*")

STOP_WORDS = frozenset(
    "a an the this that these those it its is are was were be been being has have had do does did can could may might"
    " should will would to of in on at by for from with without and or but if when while where which who whose what as"
    " than then so such into onto over under about between per also both either there here their them they he she we"
    " our you your one before after during until since says said say states stated state describes described describe"
    " recommends recommended recommend recommendation suggests suggested suggest advises advised advise notes noted"
    " note lists listed list mentions mentioned mention explains explained explain names named name calls defines"
    " defined according runbook runbooks playbook document documents documentation guide section title entry step"
    " steps describing matches match matched matching exactly precisely namely applies fits"
    " corresponds correspond consistent agrees agree covers warns warn warned confirms confirm confirmed puts put"
    " prevention mitigation remedy".split()
)
"""Words that carry no fact; negations are not among them."""

STOP_PIECES = tuple(
    "知识库 手册 文档 指南 预案 描述 描写 介绍 列出 给出 写明 表明 提示 认为 对应 正是 恰好 符合 相符 吻合"
    " 与此一致 与之一致 建议 指出 说明 根据 按照 提到 提及 记载 写道 其中 以及 并且 可以 应该 应当 需要 如果"
    " 这种 这个 说 应 需 该 此 这 那 的 了 着 过 是 在 和 与 及 或 并 把 被 将 对 为 以 于 从 到 时 中 里 上"
    " 措施 做法 下 后 前 则 就 也 还 都 会 能 可 其 之 所 由 向".split()
)
"""Their Chinese counterparts, longest first where one holds another; negations are not among them."""


SHELL_NOUNS = re.compile(
    r"(?<=\b(?:this|that|such) )(?:case|incident|situation|scenario|symptom|pattern|picture|sequence|chain|loop|cycle"
    r"|condition|behaviou?r|problem|fault|failure|effect|state)\b"
    r"|(?<=\b(?:these|those) )(?:cases|situations|symptoms|patterns|conditions|effects|states)\b"
)
"""Nouns that, right behind a demonstrative, only point at what the document describes: "exactly this loop"."""

SHELL_NOUNS_CJK = re.compile("(?<=[这此该])[个种类]?(?:情况|情形|现象|场景|模式|症状|问题|故障|过程|循环|链条)")

BROADER: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = (
    (
        frozenset("fail fails failed failing failure failures".split()),
        re.compile(
            r"\b(?:errors?|time(?:s|d)?[ -]?outs?|timed out|refuse[ds]?|reject(?:s|ed)?|den(?:y|ies|ied)|abort(?:s|ed)?"
            r"|panics?|exceptions?|unavailable|crash(?:es|ed)?|broken|reset)\b"
        ),
    ),
    (frozenset({"失败"}), re.compile("超时|报错|错误|异常|拒绝|中断|中止|崩溃|不可用|被杀")),
)
"""A general word and what in a quote it may sum up. Negation is a word of its own and must be in the quote."""

NEGATIONS = frozenset("不未无没非否勿别莫免禁")
"""Characters that turn a statement round: never borrowed alone."""

_POSSESSIVE = re.compile(r"(?<=\w)'s?(?!\w)")
_SPLIT = re.compile(rf"[^{CJK}]+|{'|'.join(STOP_PIECES)}")


def foreign_words(text: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Words of the text that occur in none of the sources and are no stop words, in order."""
    held = fold_case("\n".join(sources))
    known = {_stem(word) for word in _LATIN.findall(held)} | {_stem(word) for word in re.findall(f"{WORD}+", held)}
    spoken = SHELL_NOUNS_CJK.sub(" ", SHELL_NOUNS.sub(" ", _POSSESSIVE.sub(" ", fold_case(text))))
    allowed = frozenset(word for words, specific in BROADER if specific.search(held) for word in words)
    allowed |= _single_words(held)
    latin = (word for word in _LATIN.findall(spoken) if not _is_known(word, known | allowed))
    return (*latin, *(piece for run in _RUN.findall(spoken) for piece in _foreign_pieces(run, held, allowed)))


def _is_known(word: str, known: set[str]) -> bool:
    if word in STOP_WORDS or _stem(word) in known:
        return True
    parts = re.findall(f"{WORD}+", word)
    return len(parts) > 1 and all(part in STOP_WORDS or _stem(part) in known for part in parts) and not _has_digit(word)


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _stem(word: str) -> str:
    """The word without its commonest English endings; words with digits stay whole."""
    if _has_digit(word) or len(word) < 5:
        return word.removesuffix("s") if len(word) > 3 and word.isalpha() and not word.endswith("ss") else word
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


def _foreign_pieces(run: str, held: str, allowed: frozenset[str]) -> Iterable[str]:
    """Pieces of a run of unspaced characters that neither the sources nor the stop pieces cover."""
    at = 0
    while at < len(run):
        step = _covered(run, at, held, allowed)
        if step == 0:
            yield run[at : at + 2]
            step = 2
        at += step


def _covered(run: str, at: int, held: str, allowed: frozenset[str]) -> int:
    """Characters from here on that the sources hold together, that carry no fact, or that are a word of their own."""
    length = 0
    while at + length < len(run) and run[at : at + length + 1] in held:
        length += 1
    if length >= 2:
        return length
    borrowed = next(
        (piece for piece in (*sorted(allowed, key=len, reverse=True), *STOP_PIECES) if run.startswith(piece, at)), ""
    )
    return len(borrowed)


def _single_words(held: str) -> frozenset[str]:
    """Characters that the sources hold as a word: between Latin words, digits, marks or pieces without a fact."""
    return frozenset(piece for piece in _SPLIT.split(held) if len(piece) == 1) - NEGATIONS
