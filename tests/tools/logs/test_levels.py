"""Severity by any name."""

import pytest

from tools.logs.levels import detect_level, level_of_status, parse_level


@pytest.mark.parametrize(
    ("given", "level"),
    [
        ("warning", "WARN"),
        ("ERR", "ERROR"),
        ("Critical", "FATAL"),
        (50, "ERROR"),
        (30, "INFO"),
        ("notice", "INFO"),
        ("警告", "WARN"),
    ],
)
def test_names_and_numbers_of_levels(given, level):
    assert parse_level(given) == level


@pytest.mark.parametrize("given", ["", "loud", True, 3])
def test_what_is_no_level(given):
    assert parse_level(given) is None


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("[main] ERROR c.a.Pay - no", "ERROR"),
        ("level=warn msg=x", "WARN"),
        ("[error] 31#31", "ERROR"),
        ("an error occurred and information was lost", None),
        ("ERROR_CODE=5 NO-WARN x=INFO", None),
        ("x" * 200 + " ERROR", None),
    ],
)
def test_levels_in_text_are_tokens_near_the_start(line, level):
    assert detect_level(line) == level


def test_access_records_take_their_level_from_the_status():
    assert [level_of_status(status) for status in (200, 404, 503)] == ["INFO", "WARN", "ERROR"]
