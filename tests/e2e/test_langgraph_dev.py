"""The same graph under ``langgraph dev``: through its HTTP API, offline, and with blocking calls forbidden."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from graph.app import open_app
from graph.stores import open_stores
from state.model.diagnosis import RunOptions
from state.model.enums import RunState
from state.model.ids import RunId, derive_run_id
from state.model.run import PublicEventType, RunRow
from tests.e2e.dev_server import DevServer, a_blocking_graph, dev_server, serving
from tests.graph.test_topology import NODES
from tests.wire_server import Reply, WireServer, answers, completion
from worlds import build_world, world_question

pytestmark = pytest.mark.e2e

WORLD = "payment-timeouts"
QUESTION = world_question(WORLD)
BLOCKED = "Blocking call to"


@dataclass(frozen=True)
class Desk:
    """A server with its home folder and its world."""

    server: DevServer
    home: Path
    world: Path

    async def rows(self) -> dict[str, RunRow]:
        async with open_stores(Settings(home=self.home)) as stores:
            return {row.run_id: row for row in await stores.control.list_runs(limit=200)}

    async def frames(self, run_id: str) -> list[PublicEventType]:
        async with open_stores(Settings(home=self.home)) as stores:
            return [event.type for event in await stores.control.public_events(RunId(run_id))]


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Offline reasoner over a bundled world."""
    folder = tmp_path_factory.mktemp("dev")
    world, home = build_world(WORLD, folder / "world"), folder / "home"
    with dev_server(folder, ROOTPROOF_HOME=str(home), ROOTPROOF_WORLD=str(world)) as server:
        yield Desk(server, home, world)
        assert BLOCKED not in server.log


@pytest.fixture(scope="session")
def diagnosed(desk: Desk) -> tuple[str, dict[str, Any]]:
    """Thread and output of a diagnosis."""
    thread = desk.server.new_thread()
    return thread, desk.server.wait(thread, QUESTION)


async def test_a_diagnosis_runs_through_the_api(desk: Desk, diagnosed: tuple[str, dict[str, Any]]) -> None:
    _, output = diagnosed
    result = output["result"]

    row = (await desk.rows())[output["run_id"]]
    assert (result["outcome"], result["content_type"]) == ("SUCCESS", "DIAGNOSIS_REPORT")
    assert result["content"]["draft"]["conclusion"]["text"]
    assert (row.run_state, row.outcome) == (RunState.SUCCESS, result["outcome"])


def test_its_history_shows_our_nodes(desk: Desk, diagnosed: tuple[str, dict[str, Any]]) -> None:
    visited = desk.server.visited(diagnosed[0])

    assert visited[:3] == ["open_run", "route", "agent"]
    assert visited[-4:] == ["guard_evidence", "guard_semantics", "release", "close_run"]
    assert set(visited) <= NODES


async def test_langgraph_api_and_our_own_checkpointer_give_the_same_result(
    desk: Desk, diagnosed: tuple[str, dict[str, Any]], tmp_path: Path
) -> None:
    theirs = diagnosed[1]["result"]
    async with open_app(Settings(home=tmp_path), desk.world) as app:
        request: Any = {"query": QUESTION, "run_id": diagnosed[1]["run_id"], "session_id": theirs["session_id"]}
        ours = await app.diagnose(request, RunOptions(), lambda _: None)
        visited = await nodes_of(app.runner.graph, ours.run_id)

    assert ours.model_dump(mode="json") | {"closed_at": None} == theirs | {"closed_at": None}
    assert visited == desk.server.visited(diagnosed[0])


async def nodes_of(graph: Any, run_id: str) -> list[str]:
    history = [saved async for saved in graph.aget_state_history({"configurable": {"thread_id": run_id}})]
    return [name for saved in reversed(history) for name in saved.next if name != "__start__"]


async def test_two_runs_on_one_thread_do_not_mix(desk: Desk) -> None:
    thread = desk.server.new_thread()
    first = desk.server.wait(thread, QUESTION)
    second = desk.server.wait(thread, "Why did the frobnicator of gizmo-service stop?", context={"max_tool_calls": 1})

    state, rows = desk.server.state(thread), await desk.rows()
    assert first["run_id"] != second["run_id"]
    assert first["result"]["content_type"] == "DIAGNOSIS_REPORT"
    assert second["result"]["content_type"] == "SAFE_FALLBACK"
    assert state["run_id"] == state["run"]["run_id"] == state["result"]["run_id"] == second["run_id"]
    assert state["run"]["limits"]["max_tool_calls"] == 1
    assert first["run_id"] not in json.dumps(state)
    assert rows[first["run_id"]].facts.limits.max_tool_calls == 12
    assert rows[first["run_id"]].thread_id == rows[second["run_id"]].thread_id == thread


def test_a_question_in_chinese_is_answered_in_chinese(desk: Desk) -> None:
    output = desk.server.wait(desk.server.new_thread(), "你好")

    assert output["result"]["language"] == "zh"


def test_a_question_that_opens_no_run_is_an_error_and_leaves_the_thread_usable(desk: Desk) -> None:
    thread = desk.server.new_thread()
    refused = desk.server.wait(thread, "   ")
    answered = desk.server.wait(thread, "hello")

    assert "__error__" in refused
    assert answered["result"]["content_type"] == "SYSTEM_ANSWER"


def test_options_are_shown_as_context(desk: Desk) -> None:
    schemas = desk.server.get(f"/assistants/{desk.server.assistant()}/schemas")

    assert set(schemas["context_schema"]["properties"]) == set(RunOptions.model_fields)
    assert {"query", "session_id"} <= set(schemas["input_schema"]["properties"])
    assert "transcript" in schemas["state_schema"]["properties"]


def test_the_drawing_shows_our_nodes(desk: Desk) -> None:
    graph = desk.server.get(f"/assistants/{desk.server.assistant()}/graph")

    assert {node["id"] for node in graph["nodes"]} >= NODES


def test_the_server_would_notice_a_blocking_call(tmp_path: Path) -> None:
    """Else the silence of its log proved nothing."""
    a_blocking_graph(tmp_path / "checkout")
    with serving(tmp_path / "checkout", tmp_path / "dev.log", {}) as server:
        server.wait(server.new_thread(), "any")

        assert BLOCKED in server.log


SLOW = answers(completion('{"intent":"DIAGNOSIS"}'), delay_s=30.0)


@pytest.mark.parametrize("action", ["interrupt", "rollback"])
async def test_a_run_cancelled_through_the_api_ends_cancelled(tmp_path: Path, action: str) -> None:
    with WireServer(SLOW) as model, asking(tmp_path, model) as desk:
        thread = desk.server.new_thread()
        serving_run = desk.server.begin(thread, "Why do payments fail since 14:05?")
        assert model.arrived.wait(30)
        desk.server.api.post(f"/threads/{thread}/runs/{serving_run}/cancel?wait=true&action={action}")

        run_id = derive_run_id(thread, serving_run)
        row = await ended(desk, run_id)
        assert (row.run_state, row.failure_code) == (RunState.CANCELLED, "RUN_CANCELLED")
        assert (await desk.frames(run_id))[-2:] == [PublicEventType.FAILURE, PublicEventType.DONE]
        assert model.client_left.wait(5)
