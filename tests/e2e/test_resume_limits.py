"""What a resumed run may still spend, how often it may be resumed, and who closes the ones nobody resumes."""

from dataclasses import replace
from pathlib import Path

import pytest

from state.model.enums import CancellationReason, RunState
from state.model.run import PublicEventType
from tests.e2e.places import AFTER, BEFORE, Point
from tests.e2e.player import Task
from tests.e2e.processes import Playhouse, go_on, kill
from tests.e2e.witness import Seen, look, reading, until_active, until_frozen, until_interrupted
from tests.graph.stage import RUN_ID

pytestmark = pytest.mark.e2e

MID_MODEL_CALL = Point("model", "agent", BEFORE)
BEFORE_BEGIN = Point("canonical", "begin", BEFORE)
IN_BACKEND = Point("backend", "read", BEFORE)
FAILED = [PublicEventType.FAILURE, PublicEventType.DONE]
FROZEN: dict[str, float] = {"lease_s": 3.0, "beat_s": 1.0}
"""A loaded machine does not lose the lease before the process freezes, and it hardly freezes inside a heartbeat: that
one would hold the file's write lock, as a frozen process really may, and nobody could take the run over."""


async def kill_at(house: Playhouse, home: Path, point: Point, **task: object) -> None:
    """One process that dies there; returns once its run counts as interrupted."""
    killed = house.play(Task(home=str(home), point=point, lease_s=0.1, **task))  # type: ignore[arg-type]
    assert killed.was_killed
    await until_interrupted(home)


async def test_options_given_to_a_run_hold_after_it_was_killed_while_opening(tmp_path: Path, house: Playhouse) -> None:
    options = {"max_tool_calls": 1, "language": "zh", "since": "30m"}
    whole = house.play(Task(home=str(tmp_path / "whole"), options=options))
    await kill_at(house, tmp_path, Point("control", "open_run", AFTER), options=options)
    resumed = house.play(Task(home=str(tmp_path), do="resume", owner="resumer"))

    assert whole.result["stop_reason"] == "BUDGET_LIMIT_REACHED"
    assert resumed.result == whole.result | {"closed_at": resumed.result["closed_at"]}


async def test_a_call_reserved_before_the_kill_is_its_own_budget(tmp_path: Path, house: Playhouse) -> None:
    options = {"max_tool_calls": 1}
    await kill_at(house, tmp_path, BEFORE_BEGIN, options=options)
    resumed = house.play(Task(home=str(tmp_path), do="resume", owner="resumer"))

    assert resumed.result["outcome"] == "SUCCESS"
    assert (await look(tmp_path)).starts == ("call-errors-1",)


async def test_a_call_cut_off_in_its_backend_stays_spent(tmp_path: Path, house: Playhouse) -> None:
    await kill_at(house, tmp_path, IN_BACKEND, options={"max_tool_calls": 1})
    resumed = house.play(Task(home=str(tmp_path), do="resume", owner="resumer"))

    seen = await look(tmp_path)
    assert resumed.result["stop_reason"] == "BUDGET_LIMIT_REACHED"
    assert seen.starts == ("call-errors-1",)
    assert seen.usage.tool_calls == 1


async def test_a_model_call_cut_off_stays_spent(tmp_path: Path, house: Playhouse) -> None:
    await kill_at(house, tmp_path, MID_MODEL_CALL)
    before = await look(tmp_path)
    house.play(Task(home=str(tmp_path), do="resume", owner="resumer"))

    after = await look(tmp_path)
    keys = [entry.key for entry in after.entries if entry.component == "agent"]
    assert keys[:2] == ["agent:1:1", "agent:1:2"]
    cut = next(entry for entry in after.entries if entry.key == "agent:1:1")
    assert cut.settled is None
    assert after.usage.tokens >= before.usage.tokens > 0


async def test_active_time_of_the_killed_process_is_kept(tmp_path: Path, house: Playhouse) -> None:
    pid = house.begin(Task(home=str(tmp_path), pause_s=30))
    await until_active(tmp_path, ms=300)
    kill(pid)
    house.end()
    before = await look(tmp_path)
    await until_interrupted(tmp_path)
    resumed = house.play(Task(home=str(tmp_path), do="resume", owner="resumer"))

    after = await look(tmp_path)
    assert resumed.result["outcome"] == "SUCCESS"
    assert before.row is not None
    assert after.row is not None
    assert after.row.active_ms >= before.row.active_ms >= 300


async def test_a_run_killed_again_while_resumed_still_ends_as_if_nothing_happened(
    tmp_path: Path, house: Playhouse
) -> None:
    whole = house.play(Task(home=str(tmp_path / "whole")))
    await kill_at(house, tmp_path, MID_MODEL_CALL)
    await kill_at(house, tmp_path, Point("canonical", "complete", AFTER), do="resume", owner="second")
    third = house.play(Task(home=str(tmp_path), do="resume", owner="third"))

    seen = await look(tmp_path)
    assert third.result["content"] == whole.result["content"]
    assert seen.starts == ("call-errors-1", "call-deploys-1")
    assert seen.row is not None
    assert seen.row.resumes == 2


async def test_the_third_resume_closes_the_run_as_failed(tmp_path: Path, house: Playhouse) -> None:
    await kill_at(house, tmp_path, MID_MODEL_CALL)
    await kill_at(house, tmp_path, MID_MODEL_CALL, do="resume", owner="second")
    await kill_at(house, tmp_path, MID_MODEL_CALL, do="resume", owner="third")
    fourth = house.play(Task(home=str(tmp_path), do="resume", owner="fourth"))

    seen = await look(tmp_path)
    assert (fourth.result["outcome"], fourth.result["failure_code"]) == ("FAILED", "INTERNAL_FAILURE")
    assert seen.ends == FAILED
    assert "run:finished" in seen.event_keys
    check_lost_is_counted(seen)


