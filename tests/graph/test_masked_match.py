"""A replayed answer with placeholders against the published one, in which they were looked up."""

import pytest

from graph.masked_match import is_same_unmasked

IP, OTHER, HOST = "<ip-1>", "<ip-2>", "<host-1>"


@pytest.mark.parametrize(
    ("masked", "plain"),
    [
        ("no placeholder", "no placeholder"),
        (f"at {IP}", "at 10.9.8.7"),
        (f"{IP} to {OTHER}, {IP}", "10.0.0.1 to 10.0.0.12, 10.0.0.1"),
        ({"a": [f"{IP}", 1, None, True]}, {"a": ["10.9.8.7", 1, None, True]}),
        ([f"{IP} x", f"{IP}{HOST} y"], ["10.0.0.1 x", "10.0.0.1db-1 y"]),
    ],
)
def test_the_same_with_every_placeholder_looked_up(masked: object, plain: object) -> None:
    assert is_same_unmasked(masked, plain)


@pytest.mark.parametrize(
    ("masked", "plain"),
    [
        ("a", "b"),
        (f"at {IP}", "at "),
        (f"at {IP}", "on 10.9.8.7"),
        (f"at {IP}, twice", "at 10.9.8.7, once"),
        ([f"{IP}", f"{IP}"], ["10.0.0.1", "10.0.0.2"]),
        ([f"{IP}", f"{OTHER}"], ["10.0.0.1", "10.0.0.1"]),
        ([1], [True]),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ({"a": f"{IP}"}, {"a": None}),
    ],
)
def test_anything_else_differs(masked: object, plain: object) -> None:
    assert not is_same_unmasked(masked, plain)
