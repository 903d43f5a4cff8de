"""Tolerant reading of JSON values: a wrong type is an empty value, never an exception. Pure."""

import json
from collections.abc import Iterator

Scalar = str | int | float | bool | None


def as_object(value: object) -> dict[str, object]:
    """The object, also out of its JSON text; empty if it is none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The list; empty if it is none."""
    return list(value) if isinstance(value, (list, tuple)) else []


def objects(value: object) -> Iterator[dict[str, object]]:
    """The objects of a list, others left out."""
    return (as_object(item) for item in as_list(value) if isinstance(item, dict))


def as_text(value: object) -> str:
    """The text; empty if it is none."""
    return value if isinstance(value, str) else ""


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list, others left out."""
    return tuple(item for item in as_list(value) if isinstance(item, str))


def as_int(value: object) -> int | None:
    """The whole number, also out of a float or a text of digits; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)) and value == value and abs(value) < 1e18:
        return int(value)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19 else None


def scalars(value: object) -> dict[str, Scalar]:
    """The scalar members of an object."""
    return {
        key: item for key, item in as_object(value).items() if item is None or isinstance(item, (str, int, float, bool))
    }
