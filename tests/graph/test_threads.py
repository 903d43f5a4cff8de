"""Several runs on one serving thread, as langgraph-api runs them: none takes over anything of the one before."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from state.model.enums import ContentType, FailureCode, ReleaseOutcome
from state.model.errors import TruthUnavailable
from state.model.release import RunResult
from tests.faults.between import failing
from tests.graph.stage import QUESTION, TO_DIAGNOSIS, Cast, Stage, ask, good_draft, null_draft, stage, submit

FIRST = (ask("errors"), submit(good_draft()))
SECOND = (ask("deploys"), submit(null_draft()))
TWICE = Cast(agent=(*FIRST, *SECOND), router=(TO_DIAGNOSIS,) * 2)
THREAD: Any = {"configurable": {"thread_id": "one-thread"}}


class Ignorant(JsonPlusSerializer):
    """Knows none of our types and learns none: gives their bare members back, as langgraph-api does when strict."""

    def with_msgpack_allowlist(self, extra_allowlist: object) -> "Ignorant":
        return self


async def ask_on_thread(play: Stage, question: str, **more: str) -> RunResult:
    """One run without an id of its own, as a serving process starts it."""
    output = await play.runner.graph.ainvoke({"query": question, **more}, THREAD, durability="sync")  # type: ignore[typeddict-item]
    result = output["result"]
    assert isinstance(result, RunResult)
    return result


async def state_of(play: Stage) -> dict[str, Any]:
    return (await play.runner.graph.aget_state(THREAD)).values


async def test_two_runs_on_one_thread_do_not_mix(tmp_path: Path) -> None:
    async with stage(tmp_path, TWICE) as play:
        first = await ask_on_thread(play, QUESTION)
        second = await ask_on_thread(play, "Why did notebook deploys fail since 14:00?")

        state = await state_of(play)
        assert (first.outcome, second.outcome) == (ReleaseOutcome.SUCCESS, ReleaseOutcome.FALLBACK)
        assert first.run_id != second.run_id
        assert state["run_id"] == state["run"].run_id == second.run_id
        assert [turn.call.tool_call_id for turn in state["transcript"].turns] == ["call-deploys"]
        assert "call-errors" not in str(state)
        assert [row.run_id for row in await play.stores.control.list_runs()] == [second.run_id, first.run_id]


async def test_the_next_run_of_a_thread_needs_nothing_of_the_last_one_to_be_readable(tmp_path: Path) -> None:
    saver = InMemorySaver(serde=Ignorant(allowed_msgpack_modules=None))
    async with stage(tmp_path, TWICE, checkpoints=lambda _: saver) as play:
        first = await ask_on_thread(play, QUESTION)
        assert isinstance((await state_of(play))["run"], dict)
        second = await ask_on_thread(play, "hello")

        assert second.content_type is ContentType.SYSTEM_ANSWER
        assert second.run_id != first.run_id
        assert second.session_id == first.session_id


@pytest.mark.parametrize("error", [TruthUnavailable("store", "test"), RuntimeError("boom")])
@pytest.mark.parametrize("port", ["canonical", "control"])
async def test_a_run_that_could_not_open_does_not_answer_with_the_last_result(
    tmp_path: Path, port: str, error: Exception
) -> None:
    async with stage(tmp_path, TWICE) as play:
        first = await ask_on_thread(play, QUESTION)
    sabotage = failing("open_run", error, port)
    async with stage(tmp_path, TWICE, rig=sabotage.rig) as play:
        second = await ask_on_thread(play, "Why did notebook deploys fail since 14:00?")

        assert sabotage.struck
        assert second.outcome is ReleaseOutcome.FAILED
        assert second.content is None
        assert second.run_id != first.run_id
        assert (await state_of(play))["run_id"] == second.run_id


async def test_a_run_cut_off_while_opening_leaves_the_thread_usable(tmp_path: Path) -> None:
    async with stage(tmp_path, TWICE) as play:
        first = await ask_on_thread(play, QUESTION)
        with pytest.raises(Exception, match="4000"):
            await ask_on_thread(play, "x" * 5000)
        third = await ask_on_thread(play, "hello")

        assert third.content_type is ContentType.SYSTEM_ANSWER
        assert third.failure_code is not FailureCode.INTERNAL_FAILURE
        assert third.run_id != first.run_id
