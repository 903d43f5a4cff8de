"""Status events in plain words, and the lines and the spinner that carry them."""

import io
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from service.narrator import Narrator
from service.progress import Teller
from service.speech import Speech
from state.model import enums
from state.model.enums import Language

EN, ZH = Speech(Language.EN), Speech(Language.ZH)


def status(**facts: object) -> dict[str, object]:
    return {"seq": 1, "type": "status", "payload": {"stage": "DIAGNOSIS_RUNNING", **facts}}


FOUND_LOGS = status(
    tool="query_logs",
    source="payments-logs",
    service="checkout",
    window_start="2026-03-02T13:05:00+00:00",
    window_end="2026-03-02T14:05:00+00:00",
    evidence_status="EVIDENCE_FOUND",
)


def told(*events: dict[str, object], say: Speech = EN, zone: str = "UTC") -> list[str]:
    teller = Teller(say, ZoneInfo(zone))
    return [sentence.text for event in events if (sentence := teller.tell(event))]


def test_a_search_names_source_service_and_window_in_the_zone_of_the_run() -> None:
    assert told(FOUND_LOGS, zone="Asia/Shanghai") == [
        "Searched the logs: payments-logs, checkout, 2026-03-02 21:05–22:05 +08:00 … found"
    ]


def test_the_same_in_chinese() -> None:
    assert told(FOUND_LOGS, say=ZH) == ["已检索日志：payments-logs，checkout，2026-03-02 13:05–14:05 +00:00 … 有结果"]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (status(round=3), "Choosing the next step (step 3)"),
        (status(tool="query_sql"), "Searching the database"),
        (
            status(tool="query_sql", source="shop", evidence_status="NO_EVIDENCE"),
            "Searched the database: shop … nothing found",
        ),
        (
            status(tool="query_sql", evidence_status="ERROR", code="TOOL_TIMEOUT"),
            "Searched the database … no result: took too long",
        ),
        (status(tool="mcp__x__y", evidence_status="EVIDENCE_FOUND"), "Searched mcp__x__y … found"),
        (status(gain="NO_GAIN"), "No new information from the last search"),
        (status(stop_reason="INFORMATION_SATURATED"), "Stopped collecting: further searches brought nothing new"),
        (
            {"type": "status", "payload": {"stage": "SAFETY_VALIDATING"}},
            "Checking every statement against its evidence",
        ),
        ({"type": "metadata", "payload": {"run_id": "r1", "session_id": "s1"}}, "Run r1 started"),
    ],
)
def test_each_event_has_its_sentence(event: dict[str, object], sentence: str) -> None:
    assert told(event) == [sentence]


def test_a_gain_is_about_what_was_found_before_the_agent_spoke() -> None:
    runbooks = status(tool="lookup_knowledge", source="library", evidence_status="EVIDENCE_FOUND")

    sentences = told(FOUND_LOGS, status(round=2), runbooks, status(gain="GAINED"))

    assert sentences[-1] == "New information from the logs"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "done"},
        {"type": "content", "payload": {}},
        {"type": "status", "payload": None},
        {"type": "status", "payload": {"stage": "NEW_STAGE_OF_A_LATER_VERSION"}},
        {},
    ],
)
def test_an_event_that_says_nothing_to_people_is_passed_over(event: dict[str, object]) -> None:
    assert told(event) == []


@pytest.mark.parametrize("stage", enums.Stage)
@pytest.mark.parametrize("say", [EN, ZH])
def test_no_stage_is_shown_as_a_code(stage: enums.Stage, say: Speech) -> None:
    assert stage.value not in told({"type": "status", "payload": {"stage": stage.value}}, say=say)[0]


def test_a_source_name_cannot_act_on_the_terminal() -> None:
    written = narrated(status(tool="query_logs", source="\x1b[2Jlogs", evidence_status="EVIDENCE_FOUND"))

    assert "\x1b[2J" not in written


def narrated(*events: dict[str, object], terminal: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, no_color=True, legacy_windows=False)
    with Narrator(console, EN) as narrator:
        narrator.speak(EN, UTC)
        for event in events:
            narrator.on_event(event)
    return out.getvalue()


def test_without_a_terminal_every_event_is_one_plain_line() -> None:
    written = narrated(status(round=1), status(tool="query_logs"), FOUND_LOGS)

    assert written.splitlines() == [
        "Choosing the next step (step 1)",
        "Searching the logs",
        "Searched the logs: payments-logs, checkout, 2026-03-02 13:05–14:05 +00:00 … found",
    ]


def test_the_same_sentence_twice_in_a_row_is_one_line() -> None:
    checking = {"type": "status", "payload": {"stage": "SAFETY_VALIDATING"}}

    assert len(narrated(checking, checking).splitlines()) == 1


def test_a_spinner_leaves_nothing_behind_and_shows_the_cursor_again() -> None:
    written = narrated(status(round=1), FOUND_LOGS, status(round=2), terminal=True)

    assert "Searched the logs" in written
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")
