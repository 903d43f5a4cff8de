"""The strict parser of a draft: text that would not be shown as it is read is refused."""

import json
from typing import Any

import pytest

from state.model.draft import Draft, InvalidDraft, parse_draft, shown_texts
from state.model.enums import DraftProblem
from tests.builders import a_draft

PLACES = [place for place, _ in shown_texts(a_draft())]


def changed(place: str, words: str) -> str:
    """The JSON of a draft with words put in front of one text."""
    whole: Any = json.loads(a_draft().model_dump_json())
    *parents, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    target = whole
    for part in parents:
        target = target[part]
    target[last] = words + target[last]
    return json.dumps(whole)


def test_a_draft_in_several_lines_is_read() -> None:
    assert isinstance(parse_draft(changed("conclusion.text", "first\n\tsecond 😀 ")), Draft)


@pytest.mark.parametrize("place", PLACES)
def test_a_control_character_is_refused_in_every_shown_text(place: str) -> None:
    found = parse_draft(changed(place, "\x1b[2J"))

    assert isinstance(found, InvalidDraft)
    assert (found.problem, found.place) == (DraftProblem.SCHEMA_INVALID, place)


@pytest.mark.parametrize("char", ["\x00", "\r", "\x7f", "\x9b", "\u202e", "\u2066", "\u2069", "\u200f", "\u061c"])
def test_what_hides_or_turns_text_is_refused(char: str) -> None:
    found = parse_draft(changed("limitations.scope", char))

    assert isinstance(found, InvalidDraft)
    assert found.problem is DraftProblem.SCHEMA_INVALID


@pytest.mark.parametrize("half", ["\\ud800", chr(0xDC00)])
def test_half_of_a_surrogate_pair_is_no_json(half: str) -> None:
    text = a_draft().model_dump_json().replace("Payments timed", f"{half} timed")
    found = parse_draft(text)

    assert isinstance(found, InvalidDraft)
    assert found.problem is DraftProblem.INVALID_JSON
