"""``diagnose`` end to end in one process: real graph and stores, scripted model. What is said where, and exit codes."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from service.exit_codes import ExitCode
from state.model.diagnosis import RunOptions
from state.model.errors import Misconfigured, ModelFailed, RunRefused, TruthUnavailable
from tests.graph.stage import PAGES, QUESTION, RUN_ID, Cast, ask, gained, good_draft, null_draft, stage, submit
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend

JSON_KEYS = [
    "run_id",
    "session_id",
    "intent",
    "outcome",
    "run_state",
    "content_type",
    "fallback_type",
    "stop_reason",
    "failure_code",
    "report",
    "fallback",
    "answer",
    "evidence",
    "usage",
    "trace",
    "model",
    "window",
    "alert",
]
USAGE_KEYS = ["model_calls", "tool_calls", "total_tokens", "tokens_reconciled", "wall_ms"]
FOUND_NOTHING = (ask("errors"), submit(null_draft()))


def interrupt() -> list[str]:
    """What Ctrl-C does, in the middle of a search."""
    os.kill(os.getpid(), signal.SIGINT)
    return []


INTERRUPTED = Cast(pages={**PAGES, "errors": interrupt})


def test_a_proved_cause_exits_0_with_the_report_on_stdout_and_progress_on_stderr(call: Call) -> None:
    said = call("diagnose", QUESTION)

    assert said.code == ExitCode.SUCCESS
    assert said.out.startswith("Root cause\n  payments could not get a connection: HikariPool-1")
    assert "Connection is not available, request timed out" in said.out
    assert "read_notebook · notebook · page=errors · errors:0" in said.out
    assert "Searched read_notebook: notebook … found" in said.err
    assert "Searched" not in said.out


def test_the_report_names_model_window_zone_run_and_trace(call: Call) -> None:
    said = call("diagnose", QUESTION)

    run_id = said.err.split("Run ")[1].split(" started")[0]
    assert "Model     scripted" in said.out
    assert "Window    2026-03-02 14:05–14:30 +00:00 (asked)" in said.out
    assert f"Trace     rootproof trace {run_id}" in said.out


def test_without_proof_it_exits_3_and_says_so_in_one_sentence_first(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(agent=FOUND_NOTHING)

    said = call("diagnose", QUESTION)

    assert said.code == ExitCode.FALLBACK
    headline, sentence, *rest = said.out.splitlines()
    assert headline == "No cause named"
    assert sentence.strip().startswith("Searched notebook;")
    assert "What was checked" in rest
    assert "Root cause" not in said.out


def test_what_no_evidence_proves_is_marked_unverified(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(agent=FOUND_NOTHING)

    assert "Missing (unverified)\n  • which service is affected" in call("diagnose", QUESTION).out


def test_a_failed_run_exits_1_with_its_code_and_the_log_file(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(router=("no json", "no json"))

    said = call("diagnose", QUESTION)

    assert said.code == ExitCode.FAILED
    assert said.out.startswith("The run failed\n  The question was not understood")
    assert "ROUTING_UNAVAILABLE" in said.out
    assert str(backend.home / "logs" / "rootproof.log") in said.out


def test_a_greeting_is_answered_plainly(call: Call) -> None:
    said = call("diagnose", "hello")

    assert said.code == ExitCode.SUCCESS
    assert said.out.startswith("Answer\n  I diagnose production incidents.")


def test_ctrl_c_closes_the_run_as_cancelled_and_exits_130(call: Call, backend: StageBackend) -> None:
    backend.cast = INTERRUPTED

    said = call("diagnose", QUESTION)

    assert said.code == ExitCode.CANCELLED
    assert said.out.startswith("Cancelled\n")
    assert call("trace", "--json").json["runs"][0]["run_state"] == "CANCELLED"


def outcomes() -> list[tuple[str, str, Cast, ExitCode]]:
    return [
        ("SUCCESS", QUESTION, Cast(), ExitCode.SUCCESS),
        ("SUCCESS", "hello", Cast(), ExitCode.SUCCESS),
        ("FALLBACK", QUESTION, Cast(agent=FOUND_NOTHING), ExitCode.FALLBACK),
        ("FALLBACK", QUESTION, Cast(agent=(submit(null_draft()),)), ExitCode.FALLBACK),
        ("FAILED", QUESTION, Cast(router=("no json", "no json")), ExitCode.FAILED),
        ("FAILED", QUESTION, Cast(agent=("no draft", "no draft")), ExitCode.FAILED),
        ("CANCELLED", QUESTION, INTERRUPTED, ExitCode.CANCELLED),
    ]


@pytest.mark.parametrize(("outcome", "question", "cast", "code"), outcomes())
def test_json_has_every_key_whatever_the_outcome(
    outcome: str, question: str, cast: Cast, code: ExitCode, call: Call, backend: StageBackend
) -> None:
    backend.cast = cast

    said = call("diagnose", question, "--json")

    assert said.code == code
    assert list(said.json) == JSON_KEYS
    assert list(said.json["usage"]) == USAGE_KEYS
    assert list(said.json["trace"]) == ["events", "steps"]
    assert said.json["outcome"] == outcome
    assert sum(said.json[key] is not None for key in ("report", "fallback", "answer", "failure_code")) == 1


def test_json_of_a_report_holds_draft_evidence_and_figures(call: Call) -> None:
    result = call("diagnose", QUESTION, "--json").json

    assert result["report"]["conclusion"]["kind"] == "ROOT_CAUSE"
    assert result["report"]["analysis"][0]["quotes"][0]["item_id"] == "errors:0"
    assert result["evidence"] == [
        {
            "tool_call_id": "call-errors",
            "tool": "read_notebook",
            "scope": {"source": "notebook", "window": None, "filters": {"page": "errors"}, "query": None},
            "evidence_status": "EVIDENCE_FOUND",
            "items": [{"item_id": "errors:0", "kind": "TELEMETRY", "text": PAGES["errors"][0]}],
        }
    ]
    assert result["usage"]["tool_calls"] == 1
    assert result["trace"]["steps"] == 2
    assert result["window"] == {
        "start": "2026-03-02T14:05:00+00:00",
        "end": "2026-03-02T14:30:00+00:00",
        "time_zone": "UTC",
    }


def test_a_chinese_question_is_narrated_and_answered_in_chinese(call: Call, backend: StageBackend) -> None:
    backend.cast = Cast(agent=FOUND_NOTHING)

    said = call("diagnose", "从 14:05 开始 payments 为什么失败？")

    assert said.out.startswith("未给出根因\n  已检索 notebook")
    assert "正在检索 read_notebook" in said.err
    assert "缺少的信息（未经核实）" in said.out


def test_lang_wins_over_the_question(call: Call) -> None:
    assert call("diagnose", QUESTION, "--lang", "zh").out.startswith("根因\n")


def test_output_writes_the_same_report_as_markdown(call: Call, elsewhere: Path) -> None:
    said = call("diagnose", QUESTION, "--output", "report.md")

    written = (elsewhere / "report.md").read_text(encoding="utf-8")
    assert written.startswith("# Root cause\n\n**payments could not get a connection")
    assert "Written to report.md" in said.err


@pytest.mark.parametrize("target", ["no-such-folder/report.md", "."])
def test_a_report_that_cannot_be_written_is_refused_before_the_run(
    target: str, call: Call, backend: StageBackend
) -> None:
    said = call("diagnose", QUESTION, "--output", target)

    assert said.code == ExitCode.USAGE
    assert "cannot be written" in said.err
    assert backend.opened_worlds == []


def test_session_and_window_reach_the_run(call: Call) -> None:
    result = call("diagnose", QUESTION, "--session", "night-shift", "--since", "30m", "--json").json

    assert result["session_id"] == "night-shift"
    assert result["window"]["start"] == "2026-03-02T14:00:00+00:00"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("",), "The question is empty"),
        (("   ",), "The question is empty"),
        (("x" * 1_000_000,), "at most 4000 are allowed"),
        (("\udcff",), "not text in UTF-8"),
        (("q\x00",), "NUL"),
        ((QUESTION, "--since", "soon"), "is no length of time"),
        ((QUESTION, "--from", "2026-99-01"), "is no time"),
        ((QUESTION, "--from", "2026-03-02T15:00", "--to", "2026-03-02T14:00"), "The time window is empty"),
        ((QUESTION, "--session", "no spaces allowed"), "A session id has"),
    ],
)
def test_a_question_that_cannot_open_a_run_is_invalid(words: tuple[str, ...], part: str, call: Call) -> None:
    said = call("diagnose", *words, "--json")

    assert said.code == ExitCode.USAGE
    assert list(said.json) == ["error"]
    assert said.json["error"]["code"] == "INVALID_QUERY"
    assert part in said.json["error"]["message"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--since", "1h", "--from", "2026-03-02T14:00"), "--since cannot be combined"),
        (("--since", "9" * 41), "--since is longer than 40 characters"),
        (("--world", "nowhere"), "there is no such folder"),
        (("--lang", "fr"), "lang"),
        (("--no-such-option",), "--no-such-option"),
    ],
)
def test_wrong_use_exits_2_in_words_and_as_json(words: tuple[str, ...], part: str, call: Call) -> None:
    plain, as_json = call("diagnose", QUESTION, *words), call("diagnose", QUESTION, *words, "--json")

    assert plain.code == as_json.code == ExitCode.USAGE
    assert part in plain.err
    assert plain.out == ""
    assert as_json.json["error"]["code"] == "USAGE"


@pytest.mark.parametrize(
    ("words", "usage", "why", "hint"),
    [
        (("diagnose",), "diagnose [OPTIONS] {QUESTION}", "Missing argument", "rootproof diagnose --help"),
        (("diagnos", "x"), "[OPTIONS] COMMAND", "Did you mean 'diagnose'?", "rootproof --help"),
        (("trace", "--wrld"), "trace [OPTIONS]", "No such option: --wrld", "rootproof trace --help"),
    ],
)
def test_a_command_line_that_cannot_be_parsed_shows_usage_and_the_way_to_the_help(
    words: tuple[str, ...], usage: str, why: str, hint: str, call: Call
) -> None:
    said = call(*words)

    assert said.code == ExitCode.USAGE
    first, second, *_, last = said.err.splitlines()
    assert first.startswith("Usage: rootproof ") and usage in first
    assert why in second
    assert last == f"  {hint}"


def test_an_empty_folder_is_no_world_and_nothing_is_opened(call: Call, backend: StageBackend, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    for command in (("diagnose", QUESTION), ("doctor",)):
        said = call(*command, "--world", str(tmp_path / "empty"))

        assert said.code == ExitCode.USAGE
        assert "has no logs/, db/, metrics/" in said.err
    assert backend.opened_worlds == []


def test_a_folder_with_runbooks_alone_is_a_world(call: Call, backend: StageBackend, tmp_path: Path) -> None:
    (tmp_path / "shop" / "knowledge").mkdir(parents=True)

    assert call("diagnose", QUESTION, "--world", str(tmp_path / "shop")).code == ExitCode.SUCCESS
    assert backend.opened_worlds == [tmp_path / "shop"]


@pytest.mark.parametrize(
    "words",
    [("",), ("x" * 4001,), (QUESTION, "--since", "soon"), (QUESTION, "--from", "x"), (QUESTION, "--session", "a b")],
)
def test_words_are_judged_before_a_source_is_opened(words: tuple[str, ...], call: Call, backend: StageBackend) -> None:
    assert call("diagnose", *words).code == ExitCode.USAGE
    assert backend.opened_worlds == []


@pytest.mark.parametrize(("words", "named"), [(("--model", "gpt"), "--model"), ((), "ROOTPROOF_MODEL")])
def test_a_model_that_is_none_is_named_by_where_it_was_given(
    words: tuple[str, ...], named: str, call: Call, backend: StageBackend
) -> None:
    backend.open_error = Misconfigured("ROOTPROOF_MODEL", "no model 'gpt': use offline, openai:NAME")

    assert f"Cannot start. {named}: no model 'gpt'" in call("diagnose", QUESTION, *words).err


def test_the_way_out_of_an_error_is_a_command_on_its_own_line(call: Call) -> None:
    assert call("trace", "nonsense").err.splitlines()[-1] == "  rootproof trace"


@pytest.mark.parametrize(
    ("error", "code", "exit_code", "part"),
    [
        (Misconfigured("ROOTPROOF_MODEL", "no model 'x'"), "MISCONFIGURED", 2, "ROOTPROOF_MODEL: no model 'x'."),
        (RunRefused("r1", "another process executes it"), "RUN_REFUSED", 1, "killed less than 30 seconds ago"),
        (TruthUnavailable("control", "open"), "RUN_PERSISTENCE_FAILED", 1, "The control store in"),
        (ModelFailed("connect", retryable=True), "MODEL_UNAVAILABLE", 1, "(connect)"),
        (ZeroDivisionError("secret detail"), "INTERNAL_FAILURE", 1, "Internal error"),
    ],
)
def test_errors_are_sentences_with_a_way_out_never_a_trace(
    error: Exception, code: str, exit_code: int, part: str, call: Call, backend: StageBackend
) -> None:
    backend.open_error = error

    plain, as_json = call("diagnose", QUESTION), call("diagnose", QUESTION, "--json")

    assert plain.code == as_json.code == exit_code
    assert part in plain.err
    assert "Traceback" not in plain.err + plain.out
    assert "secret detail" not in plain.err
    assert as_json.json["error"]["code"] == code


def test_an_internal_error_is_in_the_log_file(call: Call, backend: StageBackend) -> None:
    backend.open_error = ZeroDivisionError("the detail")

    call("diagnose", QUESTION)

    log = backend.home / "logs" / "rootproof.log"
    assert "the detail" in log.read_text(encoding="utf-8")
    assert log.stat().st_mode & 0o777 == 0o600


def test_verbose_logs_to_stderr(call: Call, backend: StageBackend) -> None:
    backend.open_error = ZeroDivisionError("the detail")

    said = call("diagnose", QUESTION, "--verbose")

    assert "the detail" in said.err
    assert said.out == ""


def test_the_current_folder_is_the_world_if_it_has_evidence(call: Call, backend: StageBackend, elsewhere: Path) -> None:
    (elsewhere / "logs").mkdir()

    said = call("diagnose", QUESTION)

    assert backend.opened_worlds == [elsewhere]
    assert "(the current folder)" in said.err


def test_a_folder_without_evidence_is_no_world_and_that_is_said(call: Call, backend: StageBackend) -> None:
    said = call("diagnose", QUESTION)

    assert backend.opened_worlds == [None]
    assert "No evidence to search" in said.err


def test_the_setting_wins_over_the_current_folder(
    call: Call, backend: StageBackend, elsewhere: Path, tmp_path: Path
) -> None:
    (elsewhere / "logs").mkdir()
    backend.settings = {"world": tmp_path}

    call("diagnose", QUESTION)

    assert backend.opened_worlds == [tmp_path]


HOSTILE = "2026-03-02T14:06:10Z ERROR \x1b[2J\x1b]0;owned\x07 \x9b31m \u202egnp.exe [red]x[/red] :smile: <b>hi</b>"


TAME = "notebook recorded ERROR at 2026-03-02T14:06:10Z"
"""What a draft may say of it: its own words hold no control characters."""


def hostile_cast() -> Cast:
    draft = good_draft()
    analysis = draft["analysis"][0]  # type: ignore[index]
    analysis["quotes"][0]["text"] = HOSTILE
    analysis["text"] = TAME
    draft["conclusion"]["text"] = TAME  # type: ignore[index]
    return Cast(agent=(ask("errors"), submit(draft)), pages={**PAGES, "errors": [HOSTILE]})


@pytest.mark.parametrize("words", [(), ("--json",), ("--output", "report.md")])
def test_a_log_line_cannot_control_the_terminal_or_the_file(
    words: tuple[str, ...], call: Call, backend: StageBackend, elsewhere: Path
) -> None:
    backend.cast = hostile_cast()

    said = call("diagnose", QUESTION, *words)

    assert said.code == ExitCode.SUCCESS
    written = "".join(file.read_text(encoding="utf-8") for file in elsewhere.glob("*.md"))
    for text in (said.out, said.err, written):
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(text)


def test_brackets_and_emoji_codes_in_evidence_are_shown_as_they_are(call: Call, backend: StageBackend) -> None:
    backend.cast = hostile_cast()

    assert "[red]x[/red] :smile: <b>hi</b>" in call("diagnose", QUESTION).out


def test_json_still_holds_the_evidence_byte_for_byte(call: Call, backend: StageBackend) -> None:
    backend.cast = hostile_cast()

    assert call("diagnose", QUESTION, "--json").json["evidence"][0]["items"][0]["text"] == HOSTILE


def test_an_interrupted_run_is_named_at_the_next_start_and_resume_ends_it(call: Call, backend: StageBackend) -> None:
    run_id = leave_a_run_behind(backend)

    named = call("diagnose", QUESTION)
    resumed = call("resume", run_id)

    assert f"Run {run_id} was interrupted; continue with: rootproof resume {run_id}" in named.err
    assert resumed.code == ExitCode.SUCCESS
    assert resumed.out.startswith("Root cause")
    assert "was interrupted" not in call("diagnose", QUESTION).err


def leave_a_run_behind(backend: StageBackend) -> str:
    """The id of a run that nobody goes on with after its first search, and whose lease is over."""

    async def begin() -> None:
        async with stage(backend.home, Cast(), owner="killed") as opened:
            request = {"query": QUESTION, "session_id": "s1", "run_id": RUN_ID}
            config = {"configurable": {"thread_id": RUN_ID}}
            events = opened.runner.graph.astream(
                request,  # type: ignore[arg-type]
                config,  # type: ignore[arg-type]
                context=RunOptions(),
                stream_mode="custom",
                durability="sync",
            )
            await _until_searched(events)
            await opened.deps.keeper.let_go(RUN_ID)

    asyncio.run(begin())
    return RUN_ID


async def _until_searched(events: AsyncIterator[dict[str, Any]]) -> None:
    async with aclosing(events):  # type: ignore[type-var]
        async for event in events:
            if "evidence_status" in event.get("payload", {}):
                return


def test_gains_are_told_by_what_they_are_about(call: Call, backend: StageBackend) -> None:
    second = ask("deploys", gained("call-errors"), tool="read_archive")
    backend.cast = Cast(agent=(ask("errors"), second, submit(good_draft())))

    assert "New information from read_notebook" in call("diagnose", QUESTION).err
