"""Strict JSON: what is refused, and that depth counts brackets outside strings only."""

import pytest

from state.model.strict_json import MAX_DEPTH, JsonProblem, parse_json_object


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def test_an_object_as_deep_as_allowed_is_read() -> None:
    assert isinstance(parse_json_object(nested(MAX_DEPTH)), dict)


@pytest.mark.parametrize("text", [nested(MAX_DEPTH + 1), "[" * 100_000, '{"a":' + "[" * 40])
def test_deeper_nesting_is_refused_before_it_is_parsed(text: str) -> None:
    problem = parse_json_object(text)

    assert isinstance(problem, JsonProblem)
    assert "nested deeper" in problem.why


@pytest.mark.parametrize("inside", ["[{" * 50, '\\"' + "[" * 50, "\\\\", "]}" * 50, "中[" * 40])
def test_brackets_inside_strings_do_not_count(inside: str) -> None:
    assert isinstance(parse_json_object('{"a":"' + inside + '","b":[{}]}'), dict)


@pytest.mark.parametrize("text", ['{"a":"' + "[" * 50, '{"a":"\\', '"', '{"a":1}]]'])
def test_a_string_without_end_or_a_surplus_bracket_is_not_valid(text: str) -> None:
    problem = parse_json_object(text)

    assert isinstance(problem, JsonProblem)
    assert "not valid JSON" in problem.why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a":1,"a":2}', "duplicate key"),
        ('{"a":NaN}', "NaN"),
        ("[1]", "object is expected"),
        ('{"a":' + "9" * 41 + "}", "40 digits"),
        ('{"a":1} then text', "not valid JSON"),
        ('{"a":1e999}', "too large"),
        ('{"a":[-1e400]}', "too large"),
        ('{"a":"\\ud800"}', "surrogate"),
        ('{"a":["x\\udfff"]}', "surrogate"),
        ('{"\\ud83d x":1}', "surrogate"),
        ('{"a":"' + chr(0xD800) + '"}', "surrogate"),
    ],
)
def test_what_json_readers_disagree_about_is_refused(text: str, why: str) -> None:
    problem = parse_json_object(text)

    assert isinstance(problem, JsonProblem)
    assert why in problem.why


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert parse_json_object('{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}
