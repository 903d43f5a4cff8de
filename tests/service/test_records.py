"""``trace``, ``replay`` and ``resume`` of ended runs: what is kept, shown again without opening any source."""

import pytest

from service.exit_codes import ExitCode
from tests.graph.stage import QUESTION, Cast, submit
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend

UNKNOWN = "99999999-9999-4999-8999-999999999999"


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
