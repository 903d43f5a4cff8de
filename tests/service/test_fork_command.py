"""The command ``fork``: the list of steps, and a new run with progress and report like any other."""

import sqlite3
from contextlib import closing

import pytest

from service.exit_codes import ExitCode
from tests.graph.forks import turns_from
from tests.graph.stage import QUESTION, Cast
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend


@pytest.fixture
def run_id(call: Call, backend: StageBackend) -> str:
    found = str(call("diagnose", QUESTION, "--json").json["run_id"])
    backend.cast = turns_from(6)
    return found


def test_without_a_step_the_steps_are_listed(call: Call, run_id: str) -> None:
    said = call("fork", run_id)

    assert said.code == ExitCode.SUCCESS
    assert f"Steps of run {run_id}" in said.out
    assert "    6 " in said.out
    assert "guard_evidence   Check every citation" in said.out
    assert f"rootproof fork {run_id} --at 6" in said.out


def test_the_list_in_chinese_and_as_json(call: Call, run_id: str) -> None:
    chinese, listed = call("fork", run_id, "--lang", "zh"), call("fork", run_id, "--json").json

    assert f"运行 {run_id} 的步骤" in chinese.out
    assert "核对每一处引用" in chinese.out
    assert [step["node"] for step in listed["steps"]][:2] == ["open_run", "route"]
    assert listed["run_id"] == run_id


def test_a_fork_shows_progress_and_a_report(call: Call, run_id: str) -> None:
    said = call("fork", run_id, "--at", "agent:2")

    assert said.code == ExitCode.SUCCESS
    assert f"Going on from step 6 (agent) of run {run_id}: {QUESTION}" in said.err
    assert "Choosing the next step (step 2)" in said.err
    assert "HikariPool-1 Connection is not available" in said.out
    assert "was copied, not searched again" in said.out


def test_its_trace_names_the_parent_and_the_copied_result(call: Call, run_id: str) -> None:
    forked = call("fork", run_id, "--at", "6", "--json").json
    said, kept = call("trace", forked["run_id"]), call("trace", forked["run_id"], "--json").json

    assert forked["outcome"] == "SUCCESS"
    assert forked["usage"]["tool_calls"] == 0
    assert f"run {run_id}, checkpoint {kept['run']['fork_checkpoint']}" in said.out
    assert "TOOL_RESULT_COPIED" in said.out
    assert kept["run"]["parent_run_id"] == run_id
    assert f"rootproof fork {forked['run_id']}" in said.out


def test_a_step_that_is_not_there_is_said_before_any_source_is_opened(
    call: Call, run_id: str, backend: StageBackend
) -> None:
    opened = len(backend.opened_worlds)
    said = call("fork", run_id, "--at", "42")

    assert said.code == ExitCode.FAILED
    assert "name a number up to 10" in said.err
    assert len(backend.opened_worlds) == opened


def test_an_unknown_run_is_wrong_use(call: Call, backend: StageBackend) -> None:
    for words in (("fork", "nope"), ("fork", "nope", "--at", "3")):
        assert call(*words).code == ExitCode.USAGE


def test_another_keys_run_is_not_forked(call: Call, run_id: str, backend: StageBackend) -> None:
    with closing(sqlite3.connect(backend.home / "control.db")) as file, file:
        file.execute("UPDATE run SET owner_key = 'somebody'")

    said = call("fork", run_id, "--at", "6", "--json")

    assert (said.code, said.json["error"]["code"]) == (ExitCode.FAILED, "RUN_REFUSED")


def test_a_run_without_steps_says_so(call: Call, run_id: str, backend: StageBackend) -> None:
    (backend.home / "checkpoints.db").unlink()

    for words in (("fork", run_id), ("fork", run_id, "--at", "3")):
        said = call(*words)
        assert said.code == ExitCode.FAILED
        assert "its steps are not kept any more" in said.err


def test_a_fork_may_end_without_a_cause(call: Call, run_id: str, backend: StageBackend) -> None:
    backend.cast = Cast(agent=("not a draft",) * 2)

    assert call("fork", run_id, "--at", "6").code == ExitCode.FALLBACK
