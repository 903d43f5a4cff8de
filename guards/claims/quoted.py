"""Words that a text puts in quotation marks: they must stand so in what it cites. Pure."""

import re
from collections.abc import Iterable, Iterator

from guards.claims.folding import CJK, fold_case, has_cjk

_SPAN = re.compile(r"“([^“”]{4,600})”|「([^「」]{4,600})」|『([^『』]{4,600})』|\"([^\"\n]{4,600})\"")
_CUT = re.compile(r"\s*(?:\[?(?:…|\.\.\.)\]?|\[cut\]|<\*>)\s*")
_VARIABLE = re.compile(r"[^\s\"'(),;:=\[\]]*\d[^\s\"'(),;:=\[\]]*")
"""A token with a digit: numbers, times and identifiers are claims of their own, and templates leave them out."""
_SPACE = re.compile(r"\s+")
_EDGES = " \t\n.,;:!?。，；：！？、'\"()（）"
_MIN_WORDS, _MIN_CJK = 3, 6
_CHARACTER = re.compile(f"[{CJK}]")


def foreign_quotes(text: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Quoted spans that stand in none of the sources, in order; spans of few words are names or irony and left out.

    Difference of case and spacing does not count, tokens with digits are compared as placeholders, and an ellipsis
    stands for words left out.
    """
    spans = [part for span in _spans(text) for part in _parts(span)]
    held = [_plain(source) for source in sources] if spans else []
    return tuple(span for span in spans if not any(_plain(span) in source for source in held))


def _spans(text: str) -> Iterator[str]:
    straight_is_paired = text.count('"') % 2 == 0
    for found in _SPAN.finditer(text):
        if found.group(4) is None or straight_is_paired:
            yield next(group for group in found.groups() if group is not None)


def _parts(span: str) -> Iterator[str]:
    for part in _CUT.split(span):
        bare = part.strip(_EDGES)
        if len(bare.split()) >= _MIN_WORDS or (has_cjk(bare) and len(_CHARACTER.findall(bare)) >= _MIN_CJK):
            yield bare


def _plain(text: str) -> str:
    return _SPACE.sub(" ", _VARIABLE.sub("#", fold_case(text).replace("<*>", "#")))
