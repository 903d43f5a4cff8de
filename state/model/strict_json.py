"""Strict JSON at text borders: what readers disagree about or cannot store is refused. Pure.

Duplicate keys, trailing text, NaN, numbers that become infinite, halves of a surrogate pair, deep nesting.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import NoReturn

MAX_DEPTH = 32
"""Deeper nesting than any of our schemas; refused before the parser recurses into it."""

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""A string without an end reaches to the end of the text."""
_BRACKET = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF_A_PAIR = "half of a surrogate pair is no character"


@dataclass(frozen=True)
class JsonProblem:
    """Why a text is not the JSON object asked for."""

    why: str
    """One sentence in English, safe to show the author of the text."""


class _Refused(ValueError):
    pass


def parse_json_object(text: str) -> dict[str, object] | JsonProblem:
    """The object, or why there is none. Nothing is extracted from surrounding prose."""
    if _depth(text) > MAX_DEPTH:
        return JsonProblem(f"nested deeper than {MAX_DEPTH} levels")
    if _SURROGATE.search(text):
        return JsonProblem(_HALF_A_PAIR)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_bounded_int,
            parse_float=_finite_float,
        )
    except _Refused as refused:
        return JsonProblem(str(refused))
    except (json.JSONDecodeError, RecursionError) as error:
        return JsonProblem(f"not valid JSON: {error}"[:200])
    if not isinstance(value, dict):
        return JsonProblem("a JSON object is expected")
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        return JsonProblem(_HALF_A_PAIR)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    seen: dict[str, object] = {}
    for key, value in pairs:
        if key in seen:
            raise _Refused(f"duplicate key {key[:60]!r}")
        seen[key] = value
    return seen


def _no_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a JSON number")


def _bounded_int(digits: str) -> int:
    if len(digits) > 40:
        raise _Refused("a number has more than 40 digits")
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Refused("a number is too large")
    return number


def _depth(text: str) -> int:
    """Deepest nesting of brackets outside strings (an upper bound for malformed text)."""
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
