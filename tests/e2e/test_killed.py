"""kill -9 at every place that matters, resumed by another process: nothing is lost, doubled or published twice."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from state.model.enums import RunState
from state.model.run import BudgetKind, PublicEventType
from tests.e2e.places import AFTER, BEFORE, COMMIT, Point
from tests.e2e.player import Task
from tests.e2e.processes import Ended, Playhouse
from tests.e2e.witness import Seen, look, until_interrupted

pytestmark = pytest.mark.e2e

NAMED: dict[str, Point] = {
    "mid model call": Point("model", "agent", BEFORE, nth=2),
    "before begin": Point("canonical", "begin", BEFORE),
    "inside a backend call": Point("backend", "read", BEFORE),
    "inside the second backend call": Point("backend", "read", BEFORE, nth=2),
    "READY before the checkpoint": Point("canonical", "complete", AFTER),
    "after release": Point("control", "get_run", BEFORE, node="close_run"),
    "inside close_run, before its transaction": Point("control", "close", BEFORE),
    "inside close_run, at the commit": Point("control", "close", COMMIT),
    "inside close_run, after its transaction": Point("control", "close", AFTER),
}
SAME = ("run_state", "outcome", "content_type", "fallback_type", "failure_code", "stop_reason", "language")


@dataclass(frozen=True)
class Whole:
    """The same run, never interrupted."""

    ended: Ended
    seen: Seen


@pytest.fixture(scope="session")
def whole_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


@pytest.fixture(scope="session")
def whole_run(house: Playhouse, whole_home: Path) -> Ended:
    return house.play(Task(home=str(whole_home)))


@pytest.fixture
async def whole(whole_run: Ended, whole_home: Path) -> Whole:
    return Whole(whole_run, await look(whole_home))


async def test_an_uninterrupted_run_succeeds(whole: Whole) -> None:
    assert whole.ended.result["outcome"] == "SUCCESS"
    assert whole.seen.starts == ("call-errors-1", "call-deploys-1")
    assert whole.seen.row is not None
    assert whole.seen.row.audit_lost == 0


@pytest.mark.parametrize("point", NAMED.values(), ids=NAMED.keys())
async def test_a_killed_run_is_resumed_by_another_process(
    tmp_path: Path, house: Playhouse, whole: Whole, point: Point
) -> None:
    await kill_and_resume(tmp_path, house, whole, point)


async def test_a_run_killed_after_any_kind_of_write_is_resumed(tmp_path: Path, house: Playhouse, whole: Whole) -> None:
    """One kill for every write that a node makes to a store, at the first time it makes it."""
    assert whole.ended.answer is not None
    writes = whole.ended.answer["writes"]
    kinds = dict.fromkeys(writes)
    assert len(kinds) > 40
    failed: dict[str, str] = {}
    for kind in kinds:
        try:
            await kill_and_resume(tmp_path / kind, house, whole, Point(nth=1 + writes.index(kind)))
        except AssertionError as error:
            failed[kind] = str(error)[:400]

    assert failed == {}


async def test_a_failing_run_killed_on_its_way_out_keeps_its_reason(tmp_path: Path, house: Playhouse) -> None:
    """Between the error and the closing only the error's text is in the checkpoint."""
    broken = Task(home="", canonical_down_in="guard_evidence")
    whole = house.play(broken.at(tmp_path / "whole"))
    assert whole.answer is not None
    n_writes = len(whole.answer["writes"])
    codes = []
    for nth in range(n_writes - 8, n_writes + 1):
        home = tmp_path / str(nth)
        assert house.play(broken.at(home, point=Point(nth=nth), lease_s=0.05)).was_killed
        if not (await look(home)).is_over:
            await until_interrupted(home)
        codes.append(house.play(broken.at(home, do="resume", owner="resumer")).result["failure_code"])

    assert codes == ["RUN_PERSISTENCE_FAILED"] * 9


