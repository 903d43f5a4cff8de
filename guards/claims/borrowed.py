"""Claims a text may hold because it copies them: whole spans of the question."""

import re

from guards.claims.claim import Claim
from guards.claims.folding import CJK, WORD, fold_case

MIN_SPAN_WORDS = 3
"""A shorter common span is a coincidence of words, not a copy of the question. Two unspaced characters are a word."""

_PIECE = re.compile(rf"{WORD}+(?:[-.:/]{WORD}+)*|[{CJK}]")
_MAX_PLACES = 20


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
