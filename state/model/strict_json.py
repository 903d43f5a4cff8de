"""Strict JSON at text borders: duplicate keys, trailing text, NaN and deep nesting are refused. Pure."""

import json
import re
from dataclasses import dataclass
from typing import NoReturn

MAX_DEPTH = 32
"""Deeper nesting than any of our schemas; refused before the parser recurses into it."""

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""A string without an end reaches to the end of the text."""
_BRACKET = re.compile(r"[\[\]{}]")


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
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_bounded_int)
    except _Refused as refused:
        return JsonProblem(str(refused))
    except (json.JSONDecodeError, RecursionError) as error:
        return JsonProblem(f"not valid JSON: {error}"[:200])
    if not isinstance(value, dict):
        return JsonProblem("a JSON object is expected")
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


def _depth(text: str) -> int:
    """Deepest nesting of brackets outside strings (an upper bound for malformed text)."""
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
