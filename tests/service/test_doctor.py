"""``doctor``: what is configured and reachable, what the model will see; one broken part hides no other."""

import json
import sqlite3
from pathlib import Path

import pytest

from service.exit_codes import ExitCode
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend
from tests.wire_server import Reply, WireServer, answers, fails

LINE = {"ts": "2026-03-02T14:05:00Z", "service": "checkout", "level": "ERROR", "message": "pool exhausted"}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    for part in ("logs", "db", "metrics", "knowledge"):
        (folder / part).mkdir(parents=True)
    (folder / "logs" / "app.jsonl").write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    (folder / "metrics" / "series.csv").write_text("ts,metric,value\n", encoding="utf-8")
    (folder / "alerts.json").write_text("[]", encoding="utf-8")
    (folder / "knowledge" / "pool.md").write_text("# Pool exhausted\n\nRaise the size of the pool.\n", encoding="utf-8")
    with sqlite3.connect(folder / "db" / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)")
    connection.close()
    return folder


def test_a_sound_setup_exits_0_and_shows_what_the_model_sees(call: Call, world: Path) -> None:
    said = call("doctor", "--world", str(world))

    assert said.code == ExitCode.SUCCESS
    assert said.out.startswith("Ready\n")
    for part in ("query_logs", "checkout: 1 lines", "orders(id INTEGER", "Pool exhausted", "offline: on this machine"):
        assert part in said.out
    assert "query_metrics" in said.out and "list_alerts" in said.out


def test_the_facts_as_json(call: Call, world: Path) -> None:
    facts = call("doctor", "--world", str(world), "--json").json

    assert facts["ready"] is True
    tools = ["lookup_knowledge", "query_logs", "query_sql", "query_metrics", "list_alerts"]
    assert [tool["name"] for tool in facts["tools"]] == tools
    assert facts["sources"] == []
    assert facts["documents"] == ["Pool exhausted"]


def test_without_a_world_it_says_how_to_name_one(call: Call) -> None:
    said = call("doctor")

    assert said.code == ExitCode.SUCCESS
    assert "rootproof demo" in said.out
    assert "No evidence tool" in said.out


def test_a_broken_source_is_named_and_the_rest_still_shown(call: Call, world: Path) -> None:
    (world / "db" / "shop.sqlite").write_bytes(b"no database at all")

    said = call("doctor", "--world", str(world))

    assert said.code == ExitCode.FAILED
    assert said.out.startswith("Something needs attention\n  • Cannot start. ")
    assert "shop.sqlite" in said.out
    assert "offline: on this machine" in said.out


def test_a_model_that_cannot_be_built_is_named(call: Call) -> None:
    said = call("doctor", "--model", "nonsense")

    assert said.code == ExitCode.FAILED
    assert "--model: no model 'nonsense'" in said.out


def test_an_endpoint_that_nobody_serves_is_unreachable(call: Call, backend: StageBackend) -> None:
    backend.settings = {"model": "openai:m", "model_base_url": "http://127.0.0.1:9/v1"}

    said = call("doctor")

    assert said.code == ExitCode.FAILED
    assert "http://127.0.0.1:9/v1: cannot be reached" in said.out


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (answers({"data": []}), ExitCode.SUCCESS, "answers"),
        (fails(404), ExitCode.SUCCESS, "answers"),
        (fails(401), ExitCode.FAILED, "refuses the key (status 401)"),
        (fails(503), ExitCode.FAILED, "answers with an error (status 503)"),
    ],
)
def test_what_an_endpoint_says_is_told(
    reply: Reply, code: ExitCode, words: str, call: Call, backend: StageBackend
) -> None:
    with WireServer(reply) as server:
        backend.settings = {"model": "openai:m", "model_base_url": server.base_url, "model_api_key": "sk-very-secret"}
        said = call("doctor")

    assert said.code == code
    assert f"{server.base_url}: {words}" in said.out
    assert [request.path for request in server.requests] == ["/v1/models"]
    assert "secret" not in said.out.replace("secrets are removed", "")


def test_an_external_model_is_said_to_be_one_and_identifiers_masked(call: Call, backend: StageBackend) -> None:
    backend.settings = {"model": "openai:m", "model_base_url": "http://0.0.0.0:9/v1"}

    said = call("doctor")

    assert "m: external, what it is asked leaves this machine" in said.out
    assert "(in force now)" in said.out


def test_log_files_that_cannot_be_searched_are_named_with_the_reason(call: Call, world: Path) -> None:
    (world / "logs" / "notes.log").write_text("no time here\n" * 20, encoding="utf-8")

    plain, chinese = call("doctor", "--world", str(world)), call("doctor", "--world", str(world), "--lang", "zh")
    facts = call("doctor", "--world", str(world), "--json").json

    assert "Log files that cannot be searched\n" in plain.out
    assert "logs/notes.log: no line begins with a time that is understood" in plain.out
    assert "logs/notes.log：没有可识别时间的行" in chinese.out
    assert facts["unread"] == [{"source": "logs", "name": "notes.log", "why": "no_timestamps"}]


def test_of_many_unread_files_the_first_are_named_and_the_rest_counted(call: Call, world: Path) -> None:
    for number in range(30):
        (world / "logs" / f"n{number:02}.log").write_text("no time here\n", encoding="utf-8")

    out = call("doctor", "--world", str(world)).out

    assert out.count("no line begins with a time") == 20
    assert "and 10 more" in out


def test_stores_that_are_damaged_are_named(call: Call, backend: StageBackend) -> None:
    call("diagnose", "hello")
    (backend.home / "control.db").write_bytes(b"damaged " * 1000)

    said = call("doctor")

    assert said.code == ExitCode.FAILED
    assert "Traceback" not in said.out + said.err


def test_full_recording_without_a_key_is_said_to_keep_less(call: Call, backend: StageBackend) -> None:
    backend.settings = {"recording": "full"}

    assert "ROOTPROOF_ENCRYPTION_KEY is not set" in call("doctor").out


def test_in_chinese(call: Call, world: Path) -> None:
    said = call("doctor", "--world", str(world), "--lang", "zh")

    assert said.out.startswith("就绪\n")
    assert "list_alerts" in said.out