async def kill_and_resume(home: Path, house: Playhouse, whole: Whole, point: Point) -> None:
    """The story of one kill, and all that must hold after it."""
    home.mkdir(exist_ok=True)
    killed = house.play(Task(home=str(home), point=point, owner="killed", lease_s=0.1))
    assert killed.was_killed, f"never came to {point}"
    before = await look(home)
    if before.row is None:
        await check_nothing_to_resume(home, house)
        return
    if not before.is_over:
        await until_interrupted(home)
    resumed = house.play(Task(home=str(home), do="resume", owner="resumer"))
    check_takeover(before, await look(home), resumed, whole)


async def check_nothing_to_resume(home: Path, house: Playhouse) -> None:
    """Killed before the run was opened: nobody was told of it, and asking again just works."""
    resumed = house.play(Task(home=str(home), do="resume"))
    assert resumed.answer is not None
    assert resumed.answer["error"] == "RunRefused"
    assert house.play(Task(home=str(home))).result["outcome"] == "SUCCESS"


def check_takeover(before: Seen, after: Seen, resumed: Ended, whole: Whole) -> None:
    assert after.row is not None
    assert resumed.result["run_state"] == after.row.run_state
    check_result(before, resumed, whole)
    check_one_end(after)
    check_budget(before, after)
    check_backend(before, after)
    check_audit(after, whole)


def check_result(before: Seen, resumed: Ended, whole: Whole) -> None:
    """The same, except that a call cut off inside its backend was asked again under another id."""
    ours, theirs = resumed.result, whole.ended.result
    assert {key: ours[key] for key in SAME} == {key: theirs[key] for key in SAME}
    if before.was_in_backend:
        assert resumed.answer is not None
        assert resumed.answer["told"] == ["INTERRUPTED"]
        assert texts(ours) == texts(theirs)
    else:
        assert ours["content"] == theirs["content"]


def texts(result: dict[str, Any]) -> object:
    """The visible text of the report, without call ids."""
    draft = result["content"]["draft"]
    return (draft["conclusion"]["text"], [analysis["text"] for analysis in draft["analysis"]])


def check_one_end(after: Seen) -> None:
    assert after.row is not None
    assert after.row.run_state is RunState.SUCCESS
    assert after.ends == [PublicEventType.CONTENT, PublicEventType.DONE]
    assert [frame.seq for frame in after.frames] == list(range(1, len(after.frames) + 1))


def check_budget(before: Seen, after: Seen) -> None:
    """What was spent stays spent, in order; what was left open may only be settled since."""
    kept = after.entries[: len(before.entries)]
    assert [(entry.key, entry.reserved) for entry in kept] == [(e.key, e.reserved) for e in before.entries]
    for old, new in zip(before.entries, kept, strict=True):
        assert old.settled in {None, new.settled}
    assert after.usage.model_calls == sum(entry.kind is BudgetKind.MODEL_CALL for entry in after.entries)
    assert after.usage.model_calls >= before.usage.model_calls
    assert after.usage.tool_calls == 2 + before.was_in_backend


def check_backend(before: Seen, after: Seen) -> None:
    """At most one start per call id; every charged call has one."""
    starts = Counter(after.starts)
    assert max(starts.values()) == 1
    expected = ["call-errors-1", "call-deploys-1"]
    if before.was_in_backend:
        cut = next(record.tool_call_id for record in before.records if record.evidence_status is None)
        expected.append(cut.replace("-1", "-2"))
    assert set(starts) <= set(expected)
    assert {record.tool_call_id for record in after.records} == set(expected)


def check_audit(after: Seen, whole: Whole) -> None:
    """Every event is there or counted as lost, and the timeline has its end."""
    assert after.row is not None
    missing = (whole.seen.event_keys | after.due_keys) - after.event_keys
    assert len(missing) <= after.row.audit_lost, missing
    assert "run:finished" in after.event_keys
    assert list(after.sequence) == sorted(set(after.sequence))
