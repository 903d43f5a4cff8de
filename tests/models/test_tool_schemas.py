"""Tool schemas: the envelope, the hand-in, and nothing a picky provider would refuse."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from models.tool_schemas import ToolSpec, inline_refs, tool_schemas
from state.model.draft import Draft, InvalidDraft, parse_draft
from state.model.enums import DerivedOp


class Label(BaseModel):
    title: str
    op: DerivedOp


class Input(BaseModel):
    """Arguments."""

    model_config = ConfigDict(extra="forbid")
    first: Label
    more: list[Label] = []
    size: int | None = None


SPEC = ToolSpec("query_logs", "Searches logs.", Input.model_json_schema())


def walk(node: Any) -> Any:
    yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(part)


def test_evidence_tool_is_offered_in_its_envelope() -> None:
    function = tool_schemas([SPEC])[0]["function"]

    assert (function["name"], function["description"]) == ("query_logs", "Searches logs.")  # type: ignore[index]
    parameters = function["parameters"]  # type: ignore[index]
    assert parameters["required"] == ["previous_observation", "input"]
    assert parameters["additionalProperties"] is False
    judged, absent = parameters["properties"]["previous_observation"]["anyOf"]
    assert judged["properties"]["information_gain"]["enum"] == ["GAINED", "NO_GAIN"]
    assert absent == {"type": "null"}
    assert parameters["properties"]["input"]["required"] == ["first"]


def test_hand_in_comes_last_and_alone_after_a_stop() -> None:
    assert [tool["function"]["name"] for tool in tool_schemas([SPEC])] == ["query_logs", "submit_diagnosis"]  # type: ignore[index]
    assert [tool["function"]["name"] for tool in tool_schemas([])] == ["submit_diagnosis"]  # type: ignore[index]


def test_hand_in_has_no_envelope_and_all_parts_of_a_draft() -> None:
    parameters = tool_schemas([])[0]["function"]["parameters"]  # type: ignore[index]

    assert set(parameters["properties"]) == set(Draft.model_fields)


def test_nothing_refers_and_nothing_is_titled() -> None:
    nodes = [node for tool in tool_schemas([SPEC]) for node in walk(tool) if isinstance(node, dict)]

    assert len(nodes) > 50
    assert [node for node in nodes if "$ref" in node or "$defs" in node] == []
    assert [node for node in nodes if isinstance(node.get("title"), str)] == []


def test_property_called_title_stays() -> None:
    label = inline_refs(Input.model_json_schema())["properties"]["first"]  # type: ignore[index]

    assert set(label["properties"]) == {"title", "op"}
    assert label["properties"]["op"]["enum"] == [op.value for op in DerivedOp]


def test_inlined_schema_still_describes_the_draft() -> None:
    example = (
        '{"conclusion":null,"analysis":[{"analysis_id":"A1","kind":"NORMAL","text":"t","tool_call_ids":["c1"],'
        '"quotes":[{"tool_call_id":"c1","item_id":"i","text":"t"}],"derived":[]}],'
        '"limitations":{"scope":"s","missing_info":[],"next_check":null}}'
    )
    parameters = tool_schemas([])[0]["function"]["parameters"]  # type: ignore[index]
    analysis = parameters["properties"]["analysis"]["items"]

    assert not isinstance(parse_draft(example), InvalidDraft)
    assert set(json.loads(example)["analysis"][0]) == set(analysis["properties"])


def test_description_beside_a_reference_wins() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A", "description": "mine"}},
        "$defs": {"A": {"type": "string", "description": "its"}},
    }

    assert inline_refs(schema)["properties"] == {"a": {"type": "string", "description": "mine"}}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}},
        {"properties": {"a": {"$ref": "#/$defs/Missing"}}},
        {"properties": {"a": {"$ref": "https://example.com/schema"}}},
    ],
)
def test_what_cannot_be_inlined_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="cannot inline"):
        inline_refs(schema)
