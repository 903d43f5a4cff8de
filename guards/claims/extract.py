"""The claims of a text, in order of appearance. Total and linear in the length of the text."""

import re
from collections.abc import Iterator
from dataclasses import replace

from guards.claims.claim import Claim, ClaimKind
from guards.claims.folding import CJK, WORD, fold
from guards.claims.intervals import find_intervals
from guards.claims.list_marks import list_marks
from guards.claims.moments import Found, blank, find_moments
from guards.claims.numbers import unit_after
from guards.claims.qualifiers import bound_of, is_about, is_change, is_limit, is_negative
from guards.claims.quantities import joined, quantity
from guards.claims.rules import Reading, read_token
from guards.claims.shared_units import with_shared_units
from guards.claims.spelled import find_spelled
from guards.claims.things import thing_counted
from guards.claims.time_spans import with_roles
from guards.claims.units import Dimension
from guards.claims.vague import find_vague
from guards.claims.vocabulary import Vocabulary

_TOKEN = re.compile(rf"{WORD}+(?:[-.]{WORD}+)*")
_SEGMENT = rf"(?:{WORD}|[.{{}}*%-])+"
_PATH = re.compile(
    rf"(?:(?<!{WORD})(?<!/)(?<![{CJK}](?=/\d))|(?<=:\d\d)|(?<=:\d{{3}})|(?<=:\d{{4}})|(?<=:\d{{5}}))"
    rf"(?P<path>/{_SEGMENT}(?:/{_SEGMENT})*)"
    rf"|(?<=://)(?:{WORD}|[.-]){{1,80}}(?P<of_url>/{_SEGMENT}(?:/{_SEGMENT})*)"
)
"""A path stands by itself, behind a port or behind the host of an address."""
_GROUP_START = re.compile(r"\d{1,3}")
_GROUP_NEXT = re.compile(r"\d{3}(?:\.\d+)?")
_BETWEEN_PARTS = frozenset(("", " ", " and ", ", ", ", and "))
_JOINTS = {",", "'", " "}


def extract_claims(text: str, vocabulary: Vocabulary) -> tuple[Claim, ...]:
    """Every claim of the text. Positions are those of the folded text."""
    folded = fold(text)
    moments = with_roles(find_moments(folded), folded)
    rest = blank(folded, ((found.start, found.end) for found in moments))
    rest = blank(rest, iter(list_marks(rest)))
    paths = [(match, "path" if match["path"] else "of_url") for match in _PATH.finditer(rest)]
    words = blank(rest, (match.span(group) for match, group in paths))
    claims = [_time(found, folded) for found in moments]
    claims += [Claim(ClaimKind.NAME, "path", path[group].rstrip("."), *path.span(group)) for path, group in paths]
    claims += _unspaced_names(words, vocabulary)
    for find in (find_intervals, find_vague):
        found = find(words)
        claims += found
        words = blank(words, ((claim.start, claim.end) for claim in found))
    spelled = find_spelled(words)
    plain = blank(words, ((claim.start, claim.end) for claim in spelled))
    numbers_and_names = sorted([*spelled, *_tokens(Reading(plain, vocabulary))], key=lambda claim: claim.start)
    claims += with_shared_units(tuple(_compounds(tuple(numbers_and_names), words)), words)
    return tuple(_qualified(claim, folded) for claim in sorted(claims, key=lambda claim: claim.start))


def _qualified(claim: Claim, text: str) -> Claim:
    """The claim with what the words around its number say of it."""
    if claim.kind is not ClaimKind.NUMBER:
        return claim
    span = (claim.start, claim.end)
    claim = replace(claim, counted=claim.counted or thing_counted(claim.text, text, claim.end))
    bound, change, limit = bound_of(text, *span), is_change(text, *span), is_limit(text, claim.start)
    minus = is_negative(text, claim.start)
    if not (bound or change or limit or minus):
        return claim
    said = tuple(
        tuple(replace(one, bound=bound, is_change=change, is_limit=limit, is_negative=minus) for one in group)
        for group in claim.readings
    )
    return replace(claim, readings=said)


def _time(found: Found, text: str) -> Claim:
    words = text[found.start : found.end].strip()
    about = is_about(text, found.start, found.end)
    claim = Claim(ClaimKind.TIME, "time", words, found.start, found.end, moment=found.moment, role=found.role)
    return replace(claim, other_moments=found.others, about=about)


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
    """One number out of its groups, or the separate numbers of a list, if each is one: evidence decides which."""
    singles = [claim for token in tokens if (claim := read_token(reading, token))]
    meaning, end = unit_after(reading.text, tokens[-1].end())
    about = is_about(reading.text, tokens[0].start(), end)
    whole = quantity("".join(token.group() for token in tokens), meaning, about=about)
    separate = tuple(one for claim in singles for one in (claim.readings[0] if claim.readings else ()))
    is_list = len(separate) == len(tokens)
    readings = (*(((whole,),) if whole else ()), *((separate,) if is_list else ()))
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
    if not (
        one.kind is other.kind is ClaimKind.NUMBER and text[one.end : other.start] in {"", " ", " and ", ", ", ", and "}
    ):
        return False
    parts = (one.readings[-1][-1].readings, other.readings[0][0].readings)
    if len(other.readings) != 1 or not all(len(units) == 1 for units in parts):
        return False
    (larger,), (smaller,) = parts
    return larger.dimension is smaller.dimension is Dimension.TIME and larger.factor > smaller.factor
