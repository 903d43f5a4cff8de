"""A recorded run comes out byte for byte the same from every step; what was changed since shows at its first use."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from config.settings import Settings
from graph.replay import replay_run
from graph.replay_steps import StepReplay, replay_steps
from models import prompts
from models.chat import FailureKind
from models.turns import WrittenTurn
from state.model.enums import ModelRole, ReleaseOutcome
from tests.faults.casts import REPAIRED, WRONG_QUOTE
from tests.graph.stage import (
    RUN_ID,
    TO_DIAGNOSIS,
    UNSUPPORTED,
    Cast,
    ask,
    gained,
    good_draft,
    null_draft,
    stage,
    submit,
)

TWO_CALLS = (ask("errors"), ask("deploys", gained("call-errors")), submit(good_draft()))
RUNS: dict[str, Cast] = {
    "a diagnosis": Cast(agent=TWO_CALLS),
    "a repaired one": Cast(agent=(ask("errors"), submit(WRONG_QUOTE)), repair=(REPAIRED,)),
    "one without conclusion": Cast(agent=(ask("empty"), submit(null_draft()))),
    "one that the review refused": Cast(agent=TWO_CALLS, semantic=(UNSUPPORTED,)),
    "one whose first draft was none": Cast(agent=(ask("errors"), submit({"no": "draft"}), submit(good_draft()))),
    "one at the end of its budget": Cast(agent=(ask("errors"), submit(good_draft())), settings={"max_tool_calls": 1}),
    "one whose model failed once": Cast(
        agent=TWO_CALLS, router=(WrittenTurn(error=FailureKind.TRANSPORT), TO_DIAGNOSIS)
    ),
    "a greeting": Cast(question="hello"),
    "a question to the documents": Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',), question="How is a pool sized?"),
}


MODEL = {"model_base_url": "http://127.0.0.1:9/v1"}
"""An address that is never asked."""


async def steps(home: Path, cast: Cast, *, as_configured: bool = False, **settings: object) -> tuple[StepReplay, ...]:
    async with stage(home, cast) as play:
        if await play.stores.control.get_run(RUN_ID) is None:
            await play.run()
        wanted = Settings(home=home, **{**cast.settings, **settings})  # type: ignore[arg-type]
        return await replay_steps(wanted, play.stores, RUN_ID, as_configured=as_configured)


def where(found: tuple[StepReplay, ...]) -> dict[str, str | None]:
    return {f"{one.step.number}:{one.step.node}": one.replay.diverged_at for one in found}


@pytest.mark.parametrize("cast", RUNS.values(), ids=RUNS.keys())
async def test_from_every_step_it_is_the_same(tmp_path: Path, cast: Cast) -> None:
    found = await steps(tmp_path, cast)

    assert set(where(found).values()) == {None}
    async with stage(tmp_path, cast) as play:
        n_nodes = len(await play.visited())
        row = await play.stores.control.get_run(RUN_ID)
    assert row is not None
    assert len(found) == n_nodes
    assert found[-1].step.node == "close_run"
    contents = {one.replay.result.model_dump_json(exclude={"closed_at"}) for one in found if one.replay.result}
    assert len(contents) == 1


def with_prompt(role: ModelRole) -> Mapping[ModelRole, object]:
    changed = {**prompts.PROMPTS}
    changed[role] = changed[role].model_copy(update={"text": changed[role].text + "\nBe brief."})
    return MappingProxyType(changed)


@pytest.mark.parametrize(
    ("role", "first", "until"),
    [
        (ModelRole.ROUTER, "router:1:1", "route"),
        (ModelRole.AGENT, "agent:1:1", "agent"),
        (ModelRole.SEMANTIC, "semantic:1:1", "guard_semantics"),
    ],
)
async def test_a_changed_prompt_shows_where_it_is_first_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: ModelRole, first: str, until: str
) -> None:
    await steps(tmp_path, RUNS["a diagnosis"])
    monkeypatch.setattr(prompts, "PROMPTS", with_prompt(role))

    found = await steps(tmp_path, RUNS["a diagnosis"])

    last = max(n for n, one in enumerate(found) if one.step.node == until)
    assert found[0].replay.diverged_at == first
    assert all((one.replay.diverged_at is not None) == (n <= last) for n, one in enumerate(found))


async def test_a_changed_prompt_shows_from_each_step_at_the_next_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await steps(tmp_path, RUNS["a diagnosis"])
    monkeypatch.setattr(prompts, "PROMPTS", with_prompt(ModelRole.AGENT))

    found = await steps(tmp_path, RUNS["a diagnosis"])

    assert [(one.step.node, one.replay.diverged_at) for one in found] == [
        ("open_run", "agent:1:1"), ("route", "agent:1:1"), ("agent", "agent:1:1"),
        ("tool_gate", "agent:2:1"), ("track_progress", "agent:2:1"), ("agent", "agent:2:1"),
        ("tool_gate", "agent:3:1"), ("track_progress", "agent:3:1"), ("agent", "agent:3:1"),
        ("guard_evidence", None), ("guard_semantics", None), ("release", None), ("close_run", None),
    ]  # fmt: skip


async def test_a_changed_limit_shows_where_it_first_counts(tmp_path: Path) -> None:
    cast = RUNS["a diagnosis"]
    recorded = where(await steps(tmp_path, cast, max_tool_calls=1))
    configured = where(
        await steps(tmp_path, cast, as_configured=True, max_tool_calls=1, model="openai:scripted", **MODEL)
    )

    assert set(recorded.values()) == {None}
    assert configured["2:route"] == configured["4:tool_gate"] == "agent:2:1"
    assert set(list(configured.values())[-4:]) == {None}


async def test_another_model_shows_at_the_first_step_that_it_is_asked(tmp_path: Path) -> None:
    cast = RUNS["a diagnosis"]
    same = where(await steps(tmp_path, cast, as_configured=True, model="openai:scripted", **MODEL))
    other = where(await steps(tmp_path, cast, as_configured=True, model="openai:other", **MODEL))
    reviewer = await steps(
        tmp_path, cast, as_configured=True, model="openai:scripted", model_semantic="openai:other", **MODEL
    )
    recorded = where(await steps(tmp_path, cast, model="openai:other", **MODEL))

    assert set(same.values()) == set(recorded.values()) == {None}
    assert other["1:open_run"] == "router:1:1"
    assert other["3:agent"] == "agent:1:1"
    assert {one.replay.diverged_at for one in reviewer} == {"semantic:1:1", None}


async def test_a_forged_result_shows_from_every_step_that_rests_on_it(tmp_path: Path) -> None:
    cast = RUNS["a diagnosis"]
    await steps(tmp_path, cast)
    async with stage(tmp_path, cast) as play:
        found = await play.stores.recording.get(RUN_ID, "tool:call-errors")
        assert found is not None
        forged = found[1].replace("request timed out", "request was refused")
        await play.stores.recording.put(RUN_ID, "tool:call-errors", found[0], forged)

    after = where(await steps(tmp_path, cast))

    assert after["1:open_run"] == "agent:2:1"
    assert None not in after.values()


async def test_a_run_that_another_process_finished_is_the_same_from_every_step(tmp_path: Path) -> None:
    cast = Cast(agent=(ask("errors"), WrittenTurn(hang=True)), settings={"agent_timeout_s": 30.0})
    async with stage(tmp_path, cast, owner="first") as play:
        running = asyncio.create_task(play.run())
        while play.models[ModelRole.AGENT].n_calls < 2:
            await asyncio.sleep(0.01)
        play.runner.give_up(RUN_ID)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    async with stage(tmp_path, Cast(agent=(submit(good_draft()),)), owner="second") as play:
        result = await play.runner.resume(RUN_ID)
        found = await replay_steps(Settings(home=tmp_path), play.stores, RUN_ID)

        assert result.outcome is ReleaseOutcome.SUCCESS
        assert set(where(found).values()) == {None}
        assert (await replay_run(Settings(home=tmp_path), play.stores, RUN_ID)).identical


async def test_where_no_checkpoint_is_kept_there_is_no_step(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()
        await play.stores.checkpoints.adelete_thread(RUN_ID)

        assert await replay_steps(Settings(home=tmp_path), play.stores, RUN_ID) == ()
