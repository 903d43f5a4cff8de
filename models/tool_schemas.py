"""The tools a model may call, as OpenAI function schemas: evidence tools in their envelope, and the hand-in. Pure.

Schemas are inlined (no ``$ref``) and carry no generated titles: several providers refuse the one and all pay for
the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from state.model.draft import Draft
from state.model.enums import InformationGain
from state.model.tool_call import SUBMIT_TOOL

Json = dict[str, object]


@dataclass(frozen=True)
class ToolSpec:
    """What a model is told about one evidence tool."""

    name: str
    """Matches ``[a-zA-Z0-9_-]{1,64}``."""
    description: str
    """With the catalogue of what the source holds; at most 4 KiB."""
    input_schema: Mapping[str, object]
    """JSON schema of the tool's own arguments; goes inside ``input``."""


SUBMIT_DESCRIPTION = (
    "Hand in the diagnosis. The arguments are the draft itself, without an envelope. conclusion may be null."
)

_PREVIOUS: Json = {
    "description": "Your judgement of the last result; null when none is due.",
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "tool_call_id": {"type": "string"},
                "information_gain": {"type": "string", "enum": [gain.value for gain in InformationGain]},
            },
            "required": ["tool_call_id", "information_gain"],
            "additionalProperties": False,
        },
        {"type": "null"},
    ],
}


def tool_schemas(tools: Sequence[ToolSpec]) -> list[Json]:
    """One function schema per evidence tool, in the given order, then ``submit_diagnosis``.

    Empty ``tools``, as after STOP_REQUIRED: the hand-in alone.
    """
    evidence = [_function(tool.name, tool.description, _envelope(tool.input_schema)) for tool in tools]
    return [*evidence, _function(SUBMIT_TOOL, SUBMIT_DESCRIPTION, _draft_schema())]


@cache
def _draft_schema() -> Json:
    """The arguments of the hand-in; shared by every request, so nobody may change it."""
    return inline_refs(Draft.model_json_schema())


def inline_refs(schema: Mapping[str, object]) -> Json:
    """The same JSON schema with every ``$ref`` into ``$defs`` replaced by what it names, and without titles.

    Raises:
        ValueError: a definition refers to itself, or a reference is not into ``$defs``.
    """
    definitions = schema.get("$defs")
    known = definitions if isinstance(definitions, dict) else {}
    resolved = _resolve({key: value for key, value in schema.items() if key != "$defs"}, known, ())
    if not isinstance(resolved, dict):
        raise ValueError("a schema is an object")
    return resolved


def _envelope(input_schema: Mapping[str, object]) -> Json:
    return {
        "type": "object",
        "properties": {"previous_observation": _PREVIOUS, "input": inline_refs(input_schema)},
        "required": ["previous_observation", "input"],
        "additionalProperties": False,
    }


def _function(name: str, description: str, parameters: Json) -> Json:
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def _resolve(node: object, known: Mapping[str, object], inside: tuple[str, ...]) -> object:
    if isinstance(node, list):
        return [_resolve(part, known, inside) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _named(node, known, inside)
    return {
        key: _properties(value, known, inside) if key == "properties" else _resolve(value, known, inside)
        for key, value in node.items()
        if key != "title"
    }


def _properties(node: object, known: Mapping[str, object], inside: tuple[str, ...]) -> object:
    """Names of properties are the tool's own: one called ``title`` stays."""
    if not isinstance(node, dict):
        return node
    return {name: _resolve(value, known, inside) for name, value in node.items()}


def _named(node: Mapping[str, object], known: Mapping[str, object], inside: tuple[str, ...]) -> object:
    name = str(node["$ref"]).removeprefix("#/$defs/")
    if name in inside or name not in known:
        raise ValueError(f"cannot inline {node['$ref']!r}")
    target = _resolve(known[name], known, (*inside, name))
    beside = _resolve({key: value for key, value in node.items() if key != "$ref"}, known, inside)
    if not isinstance(target, dict) or not isinstance(beside, dict):
        raise ValueError(f"cannot inline {node['$ref']!r}")
    return {**target, **beside}
