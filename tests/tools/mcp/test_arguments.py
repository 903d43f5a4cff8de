"""Arguments are checked against the pinned schema, and the refusal names the parameter in plain words."""

from typing import Any

import pytest

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from tools.mcp.arguments import canonical_json, check_arguments, input_model, with_defaults
from tools.mcp.schema import pin_schema

SCHEMA = pin_schema(
    {
        "type": "object",
        "properties": {
            "service": {"type": "string"},
            "level": {"enum": ["warn", "error"]},
            "limit": {"type": "integer", "minimum": 1, "default": 10},
            "at": {"type": "object", "properties": {"from": {"type": "string"}}},
        },
        "required": ["service"],
    }
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "input: service is missing"),
        ({"service": "a", "levle": "warn"}, "input: there is no parameter levle; there are service, level, limit, at"),
        ({"service": 1}, "service: expected type string"),
        ({"service": "a", "level": "info"}, "level: expected enum ['warn', 'error']"),
        ({"service": "a", "limit": 0}, "limit: does not keep minimum 1"),
        ({"service": "a", "at": {"from": 3}}, "at.from: expected type string"),
    ],
)
def test_a_refusal_names_the_parameter(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidToolInput) as refused:
        check_arguments(SCHEMA, given)

    assert (refused.value.code, refused.value.why) == (ToolCode.INVALID_REQUEST, said)


def test_valid_arguments_pass() -> None:
    check_arguments(SCHEMA, {"service": "pay", "level": "error", "at": {"from": "x", "more": 1}})


def test_a_declared_default_is_the_same_scope() -> None:
    assert with_defaults(SCHEMA, {"service": "a"}) == with_defaults(SCHEMA, {"limit": 10, "service": "a"})


def test_equal_arguments_have_one_text() -> None:
    assert canonical_json({"b": [1, {"y": 1, "x": 2}], "a": "é"}) == '{"a":"é","b":[1,{"x":2,"y":1}]}'


def test_the_model_takes_any_name_and_shows_the_pinned_schema() -> None:
    model = input_model("Input_x", SCHEMA)

    given = model.model_validate_json('{"model_config": 1, "schema_of_server": 2, "_x": 3, "copy": {"a": [1]}}').given

    assert given == {"model_config": 1, "schema_of_server": 2, "_x": 3, "copy": {"a": [1]}}
    assert model.model_json_schema() == SCHEMA


def test_nobody_can_change_the_pinned_schema_through_the_model() -> None:
    model = input_model("Input_x", SCHEMA)
    model.model_json_schema()["properties"] = {}

    assert model.model_json_schema() == SCHEMA