async def test_asking_again_for_a_run_that_another_process_executes_is_refused_and_disturbs_nothing(
    tmp_path: Path, house: Playhouse, other_house: Playhouse
) -> None:
    task = Task(home=str(tmp_path), point=Point("model", "agent", BEFORE, nth=2), freeze=True, lease_s=30.0)
    pid = house.begin(task)
    await until_frozen(pid)
    before = await look(tmp_path)
    again = other_house.play(Task(home=str(tmp_path), owner="other"))

    assert again.answer is not None
    assert again.answer["error"] == "RunRefused"
    assert await look(tmp_path) == before
    go_on(pid)
    assert house.end().result["outcome"] == "SUCCESS"


async def test_asking_again_for_a_killed_run_takes_it_up_and_for_an_ended_one_tells_its_end(
    tmp_path: Path, house: Playhouse
) -> None:
    await kill_at(house, tmp_path, Point("backend", "read", BEFORE, nth=2))
    again = house.play(Task(home=str(tmp_path), owner="second"))
    ended = await look(tmp_path)
    once_more = house.play(Task(home=str(tmp_path), owner="third"))

    assert again.result["outcome"] == "SUCCESS"
    assert once_more.result == again.result
    assert ended.starts == ("call-errors-1", "call-deploys-1", "call-deploys-2")
    assert await look(tmp_path) == ended


async def test_a_run_that_was_asked_to_stop_is_cancelled_by_the_sweeper(tmp_path: Path, house: Playhouse) -> None:
    await kill_at(house, tmp_path, IN_BACKEND)
    async with reading(tmp_path) as stores:
        assert await stores.control.request_cancel(RUN_ID, CancellationReason.USER_REQUESTED)
    swept = house.play(Task(home=str(tmp_path), do="sweep", owner="sweeper"))

    assert swept.answer is not None
    assert swept.answer["swept"] == [RUN_ID]
    await check_swept(tmp_path, house, RunState.CANCELLED, "RUN_CANCELLED")


async def test_a_run_over_age_is_closed_by_the_sweeper(tmp_path: Path, house: Playhouse) -> None:
    await kill_at(house, tmp_path, IN_BACKEND)
    young = house.play(Task(home=str(tmp_path), do="sweep"))
    old = house.play(Task(home=str(tmp_path), do="sweep", settings={"max_run_age_s": 0.01}))

    assert young.answer is not None
    assert old.answer is not None
    assert (young.answer["swept"], old.answer["swept"]) == ([], [RUN_ID])
    await check_swept(tmp_path, house, RunState.FAILED, "RUN_EXPIRED")


async def check_swept(home: Path, house: Playhouse, state: RunState, code: str) -> None:
    """Closed once, told in the audit, not to be resumed, and swept only once."""
    seen = await look(home)
    assert seen.row is not None
    assert (seen.row.run_state, seen.row.failure_code) == (state, code)
    assert seen.ends == FAILED
    assert "run:finished" in seen.event_keys
    assert house.play(Task(home=str(home), do="resume")).result["failure_code"] == code
    again = house.play(Task(home=str(home), do="sweep", settings={"max_run_age_s": 0.01}))
    assert again.answer is not None
    assert again.answer["swept"] == []
    assert (await look(home)).frames == seen.frames


@pytest.mark.parametrize(
    "point",
    [
        Point("model", "agent", BEFORE, nth=2),
        Point("backend", "read", BEFORE),
        Point("canonical", "complete", BEFORE),
        Point("audit", "record", BEFORE, node="track_progress"),
        Point("audit", "record", AFTER, node="release"),
    ],
    ids=lambda point: f"{point.port}.{point.method}-{point.node}",
)
async def test_a_frozen_process_whose_run_was_taken_over_writes_nothing_more(
    tmp_path: Path, house: Playhouse, other_house: Playhouse, point: Point
) -> None:
    pid = house.begin(Task(home=str(tmp_path), owner="frozen", point=point, freeze=True, **FROZEN))
    await until_frozen(pid)
    await until_interrupted(tmp_path)
    taken_over = other_house.play(Task(home=str(tmp_path), do="resume", owner="thief"))
    before = await look(tmp_path)
    go_on(pid)
    woken = house.end()

    assert taken_over.result["outcome"] == "SUCCESS"
    assert woken.answer is not None
    assert woken.answer.get("result", taken_over.result) == taken_over.result
    assert woken.answer.get("error", "LeaseLost") == "LeaseLost"
    assert unaudited(await look(tmp_path)) == unaudited(before)


async def test_a_process_frozen_while_closing_says_what_the_other_published(
    tmp_path: Path, house: Playhouse, other_house: Playhouse
) -> None:
    point = Point("control", "close", BEFORE)
    pid = house.begin(Task(home=str(tmp_path), owner="frozen", point=point, freeze=True, **FROZEN))
    await until_frozen(pid)
    await until_interrupted(tmp_path)
    taken_over = other_house.play(Task(home=str(tmp_path), do="resume", owner="thief"))
    before = await look(tmp_path)
    go_on(pid)
    woken = house.end()

    after = await look(tmp_path)
    assert woken.result == taken_over.result
    assert (after.row, after.frames, after.entries) == (before.row, before.frames, before.entries)


def unaudited(seen: Seen) -> Seen:
    """All but the audit: it is no truth, and an event that was on its way still arrives."""
    return replace(seen, event_keys=frozenset(), sequence=())


def check_lost_is_counted(seen: Seen) -> None:
    assert seen.row is not None
    assert len(seen.due_keys - seen.event_keys) <= seen.row.audit_lost
