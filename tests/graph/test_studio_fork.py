"""Going on under langgraph-api, in this process: whose run is executed where a client gives no input."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import TypeAdapter

from graph.studio_fork import StudioGraph
from graph.wiring import compile_graph
from nodes.deps import Owners
from nodes.lease_keeper import LeaseKeeper
from state.model.diagnosis import DiagnosisState
from state.model.enums import ReleaseOutcome, RunState
from state.model.errors import RunRefused
from state.model.ids import RunId, derive_run_id
from tests.graph.stage import HAPPY, SUPPORTED, TO_DIAGNOSIS, Cast, Stage, stage
from tests.graph.test_threads import Ignorant

THREAD = "one-thread"
AGAIN = Cast(agent=(*HAPPY, *HAPPY[1:] * 3), router=(TO_DIAGNOSIS,) * 2, semantic=(SUPPORTED,) * 4)
"""A diagnosis, and what three forks behind its search say."""


class Server:
    """What langgraph-api does around the graph: a copy with its own checkpointer, a run id for every execution."""

    def __init__(self, play: Stage, saver: InMemorySaver, owner_key: str = "local") -> None:
        self._play, self._saver, self._owner_key = play, saver, owner_key
        self._served = 0

    async def wait(self, given: object, *, serving: str = "", **place: str) -> dict[str, Any]:
        self._served += 1
        async with self.graph() as graph:
            config = {
                "run_id": serving or f"00000000-0000-4000-8000-{self._served:012d}",
                "configurable": {"thread_id": THREAD, **place},
            }
            found = await graph.ainvoke(given, config, durability="sync")
            assert isinstance(found, dict)
            return found

    @asynccontextmanager
    async def graph(self) -> AsyncIterator[Any]:
        deps = self._play.deps
        keeper = LeaseKeeper(deps.control, deps.canonical, deps.clock, f"server-{self._served}")
        own = replace(deps, keeper=keeper, owners=Owners(self._owner_key))
        try:
            yield StudioGraph.of(compile_graph(own, None), own).copy(update={"checkpointer": self._saver})
        finally:
            for run_id in keeper.held_runs():
                await keeper.let_go(run_id)

    async def history(self) -> list[Any]:
        async with self.graph() as graph:
            return [one async for one in graph.aget_state_history({"configurable": {"thread_id": THREAD}})]

    async def place(self, node: str) -> str:
        """The checkpoint before this node, the newest of the thread."""
        return str(
            next(one for one in await self.history() if one.next == (node,)).config["configurable"]["checkpoint_id"]
        )


async def test_a_checkpoint_is_gone_on_from_by_a_new_run(tmp_path: Path) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        first = await server.wait({"query": play.question})
        place = await server.place("agent")
        second = await server.wait(None, checkpoint_id=place)
        row = await play.stores.control.get_run(second["run_id"])

        assert row is not None
        assert row.run_id == derive_run_id(THREAD, f"00000000-0000-4000-8000-{2:012d}") != first["run_id"]
        assert (row.parent_run_id, row.fork_checkpoint) == (first["run_id"], place)
        assert (row.outcome, row.thread_id) == (ReleaseOutcome.SUCCESS, THREAD)
        assert play.notebook.executed == ["errors"]
        assert len(await play.stores.control.list_runs()) == 2


async def test_a_state_that_comes_back_without_its_types_is_refused(tmp_path: Path) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver(serde=Ignorant(allowed_msgpack_modules=None)))
        await server.wait({"query": play.question})

        with pytest.raises(RunRefused, match="as it was kept"):
            await server.wait(None, checkpoint_id=await server.place("agent"))
        assert len(await play.stores.control.list_runs()) == 1


async def test_a_state_written_as_json_is_gone_on_from(tmp_path: Path) -> None:
    """As Studio writes it: the whole state, whatever was changed in it."""
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        async with server.graph() as graph:
            config = {"run_id": "77777777-7777-4777-8777-777777777777", "configurable": {"thread_id": THREAD}}
            await graph.ainvoke(
                {"query": play.question}, config, interrupt_before=["guard_evidence"], durability="sync"
            )
            values = (await graph.aget_state(config)).values
            plain = json.loads(TypeAdapter(DiagnosisState).dump_json(values))
            await graph.aupdate_state({"configurable": {"thread_id": THREAD}}, plain, as_node="repair_draft")
        output = await server.wait(None)

        assert output["run_id"] == values["run_id"]
        assert output["result"].outcome is ReleaseOutcome.SUCCESS
        assert len(await play.stores.control.list_runs()) == 1


async def test_an_execution_tried_again_goes_on_with_its_fork(tmp_path: Path) -> None:
    """The server gives the same request to another worker after a crash."""
    async with stage(tmp_path, AGAIN) as play:
        server, serving = Server(play, InMemorySaver()), "99999999-9999-4999-8999-999999999999"
        await server.wait({"query": play.question})
        place = await server.place("agent")
        async with server.graph() as graph:
            config = {"run_id": serving, "configurable": {"thread_id": THREAD, "checkpoint_id": place}}
            await graph.ainvoke(None, config, interrupt_before=["release"], durability="sync")
        interrupted = await play.stores.control.list_runs()
        again = await server.wait(None, serving=serving, checkpoint_id=place)

        assert again["run_id"] == interrupted[0].run_id
        assert again["result"].outcome is ReleaseOutcome.SUCCESS
        assert len(await play.stores.control.list_runs()) == len(interrupted) == 2


async def test_a_fork_whose_process_died_before_its_row_is_begun_once_more(tmp_path: Path) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        first = await server.wait({"query": play.question})
        place = await server.place("guard_evidence")
        open_run = play.stores.control.open_run

        async def died(*_: object) -> None:
            raise KeyboardInterrupt

        play.stores.control.open_run = died  # type: ignore[method-assign, assignment]
        with pytest.raises(KeyboardInterrupt):
            await server.wait(None, checkpoint_id=place)
        play.stores.control.open_run = open_run  # type: ignore[method-assign]
        again = await server.wait(None)
        rows = await play.stores.control.list_runs()

        assert [row.run_id for row in rows] == [again["run_id"], first["run_id"]]
        assert (rows[0].parent_run_id, rows[0].outcome) == (first["run_id"], ReleaseOutcome.SUCCESS)


async def test_a_run_that_is_over_is_gone_on_from_without_a_checkpoint_too(tmp_path: Path) -> None:
    """Cancelled while it stood: what follows is a new run, never the old one."""
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        async with server.graph() as graph:
            config = {"run_id": "77777777-7777-4777-8777-777777777777", "configurable": {"thread_id": THREAD}}
            await graph.ainvoke(
                {"query": play.question}, config, interrupt_before=["guard_evidence"], durability="sync"
            )
        (row,) = await play.stores.control.list_runs()
        await play.runner.close_cancelled(row.run_id)
        output = await server.wait(None)
        parent = await play.stores.control.get_run(row.run_id)

        assert parent is not None
        assert parent.run_state is RunState.CANCELLED
        assert output["run_id"] != row.run_id
        assert output["result"].outcome is ReleaseOutcome.SUCCESS


@pytest.mark.parametrize("ended", [True, False], ids=["ended", "standing"])
async def test_nobody_goes_on_from_the_run_of_another(tmp_path: Path, ended: bool) -> None:
    async with stage(tmp_path, AGAIN) as play:
        saver = InMemorySaver()
        server = Server(play, saver)
        async with server.graph() as graph:
            config = {"run_id": "77777777-7777-4777-8777-777777777777", "configurable": {"thread_id": THREAD}}
            before: Any = () if ended else ["release"]
            await graph.ainvoke({"query": play.question}, config, interrupt_before=before, durability="sync")
        place = await server.place("release")

        with pytest.raises(RunRefused, match="there is no such run"):
            await Server(play, saver, owner_key="somebody").wait(None, checkpoint_id=place)
        assert len(await play.stores.control.list_runs()) == 1


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"run": {"max_tool_calls": 99}}, "changed by hand"),
        ({"evidence": None}, "guards and release decided"),
        ({"run_id": "44444444-4444-4444-8444-444444444444"}, "there is no such run"),
    ],
)
async def test_a_state_that_says_what_nobody_decided_is_refused(
    tmp_path: Path, values: dict[str, Any], why: str
) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        async with server.graph() as graph:
            config = {"run_id": "77777777-7777-4777-8777-777777777777", "configurable": {"thread_id": THREAD}}
            await graph.ainvoke({"query": play.question}, config, interrupt_before=["release"], durability="sync")
            if "run" in values:
                facts = (await graph.aget_state(config)).values["run"]
                values = {"run": facts.model_copy(update={"limits": facts.limits.model_copy(update=values["run"])})}
            await graph.aupdate_state({"configurable": {"thread_id": THREAD}}, values, as_node="guard_semantics")

        with pytest.raises(RunRefused, match=why):
            await server.wait(None)


@pytest.mark.parametrize(
    "command", [Command(goto="close_run"), Command(update={"review": None})], ids=["goto", "update"]
)
async def test_a_command_does_not_get_past_what_judges(tmp_path: Path, command: Command[Any]) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        await server.wait({"query": play.question})

        with pytest.raises(RunRefused, match="not taken"):
            await server.wait(command)


async def test_an_ended_thread_is_left_as_it_is(tmp_path: Path) -> None:
    async with stage(tmp_path, AGAIN) as play:
        server = Server(play, InMemorySaver())
        first = await server.wait({"query": play.question})
        steps = len(await server.history())

        assert await server.wait(None) == first
        assert len(await server.history()) == steps
        assert [row.run_id for row in await play.stores.control.list_runs()] == [RunId(first["run_id"])]
