"""``trace``, ``replay`` and ``resume`` of ended runs: what is kept, shown again without opening any source."""

import re
import sqlite3
from contextlib import closing

import pytest

from service.exit_codes import ExitCode
from tests.graph.stage import QUESTION, Cast, submit
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend

UNKNOWN = "99999999-9999-4999-8999-999999999999"
REOPENED = (
    "run_state = 'RUNNING', outcome = NULL, closed_at = NULL, "
    "lease_until = CAST((julianday('now') - 2440587.5) * 86400 AS INTEGER) * 1000000 + {seconds} * 1000000"
)
"""As a process that was killed leaves it."""


@pytest.fixture
def run_id(call: Call) -> str:
    return str(call("diagnose", QUESTION, "--json").json["run_id"])


def test_without_any_run_trace_says_how_to_start(call: Call) -> None:
    said = call("trace")

    assert said.code == ExitCode.SUCCESS
    assert "rootproof demo" in said.out


def test_trace_lists_the_last_runs_with_ids_that_can_be_copied(call: Call, run_id: str) -> None:
    said = call("trace")

    assert f"  {run_id}  answered" in said.out
    assert QUESTION in said.out


def test_trace_list_as_json(call: Call, run_id: str) -> None:
    runs = call("trace", "--json").json["runs"]

    assert [(run["run_id"], run["outcome"], run["query"]) for run in runs] == [(run_id, "SUCCESS", QUESTION)]


def test_trace_of_one_run_shows_what_was_released_its_timeline_and_evidence(call: Call, run_id: str) -> None:
    said = call("trace", run_id)

    assert said.code == ExitCode.SUCCESS
    for part in ("What was released", "HikariPool-1", "TOOL_INVOCATION", "RUN_FINISHED", "errors:0", "Asked at"):
        assert part in said.out


def test_trace_as_json_holds_the_whole_record(call: Call, run_id: str) -> None:
    kept = call("trace", run_id, "--json").json

    assert list(kept) == ["run", "usage", "timeline", "published", "evidence"]
    assert [event["sequence_no"] for event in kept["timeline"]] == list(range(1, len(kept["timeline"]) + 1))
    assert kept["published"][-1]["type"] == "done"
    assert kept["run"]["run_id"] == run_id


@pytest.mark.parametrize("command", ["trace", "resume", "replay"])
@pytest.mark.parametrize("run_id", [UNKNOWN, "nonsense", "运行", "../../etc/passwd", ""])
def test_an_unknown_run_is_named_with_the_way_to_the_list(command: str, run_id: str, call: Call) -> None:
    plain, as_json = call(command, run_id), call(command, run_id, "--json")

    assert plain.code == ExitCode.USAGE
    assert "rootproof trace" in plain.err
    assert as_json.json["error"]["code"] == "NO_SUCH_RUN"


def test_an_id_may_be_typed_in_capitals(call: Call, run_id: str) -> None:
    assert call("trace", f" {run_id.upper()} ").code == ExitCode.SUCCESS


def test_resume_of_an_ended_run_shows_its_result_without_opening_a_source(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    first = call("diagnose", QUESTION, "--json").json
    backend.open_error = AssertionError("no source may be opened")

    again = call("resume", first["run_id"], "--json")

    assert again.code == ExitCode.SUCCESS
    assert again.json == first


def test_resume_keeps_the_exit_code_of_the_outcome(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(router=("no json", "no json"))
    failed = call("diagnose", QUESTION, "--json").json["run_id"]

    assert call("resume", failed).code == ExitCode.FAILED


def test_a_replay_that_is_the_same_exits_0(call: Call, run_id: str) -> None:
    plain, as_json = call("replay", run_id), call("replay", run_id, "--json")

    assert plain.code == ExitCode.SUCCESS
    assert "byte for byte the same" in plain.out
    assert as_json.json == {"run_id": run_id, "identical": True, "diverged_at": None, "outcome": "SUCCESS"}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("RUN_CANCELLED", "was cancelled; there is nothing to compare"),
        ("RUN_TIMED_OUT", "its time limit; there is nothing to compare"),
        ("RUN_EXPIRED", "not resumed in time; there is nothing to compare"),
        ("RUN_PERSISTENCE_FAILED", "could not be written; there is nothing to compare"),
    ],
)
def test_a_run_cut_off_from_outside_is_not_replayed(
    code: str, words: str, call: Call, run_id: str, backend: StageBackend
) -> None:
    change(backend, f"failure_code = '{code}', outcome = 'FAILED', run_state = 'FAILED'")

    plain, as_json = call("replay", run_id), call("replay", run_id, "--json")

    assert plain.code == as_json.code == ExitCode.FALLBACK
    assert words in plain.out
    assert f"rootproof trace {run_id}" in plain.out
    assert as_json.json["identical"] is None


def test_a_run_that_is_held_says_when_it_can_be_resumed_before_a_source_is_opened(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    change(backend, REOPENED.format(seconds=20))
    backend.open_error = AssertionError("no source may be opened")

    said = call("resume", run_id)

    assert said.code == ExitCode.FAILED
    assert re.search(r"it can be resumed in (1\d|20) s", said.err)


def test_a_run_that_has_not_ended_is_traced_in_words(call: Call, run_id: str, backend: StageBackend) -> None:
    change(backend, REOPENED.format(seconds=0))

    said = call("trace", run_id)

    assert "so far; the run has not ended" in said.out
    assert "? s" not in said.out


def change(backend: StageBackend, values: str) -> None:
    """Another end of the run than it had."""
    with closing(sqlite3.connect(backend.home / "control.db")) as control, control:
        control.execute(f"UPDATE run SET {values}")


def test_a_replay_without_recording_is_refused(call: Call, backend: StageBackend, run_id: str) -> None:
    (backend.home / "recording.db").unlink()

    said = call("replay", run_id)

    assert said.code == ExitCode.FAILED
    assert "RECORDING_EXPIRED" in said.err


def test_trace_of_a_failed_run_says_that_nothing_was_released(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(agent=(submit({"no": "draft"}), submit({"no": "draft"})))
    failed = call("diagnose", QUESTION, "--json").json["run_id"]

    assert "Nothing was released." in call("trace", failed).out


def test_records_are_shown_in_the_language_asked_for(call: Call, run_id: str) -> None:
    assert "已回答" in call("trace", "--lang", "zh").out
    assert "时间线" in call("trace", run_id, "--lang", "zh").out
    assert "逐字节相同" in call("replay", run_id, "--lang", "zh").out
