"""The door to jsonschema: is this a schema, and what of a value breaks it. Pure; nothing is fetched or resolved.

Only pinned schemas come here (``tools.mcp.schema``): they hold no reference, no pattern and no format check.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types
from jsonschema.exceptions import SchemaError, best_match  # type: ignore[import-untyped]  # jsonschema has no types


@dataclass(frozen=True)
class Breach:
    """The first and most telling place where a value breaks its schema."""

    path: tuple[str, ...]
    """Names and places on the way to it; empty for the whole value."""
    keyword: str
    expected: object
    """The keyword's value in the schema."""
    found: object
    """The part of the value at fault."""
    known: tuple[str, ...]
    """Properties that the schema names at this place."""


def is_schema(schema: Mapping[str, object]) -> bool:
    """True if the schema itself is valid."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return False
    return True


def first_breach(schema: Mapping[str, object], value: object) -> Breach | None:
    """None if the value keeps the schema."""
    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return None
    properties = error.schema.get("properties") if isinstance(error.schema, dict) else None
    return Breach(
        path=tuple(str(part) for part in error.absolute_path),
        keyword=str(error.validator),
        expected=error.validator_value,
        found=error.instance,
        known=tuple(properties) if isinstance(properties, dict) else (),
    )
