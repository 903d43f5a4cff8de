"""Words a text may hold because it copies them: whole spans of the question, and single words of a runbook's quotes."""

import re
from collections.abc import Iterable

from guards.claims.claim import Claim
from guards.claims.folding import CJK, WORD, fold_case

MIN_SPAN_WORDS = 3
"""A shorter common span is a coincidence of words, not a copy of the question. Two unspaced characters are a word."""

_PIECE = re.compile(rf"{WORD}+(?:[-.:/]{WORD}+)*|[{CJK}]")
_RUN = re.compile(rf"[{CJK}]+")
_LATIN = re.compile(rf"{WORD}+(?:[-.]{WORD}+)*")
_SPACES = re.compile(r"\s+")
_MAX_PLACES = 20

STOP_WORDS = frozenset(
    "a an the this that these those it its is are was were be been being has have had do does did can could may might"
    " should will would to of in on at by for from with without and or but if when while where which who whose what as"
    " than then so such into onto over under about between per also both either there here their them they he she we"
    " our you your one before after during until since says said say states stated state describes described describe"
    " recommends recommended recommend recommendation suggests suggested suggest advises advised advise notes noted"
    " note lists listed list mentions mentioned mention explains explained explain names named name calls defines"
    " defined according runbook runbooks playbook document documents documentation guide section title entry step"
    " steps".split()
)
"""Words that carry no fact; negations are not among them."""

STOP_PIECES = tuple(
    "知识库 手册 文档 指南 预案 建议 指出 说明 根据 按照 提到 提及 记载 写道 其中 以及 并且 可以 应该 应当 需要"
    " 如果 这种 这个 说 应 需 该 此 这 那 的 了 着 过 是 在 和 与 及 或 并 把 被 将 对 为 以 于 从 到 时 中 里"
    " 上 下 后 前 则 就 也 还 都 会 能 可 其 之 所 由 向".split()
)
"""Their Chinese counterparts, longest first where one holds another; negations are not among them."""


def is_copied(text: str, claim: Claim, question: str) -> bool:
    """True if the claim stands inside a span of at least three words that the question holds verbatim."""
    spoken, asked = fold_case(text), fold_case(question)
    start, end = _place(spoken, claim)
    word = spoken[start:end]
    at, places = asked.find(word), 0
    while word and at >= 0 and places < _MAX_PLACES:
        left = _common_before(spoken, start, asked, at)
        right = _common_after(spoken, end, asked, at + len(word))
        if _n_words(spoken[start - left : end + right]) >= MIN_SPAN_WORDS:
            return True
        at, places = asked.find(word, at + 1), places + 1
    return False


def _place(spoken: str, claim: Claim) -> tuple[int, int]:
    """Where the claim stands in the lower-cased text, which may be longer than the folded one."""
    word = fold_case(claim.text)
    at = spoken.find(word, max(0, claim.start - 2))
    return (at, at + len(word)) if at >= 0 else (0, 0)


def _common_before(one: str, one_end: int, other: str, other_end: int) -> int:
    """Length of the longest common ending, cut back to whole words."""
    length = 0
    while length < min(one_end, other_end) and one[one_end - length - 1] == other[other_end - length - 1]:
        length += 1
    whole = one[one_end - length : one_end]
    cut_inside = length < one_end and _is_letter(one[one_end - length - 1]) and whole and _is_letter(whole[0])
    skip = re.match(rf"{WORD}+", whole) if cut_inside else None
    return length - (skip.end() if skip else 0)


def _common_after(one: str, one_start: int, other: str, other_start: int) -> int:
    length = 0
    longest = min(len(one) - one_start, len(other) - other_start)
    while length < longest and one[one_start + length] == other[other_start + length]:
        length += 1
    whole = one[one_start : one_start + length]
    after = one[one_start + length : one_start + length + 1]
    cut_inside = after and _is_letter(after) and whole and _is_letter(whole[-1])
    return len(whole.rstrip(_letters_at_end(whole))) if cut_inside else length


def _letters_at_end(text: str) -> str:
    tail = re.search(rf"{WORD}{{1,80}}$", text[-80:])
    return tail.group() if tail else ""


def _is_letter(char: str) -> bool:
    return re.fullmatch(WORD, char) is not None


def _n_words(span: str) -> float:
    pieces = _PIECE.findall(span)
    return sum(0.5 if re.fullmatch(f"[{CJK}]", piece) else 1 for piece in pieces)


def foreign_words(text: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Words of the text that occur in none of the sources and are no stop words, in order."""
    held = fold_case("\n".join(sources))
    known = {_stem(word) for word in _LATIN.findall(held)} | {_stem(word) for word in re.findall(f"{WORD}+", held)}
    spoken = fold_case(text)
    latin = (word for word in _LATIN.findall(spoken) if not _is_known(word, known))
    return (*latin, *(piece for run in _RUN.findall(spoken) for piece in _foreign_pieces(run, held)))


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


def _foreign_pieces(run: str, held: str) -> Iterable[str]:
    """Pieces of a run of unspaced characters that neither the sources nor the stop pieces cover."""
    at = 0
    while at < len(run):
        step = _covered(run, at, held)
        if step == 0:
            yield run[at : at + 2]
            step = 2
        at += step


def _covered(run: str, at: int, held: str) -> int:
    """Characters from here on that are a stop piece or stand together in the sources (at least two)."""
    length = 0
    while at + length < len(run) and length < 12 and run[at : at + length + 1] in held:
        length += 1
    if length >= 2:
        return length
    stop = next((piece for piece in STOP_PIECES if run.startswith(piece, at)), "")
    return len(stop)
