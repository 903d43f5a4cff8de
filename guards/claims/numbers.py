"""Numbers in running text: every dress a number wears, read into quantities."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from guards.claims.folding import WORD
from guards.claims.qualifiers import is_about
from guards.claims.quantities import Quantity, joined, quantity
from guards.claims.units import CJK_UNIT, ONE, Dimension, Reading, readings_of, readings_of_name

_LOOK_BACK = 64
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_ATTACHED = re.compile(r"(\d+(?:\.\d+)?)-?([A-Za-zμ]{1,14})")
_SPAN = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)([A-Za-zμ]{0,14})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_POINTS = re.compile(r"percent(?:age)?[ -]points?\b")
_PERCENTILE = re.compile(r"[ -]percentile\b")
_COMPOUND = re.compile(r"(?:\d+(?:\.\d+)?(?:ns|us|μs|ms|s|m|min|h|d)){2,12}")
_ISO_DURATION = re.compile(r"P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")
_PART = re.compile(r"(\d+(?:\.\d+)?)([a-zμ]+)")
_WORD_AFTER = re.compile(rf" {{0,2}}({WORD}+)")
"""On the same line: in a rendered item the next line is another field."""
_NAMED = re.compile(r"([A-Za-z][\w.]{0,60})[\"']?\s?[=:]\s?[\"']?$")
_NAMED_LOOSELY = re.compile(
    r"(?<![\w.])((?:[A-Za-z]\w*[._]\w[\w.]{0,50}|[a-z]+[A-Z]\w{0,50}))[\"'`]?"
    r"(?: ?\( ?| ?\| ?| (?:is |was |of |to |at |set to |from |reached )?| ?(?:为|是|达到?|设为|高达) ?)[\"'`]?$"
)
"""A name with its value behind a bracket, a bar or a small word; only names that cannot be plain words."""
_NOT_A_THING = frozenset(
    "for was were is are at in on and or of to from with by after before then when while until since as the a an but"
    " which that this it its has had per via not than so did does over under between during into out if where".split()
)
_RATIO_PREFIX = "百分之"
_AND_A_HALF = re.compile(r" and a half(?!\w)")
_HALF = Decimal("0.5")
_BY_CONVENTION = re.compile(r"(?<![\w.])(ttl|max-age)[\"'`]?(?:[:=] ?| (?:of |is )?)$", re.IGNORECASE)


@dataclass(frozen=True)
class Number:
    """A number found at a token: its possible readings and where it ends, unit included."""

    readings: tuple[tuple[Quantity, ...], ...]
    end: int


def read_number(text: str, token: re.Match[str]) -> Number | None:
    """The number the token is, or None if it is none. A unit may be part of it or follow it."""
    word = token.group()
    if not (word[0].isdigit() or word.startswith("P")):
        return None
    for form in (_plain, _compound, _ordinal, _attached, _span):
        number = form(text, token, word)
        if number:
            return number
    return None


def _plain(text: str, token: re.Match[str], word: str) -> Number | None:
    if not _PLAIN.fullmatch(word):
        return None
    half = _AND_A_HALF.match(text, token.end())
    after = half.end() if half else token.end()
    readings, end = unit_after(text, after)
    if end == token.end():
        readings = _unit_before(text, token.start()) or readings
    found = quantity(word, readings, about=is_about(text, token.start(), end))
    if found and half:
        found = replace(found, value=found.value + _HALF, step=_HALF)
    return Number(((found,),), end) if found else None


def unit_after(text: str, end: int) -> tuple[tuple[Reading, ...], int]:
    """Meanings of the unit or counted thing after a number, and where it ends; empty for neither."""
    gap = end + 1 if text[end : end + 1] == " " else end
    if text[gap : gap + 1] in {"%", "‰"}:
        return readings_of(text[gap]), gap + 1
    points = _POINTS.match(text, gap)
    if points:
        return readings_of("pp"), points.end()
    unspaced = CJK_UNIT.match(text, gap)
    if unspaced:
        return readings_of(unspaced.group()), unspaced.end()
    word = _WORD_AFTER.match(text, end)
    if not word or word.group(1).lower() in _NOT_A_THING:
        return (), end
    return (readings_of(word.group(1)), word.end()) if readings_of(word.group(1)) else (_thing(word.group(1)), end)


def _thing(word: str) -> tuple[Reading, ...]:
    return ONE if word.isalpha() and word.islower() else ()


def _unit_before(text: str, start: int) -> tuple[Reading, ...]:
    """A unit that the name before ``=`` declares, or the Chinese prefix for per cent."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if before.endswith(_RATIO_PREFIX):
        return readings_of("%")
    named = _NAMED.search(before) or _NAMED_LOOSELY.search(before) or _BY_CONVENTION.search(before)
    return readings_of_name(named.group(1)) if named else ()


def _ordinal(text: str, token: re.Match[str], word: str) -> Number | None:
    match = _ORDINAL.fullmatch(word)
    rank = _PERCENTILE.match(text, token.end())
    found = quantity(match.group(1), readings_of("percentile") if rank else ()) if match else None
    return Number(((found,),), rank.end() if rank else token.end()) if found else None


def _attached(text: str, token: re.Match[str], word: str) -> Number | None:
    """``30ms``, ``30-second``, ``50-connection``, ``20conns``; ``503s`` is also a plural."""
    match = _ATTACHED.fullmatch(word)
    if not match:
        return None
    digits, unit = match.groups()
    meaning = readings_of(unit) or (ONE if "-" in word or _is_thing(unit) else ())
    found = quantity(digits, meaning, about=is_about(text, token.start(), token.end()))
    if not meaning or not found:
        return None
    plural = quantity(digits) if unit == "s" and len(digits) == 3 else None
    return Number(((found,), (plural,)) if plural else ((found,),), token.end())


def _is_thing(letters: str) -> bool:
    """Small letters that cannot be the rest of a hexadecimal id."""
    return len(letters) > 2 and letters.islower() and bool(set(letters) - set("abcdef"))


def _span(text: str, token: re.Match[str], word: str) -> Number | None:
    match = _SPAN.fullmatch(word)
    if not match:
        return None
    low, high, unit = match.groups()
    meaning, end = (readings_of(unit), token.end()) if unit else unit_after(text, token.end())
    found = (quantity(low, meaning), quantity(high, meaning))
    bare = (quantity(low), quantity(high, meaning))
    if (unit and not meaning) or None in found:
        return None
    return Number(tuple(tuple(one for one in pair if one) for pair in (found, bare)), end)


def _compound(text: str, token: re.Match[str], word: str) -> Number | None:
    """``1m30s``, ``45s316ms``, ``PT0.5S``: one duration."""
    iso = _ISO_DURATION.fullmatch(word)
    if iso:
        pairs = [(digits, unit) for digits, unit in zip(iso.groups(), "dhms", strict=True) if digits]
    else:
        pairs = _PART.findall(word) if _COMPOUND.fullmatch(word) else []
    parts = tuple(one for digits, unit in pairs if (one := quantity(digits, _time(unit))))
    if not parts or len(parts) != len(pairs):
        return None
    return Number(((joined(parts),), parts) if len(parts) > 1 else (parts,), token.end())


def _time(unit: str) -> tuple[Reading, ...]:
    return tuple(reading for reading in readings_of(unit) if reading.dimension is Dimension.TIME)
