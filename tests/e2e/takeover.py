"""One kill and what must hold after it, wherever the stores are: the story that every test of kills tells."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.audit_check import AuditVerdict
from state.model.enums import FailureCode, RunState
from state.model.run import BudgetKind, PublicEventType
from tests.e2e.places import Point
from tests.e2e.player import Task
from tests.e2e.processes import Ended, Playhouse
from tests.e2e.where import Where
from tests.e2e.witness import Seen, look, until_interrupted

SAME = ("run_state", "outcome", "content_type", "fallback_type", "failure_code", "stop_reason", "language")


@dataclass(frozen=True)
class Whole:
    """A run, never interrupted."""

    ended: Ended
    seen: Seen
    where: Where


def played_whole(house: Playhouse, home: Path, where: Where) -> Whole:
    """The run on these stores, from its beginning to its end."""
    where.clear()
    ended = house.play(Task(home=str(home), settings=where.settings))
    return Whole(ended, asyncio.run(look(home, where.settings)), where)


async def kill_and_resume(home: Path, house: Playhouse, whole: Whole, point: Point) -> None:
    """Another process takes the run up."""
    before = await killed(home, house, whole, point)
    if before.row is None:
        await check_nothing_to_resume(home, house, whole.where)
        return
    where = whole.where.settings
    resumed = house.play(Task(home=str(home), do="resume", owner="resumer", settings=where))
    check_takeover(before, await look(home, where), resumed, whole)


async def kill_and_sweep(home: Path, house: Playhouse, whole: Whole, point: Point) -> None:
    """Nobody takes the run up, until it is over age."""
    before = await killed(home, house, whole, point)
    if before.row is None:
        return
    where = whole.where.settings
    strict = {**where, "max_run_age_s": 0.001}
    swept = house.play(Task(home=str(home), do="sweep", owner="sweeper", settings=strict))
    assert swept.answer is not None
    assert swept.answer["swept"] == ([] if before.is_over else [before.row.run_id])
    check_swept(before, await look(home, where))


async def killed(home: Path, house: Playhouse, whole: Whole, point: Point) -> Seen:
    """What is left of a run whose process died there; nobody holds it any more."""
    home.mkdir(exist_ok=True)
    whole.where.clear()
    where = whole.where.settings
    ended = house.play(Task(home=str(home), point=point, owner="killed", lease_s=0.1, settings=where))
    assert ended.was_killed, f"never came to {point}"
    left = await look(home, where)
    if left.row is not None and not left.is_over:
        await until_interrupted(home, where)
    return left


async def check_nothing_to_resume(home: Path, house: Playhouse, where: Where) -> None:
    """Killed before the run was opened: nobody was told of it, and asking again just works."""
    resumed = house.play(Task(home=str(home), do="resume", settings=where.settings))
    assert resumed.answer is not None
    assert resumed.answer["error"] == "RunRefused"
    assert house.play(Task(home=str(home), settings=where.settings)).result["outcome"] == "SUCCESS"


def check_swept(before: Seen, after: Seen) -> None:
    """Ended by the sweeper, with what was known; or left as it was, if it had ended."""
    assert after.row is not None
    assert before.row is not None
    if before.is_over:
        assert after.row == before.row
        assert after.audit.verdict is AuditVerdict.VERIFIED or after.audit.end_missing
        return
    assert (after.row.run_state, after.row.failure_code) == (RunState.FAILED, FailureCode.RUN_EXPIRED)
    assert after.ends == [PublicEventType.FAILURE, PublicEventType.DONE]
    assert (after.entries, after.records) == (before.entries, before.records)
    assert max(Counter(after.starts).values(), default=0) <= 1
    assert after.audit.verdict is AuditVerdict.VERIFIED
    assert len(after.due_keys - after.event_keys) <= after.row.audit_lost


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
    assert after.audit.verdict is AuditVerdict.VERIFIED
    assert list(after.sequence) == sorted(set(after.sequence))
