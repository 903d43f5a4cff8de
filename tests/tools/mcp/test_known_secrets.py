"""What a server was given is taken out of whatever it says."""

import pytest

from tools.mcp.known_secrets import known_secrets

TOKEN = "hunter2correcthorse"
KEY_FILE = '{\n  "user": "ops",\n  "LineTwoSecretValue"\n}'


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"sent {TOKEN} to api", "sent [removed] to api"),
        (f"sent {TOKEN[:6]}\u200b{TOKEN[6:]}", "sent [removed]"),
        (f"sent {TOKEN[:6]}<b>{TOKEN[6:]}</b>", "sent [removed]"),
        (f'a <b title="{TOKEN}">', 'a <b title="[removed]">'),
        ('got   "LineTwoSecretValue"', "got   [removed]"),
        ("{ braces } stay", "{ braces } stay"),
        ("untouched \u200b text", "untouched \u200b text"),
    ],
)
def test_values_and_their_lines_are_removed(said: str, shown: str) -> None:
    assert known_secrets([TOKEN, KEY_FILE]).gone(said) == shown


def test_every_text_of_a_json_value_is_looked_at() -> None:
    said = {"a": [{TOKEN: f"x {TOKEN}"}, 12345678, True, None], "b": 1.5}

    assert known_secrets([TOKEN, "12345678"]).gone_from(said) == {
        "a": [{"[removed]": "x [removed]"}, "[removed]", True, None],
        "b": 1.5,
    }


def test_what_is_too_short_to_be_a_secret_stays() -> None:
    assert known_secrets(["on", "", "\u200b"]).gone("on and on") == "on and on"
