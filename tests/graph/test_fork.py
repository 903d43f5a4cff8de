"""A fork is a new run that goes on from a step of another one, on copies of its results."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from graph.app import Records
from graph.export import export_run, parse_export, replay_export
from nodes.deps import Deps
from state.model.enums import FallbackType, ReleaseOutcome, RunState, StopReason
from state.model.errors import ResultsGone, RunRefused
from state.model.ids import RunId, ToolCallId
from state.model.release import DiagnosisReport, RunResult
from state.model.run import BudgetKind, PublicEventType
from tests.graph.forks import (
    FORK,
    FORK_OF_FORK,
    TURNS_LEFT,
    everything_of,
    fork,
    parent,
    row_of,
    steps,
    timeline,
    turns_from,
)
from tests.graph.stage import (
    HAPPY,
    PAGES,
    RUN_ID,
    SUPPORTED,
    TO_DIAGNOSIS,
    Cast,
    ask,
    good_draft,
    null_draft,
    stage,
    submit,
)

CALL = ToolCallId("call-errors")
NODES = [
    "open_run", "route", "agent", "tool_gate", "track_progress",
    "agent", "guard_evidence", "guard_semantics", "release", "close_run",
]  # fmt: skip


def report(result: RunResult) -> DiagnosisReport:
    assert isinstance(result.content, DiagnosisReport)
    return result.content


async def test_steps_are_what_the_run_did(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        found = await steps(play)

        assert [(step.number, step.node) for step in found] == list(enumerate(NODES, 1))
        assert len({step.checkpoint_id for step in found}) == len(NODES)


@pytest.mark.parametrize("step", TURNS_LEFT)
async def test_a_fork_at_every_step_names_the_same_cause(tmp_path: Path, step: int) -> None:
    original = await parent(tmp_path)
    async with stage(tmp_path, turns_from(step)) as play:
        before = await everything_of(play, RUN_ID)
        result = await fork(play, step)
        row, kept = await row_of(play, FORK), await steps(play)

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert report(result) == report(original)
        assert (row.run_state, row.session_id, row.intent) == (RunState.SUCCESS, "s1", "DIAGNOSIS")
        assert (row.parent_run_id, row.fork_checkpoint) == (RUN_ID, kept[step - 1].checkpoint_id)
        assert await everything_of(play, RUN_ID) == before


@pytest.mark.parametrize("step", TURNS_LEFT)
async def test_a_fork_tells_what_was_copied_and_spends_only_what_it_does_itself(tmp_path: Path, step: int) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(step)) as play:
        await fork(play, step)
        entries = await play.stores.control.entries(FORK)
        copied = [one.event.details for one in await timeline(play, FORK) if one.event.type == "TOOL_RESULT_COPIED"]
        invoked = [one for one in await timeline(play, FORK) if one.event.type == "TOOL_INVOCATION"]

        was_collected = step > 4
        assert [one["tool_call_id"] for one in copied] == [CALL] * was_collected
        assert all((one["copied_from"], one["status"], one["items"]) == (RUN_ID, "READY", 2) for one in copied)
        assert len(invoked) == (not was_collected)
        assert sum(entry.kind is BudgetKind.TOOL_CALL for entry in entries) == (not was_collected)
        assert play.notebook.executed == ["errors"] * (not was_collected)
        assert sum(entry.component == "agent" for entry in entries) == TURNS_LEFT[step]
        assert (await row_of(play, FORK)).audit_lost == 0


async def test_a_fork_is_watched_like_any_run(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(6)) as play:
        await fork(play, 6)
        frames = [event.type for event in await play.stores.control.public_events(FORK)]

        assert frames[0] is PublicEventType.METADATA
        assert frames[-2:] == [PublicEventType.CONTENT, PublicEventType.DONE]
        assert frames.count(PublicEventType.DONE) == 1
        assert play.events[0]["payload"] == {"session_id": "s1", "run_id": FORK}
        assert [one.event.type.value for one in await timeline(play, FORK)][:3] == [
            "RUN_STARTED", "RUN_FORKED", "TOOL_RESULT_COPIED",
        ]  # fmt: skip


async def test_its_trace_shows_copied_calls_and_their_evidence(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(7)) as play:
        await fork(play, 7)
        records = Records(Settings(home=tmp_path), play.stores)
        kept = await records.trace(FORK)
        assert kept is not None
        detail = await records.detail(kept)
        (line,) = detail.tool_calls
        found = await records.evidence(FORK, CALL)

        assert (line.tool_call_id, line.status, line.items, line.copied_from) == (CALL, "READY", 2, RUN_ID)
        assert line.scope is not None
        assert line.duration_ms is None
        assert [visit.name for visit in detail.path] == ["open_run", *NODES[6:]]
        assert detail.summary.tokens.reconciled
        assert found is not None
        assert (len(found.items), found.cited_item_ids) == (2, ("errors:0",))
        assert await records.raw_evidence(FORK, CALL) is not None


async def test_a_search_that_failed_is_copied_too_and_read_as_before(tmp_path: Path) -> None:
    pages = {**PAGES, "deploys": RuntimeError("boom")}
    turns = (ask("deploys"), ask("errors"), submit(good_draft()))
    await parent(tmp_path, Cast(agent=turns, pages=pages))
    async with stage(tmp_path, Cast(agent=turns[2:], pages=pages)) as play:
        result = await fork(play, "agent:3")
        told = str(play.models["agent"].requests[0].messages)  # type: ignore[index]
        codes = [
            one.event.details.get("code")
            for one in await timeline(play, FORK)
            if one.event.type == "TOOL_RESULT_COPIED"
        ]

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert codes == ["TOOL_EXECUTION_ERROR", None]
        assert "TOOL_EXECUTION_ERROR" in told
        assert "EVIDENCE_EXPIRED" not in told


@pytest.mark.parametrize(
    ("at", "number"),
    [("7", 7), (" 7 ", 7), ("guard_evidence", 7), ("agent", 6), ("agent:1", 3), ("agent:2", 6), ("open_run", 1)],
)
async def test_a_step_has_several_names(tmp_path: Path, at: str, number: int) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(number)) as play:
        await fork(play, at)

        assert (await row_of(play, FORK)).fork_checkpoint == (await steps(play))[number - 1].checkpoint_id


async def test_a_step_is_named_by_its_checkpoint(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(9)) as play:
        wanted = (await steps(play))[8].checkpoint_id
        await fork(play, wanted)

        assert (await row_of(play, FORK)).fork_checkpoint == wanted


async def test_before_the_first_node_is_the_opening(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(1)) as play:
        (first,) = [one async for one in play.stores.checkpoints.alist(thread(RUN_ID)) if one.parent_config is None]

        result = await fork(play, first.config["configurable"]["checkpoint_id"])

        assert result.outcome is ReleaseOutcome.SUCCESS


@pytest.mark.parametrize(
    "at", ["0", "11", "-1", "", "agent:0", "agent:3", "agent:x", "nowhere", "agent:2:1", "__start__"]
)
async def test_a_step_that_is_not_there_is_refused(tmp_path: Path, at: str) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        with pytest.raises(RunRefused, match="no such step: name a number up to 10"):
            await fork(play, at)

        assert await play.stores.control.get_run(FORK) is None


async def test_nothing_follows_the_end(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        end = await anext(play.stores.checkpoints.alist(thread(RUN_ID)))

        with pytest.raises(RunRefused, match="nothing follows"):
            await fork(play, end.config["configurable"]["checkpoint_id"])


async def test_steps_that_are_gone_are_said_to_be(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        await play.stores.checkpoints.adelete_thread(RUN_ID)

        with pytest.raises(RunRefused, match="not kept any more"):
            await fork(play, 3)


def thread(run_id: RunId) -> Any:
    return {"configurable": {"thread_id": run_id}}


@pytest.mark.parametrize("of", [RUN_ID, FORK_OF_FORK], ids=["another key's", "unknown"])
async def test_another_keys_run_is_as_if_it_did_not_exist(tmp_path: Path, of: RunId) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        with pytest.raises(RunRefused, match="there is no such run"):
            await fork(play, 7, of=of, owner="somebody")

        assert await play.stores.control.get_run(FORK) is None


GONE = [
    "DELETE FROM canonical_record",
    "UPDATE canonical_record SET expires_at = 1",
    "UPDATE canonical_record SET status = 'PROJECTING'",
]


@pytest.mark.parametrize("statement", GONE, ids=["deleted", "expired", "unfinished"])
async def test_a_result_that_is_gone_refuses_the_fork_and_leaves_nothing(tmp_path: Path, statement: str) -> None:
    await parent(tmp_path)
    with closing(sqlite3.connect(tmp_path / "canonical.db")) as file, file:
        assert file.execute(statement).rowcount == 1
    async with stage(tmp_path, turns_from(4)) as play:
        before = await everything_of(play, FORK)
        with pytest.raises(ResultsGone, match=f"result {CALL} of run {RUN_ID} is not on record any more"):
            await fork(play, 7)

        assert await everything_of(play, FORK) == before
        assert (await fork(play, 4)).outcome is ReleaseOutcome.SUCCESS


async def test_copies_live_as_long_as_their_originals(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(7)) as play:
        (original,) = await play.stores.canonical.records(RUN_ID)
        await fork(play, 7)

        expected = original.model_copy(update={"run_id": FORK})
        assert await play.stores.canonical.records(FORK) == (expected,)


async def test_two_forks_at_once_do_not_mix(tmp_path: Path) -> None:
    await parent(tmp_path)
    cast = Cast(agent=(submit(good_draft()),) * 2, semantic=(SUPPORTED,) * 2)
    async with stage(tmp_path, cast) as play:
        before = await everything_of(play, RUN_ID)
        results = await asyncio.gather(fork(play, 6), fork(play, 8, run_id=FORK_OF_FORK))

        assert [result.outcome for result in results] == [ReleaseOutcome.SUCCESS] * 2
        assert [result.run_id for result in results] == [FORK, FORK_OF_FORK]
        assert len(await play.stores.control.entries(FORK)) == 2
        assert len(await play.stores.control.entries(FORK_OF_FORK)) == 1
        assert (
            len(await play.stores.canonical.records(FORK))
            == len(await play.stores.canonical.records(FORK_OF_FORK))
            == 1
        )
        assert await everything_of(play, RUN_ID) == before


async def test_a_fork_of_a_fork_goes_on_from_the_fork(tmp_path: Path) -> None:
    original = await parent(tmp_path)
    async with stage(tmp_path, turns_from(6)) as play:
        await fork(play, 6)
        numbers = [(step.number, step.node) for step in await steps(play, FORK)]
    await erase(tmp_path, RUN_ID)
    async with stage(tmp_path, turns_from(8)) as play:
        result = await fork(play, "guard_semantics", of=FORK, run_id=FORK_OF_FORK)
        row = await row_of(play, FORK_OF_FORK)
        copied = [
            one.event.details["copied_from"]
            for one in await timeline(play, FORK_OF_FORK)
            if "copied_from" in one.event.details
        ]

        assert numbers == [
            (2, "agent"),
            (3, "guard_evidence"),
            (4, "guard_semantics"),
            (5, "release"),
            (6, "close_run"),
        ]
        assert report(result) == report(original)
        assert (row.parent_run_id, copied) == (FORK, [FORK])
        assert len(row.facts.notices) == 2


async def erase(home: Path, run_id: RunId) -> None:
    """Everything of a run is deleted, as retention does it, and its checkpoints and results too."""
    async with stage(home) as play:
        await play.stores.audit.delete_runs([run_id])
        await play.stores.recording.delete_runs([run_id])
        assert await play.stores.control.delete_runs([run_id]) == 1
        await play.stores.checkpoints.adelete_thread(run_id)
    with closing(sqlite3.connect(home / "canonical.db")) as file, file:
        file.execute("DELETE FROM canonical_record WHERE run_id = ?", [run_id])


async def test_the_end_of_its_parent_is_not_its_own(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(7)) as play:
        await fork(play, 7)
        before = await everything_of(play, FORK)
    await erase(tmp_path, RUN_ID)
    async with stage(tmp_path) as play:
        records = Records(Settings(home=tmp_path), play.stores)
        kept = await records.trace(FORK)
        assert kept is not None

        assert await everything_of(play, FORK) == before
        assert [line.copied_from for line in (await records.detail(kept)).tool_calls] == [RUN_ID]
        assert (await records.replay(FORK)).identical


async def test_a_fork_has_the_limits_of_the_settings_and_may_lower_them(tmp_path: Path) -> None:
    async with stage(tmp_path, owner="parent") as play:
        await play.run(max_tool_calls=1, max_model_calls=4)
    async with stage(tmp_path, turns_from(8)) as play:
        await fork(play, 8)
        await fork(play, 10, run_id=FORK_OF_FORK, max_tool_calls=3, deadline_s=7)
        wide, low = (await row_of(play, FORK)).facts.limits, (await row_of(play, FORK_OF_FORK)).facts.limits

        assert wide == play.deps.policy.limits
        assert (low.max_tool_calls, low.deadline_s, low.max_model_calls) == (3, 7, wide.max_model_calls)


async def test_a_fork_that_may_spend_nothing_says_so(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path) as play:
        result = await fork(play, 6, max_total_tokens=1000)

        assert (result.outcome, result.fallback_type) == (ReleaseOutcome.FALLBACK, FallbackType.INSUFFICIENT_EVIDENCE)
        assert result.stop_reason is StopReason.BUDGET_LIMIT_REACHED


async def test_other_sources_do_not_go_on(tmp_path: Path) -> None:
    await parent(tmp_path)

    def elsewhere(deps: Deps) -> Deps:
        return replace(deps, sources=replace(deps.sources, name="another world"))

    async with stage(tmp_path, rig=elsewhere) as play:
        with pytest.raises(RunRefused, match="other sources"):
            await fork(play, 7)


MASKED = Cast(
    pages={"errors": [f"{line} on 10.9.8.7" for line in PAGES["errors"]]},  # type: ignore[union-attr]
    settings={"redaction": "always"},
    question="Why do payments on 10.9.8.7 fail in notebook since 14:05?",
)


async def test_what_was_masked_stays_masked_for_the_model_and_is_resolved_for_the_person(tmp_path: Path) -> None:
    original = await parent(tmp_path, MASKED)
    async with stage(tmp_path, replace(MASKED, agent=HAPPY[1:])) as play:
        result = await fork(play, 6)
        told = str(play.models["agent"].requests[0].messages)  # type: ignore[index]
        records = Records(Settings(home=tmp_path), play.stores)

        assert "10.9.8.7" not in told
        assert "10.9.8.7" in str(result.content)
        assert report(result) == report(original)
        with pytest.raises(RunRefused, match="masked names"):
            await records.replay(FORK)
        exported = await records.export(FORK)
        assert exported is not None
        assert "10.9.8.7" not in str(exported.recording)


async def test_results_that_show_names_are_not_shown_to_a_model_that_may_not_see_them(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, Cast(settings={"redaction": "always"})) as play:
        with pytest.raises(RunRefused, match="may not see"):
            await fork(play, 6)


@pytest.mark.parametrize("step", [1, 4, 5, 6, 8, 10])
async def test_a_fork_is_executed_again_from_its_recording_here_and_elsewhere(tmp_path: Path, step: int) -> None:
    await parent(tmp_path / "here")
    async with stage(tmp_path / "here", turns_from(step)) as play:
        await fork(play, step, max_tool_calls=5)
        replayed = await Records(Settings(home=tmp_path / "here"), play.stores).replay(FORK)
        exported = await export_run(play.stores, FORK)
    assert exported is not None
    content = exported.model_dump_json().encode()
    elsewhere = await replay_export(Settings(home=tmp_path / "there"), parse_export(content))

    assert (exported.run.parent_run_id, exported.run.fork_checkpoint) == (RUN_ID, replayed.original.fork_checkpoint)
    assert replayed.identical
    assert elsewhere.identical


async def test_a_fork_whose_beginning_is_not_recorded_is_not_replayed(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(7)) as play:
        await fork(play, 7)
    with closing(sqlite3.connect(tmp_path / "recording.db")) as file, file:
        assert file.execute("DELETE FROM recorded_reply WHERE step = 'fork'").rowcount == 1
    async with stage(tmp_path) as play:
        with pytest.raises(RunRefused, match="RECORDING_EXPIRED"):
            await Records(Settings(home=tmp_path), play.stores).replay(FORK)


async def test_asking_twice_for_the_same_fork_gives_the_same_run(tmp_path: Path) -> None:
    await parent(tmp_path)
    async with stage(tmp_path, turns_from(6)) as play:
        first = await fork(play, 6)

        assert await fork(play, 3) == first


NO_CAUSE = Cast(agent=(ask("errors"), submit(null_draft())))


@pytest.mark.parametrize(
    ("cast", "step", "outcome"),
    [
        (Cast(question="hello", router=()), "answer_chat", ReleaseOutcome.SUCCESS),
        (Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',)), "close_run", ReleaseOutcome.SUCCESS),
        (Cast(router=("", "")), "close_run", ReleaseOutcome.FAILED),
        (NO_CAUSE, "release", ReleaseOutcome.FALLBACK),
        (NO_CAUSE, "close_run", ReleaseOutcome.FALLBACK),
    ],
    ids=["small talk", "a runbook", "no router", "no cause", "no cause, released"],
)
async def test_other_answers_are_forked_as_they_were(
    tmp_path: Path, cast: Cast, step: str, outcome: ReleaseOutcome
) -> None:
    original = await parent(tmp_path, cast)
    async with stage(tmp_path, replace(cast, agent=(), router=())) as play:
        result = await fork(play, step)

        assert (result.outcome, result.failure_code) == (outcome, original.failure_code)
        assert _as_of(result, FORK) == _as_of(original, RUN_ID)
        assert RUN_ID not in str(result.content)


def _as_of(result: RunResult, run_id: RunId) -> str:
    """What was published, whatever the run is called."""
    return result.model_dump_json(include={"content"}).replace(run_id, "RUN")


async def test_a_running_parent_is_forked_at_what_it_has_done(tmp_path: Path) -> None:
    pages = dict(PAGES)
    cast = Cast(
        agent=(ask("errors"), submit(good_draft()), submit(good_draft())),
        pages=pages,
        semantic=(SUPPORTED,) * 2,
        router=(TO_DIAGNOSIS,) * 2,
    )
    async with stage(tmp_path, cast) as play:
        started, go_on = asyncio.Event(), asyncio.Event()

        async def waiting() -> object:
            started.set()
            await go_on.wait()
            return PAGES["errors"]

        pages["errors"] = waiting
        running = asyncio.create_task(play.run())
        await started.wait()
        pages["errors"] = PAGES["errors"]
        forked = await fork(play, "tool_gate")
        go_on.set()
        result = await running

        assert (forked.outcome, result.outcome) == (ReleaseOutcome.SUCCESS, ReleaseOutcome.SUCCESS)
        assert await play.stores.control.usage(RUN_ID) != await play.stores.control.usage(FORK)
