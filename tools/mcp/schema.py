"""The input schema of an MCP tool, made safe to show and to check against: pinned when the server is opened. Pure.

Kept are the keywords below; annotations nobody needs are dropped; a keyword that constrains the input and is not
understood refuses the tool, since a schema checked by half would promise what it does not hold.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from state.model.redaction import redact_text
from tools.mcp.json_schema import is_schema
from tools.mcp.words import is_plain, plain_words

Json = dict[str, object]

MAX_SCHEMA_BYTES = 16 * 1024
"""Of the schema as it is shown, its local references resolved."""
MAX_DEPTH = 12
MAX_NODES = 600
MAX_DESCRIPTION_CHARS = 300
MAX_WORD_CHARS = 200
MAX_ENUM = 200

_NUMBERS = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "minItems", "maxItems", "minProperties", "maxProperties",
})  # fmt: skip
_ONE_SCHEMA = frozenset({"items", "additionalProperties", "not"})
_MANY_SCHEMAS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_REFUSED = frozenset({
    "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$id", "id", "patternProperties", "propertyNames",
    "dependencies", "dependentRequired", "dependentSchemas", "if", "then", "else", "contains", "minContains",
    "maxContains", "unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema",
})  # fmt: skip
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


class UnusableSchema(ValueError):
    """The tool cannot be offered; the message says why, in words of ours."""


def pin_schema(given: Mapping[str, object]) -> Json:
    """The schema for model and check: inlined, bounded, its texts as plain words; an open top level is closed.

    Raises:
        UnusableSchema: it is no object schema, too large or deep, refers elsewhere, or constrains in a way that is
            not understood.
    """
    pinned = _Pinning(given).schema(given, 0)
    if pinned.get("type") != "object":
        raise UnusableSchema("its input is no object")
    pinned.setdefault("properties", {})
    # A misspelt argument must not become a wider search.
    pinned.setdefault("additionalProperties", False)
    size = len(json.dumps(pinned, ensure_ascii=False).encode())
    if size > MAX_SCHEMA_BYTES:
        raise UnusableSchema(f"its input schema has {size} bytes; at most {MAX_SCHEMA_BYTES} are taken")
    if not is_schema(pinned):
        raise UnusableSchema("its input schema is not valid")
    return pinned


@dataclass
class _Pinning:
    """One pass over one schema."""

    root: Mapping[str, object]
    nodes: int = 0
    resolving: list[str] = field(default_factory=list)
    """References on the way to the place that is read now."""

    def schema(self, given: object, depth: int) -> Json:
        """The pinned form of one schema inside the whole.

        Raises:
            UnusableSchema: see ``pin_schema``.
        """
        if isinstance(given, bool):
            return {} if given else {"not": {}}
        if not isinstance(given, Mapping):
            raise UnusableSchema("its input schema is malformed")
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise UnusableSchema(f"its input schema is nested deeper than {MAX_DEPTH} or has over {MAX_NODES} parts")
        if "$ref" in given:
            return self._referred(given, depth)
        pinned: Json = {}
        for key, value in given.items():
            self._keyword(pinned, key, value, depth)
        return pinned

    def _keyword(self, pinned: Json, key: str, value: object, depth: int) -> None:
        if key in _REFUSED:
            raise UnusableSchema(f"its input schema uses {key}, which is not supported")
        if key == "properties":
            pinned[key] = self._properties(value, depth)
        elif key in _ONE_SCHEMA:
            pinned[key] = value if isinstance(value, bool) else self.schema(value, depth + 1)
        elif key in _MANY_SCHEMAS:
            pinned[key] = [self.schema(part, depth + 1) for part in _list(value)]
        elif key in _READERS:
            read = _READERS[key](value)
            if read is not None:
                pinned[key] = read
        elif key in _NUMBERS:
            pinned[key] = _number(value)

    def _properties(self, value: object, depth: int) -> Json:
        if not isinstance(value, Mapping):
            raise UnusableSchema("its input schema is malformed")
        return {_name(name): self.schema(part, depth + 1) for name, part in value.items()}

    def _referred(self, given: Mapping[str, object], depth: int) -> Json:
        """What a local reference names, with the words beside it.

        Raises:
            UnusableSchema: the reference leads out of the schema, to itself or nowhere.
        """
        reference = given["$ref"]
        if not isinstance(reference, str) or not reference.startswith(("#/$defs/", "#/definitions/")):
            raise UnusableSchema("its input schema refers to another document")
        if reference in self.resolving:
            raise UnusableSchema("its input schema refers to itself")
        _, place, name = reference.split("/", 2)
        definitions = self.root.get(place)
        if not isinstance(definitions, Mapping) or name not in definitions:
            raise UnusableSchema("its input schema refers to a definition that is not there")
        self.resolving.append(reference)
        target = self.schema(definitions[name], depth + 1)
        self.resolving.pop()
        return {**target, **self.schema({key: value for key, value in given.items() if key != "$ref"}, depth + 1)}


def _type(value: object) -> object:
    kinds = value if isinstance(value, list) else [value]
    if not kinds or any(not isinstance(kind, str) or kind not in _TYPES for kind in kinds):
        raise UnusableSchema("its input schema names an unknown type")
    return value


def _names(value: object) -> object:
    return [_name(name) for name in _list(value)]


def _name(name: object) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= 64 or not is_plain(name) or not name.isprintable():
        raise UnusableSchema("its input schema has a parameter whose name is no plain word of at most 64 characters")
    return name


def _enum(value: object) -> object:
    members = _list(value)
    if len(members) > MAX_ENUM:
        raise UnusableSchema(f"its input schema lists over {MAX_ENUM} values for one parameter")
    return [_constant(member) for member in members]


def _constant(value: object) -> object:
    """A value that stands in the schema word for word.

    Raises:
        UnusableSchema: it is no scalar, or no plain short text.
    """
    if isinstance(value, str):
        if len(value) > MAX_WORD_CHARS or not is_plain(value):
            raise UnusableSchema("its input schema has a value that is no plain text")
        return value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise UnusableSchema("its input schema has a value that is no scalar")


def _default(value: object) -> object | None:
    """A default is only shown, so one that cannot be is left out."""
    try:
        return _constant(value)
    except UnusableSchema:
        return None


def _description(value: object) -> object | None:
    words = redact_text(plain_words(value, MAX_DESCRIPTION_CHARS)) if isinstance(value, str) else ""
    return words or None


def _bool(value: object) -> object:
    if not isinstance(value, bool):
        raise UnusableSchema("its input schema is malformed")
    return value


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UnusableSchema("its input schema is malformed")
    return value


def _format(value: object) -> object | None:
    """An annotation: it is shown, not checked."""
    return value if isinstance(value, str) and len(value) <= 40 and is_plain(value) else None


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise UnusableSchema("its input schema is malformed")
    return value


_READERS = {
    "type": _type,
    "required": _names,
    "enum": _enum,
    "const": _constant,
    "default": _default,
    "description": _description,
    "format": _format,
    "uniqueItems": _bool,
}
