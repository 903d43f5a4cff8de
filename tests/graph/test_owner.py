"""Whose run it is: said by the process that executes it, and by nothing a client writes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph_sdk.runtime import _ExecutionRuntime

from graph import serving
from graph.app import App, Records
from graph.serving import make_graph, owner_key_of
from state.model.errors import Misconfigured, RunRefused
from state.model.ids import RunId
from state.model.run import RunRow
from tests.contracts.samples import a_new_run, facts
from tests.graph.stage import HAPPY, QUESTION, RUN_ID, SUPPORTED, TO_DIAGNOSIS, Cast, Stage, stage

ANN, BOB = "ann", "bob"
OTHER_RUN = "22222222-2222-4222-8222-222222222222"
TWICE = Cast(agent=HAPPY * 2, router=(TO_DIAGNOSIS,) * 2, semantic=(SUPPORTED,) * 2)


@dataclass(frozen=True)
class User:
    """Whom an auth handler let in."""

    identity: str
    is_authenticated: bool = True
    display_name: str = ""
    permissions: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __contains__(self, key: object) -> bool:
        return hasattr(self, str(key))


@dataclass(frozen=True)
class Shared:
    """What the runs of one server share."""

    given: App

    async def app(self) -> App:
        return self.given


@asynccontextmanager
async def served_graph(play: Stage, user: User | None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """The graph as langgraph-api is given it for one run of this user."""
    app = App(cast(Records, None), cast(Any, None), play.runner)
    monkeypatch.setattr(serving, "_shared", Shared(app))
    runtime: Any = _ExecutionRuntime(access_context="threads.create_run", user=cast(Any, user), store=cast(Any, None))
    async with make_graph({}, runtime) as graph:
        yield graph


async def run_as(play: Stage, owner: str, run_id: str = RUN_ID, session: str = "s1") -> RunRow:
    request: Any = {"query": QUESTION, "run_id": run_id, "session_id": session}
    await play.runner.run(request, owner_key=owner)
    return await row_of(play, run_id)


async def row_of(play: Stage, run_id: str) -> RunRow:
    row = await play.stores.control.get_run(RunId(run_id))
    assert row is not None
    return row


async def test_a_run_belongs_to_the_key_it_is_executed_for(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        row = await run_as(play, ANN)

        assert (row.owner_key, row.facts.owner_key) == (ANN, ANN)


async def test_the_command_line_is_the_local_key(tmp_path: Path) -> None:
    async with stage(tmp_path) as play:
        await play.run()

        assert (await row_of(play, RUN_ID)).owner_key == "local"


async def test_a_session_of_another_key_is_refused(tmp_path: Path) -> None:
    async with stage(tmp_path, TWICE) as play:
        await run_as(play, ANN)
        with pytest.raises(RunRefused):
            await run_as(play, BOB, OTHER_RUN)

        assert await play.stores.control.get_run(RunId(OTHER_RUN)) is None


async def test_a_run_of_another_key_is_not_taken_up(tmp_path: Path) -> None:
    async with stage(tmp_path, TWICE) as play:
        await run_as(play, ANN)
        with pytest.raises(RunRefused):
            await run_as(play, BOB)


async def test_a_later_run_knows_the_turn_before_of_its_own_key(tmp_path: Path) -> None:
    async with stage(tmp_path, TWICE) as play:
        first = await run_as(play, ANN)
        second = await run_as(play, ANN, OTHER_RUN)

        assert first.facts.previous_turn is None
        assert second.facts.previous_turn is not None
        assert second.facts.previous_turn.query == QUESTION


async def test_a_resumed_run_stays_its_owners(tmp_path: Path) -> None:
    request: Any = {"query": QUESTION, "run_id": RUN_ID, "session_id": "s1"}
    async with stage(tmp_path, owner="first") as play:
        with play.deps.owners.executing(RUN_ID, ANN):
            await play.runner.graph.ainvoke(
                request, {"configurable": {"thread_id": RUN_ID}}, interrupt_before=["route"], durability="sync"
            )
        await play.deps.keeper.let_go(RUN_ID)
    async with stage(tmp_path, owner="second") as play:
        await play.runner.resume(RUN_ID)

        assert (await row_of(play, RUN_ID)).facts.owner_key == ANN


async def test_a_run_that_was_cut_off_while_opening_is_opened_again_for_its_owner(tmp_path: Path) -> None:
    """Its row is written, its first checkpoint is not: ``open_run`` runs again when it is resumed."""
    request: Any = {"query": QUESTION, "run_id": RUN_ID, "session_id": "s1"}
    async with stage(tmp_path, owner="first") as play:
        config: Any = {"configurable": {"thread_id": RUN_ID}}
        await play.runner.graph.ainvoke(request, config, interrupt_before=["open_run"], durability="sync")
        lease = await play.stores.control.open_run(a_new_run(facts(RUN_ID, session="s1", owner_key=ANN)), "first")
        await play.stores.control.drop_lease(lease)
    async with stage(tmp_path, owner="second") as play:
        result = await play.runner.resume(RUN_ID)

        assert result.content is not None
        assert (await row_of(play, RUN_ID)).owner_key == ANN


async def test_under_langgraph_api_a_run_belongs_to_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage(tmp_path) as play, served_graph(play, User(ANN), monkeypatch) as graph:
        await graph.ainvoke({"query": QUESTION, "run_id": RUN_ID})

        assert (await row_of(play, RUN_ID)).owner_key == ANN


async def test_under_langgraph_api_another_users_session_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(tmp_path) as play:
        async with served_graph(play, User(ANN), monkeypatch) as graph:
            await graph.ainvoke({"query": QUESTION, "run_id": RUN_ID, "session_id": "s1"})
        async with served_graph(play, User(BOB), monkeypatch) as graph:
            with pytest.raises(RunRefused):
                await graph.ainvoke({"query": QUESTION, "run_id": OTHER_RUN, "session_id": "s1"})


@pytest.mark.parametrize("user", [None, User("", is_authenticated=False), User(ANN)])
async def test_no_input_and_no_config_says_whose_run_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: User | None
) -> None:
    spoofed = {"owner_key": BOB, "owner": BOB, "run": {"owner_key": BOB}}
    config = {"configurable": {**spoofed, "owners": {RUN_ID: BOB}, "langgraph_auth_user": {"identity": BOB}}}
    async with stage(tmp_path) as play, served_graph(play, user, monkeypatch) as graph:
        await graph.ainvoke({"query": QUESTION, "run_id": RUN_ID, **spoofed}, config)

        row = await row_of(play, RUN_ID)
        assert row.owner_key == row.facts.owner_key == (ANN if user and user.is_authenticated else "local")


def test_an_auth_handler_that_names_nobody_is_refused() -> None:
    with pytest.raises(Misconfigured):
        owner_key_of(cast(Any, User("")))
