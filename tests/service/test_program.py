"""The installed program in its own process: what only a process shows. Few, because each costs seconds."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.wire_server import WireServer, answers

PROGRAM = Path(sys.executable).with_name("rootproof")


def environment(home: Path, **extra: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ROOTPROOF_", "LC_", "LANG"))}
    return {**kept, "ROOTPROOF_HOME": str(home), "COLUMNS": "80", **extra}


def call(home: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *words], env=environment(home, **extra), cwd=home, capture_output=True, encoding="utf-8", timeout=120
    )


def test_version_is_that_of_the_package(tmp_path: Path) -> None:
    said = call(tmp_path, "--version")

    assert (said.returncode, said.stdout, said.stderr) == (0, "rootproof 0.1.0\n", "")


def test_help_opens_none_of_the_heavy_libraries() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, service.cli; print(*sys.modules)"], capture_output=True, encoding="utf-8"
    )

    heavy = {
        "langgraph",
        "langchain_core",
        "sqlalchemy",
        "pymilvus",
        "numpy",
        "pydantic_settings",
        "structlog",
        "worlds",
    }
    assert heavy & set(loaded.stdout.split()) == set()


def test_help_is_in_the_language_of_the_locale(tmp_path: Path) -> None:
    assert "诊断一个内置的事故" in call(tmp_path, "--help", LC_ALL="zh_CN.UTF-8").stdout
    assert "Diagnose a bundled incident" in call(tmp_path, "--help", LC_ALL="C.UTF-8").stdout


def test_errors_are_in_the_language_of_the_locale(tmp_path: Path) -> None:
    said = call(tmp_path, "diagnose", "why?", LANG="zh_CN.UTF-8", ROOTPROOF_DEADLINE_S="soon")

    assert said.returncode == 2
    assert said.stdout == ""
    assert said.stderr.startswith("无法启动。ROOTPROOF_DEADLINE_S：应为数字。")


def test_a_terminal_that_knows_no_chinese_gets_escapes_not_an_error(tmp_path: Path) -> None:
    said = call(tmp_path, "demo", "--list", "--lang", "zh", PYTHONIOENCODING="ascii")

    assert said.returncode == 0
    assert "\\u5185\\u7f6e" in said.stdout


def test_a_reader_that_leaves_early_is_no_error_message(tmp_path: Path) -> None:
    command = f"{PROGRAM} demo --list | head -c 1"
    said = subprocess.run(
        command, shell=True, env=environment(tmp_path), capture_output=True, encoding="utf-8", timeout=60
    )

    assert said.stderr == ""


@pytest.mark.e2e
@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_ctrl_c_ends_the_run_as_cancelled_within_seconds(extra: tuple[str, ...], tmp_path: Path) -> None:
    with WireServer(answers({}, delay_s=60)) as server:
        settings = {"ROOTPROOF_MODEL": "openai:m", "ROOTPROOF_MODEL_BASE_URL": server.base_url}
        process = subprocess.Popen(
            [PROGRAM, "diagnose", "Why do payments fail?", *extra],
            env=environment(tmp_path, **settings),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert server.arrived.wait(60)
        process.send_signal(signal.SIGINT)
        asked_at = time.monotonic()
        out, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert time.monotonic() - asked_at < 10
    assert "Traceback" not in out + err
    assert json.loads(out)["outcome"] == "CANCELLED" if extra else out.startswith("Cancelled\n")
    kept = json.loads(call(tmp_path, "trace", "--json").stdout)["runs"]
    assert [run["run_state"] for run in kept] == ["CANCELLED"]
