"""The claims of a text, in order of appearance. Total and linear in the length of the text."""

import re
from collections.abc import Iterator
from dataclasses import replace

from guards.claims.claim import Claim, ClaimKind
from guards.claims.folding import WORD, fold
from guards.claims.list_marks import list_marks
from guards.claims.moments import Found, blank, find_moments
from guards.claims.numbers import is_about, unit_after
from guards.claims.quantities import joined, quantity
from guards.claims.rules import Reading, read_token
from guards.claims.spelled import find_spelled
from guards.claims.units import Dimension
from guards.claims.vague import find_vague
from guards.claims.vocabulary import Vocabulary

_TOKEN = re.compile(rf"{WORD}+(?:[-.]{WORD}+)*")
_SEGMENT = rf"(?:{WORD}|[.{{}}*%-])+"
_PATH = re.compile(rf"(?<!{WORD})(?<!/)/{_SEGMENT}(?:/{_SEGMENT})*")
_GROUP_START = re.compile(r"\d{1,3}")
_GROUP_NEXT = re.compile(r"\d{3}(?:\.\d+)?")
_JOINTS = {",", "'", " "}


def extract_claims(text: str, vocabulary: Vocabulary) -> tuple[Claim, ...]:
    """Every claim of the text. Positions are those of the folded text."""
    folded = fold(text)
    moments = find_moments(folded)
    rest = blank(folded, ((found.start, found.end) for found in moments))
    rest = blank(rest, iter(list_marks(rest)))
    paths = tuple(_PATH.finditer(rest))
    words = blank(rest, (match.span() for match in paths))
    claims = [_time(found, folded) for found in moments]
    claims += [Claim(ClaimKind.NAME, "path", path.group().rstrip("."), *path.span()) for path in paths]
    claims += _unspaced_names(words, vocabulary)
    vague = find_vague(words)
    claims += vague
    words = blank(words, ((claim.start, claim.end) for claim in vague))
    spelled = find_spelled(words)
    plain = blank(words, ((claim.start, claim.end) for claim in spelled))
    numbers_and_names = sorted([*spelled, *_tokens(Reading(plain, vocabulary))], key=lambda claim: claim.start)
    claims += _compounds(tuple(numbers_and_names), words)
    return tuple(sorted(claims, key=lambda claim: claim.start))


def _time(found: Found, text: str) -> Claim:
    words = text[found.start : found.end].strip()
    about = is_about(text, found.start, found.end)
    return Claim(ClaimKind.TIME, "time", words, found.start, found.end, moment=found.moment, about=about)


def _unspaced_names(text: str, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Catalogue names in a script without spaces: each occurrence is a claim."""
    lowered = text.casefold() if vocabulary.unspaced else ""
    for term in vocabulary.unspaced:
        at = lowered.find(term)
        if at >= 0:
            yield Claim(ClaimKind.NAME, "catalogued name", term, at, at + len(term))


def _tokens(reading: Reading) -> Iterator[Claim]:
    """Claims of single words, groups of thousands read as one number; a unit belongs to its number."""
    tokens = list(_TOKEN.finditer(reading.text))
    at = end = 0
    while at < len(tokens):
        last = _last_of_group(tokens, at, reading.text)
        claim = _grouped(tokens[at : last + 1], reading) if last > at else read_token(reading, tokens[at])
        if claim and claim.start >= end:
            end = claim.end
            yield claim
        at = last + 1


def _last_of_group(tokens: list[re.Match[str]], at: int, text: str) -> int:
    """Index of the last token of ``1,240`` or ``1 240 000``; ``at`` itself if nothing follows it so."""
    if not _GROUP_START.fullmatch(tokens[at].group()):
        return at
    joint = text[tokens[at].end() : tokens[at].end() + 1]
    last = at
    while joint in _JOINTS and last + 1 < len(tokens) and last - at < 8:
        following = tokens[last + 1]
        if text[tokens[last].end() : following.start()] != joint or not _GROUP_NEXT.fullmatch(following.group()):
            break
        last += 1
    return last


def _grouped(tokens: list[re.Match[str]], reading: Reading) -> Claim | None:
    """One number out of its groups, or the separate numbers of a list: evidence decides which was meant."""
    singles = [claim for token in tokens if (claim := read_token(reading, token))]
    meaning, end = unit_after(reading.text, tokens[-1].end())
    about = is_about(reading.text, tokens[0].start(), end)
    whole = quantity("".join(token.group() for token in tokens), meaning, about=about)
    separate = tuple(one for claim in singles for one in (claim.readings[0] if claim.readings else ()))
    readings = ((whole,), separate) if whole else (separate,)
    start = tokens[0].start()
    return Claim(ClaimKind.NUMBER, "number", reading.text[start:end], start, end, readings)


def _compounds(claims: tuple[Claim, ...], text: str) -> Iterator[Claim]:
    """The same claims, with ``1 min 30 s`` as one duration that may also be read as two."""
    pending: Claim | None = None
    for claim in claims:
        if pending and _continues(pending, claim, text):
            parts = pending.readings[-1] + claim.readings[0]
            words = text[pending.start : claim.end]
            pending = replace(pending, text=words, end=claim.end, readings=((joined(parts),), parts))
            continue
        if pending:
            yield pending
        pending = claim
    if pending:
        yield pending


def _continues(one: Claim, other: Claim, text: str) -> bool:
    if not (one.kind is other.kind is ClaimKind.NUMBER and text[one.end : other.start] in {"", " ", " and "}):
        return False
    parts = (one.readings[-1][-1].readings, other.readings[0][0].readings)
    if len(other.readings) != 1 or not all(len(units) == 1 for units in parts):
        return False
    (larger,), (smaller,) = parts
    return larger.dimension is smaller.dimension is Dimension.TIME and larger.factor > smaller.factor
