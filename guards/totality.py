"""Words of a whole over a result that shows only a part: which of them what was found bears out. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal

from guards.claims.claim import Claim, ClaimKind
from guards.claims.extract import extract_claims
from guards.claims.folding import fold
from guards.claims.moments import blank
from guards.claims.vocabulary import Vocabulary
from guards.claims.wording import TOTALITY
from guards.grounds import Ground
from state.model.enums import EvidenceKind
from state.model.evidence import Item

_NO_CATALOGUE = Vocabulary()
_FIRST = re.compile(r"\b(?:first|earliest)\b|首次|首个|第一[次个条]|最早", re.IGNORECASE)
_FIRST_FIELD = "first_ts"
_ONLY_BEFORE = re.compile(
    r"(?:\b(?:only|each|every) (?:about |some |around )?|仅有?约?\s?|只有约?\s?|每一?[个次条]?约?\s?)$", re.IGNORECASE
)
"""Beside a number that is a claim of its own: only 5 of them, 每个 4 个."""
_EACH_AFTER = re.compile(r" (?:of them )?each\b", re.IGNORECASE)
_NONE_BEFORE = re.compile(
    r"\b(?:none|never)\b(?=[^.;。]{0,24}\b(?:before|preceding|previous|earlier)\b)|从未(?=[^。；;]{0,8}(?:此前|之前))"
    r"|(?<=此前)从未|(?<=之前)从未",
    re.IGNORECASE,
)
_BEFORE_FIELD = "count_before"
_ALL_BEFORE = re.compile(r"(?:\ball (?:of )?(?:the |its |their )?|全部\s?|所有\s?)$", re.IGNORECASE)
_ALL_AFTER = re.compile(r"[^,.;，。；]{0,6}?(?:全部|均)")
_LOOK_BACK = 24


def totals_claimed(text: str, ground: Ground) -> tuple[str, ...]:
    """Words of a whole in the text that a part cannot bear out, in order.

    A part bears out "first" where the source counted a cited pattern and says when it began, "none before" where it
    counted 0 before, "only 5" (the number is a claim of its own), and "all 5" where one cited record holds that number
    twice, as a whole and as its part.
    """
    folded = fold(text)
    spans = [match.span() for words in _excused(ground) for match in words.finditer(folded)]
    records = [_numbers(item) for _, item in ground.cited if item.kind is EvidenceKind.TELEMETRY]
    for claim in extract_claims(text, _NO_CATALOGUE):
        spans += _borne_out(folded, claim, records)
    return TOTALITY.find(blank(folded, iter(sorted(spans))))


def _excused(ground: Ground) -> Iterator[re.Pattern[str]]:
    """Words that the fields of a cited pattern bear out, where whatever is cut was at least read in whole."""
    shown = [(result, item) for result, item in ground.cited if item.kind is EvidenceKind.TELEMETRY]
    if not all(result.is_counted for result, _ in shown):
        return
    if any(_FIRST_FIELD in item.fields for _, item in shown):
        yield _FIRST
    if any(item.fields.get(_BEFORE_FIELD) == 0 for _, item in shown):
        yield _NONE_BEFORE


def _numbers(item: Item) -> list[Decimal]:
    claims = extract_claims(item.text, _NO_CATALOGUE)
    return [one.value for claim in claims for group in claim.readings[:1] for one in group]


def _borne_out(folded: str, claim: Claim, records: list[list[Decimal]]) -> Iterator[tuple[int, int]]:
    """Spans of the words of a whole beside that number which it, or a record, bears out."""
    if claim.kind is not ClaimKind.NUMBER or not claim.readings or len(claim.readings[0]) != 1:
        return
    low = max(0, claim.start - _LOOK_BACK)
    before = folded[low : claim.start]
    if only := _ONLY_BEFORE.search(before):
        yield low + only.start(), low + only.end()
    if each := _EACH_AFTER.match(folded, claim.end):
        yield each.span()
    if not any(record.count(claim.readings[0][0].value) > 1 for record in records):
        return
    if whole := _ALL_BEFORE.search(before):
        yield low + whole.start(), low + whole.end()
    if whole := _ALL_AFTER.match(folded, claim.end):
        yield whole.span()
