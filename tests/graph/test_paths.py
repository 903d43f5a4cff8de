"""One story a test: which nodes a run visits and how it ends."""

import json
from pathlib import Path

import pytest

from state.model.enums import (
    ContentType,
    FailureCode,
    FallbackType,
    Language,
    ReleaseOutcome,
    RunState,
    StopReason,
)
from state.model.errors import InvalidQuery
from state.model.release import Answer, DiagnosisReport, SafeFallback
from tests.graph.stage import (
    SUPPORTED,
    UNSUPPORTED,
    Cast,
    ask,
    gained,
    good_draft,
    null_draft,
    stage,
    submit,
)

START = ["open_run", "route"]
ASK = ["agent", "tool_gate", "track_progress"]
END = ["release", "close_run"]


async def test_a_proved_cause_is_published(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        result = await play.run()

        assert (result.outcome, result.run_state) == (ReleaseOutcome.SUCCESS, RunState.SUCCESS)
        assert isinstance(result.content, DiagnosisReport)
        assert await play.visited() == [*START, *ASK, "agent", "guard_evidence", "guard_semantics", *END]


async def test_a_draft_without_a_conclusion_is_not_reviewed(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(agent=(ask("errors"), submit(null_draft())))) as play:
        result = await play.run()

        assert result.fallback_type is FallbackType.INSUFFICIENT_EVIDENCE
        assert await play.visited() == [*START, *ASK, "agent", "guard_evidence", *END]


async def test_no_search_and_missing_context_asks_for_it(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(agent=(submit(null_draft()),))) as play:
        result = await play.run("It is slow.")

        assert result.fallback_type is FallbackType.MISSING_REQUIRED_CONTEXT


async def test_an_unsupported_draft_leaves_none_of_its_words(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(semantic=(UNSUPPORTED,))) as play:
        result = await play.run()

        assert result.fallback_type is FallbackType.SEMANTIC_UNSUPPORTED
        assert "could not get a connection" not in result.model_dump_json()


async def test_an_unusable_review_is_asked_for_once_more(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(semantic=("yes, fine", SUPPORTED))) as play:
        assert (await play.run()).outcome is ReleaseOutcome.SUCCESS


async def test_two_unusable_reviews_publish_nothing_of_the_draft(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(semantic=("yes", "still yes"))) as play:
        result = await play.run()

        assert result.fallback_type is FallbackType.SEMANTIC_UNAVAILABLE
        assert isinstance(result.content, SafeFallback)


async def test_a_misplaced_quote_is_repaired_once(tmp_path: Path) -> None:
    wrong = json.loads(json.dumps(good_draft()).replace("errors:0", "errors:9"))
    cast = Cast(agent=(ask("errors"), submit(wrong)), repair=(json.dumps(good_draft()),))
    async with stage(tmp_path, cast) as play:
        result = await play.run()

        guards = ["guard_evidence", "repair_draft", "guard_evidence", "guard_semantics"]
        assert result.outcome is ReleaseOutcome.SUCCESS
        assert await play.visited() == [*START, *ASK, "agent", *guards, *END]


async def test_a_repair_that_rewords_is_not_taken(tmp_path: Path) -> None:
    wrong = json.loads(json.dumps(good_draft()).replace("errors:0", "errors:9"))
    reworded = json.dumps(good_draft()).replace("could not get", "never got")
    cast = Cast(agent=(ask("errors"), submit(wrong)), repair=(reworded,))
    async with stage(tmp_path, cast) as play:
        result = await play.run()

        assert result.fallback_type is FallbackType.EVIDENCE_VALIDATION_FAILED
        assert play.models["semantic"].n_calls == 0  # type: ignore[index]


async def test_an_invented_call_id_is_never_released(tmp_path: Path) -> None:
    cast = Cast(agent=(ask("errors"), submit(good_draft("call-invented"))), repair=("{}",))
    async with stage(tmp_path, cast) as play:
        assert (await play.run()).fallback_type is FallbackType.EVIDENCE_VALIDATION_FAILED


async def test_an_invalid_draft_goes_back_to_its_author_once(tmp_path: Path) -> None:
    cast = Cast(agent=(ask("errors"), submit({"verdict": "it was DNS"}), submit(good_draft())))
    async with stage(tmp_path, cast) as play:
        result = await play.run()

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert "AGENT_DRAFT_INVALID" in await play.trace_types()


async def test_a_second_invalid_draft_ends_with_what_is_verified(tmp_path: Path) -> None:
    cast = Cast(agent=(ask("errors"), "It was DNS.", submit({"x": 1})))
    async with stage(tmp_path, cast) as play:
        result = await play.run()

        assert (result.outcome, result.run_state) == (ReleaseOutcome.FALLBACK, RunState.SUCCESS)
        assert await play.visited() == [*START, *ASK, "agent", "agent", *END]


async def test_two_empty_tools_saturate_and_give_one_draft_turn(tmp_path: Path) -> None:
    turns = (ask("empty"), ask("nothing", tool="read_archive"), submit(null_draft()))
    async with stage(tmp_path, Cast(agent=turns)) as play:
        result = await play.run()

        assert result.stop_reason is StopReason.INFORMATION_SATURATED
        assert [tool["function"]["name"] for tool in play.models["agent"].requests[-1].tools] == [  # type: ignore[index]
            "submit_diagnosis"
        ]
        assert "stop_required" in str(play.models["agent"].requests[-1].messages[-1].content)  # type: ignore[index]


async def test_a_request_after_stop_takes_the_stop_edge_without_a_backend_call(tmp_path: Path) -> None:
    turns = (ask("empty"), ask("nothing", tool="read_archive"), ask("errors"))
    async with stage(tmp_path, Cast(agent=turns)) as play:
        result = await play.run()

        assert result.outcome is ReleaseOutcome.FALLBACK
        assert "errors" not in play.notebook.executed
        assert (await play.visited())[-2:] == END


async def test_a_good_draft_after_a_budget_stop_is_published_with_its_reason(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        result = await play.run(max_tool_calls=1)

        assert (result.outcome, result.stop_reason) == (
            ReleaseOutcome.SUCCESS,
            StopReason.BUDGET_LIMIT_REACHED,
        )


async def test_protocol_violations_stop_but_keep_what_is_verified(tmp_path: Path) -> None:
    broken = ask("errors", {"tool_call_id": "call-other", "information_gain": "GAINED"}, call_id="bad-1")
    again = broken.model_copy(update={"calls": (broken.calls[0].model_copy(update={"id": "bad-2"}),)})
    async with stage(tmp_path, Cast(agent=(ask("errors"), broken, again, submit(good_draft())))) as play:
        result = await play.run()

        assert (result.outcome, result.stop_reason) == (
            ReleaseOutcome.SUCCESS,
            StopReason.PROGRESS_PROTOCOL_VIOLATED,
        )


async def test_a_reused_call_id_is_replaced_and_both_results_count(tmp_path: Path) -> None:
    turns = (
        ask("errors", call_id="call_0"),
        ask("deploys", gained("call_0"), call_id="call_0"),
        submit(good_draft("call_0")),
    )
    async with stage(tmp_path, Cast(agent=turns)) as play:
        result = await play.run()

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert play.notebook.executed == ["errors", "deploys"]


async def test_the_same_scope_is_not_searched_twice(tmp_path: Path) -> None:
    turns = (ask("errors"), ask("errors", gained("call-errors"), call_id="again"), submit(good_draft()))
    async with stage(tmp_path, Cast(agent=turns)) as play:
        await play.run()

        assert play.notebook.executed == ["errors"]


async def test_an_unavailable_router_ends_the_run(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(router=("diagnosis please", "DIAGNOSIS"))) as play:
        result = await play.run()

        assert result.failure_code is FailureCode.ROUTING_UNAVAILABLE
        assert await play.visited() == [*START, "close_run"]


@pytest.mark.parametrize("question", ["hello", "What can you do?", "你好", "你能做什么？"])
async def test_a_greeting_needs_no_model(tmp_path: Path, question: str) -> None:
    async with stage(tmp_path, Cast(router=())) as play:
        result = await play.run(question)

        assert result.content_type is ContentType.SYSTEM_ANSWER
        assert await play.visited() == [*START, "answer_chat", "close_run"]


async def test_out_of_scope_is_said_by_code(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(router=('{"intent":"OUT_OF_SCOPE"}',))) as play:
        result = await play.run("Write me a poem")

        assert isinstance(result.content, Answer)
        assert "outside" in result.content.text


async def test_a_session_can_be_asked_about_its_own_results(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
    async with stage(tmp_path) as later:
        request = {"query": "what was your last diagnosis?", "session_id": "s1"}
        run_id = "22222222-2222-4222-8222-222222222222"
        result = await later.runner.run({**request, "run_id": run_id})  # type: ignore[typeddict-item]

        assert isinstance(result.content, Answer)
        assert "HikariPool-1" in result.content.text


async def test_a_chinese_question_gets_a_chinese_fallback(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast(agent=(ask("errors"), submit(null_draft())))) as play:
        result = await play.run("notebook 的支付为什么失败？")

        assert result.language is Language.ZH
        assert isinstance(result.content, SafeFallback)
        assert any("\u4e00" <= char <= "\u9fff" for char in result.content.summary)


@pytest.mark.parametrize("question", ["", "   ", "x" * 4001, "a\x00b", "a\ud800b"])
async def test_a_question_that_cannot_open_a_run_opens_none(tmp_path: Path, question: str) -> None:
    async with stage(tmp_path) as play:
        with pytest.raises(InvalidQuery):
            await play.run(question)

        assert await play.stores.control.list_runs() == ()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"since": "a while"}, "'a while'"),
        ({"since": "{x}"}, "'{x}'"),
        ({"window_start": "{0}"}, "'{0}'"),
        ({"since": "30m", "window_start": "2026-03-01T14:05"}, "not both"),
    ],
)
async def test_options_that_are_no_window_open_no_run(tmp_path: Path, options: dict[str, str], named: str) -> None:
    async with stage(tmp_path) as play:
        with pytest.raises(InvalidQuery) as refused:
            await play.run(**options)

        assert named in refused.value.why.text(Language.EN)

        assert await play.stores.control.list_runs() == ()


async def test_public_events_hold_no_text_of_the_model(tmp_path: Path) -> None:
    marked = ask("errors-MARKER")
    async with stage(tmp_path, Cast(agent=(marked, submit(null_draft())))) as play:
        await play.run()

        statuses = [event for event in play.events if event.get("type") == "status"]
        assert statuses
        assert "MARKER" not in json.dumps(statuses)
