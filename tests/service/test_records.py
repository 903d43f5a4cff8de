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


def test_an_untouched_audit_is_verified_and_exits_0(call: Call, run_id: str) -> None:
    plain, as_json = call("trace", run_id, "--verify"), call("trace", run_id, "--verify", "--json")

    assert (plain.code, as_json.code) == (ExitCode.SUCCESS, ExitCode.SUCCESS)
    assert f"Audit of run {run_id}: verified" in plain.out
    assert (as_json.json["run_id"], as_json.json["verdict"]) == (run_id, "VERIFIED")
    assert as_json.json["recorded"] == as_json.json["found"]


@pytest.mark.parametrize(
    ("statement", "difference", "words"),
    [
        ("UPDATE trace_event SET node = 'agent' WHERE sequence_no = 2", "CONTENT", "what they hold differs"),
        ("DELETE FROM trace_event WHERE sequence_no = 2", "COUNT", "Rows were deleted or added since"),
        ("DELETE FROM trace_event WHERE type = 'RUN_FINISHED'", "COUNT", "rootproof resume"),
    ],
)
def test_an_altered_audit_says_in_what_it_differs_and_exits_1(
    call: Call, run_id: str, backend: StageBackend, statement: str, difference: str, words: str
) -> None:
    with closing(sqlite3.connect(backend.home / "audit.db")) as audit, audit:
        audit.execute(statement)

    plain, as_json = call("trace", run_id, "--verify"), call("trace", run_id, "--verify", "--json")

    assert (plain.code, as_json.code) == (ExitCode.FAILED, ExitCode.FAILED)
    assert "altered" in plain.out
    assert words in plain.out
    assert (as_json.json["verdict"], as_json.json["difference"]) == ("ALTERED", difference)


def test_the_last_event_that_is_missing_is_written_by_the_command_that_is_named(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    with closing(sqlite3.connect(backend.home / "audit.db")) as audit, audit:
        audit.execute("DELETE FROM trace_event WHERE type = 'RUN_FINISHED'")

    assert call("resume", run_id).code == ExitCode.SUCCESS

    assert call("trace", run_id, "--verify").code == ExitCode.SUCCESS


def test_a_run_of_before_digests_were_kept_has_nothing_to_compare_and_exits_3(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    change(backend, "audit_rows = NULL, audit_sha256 = NULL")

    plain, as_json = call("trace", run_id, "--verify"), call("trace", run_id, "--verify", "--json")

    assert (plain.code, as_json.code) == (ExitCode.FALLBACK, ExitCode.FALLBACK)
    assert "not recorded" in plain.out
    assert (as_json.json["verdict"], as_json.json["recorded"]) == ("NOT_RECORDED", None)


def test_an_audit_with_a_row_that_cannot_be_read_is_altered_all_the_same(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    with closing(sqlite3.connect(backend.home / "audit.db")) as audit, audit:
        audit.execute("UPDATE trace_event SET at = 'never', details = '{', type = 'NONSENSE' WHERE sequence_no = 3")

    assert call("trace", run_id, "--verify").code == ExitCode.FAILED


def test_verify_without_a_run_says_how_it_is_written(call: Call) -> None:
    said = call("trace", "--verify")

    assert said.code == ExitCode.USAGE
    assert "rootproof trace RUN_ID --verify" in said.err


def test_verify_of_an_unknown_run_is_named(call: Call) -> None:
    assert call("trace", UNKNOWN, "--verify", "--json").json["error"]["code"] == "NO_SUCH_RUN"


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


def test_a_replay_from_every_step_says_of_each_whether_it_is_the_same(call: Call, run_id: str) -> None:
    plain, as_json = call("replay", run_id, "--every-step"), call("replay", run_id, "--every-step", "--json")

    assert (plain.code, as_json.code) == (ExitCode.SUCCESS, ExitCode.SUCCESS)
    assert "Identical from every step" in plain.out
    assert as_json.json["identical"] is True
    assert [step["node"] for step in as_json.json["steps"]][:3] == ["open_run", "route", "agent"]
    assert {step["diverged_at"] for step in as_json.json["steps"]} == {None}


def test_a_replay_as_configured_now_names_the_first_step_of_another_model(call: Call, run_id: str) -> None:
    whole, steps = (
        call("replay", run_id, "--as-configured", "--json"),
        call("replay", run_id, "--as-configured", "--every-step"),
    )

    assert (whole.code, steps.code) == (ExitCode.FAILED, ExitCode.FAILED)
    assert whole.json["diverged_at"] == "router:1:1"
    assert "different from router:1:1 on" in steps.out
    assert "identical" in steps.out


def test_a_replay_from_steps_that_are_gone_has_nothing_to_begin_from(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    (backend.home / "checkpoints.db").unlink()

    said = call("replay", run_id, "--every-step")

    assert said.code == ExitCode.FALLBACK
    assert "nothing to begin from" in said.out


def test_an_exported_run_has_no_steps_to_begin_from(call: Call) -> None:
    said = call("replay", "--file", "run.json", "--every-step")

    assert said.code == ExitCode.USAGE
    assert "--every-step" in said.err


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
    assert "从每一步重放都完全一致" in call("replay", run_id, "--every-step", "--lang", "zh").out
    assert "已核实" in call("trace", run_id, "--verify", "--lang", "zh").out
