"""An ended run as a file that another machine executes again: the same answer, and nothing outside is called."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from graph.app import open_app
from graph.export import (
    MAX_EXPORT_BYTES,
    ExportedRun,
    UnreadableExport,
    export_run,
    parse_export,
    read_export,
    replay_export,
)
from graph.replay import Replay
from service.cli import run
from service.exit_codes import ExitCode
from state.model.diagnosis import RunOptions
from state.model.enums import ReleaseOutcome
from state.model.errors import RunRefused
from state.model.ids import RunId
from tests.graph.stage import (
    PAGES,
    RUN_ID,
    TO_DIAGNOSIS,
    UNSUPPORTED,
    Cast,
    ask,
    gained,
    good_draft,
    null_draft,
    stage,
    submit,
)
from tests.service.stage_backend import StageBackend
from worlds import build_world, world_question

STORIES = {
    "happy": Cast(),
    "small talk": Cast(question="hello", router=()),
    "a runbook": Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',)),
    "refused requests": Cast(
        agent=(
            ask("errors", tool="read_mind", call_id="call-1"),
            ask("errors", gained("nobody"), call_id="call-2"),
            ask("errors"),
            ask("errors", gained("call-errors"), call_id="call-3"),
            submit(good_draft()),
        )
    ),
    "a search that fails": Cast(
        agent=(ask("errors"), submit(null_draft())), pages={**PAGES, "errors": RuntimeError("boom")}
    ),
    "masked": Cast(
        pages={"errors": [f"{line} on 10.9.8.7" for line in PAGES["errors"]]},  # type: ignore[union-attr]
        settings={"redaction": "always"},
    ),
    "not carried": Cast(semantic=(UNSUPPORTED,)),
    "no router": Cast(router=("", "")),
}


async def exported(home: Path, cast: Cast | None = None) -> bytes:
    """The file of one run."""
    async with stage(home, cast) as play:
        await play.run()
        found = await export_run(play.stores, RUN_ID)
        assert found is not None
        return found.model_dump_json().encode()


async def elsewhere(content: bytes, home: Path) -> Replay:
    """The file executed on a machine that knows nothing of the run."""
    return await replay_export(Settings(home=home), parse_export(content))


@pytest.mark.parametrize("story", STORIES)
async def test_a_run_is_the_same_on_another_machine(tmp_path: Path, story: str) -> None:
    content = await exported(tmp_path / "here", STORIES[story])
    replay = await elsewhere(content, tmp_path / "there")

    assert (replay.identical, replay.diverged_at) == (True, None)
    assert not (tmp_path / "there").exists()


@pytest.mark.xdist_group("worlds")
async def test_a_diagnosis_of_a_world_is_replayed_without_the_world(tmp_path: Path) -> None:
    world = build_world("payment-timeouts", tmp_path / "payment-timeouts")
    async with open_app(Settings(home=tmp_path / "here"), world) as app:
        request: Any = {"query": world_question("payment-timeouts"), "run_id": app.new_run_id()}
        result = await app.diagnose(request, RunOptions(), lambda _: None)
        found = await app.records.export(RunId(result.run_id))
    assert found is not None
    replay = await elsewhere(found.model_dump_json().encode(), tmp_path / "there")

    assert result.outcome is ReleaseOutcome.SUCCESS
    assert replay.identical
    assert str(tmp_path) not in found.model_dump_json()


async def test_the_file_says_nothing_of_the_machine(tmp_path: Path) -> None:
    content = json.loads(await exported(tmp_path))

    assert (content["format"], content["version"]) == ("rootproof-run", 1)
    assert (content["run"]["owner"], content["run"]["world"]) == ("", "stage")
    assert str(tmp_path) not in json.dumps(content)


async def test_a_run_that_cannot_be_exported(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(settings={"recording": "off"})) as play:
        with pytest.raises(RunRefused):
            await export_run(play.stores, RUN_ID)
        await play.run()
        await play.stores.recording.delete_runs([RUN_ID])

        assert await export_run(play.stores, RUN_ID) is None


async def test_a_run_under_way_is_not_exported(tmp_path: Path) -> None:
    refused: list[str] = []

    async def meanwhile() -> object:
        with pytest.raises(RunRefused) as error:
            await export_run(play.stores, RUN_ID)
        refused.append(error.value.why)
        return PAGES["errors"]

    async with stage(tmp_path, Cast(pages={**PAGES, "errors": meanwhile})) as play:
        await play.run()

    assert refused == ["it has not ended; resume it first"]


def resealed(content: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The file after a change that its digest agrees with, as a forger writes it."""
    from graph.export import _sealed

    body = json.loads(content)
    change(body)
    try:
        forged = ExportedRun.model_validate(body)
    except ValueError:
        return json.dumps(body).encode()
    body["sha256"] = _sealed(forged.run, forged.recording)
    return json.dumps(body).encode()


def reply_of(body: dict[str, Any], step: str) -> dict[str, Any]:
    return next(reply for reply in body["recording"] if reply["step"] == step)  # type: ignore[no-any-return]


async def test_another_question_diverges_where_it_is_first_asked(tmp_path: Path) -> None:
    def ask_otherwise(body: dict[str, Any]) -> None:
        question = "Why do payments fail in notebook since 15:05?"
        body["run"]["query"] = body["run"]["facts"]["query"] = question

    replay = await elsewhere(resealed(await exported(tmp_path / "a"), ask_otherwise), tmp_path)

    assert (replay.identical, replay.diverged_at) == (False, "router:1:1")


