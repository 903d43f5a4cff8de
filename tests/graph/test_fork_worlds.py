"""A recorded diagnosis of a bundled world, forked at every step: real sources, real index, the offline reasoner."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.settings import Settings
from graph.app import ForkOrder, ForkStep, open_app
from graph.replay import Replay
from state.model.diagnosis import RunOptions
from state.model.enums import ReleaseOutcome, RunState
from state.model.release import DiagnosisReport, RunResult
from state.model.run import PublicEventType
from worlds import build_world
from worlds.answers import expected_answer

pytestmark = pytest.mark.xdist_group("worlds")
WORLD = "payment-timeouts"
REPLAYED = 5
"""Every fork of so many is replayed."""
ENDS = {PublicEventType.CONTENT, PublicEventType.FAILURE, PublicEventType.DONE}


@dataclass(frozen=True)
class Forked:
    """One fork and what is kept of it."""

    step: ForkStep
    result: RunResult
    ends: tuple[PublicEventType, ...]
    run_states: RunState
    searched: frozenset[str]
    """Calls it made itself."""
    copied: frozenset[str]
    replay: Replay | None
    """Of some of them."""


@dataclass(frozen=True)
class Story:
    """The parent and a fork at each of its steps."""

    result: RunResult
    calls: frozenset[str]
    forks: tuple[Forked, ...]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return asyncio.run(tell(tmp_path_factory.mktemp("forks")))


async def tell(home: Path) -> Story:
    world = build_world(WORLD, home / WORLD)
    async with open_app(Settings(home=home / "home"), world) as app:
        run_id = app.new_run_id()
        request = {"query": expected_answer(WORLD).question, "run_id": run_id}
        result = await app.diagnose(request, RunOptions(), lambda _: None)  # type: ignore[arg-type]
        row = await app.records.run(run_id)
        assert row is not None
        forks = []
        for step in await app.records.steps(row):
            order = ForkOrder(run_id, str(step.number), app.new_run_id(), "local")
            forked = await app.fork(order, lambda _: None)
            kept = await app.records.trace(order.run_id)
            assert kept is not None
            lines = (await app.records.detail(kept)).tool_calls
            on_record = [line for line in lines if line.status != "REFUSED"]
            forks.append(
                Forked(
                    step,
                    forked,
                    tuple(event.type for event in kept.published if event.type in ENDS),
                    kept.row.run_state,
                    frozenset(line.tool_call_id for line in on_record if line.copied_from is None),
                    frozenset(line.tool_call_id for line in on_record if line.copied_from == run_id),
                    await app.records.replay(order.run_id) if step.number % REPLAYED == 0 else None,
                )
            )
        parent = await app.records.trace(run_id)
        assert parent is not None
        calls = (await app.records.detail(parent)).tool_calls
        return Story(result, frozenset(one.tool_call_id for one in calls if one.status != "REFUSED"), tuple(forks))


def cause(result: RunResult) -> str:
    assert isinstance(result.content, DiagnosisReport)
    assert result.content.draft.conclusion is not None
    return result.content.draft.conclusion.text


def test_every_fork_ends_once_and_names_the_same_cause(story: Story) -> None:
    assert len(story.forks) > 20
    assert {one.step.node for one in story.forks} >= {"route", "agent", "tool_gate", "guard_evidence", "close_run"}
    assert {one.result.outcome for one in story.forks} == {ReleaseOutcome.SUCCESS}
    assert {one.run_states for one in story.forks} == {RunState.SUCCESS}
    assert {one.ends for one in story.forks} == {(PublicEventType.CONTENT, PublicEventType.DONE)}
    assert {cause(one.result) for one in story.forks} == {cause(story.result)}


def test_what_was_collected_is_copied_and_nothing_else_is_searched_twice(story: Story) -> None:
    """Offline the same searches follow: the later the fork, the more of them came with it."""
    assert len(story.calls) > 3
    for one in story.forks:
        assert not one.copied & one.searched
        assert one.copied | one.searched == story.calls
    numbers = [len(one.copied) for one in story.forks]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (0, len(story.calls))


def test_forks_are_executed_again_byte_for_byte(story: Story) -> None:
    replays = [one.replay for one in story.forks if one.replay is not None]

    assert len(replays) > 4
    assert all(replay.identical for replay in replays)