async def test_a_forged_answer_is_no_replay_of_its_recording(tmp_path: Path) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["run"]["decision"]["content"]["draft"]["conclusion"]["text"] = "It was the network."

    replay = await elsewhere(resealed(await exported(tmp_path / "a"), forge), tmp_path)

    assert (replay.identical, replay.diverged_at) == (False, "result")


async def test_a_lost_reply_names_its_step(tmp_path: Path) -> None:
    def lose(body: dict[str, Any]) -> None:
        body["recording"].remove(reply_of(body, "tool:call-errors"))

    replay = await elsewhere(resealed(await exported(tmp_path / "a"), lose), tmp_path)

    assert replay.diverged_at == "tool:call-errors"


async def test_a_file_that_was_changed_is_damaged(tmp_path: Path) -> None:
    content = await exported(tmp_path)

    with pytest.raises(UnreadableExport) as error:
        parse_export(content.replace(b"HikariPool-1", b"HikariPool-2"))
    assert "damaged" in error.value.why.en


def _running(body: dict[str, Any]) -> None:
    body["run"]["run_state"] = "RUNNING"


def _other_run(body: dict[str, Any]) -> None:
    body["run"]["facts"]["run_id"] = "22222222-2222-4222-8222-222222222222"


def _no_uuid(body: dict[str, Any]) -> None:
    body["run"]["run_id"] = body["run"]["facts"]["run_id"] = "../../etc/passwd"


def _bad_session(body: dict[str, Any]) -> None:
    body["run"]["session_id"] = body["run"]["facts"]["session_id"] = "a b"


def _twice(body: dict[str, Any]) -> None:
    body["recording"].append(body["recording"][-1])


def _no_reply(body: dict[str, Any]) -> None:
    reply_of(body, "agent:1:1")["reply_json"] = '{"reply": 7}'


def _no_result(body: dict[str, Any]) -> None:
    reply_of(body, "tool:call-errors")["reply_json"] = "[" * 100_000


def _no_digest(body: dict[str, Any]) -> None:
    reply_of(body, "agent:1:1")["request_sha256"] = "0"


def _no_tools(body: dict[str, Any]) -> None:
    body["recording"].remove(reply_of(body, "tools"))


def _more(body: dict[str, Any]) -> None:
    body["script"] = "import os"


def _other_question(value: dict[str, Any]) -> None:
    value["run"]["query"] = "Why is the sky blue?"


def _other_question(body: dict[str, Any]) -> None:
    body["run"]["query"] = "Why is the sky blue?"


def _other_format(body: dict[str, Any]) -> None:
    body["format"] = "something"


def _later(body: dict[str, Any]) -> None:
    body["version"] = 2


def _too_many(body: dict[str, Any]) -> None:
    body["recording"] = [{**body["recording"][0], "step": f"s{n}"} for n in range(5001)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_running, "run.run_state"),
        (_other_run, "run.run_id"),
        (_no_uuid, "run.run_id"),
        (_bad_session, "run.session_id"),
        (_twice, "recording"),
        (_no_reply, "recording."),
        (_no_result, "recording."),
        (_no_digest, "recording."),
        (_no_tools, "RECORDING_EXPIRED"),
        (_more, "script"),
        (_other_format, "is no exported run"),
        (_other_question, "run.query"),
        (_later, "format version 2"),
        (_too_many, "recording"),
    ],
)
async def test_a_hostile_file_is_refused_before_anything_is_executed(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    content = resealed(await exported(tmp_path), change)
    with pytest.raises(UnreadableExport) as error:
        parse_export(content)

    assert said in error.value.why.en.format(path="run.json", **error.value.values)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b'{"format": NaN}'])
def test_what_is_no_export_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableExport):
        parse_export(content)


def test_only_a_bounded_regular_file_is_read(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_EXPORT_BYTES + 1)
    for path in (tmp_path, tmp_path / "absent", large, Path("/dev/zero")):
        with pytest.raises(UnreadableExport):
            read_export(path)


async def test_the_command_says_whether_it_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.json").write_bytes(await exported(tmp_path / "here"))
    monkeypatch.chdir(tmp_path)
    code, said = await replayed(capsys, tmp_path, "--file", "run.json", "--json")

    assert code == ExitCode.SUCCESS
    assert said == {"run_id": RUN_ID, "identical": True, "diverged_at": None, "outcome": "SUCCESS"}


async def test_the_command_says_where_it_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["run"]["decision"]["content"]["draft"]["conclusion"]["text"] = "It was the network."

    file = tmp_path / "run.json"
    file.write_bytes(resealed(await exported(tmp_path / "here"), forge))
    code, said = await replayed(capsys, tmp_path, "--file", str(file), "--json")

    assert (code, said["diverged_at"]) == (ExitCode.FAILED, "result")


@pytest.mark.parametrize("words", [("--file", "absent.json"), (), (RUN_ID, "--file", "absent.json")])
async def test_the_command_needs_one_run_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, said = await replayed(capsys, tmp_path, *words, "--json")

    assert code == ExitCode.USAGE
    assert said["error"]["code"] == "USAGE"


async def replayed(capsys: pytest.CaptureFixture[str], home: Path, *words: str) -> tuple[int, Any]:
    """Exit code and output of the command on a machine of its own."""
    import asyncio

    capsys.readouterr()
    backend = StageBackend(home / "there", Cast(router=(TO_DIAGNOSIS,)))
    code = await asyncio.to_thread(run, ["replay", *words], backend)
    return code, json.loads(capsys.readouterr().out)
