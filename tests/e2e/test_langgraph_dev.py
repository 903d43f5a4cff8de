"""The same graph under ``langgraph dev``: through its HTTP API, offline, and with blocking calls forbidden."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from config.settings import Settings
from graph.app import open_app
from graph.replay import replay_run
from graph.stores import open_stores
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import CancellationReason, RunState
from state.model.ids import RunId, derive_run_id
from state.model.release import RunResult
from state.model.run import PublicEventType, RunRow
from tests.e2e.dev_server import RUN_S, DevServer, a_blocking_graph, dev_server, serving
from tests.graph.test_topology import NODES
from tests.wire_server import WireServer, answers, completion
from worlds import build_world, world_question

pytestmark = pytest.mark.e2e

WORLD = "payment-timeouts"
QUESTION = world_question(WORLD)
BLOCKED = "Blocking call to"
PATIENCE_S = 30.0
LONGEST_STATE_TEXT = 4000


@dataclass(frozen=True)
class Desk:
    """A server with its home folder."""

    server: DevServer
    home: Path

    async def rows(self) -> dict[str, RunRow]:
        async with open_stores(Settings(home=self.home)) as stores:
            return {row.run_id: row for row in await stores.control.list_runs(limit=200)}

    async def interrupted(self) -> list[str]:
        async with open_stores(Settings(home=self.home)) as stores:
            return [row.run_id for row in await stores.control.interrupted_runs()]

    async def frames(self, run_id: str) -> list[PublicEventType]:
        async with open_stores(Settings(home=self.home)) as stores:
            return [event.type for event in await stores.control.public_events(RunId(run_id))]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_world(WORLD, tmp_path_factory.mktemp("world") / WORLD)


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory, world: Path) -> Iterator[Desk]:
    """Offline reasoner over a bundled world."""
    folder = tmp_path_factory.mktemp("dev")
    home = folder / "home"
    with dev_server(folder, ROOTPROOF_HOME=str(home), ROOTPROOF_WORLD=str(world)) as server:
        yield Desk(server, home)
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
    desk: Desk, world: Path, diagnosed: tuple[str, dict[str, Any]], tmp_path: Path
) -> None:
    theirs = RunResult.model_validate(diagnosed[1]["result"])
    async with open_app(Settings(home=tmp_path), world) as app:
        request: Any = {"query": QUESTION, "run_id": diagnosed[1]["run_id"], "session_id": theirs.session_id}
        ours = await app.diagnose(request, RunOptions(), lambda _: None)
        visited = await nodes_of(app.runner.graph, ours.run_id)

    assert ours.model_copy(update={"closed_at": theirs.closed_at}) == theirs
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


async def test_a_run_is_stepped_through_node_by_node(desk: Desk, diagnosed: tuple[str, dict[str, Any]]) -> None:
    """As Studio does: between two steps nobody holds the run, and each step takes it up again."""
    thread = desk.server.new_thread()
    desk.server.wait(thread, QUESTION, interrupt_before=["tool_gate"])
    run_id = desk.server.state(thread)["run_id"]
    assert await desk.interrupted() == [run_id]

    output = desk.server.wait(thread, None, interrupt_before=["release"])
    assert desk.server.state(thread)["decision"] is None
    output = desk.server.wait(thread, None)

    assert output["run_id"] == run_id
    assert output["result"]["outcome"] == diagnosed[1]["result"]["outcome"]
    assert desk.server.visited(thread) == desk.server.visited(diagnosed[0])


async def test_a_graph_that_falls_over_ends_its_run(desk: Desk) -> None:
    thread = desk.server.new_thread()
    output = desk.server.wait(thread, QUESTION, config={"recursion_limit": 4})

    run_id = desk.server.state(thread)["run_id"]
    row = (await desk.rows())[run_id]
    assert "__error__" in output
    assert (row.run_state, row.failure_code) == (RunState.FAILED, "INTERNAL_FAILURE")
    assert (await desk.frames(run_id))[-2:] == [PublicEventType.FAILURE, PublicEventType.DONE]


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


def test_a_stream_names_the_nodes_as_they_end(desk: Desk) -> None:
    thread = desk.server.new_thread()
    body = {"assistant_id": "rootproof", "input": {"query": "hello"}, "stream_mode": ["updates", "custom"]}
    reply = desk.server.api.post(f"/threads/{thread}/runs/stream", json=body).raise_for_status()
    events = list(parse(reply.text))

    nodes = [node for kind, data in events if kind == "updates" for node in data]
    frames = [data for kind, data in events if kind == "custom"]
    assert nodes == ["open_run", "route", "answer_chat", "close_run"]
    assert frames
    assert desk.server.state(thread)["result"]["content_type"] == "SYSTEM_ANSWER"


def parse(stream: str) -> Iterator[tuple[str, Any]]:
    for block in stream.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "event" in fields:
            yield fields["event"], json.loads(fields["data"])


def test_the_state_is_readable(desk: Desk, diagnosed: tuple[str, dict[str, Any]]) -> None:
    """Every field by its name, as text and numbers: nothing packed, and no evidence but what is cited."""
    state = desk.server.state(diagnosed[0])

    assert set(state) == set(DiagnosisState.__annotations__)
    assert state["decision"]["content"]["draft"]["conclusion"]["text"]
    assert max(len(text) for text in texts(state)) <= LONGEST_STATE_TEXT
    assert not [text for text in texts(state) if "__" in text or text.startswith("base64")]


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        yield from (text for one in value.values() for text in texts(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in texts(one))
    elif isinstance(value, str):
        yield value


@pytest.fixture(scope="module")
def stepped(desk: Desk) -> tuple[str, str, str]:
    """Thread, run and a checkpoint in the middle of a diagnosis that has ended."""
    thread = desk.server.new_thread()
    run_id = desk.server.wait(thread, QUESTION)["run_id"]
    history = desk.server.get(f"/threads/{thread}/history?limit=200")
    middle = next(snapshot for snapshot in history if snapshot["next"] == ["guard_evidence"])
    return thread, run_id, middle["checkpoint"]["checkpoint_id"]


async def test_a_run_that_has_ended_is_gone_on_from_by_a_new_one(desk: Desk, stepped: tuple[str, str, str]) -> None:
    """Input null and a checkpoint: the results are copied, the parent stays as it is."""
    thread, parent, checkpoint = stepped
    before = (await desk.rows())[parent], await desk.frames(parent)

    output = desk.server.wait(thread, None, checkpoint_id=checkpoint)

    rows, state = await desk.rows(), desk.server.state(thread)
    row = rows[output["run_id"]]
    assert (row.parent_run_id, row.fork_checkpoint) == (parent, checkpoint)
    assert (row.run_state, row.thread_id, row.session_id) == (RunState.SUCCESS, thread, before[0].session_id)
    assert output["result"]["content"]["draft"] == rows[parent].decision.model_dump(mode="json")["content"]["draft"]  # type: ignore[union-attr]
    assert (state["run_id"], state["run"]["run_id"], state["result"]["run_id"]) == (row.run_id,) * 3
    assert (rows[parent], await desk.frames(parent)) == before
    assert (await desk.frames(row.run_id))[-2:] == [PublicEventType.CONTENT, PublicEventType.DONE]


async def test_its_trace_shows_what_was_copied(desk: Desk, stepped: tuple[str, str, str]) -> None:
    thread, parent, checkpoint = stepped
    fork = RunId(desk.server.wait(thread, None, checkpoint_id=checkpoint)["run_id"])
    async with open_stores(Settings(home=desk.home)) as stores:
        events = [one.event for one in await stores.audit.events(fork)]
        usage, records = await stores.control.usage(fork), await stores.canonical.records(fork)
        originals = await stores.canonical.records(RunId(parent))
        replayed = await replay_run(Settings(home=desk.home), stores, fork)

    copied = [one.details["tool_call_id"] for one in events if one.type == "TOOL_RESULT_COPIED"]
    assert copied == [record.tool_call_id for record in originals]
    assert [record.run_id for record in records] == [fork] * len(originals)
    assert [record.expires_at for record in records] == [record.expires_at for record in originals]
    assert usage.tool_calls == 0
    assert replayed.identical
    assert [one.type.value for one in events][:2] == ["RUN_STARTED", "RUN_FORKED"]


@pytest.mark.parametrize("node", ["open_run", "agent", "tool_gate", "track_progress", "release", "close_run"])
async def test_every_step_of_a_run_can_be_gone_on_from(desk: Desk, stepped: tuple[str, str, str], node: str) -> None:
    thread, parent, _ = stepped
    history = desk.server.get(f"/threads/{thread}/history?limit=200")
    places = [
        one["checkpoint"]["checkpoint_id"] for one in history if one["next"] == [node] and is_of(one, parent, node)
    ]

    output = desk.server.wait(thread, None, checkpoint_id=places[-1])

    row = (await desk.rows())[output["run_id"]]
    assert (row.parent_run_id, row.fork_checkpoint, row.outcome) == (parent, places[-1], "SUCCESS")


def is_of(snapshot: dict[str, Any], run_id: str, node: str) -> bool:
    return node == "open_run" or snapshot["values"].get("run_id") == run_id


async def test_a_fork_of_a_fork_and_two_forks_of_one_run(desk: Desk, stepped: tuple[str, str, str]) -> None:
    thread, parent, checkpoint = stepped
    first = desk.server.wait(thread, None, checkpoint_id=checkpoint)["run_id"]
    second = desk.server.wait(thread, None, checkpoint_id=checkpoint)["run_id"]
    history = desk.server.get(f"/threads/{thread}/history?limit=200")
    inside = next(one for one in history if one["next"] == ["release"] and one["values"]["run_id"] == first)
    third = desk.server.wait(thread, None, checkpoint_id=inside["checkpoint"]["checkpoint_id"])["run_id"]

    rows = await desk.rows()
    assert len({parent, first, second, third}) == 4
    assert [rows[one].parent_run_id for one in (first, second, third)] == [parent, parent, first]
    assert {rows[one].run_state for one in (first, second, third)} == {RunState.SUCCESS}


async def test_a_fork_is_stepped_through_like_any_run(desk: Desk, stepped: tuple[str, str, str]) -> None:
    thread, parent, checkpoint = stepped
    desk.server.wait(thread, None, checkpoint_id=checkpoint, interrupt_before=["release"])
    fork = desk.server.state(thread)["run_id"]
    assert fork in await desk.interrupted()

    output = desk.server.wait(thread, None)

    assert (output["run_id"], output["result"]["outcome"]) == (fork, "SUCCESS")
    assert (await desk.rows())[fork].parent_run_id == parent


async def test_going_on_where_a_run_stands_is_no_fork_even_if_the_place_is_named(desk: Desk) -> None:
    """Studio sends the checkpoint along."""
    thread = desk.server.new_thread()
    desk.server.wait(thread, QUESTION, interrupt_before=["release"])
    state = desk.server.get(f"/threads/{thread}/state")
    before = len(await desk.rows())

    output = desk.server.wait(thread, None, checkpoint_id=state["checkpoint"]["checkpoint_id"])

    assert output["run_id"] == state["values"]["run_id"]
    assert output["result"]["outcome"] == "SUCCESS"
    assert len(await desk.rows()) == before


async def test_an_earlier_place_of_a_run_that_goes_on_is_a_fork(desk: Desk) -> None:
    thread = desk.server.new_thread()
    desk.server.wait(thread, QUESTION, interrupt_before=["release"])
    parent = desk.server.state(thread)["run_id"]
    history = desk.server.get(f"/threads/{thread}/history?limit=200")
    earlier = next(one for one in history if one["next"] == ["guard_evidence"])["checkpoint"]["checkpoint_id"]

    output = desk.server.wait(thread, None, checkpoint_id=earlier)

    rows = await desk.rows()
    assert (rows[output["run_id"]].parent_run_id, output["result"]["outcome"]) == (parent, "SUCCESS")
    assert rows[parent].run_state is RunState.RUNNING


async def test_limits_of_a_fork_are_lowered_by_its_context(desk: Desk, stepped: tuple[str, str, str]) -> None:
    thread, _, checkpoint = stepped

    output = desk.server.wait(thread, None, checkpoint_id=checkpoint, context={"max_tool_calls": 1})

    assert (await desk.rows())[output["run_id"]].facts.limits.max_tool_calls == 1


def at_its_end(desk: Desk, stepped: tuple[str, str, str]) -> dict[str, Any]:
    """The state in which the parent ended."""
    history = desk.server.get(f"/threads/{stepped[0]}/history?limit=500")
    found = next(one["values"] for one in history if not one["next"] and one["values"]["run_id"] == stepped[1])
    assert isinstance(found, dict)
    return found


def edited(desk: Desk, stepped: tuple[str, str, str], values: object, node: str) -> Any:
    """The output of going on from a state that a person wrote beside the checkpoint."""
    thread, _, checkpoint = stepped
    body = {"values": values, "checkpoint_id": checkpoint, "as_node": node}
    place = desk.server.post(f"/threads/{thread}/state", body)["checkpoint"]["checkpoint_id"]
    return desk.server.wait(thread, None, checkpoint_id=place)


async def test_a_draft_that_a_person_changed_is_judged_like_any(desk: Desk, stepped: tuple[str, str, str]) -> None:
    draft = at_its_end(desk, stepped)["draft"]
    draft["conclusion"]["text"] = "The intern pulled the plug at 03:33, as 4711 lines say."

    output = edited(desk, stepped, {"draft": draft}, "repair_draft")

    assert (output["result"]["outcome"], output["result"]["fallback_type"]) == (
        "FALLBACK",
        "EVIDENCE_VALIDATION_FAILED",
    )
    assert "4711" not in json.dumps(output["result"])


async def test_what_was_decided_cannot_be_changed_by_hand(desk: Desk, stepped: tuple[str, str, str]) -> None:
    decision = at_its_end(desk, stepped)["decision"]
    decision["content"]["draft"]["conclusion"]["text"] = "The intern pulled the plug."
    before = await desk.rows()

    output = edited(desk, stepped, {"decision": decision}, "release")

    assert "changed by hand" in json.dumps(output["__error__"])
    assert await desk.rows() == before


@pytest.mark.parametrize("command", [{"goto": "close_run"}, {"update": {"decision": None}}])
def test_commands_that_jump_are_not_taken(desk: Desk, stepped: tuple[str, str, str], command: dict[str, Any]) -> None:
    body = {"assistant_id": "rootproof", "command": command}
    output = desk.server.post(f"/threads/{stepped[0]}/runs/wait", body)

    assert "not taken" in json.dumps(output["__error__"])


async def test_a_fork_without_its_results_is_refused(desk: Desk) -> None:
    thread = desk.server.new_thread()
    parent = desk.server.wait(thread, QUESTION)["run_id"]
    history = desk.server.get(f"/threads/{thread}/history?limit=200")
    place = next(one for one in history if one["next"] == ["guard_evidence"])["checkpoint"]["checkpoint_id"]
    with closing(sqlite3.connect(desk.home / "canonical.db")) as file, file:
        file.execute("DELETE FROM canonical_record WHERE run_id = ?", [parent])
    before = await desk.rows()

    output = desk.server.wait(thread, None, checkpoint_id=place)

    assert "not on record any more" in json.dumps(output["__error__"])
    assert await desk.rows() == before


async def test_a_question_at_a_checkpoint_is_a_new_run_that_may_name_its_parent(
    desk: Desk, stepped: tuple[str, str, str]
) -> None:
    thread, parent, checkpoint = stepped
    before = (await desk.rows())[parent], await desk.frames(parent)
    given = {"query": QUESTION, "parent_run_id": parent}
    body = {"assistant_id": "rootproof", "input": given, "checkpoint_id": checkpoint}

    output = desk.server.post(f"/threads/{thread}/runs/wait", body)

    rows = await desk.rows()
    assert output["run_id"] != parent
    assert (rows[output["run_id"]].parent_run_id, rows[output["run_id"]].fork_checkpoint) == (parent, None)
    assert rows[output["run_id"]].run_state is RunState.SUCCESS
    assert (rows[parent], await desk.frames(parent)) == before
    assert parent not in json.dumps(output["result"])


KEYS = {"ops": "ops-".ljust(32, "1"), "others": "others-".ljust(32, "2"), "reader": "reader-".ljust(32, "3")}
ROLES = {"ops": ["operator"], "others": ["operator", "auditor"], "reader": ["user"]}


@dataclass(frozen=True)
class GuardedDesk(Desk):
    """A desk whose service has keys."""

    def caller(self, key: str | None, **headers: str) -> httpx.Client:
        """What a program with that key uses."""
        sent = {"Authorization": f"Bearer {KEYS.get(key, key)}"} if key else {}
        return httpx.Client(
            base_url=self.server.api.base_url, headers={**sent, **headers}, timeout=RUN_S, trust_env=False
        )


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, world: Path) -> Iterator[GuardedDesk]:
    folder = tmp_path_factory.mktemp("guarded")
    declared = {name: {"secret": f"env:KEY_OF_{name}", "roles": roles} for name, roles in ROLES.items()}
    secrets = {f"KEY_OF_{name}": secret for name, secret in KEYS.items()}
    home = folder / "home"
    settings = {"ROOTPROOF_KEYS": json.dumps(declared), "ROOTPROOF_HOME": str(home), "ROOTPROOF_WORLD": str(world)}
    with dev_server(folder, **settings, **secrets) as server:
        yield GuardedDesk(server, home)
        assert BLOCKED not in server.log


@pytest.fixture(scope="module")
def owned(guarded: GuardedDesk) -> tuple[str, str, str]:
    """Thread, run and session of the key ``ops``."""
    with guarded.caller("ops") as ops:
        thread = ops.post("/threads", json={"metadata": {"owner": "others"}}).raise_for_status().json()["thread_id"]
        output = ops.post(f"/threads/{thread}/runs/wait", json=asking("hello")).raise_for_status().json()
    return thread, output["run_id"], output["session_id"]


def asking(query: str, **more: object) -> dict[str, object]:
    return {"assistant_id": "rootproof", "input": {"query": query}, **more}


@pytest.mark.parametrize("headers", [{}, {"x-auth-scheme": "langsmith"}, {"x-api-key": "any"}], ids=str)
@pytest.mark.parametrize("key", [None, "unknown-key-of-sufficient-length"])
def test_nobody_gets_in_without_a_known_key(guarded: GuardedDesk, key: str | None, headers: dict[str, str]) -> None:
    with guarded.caller(key, **headers) as stranger:
        statuses = {
            stranger.post(path, json={}).status_code for path in ("/threads", "/threads/search", "/assistants/search")
        }

    assert statuses == {401}


def test_a_key_without_the_role_is_turned_away(guarded: GuardedDesk) -> None:
    with guarded.caller("reader") as reader:
        assert reader.post("/threads", json={}).status_code == 403


READS = ["", "/state", "/history", "/runs"]


@pytest.mark.parametrize("path", READS)
def test_another_key_reads_no_thread(guarded: GuardedDesk, owned: tuple[str, str, str], path: str) -> None:
    with guarded.caller("ops") as ops, guarded.caller("others") as others:
        assert ops.get(f"/threads/{owned[0]}{path}").status_code == 200
        assert others.get(f"/threads/{owned[0]}{path}").status_code == 404


@pytest.mark.parametrize("if_not_exists", ["reject", "create"])
@pytest.mark.parametrize("path", ["/runs", "/runs/wait", "/runs/stream"])
def test_another_key_runs_nothing_on_a_thread(
    guarded: GuardedDesk, owned: tuple[str, str, str], path: str, if_not_exists: str
) -> None:
    with guarded.caller("others") as others:
        reply = others.post(f"/threads/{owned[0]}{path}", json=asking("hello", if_not_exists=if_not_exists))

    assert reply.status_code == 404


def test_another_key_neither_finds_changes_copies_nor_deletes_a_thread(
    guarded: GuardedDesk, owned: tuple[str, str, str]
) -> None:
    thread = f"/threads/{owned[0]}"
    with guarded.caller("ops") as ops, guarded.caller("others") as others:
        before = ops.get(thread).json()
        found = others.post("/threads/search", json={"metadata": {"owner": "ops"}}).json()
        refused = [
            others.patch(thread, json={"metadata": {"owner": "others"}}).status_code,
            others.post(f"{thread}/state", json={"values": {"query": "changed"}}).status_code,
            others.post(f"{thread}/copy").status_code,
            others.delete(thread).status_code,
        ]
        after = ops.get(thread).json()

    assert owned[0] not in [one["thread_id"] for one in found]
    assert all(400 <= status < 500 for status in refused)
    assert after == before
    assert after["metadata"]["owner"] == "ops"


def test_another_key_reads_no_thread_through_one_of_its_own(guarded: GuardedDesk, owned: tuple[str, str, str]) -> None:
    with guarded.caller("ops") as ops, guarded.caller("others") as others:
        place = ops.get(f"/threads/{owned[0]}/state").json()["checkpoint"]
        own = others.post("/threads", json={}).json()["thread_id"]
        read = others.post(f"/threads/{own}/state/checkpoint", json={"checkpoint": place}).json()
        run = others.post(f"/threads/{own}/runs/wait", json=asking("hello", checkpoint=place)).json()
        steps = len(ops.get(f"/threads/{owned[0]}/history?limit=200").json())
        others.post(f"/threads/{own}/runs/wait", json=asking("hi", config={"configurable": {"thread_id": owned[0]}}))
        later = len(ops.get(f"/threads/{owned[0]}/history?limit=200").json())

    assert not read["values"]
    assert owned[1] not in json.dumps(run)
    assert later == steps


def test_another_key_goes_on_from_no_run(guarded: GuardedDesk, owned: tuple[str, str, str]) -> None:
    """Neither on the thread, which it does not find, nor by a state of its own that names the run."""
    with guarded.caller("ops") as ops, guarded.caller("others") as others:
        history = ops.get(f"/threads/{owned[0]}/history?limit=50").json()
        middle = next(one for one in history if one["next"] == ["answer_chat"])
        on_thread = others.post(
            f"/threads/{owned[0]}/runs/wait",
            json={"assistant_id": "rootproof", "input": None, "checkpoint_id": middle["checkpoint"]["checkpoint_id"]},
        )
        own = others.post("/threads", json={"metadata": {"graph_id": "rootproof"}}).json()["thread_id"]
        body = {"values": middle["values"], "as_node": "route"}
        written = others.post(f"/threads/{own}/state", json=body).raise_for_status().json()
        output = others.post(f"/threads/{own}/runs/wait", json={"assistant_id": "rootproof", "input": None}).json()

    assert on_thread.status_code == 404
    assert written
    assert "there is no such run" in json.dumps(output["__error__"])


@pytest.mark.parametrize("field", ["run_id", "session_id", "parent_run_id"])
def test_another_key_takes_up_neither_run_nor_session(
    guarded: GuardedDesk, owned: tuple[str, str, str], field: str
) -> None:
    given = {"run_id": owned[1], "session_id": owned[2], "parent_run_id": owned[1]}[field]
    with guarded.caller("others") as others:
        body = {"assistant_id": "rootproof", "input": {"query": "hello", field: given}}
        output = others.post("/runs/wait", json=body).json()

    assert "__error__" in output


async def test_a_run_belongs_to_the_key_that_started_it_whatever_it_says(
    guarded: GuardedDesk, owned: tuple[str, str, str]
) -> None:
    claim = {"configurable": {"langgraph_auth_user": {"identity": "ops"}, "langgraph_auth_user_id": "ops"}}
    with guarded.caller("others") as others:
        reply = others.post("/runs/wait", json=asking("hello", config=claim, metadata={"owner": "ops"}))
    rows = await guarded.rows()

    assert rows[owned[1]].owner_key == "ops"
    assert reply.is_client_error or rows[reply.json()["run_id"]].owner_key == "others"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/assistants", {"graph_id": "rootproof"}),
        ("POST", "/runs/crons", {"assistant_id": "rootproof", "schedule": "* * * * *"}),
        ("PUT", "/store/items", {"namespace": ["a"], "key": "b", "value": {}}),
        ("POST", "/mcp", {}),
        ("POST", "/internal/truncate", {}),
        ("GET", "/internal/debug/thread/{thread}", None),
        ("GET", "/deploy", None),
        ("GET", "/metrics", None),
    ],
)
def test_what_is_not_used_is_not_there(
    guarded: GuardedDesk, owned: tuple[str, str, str], method: str, path: str, body: object
) -> None:
    with guarded.caller("ops") as ops:
        reply = ops.request(method, path.format(thread=owned[0]), json=body)

        assert reply.status_code in {403, 404}
        assert ops.get(f"/threads/{owned[0]}").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Host": "rebound.example"}, {"Origin": "https://elsewhere.example"}, {"X-Forwarded-For": "203.0.113.9"}],
    ids=str,
)
def test_without_keys_only_this_machine_is_served(desk: Desk, headers: dict[str, str]) -> None:
    assert desk.server.api.post("/threads/search", json={}).status_code == 200
    assert desk.server.api.post("/threads/search", json={}, headers=headers).status_code == 403


SLOW = answers(completion('{"intent":"DIAGNOSIS"}'), delay_s=60.0)


@dataclass(frozen=True)
class SlowDesk(Desk):
    """A desk whose model never answers in time."""

    model: WireServer

    async def begin(self, thread: str) -> str:
        """The server's id of a run that waits for its model."""
        asked = len(self.model.requests)
        run = self.server.begin(thread, "Why do payments fail since 14:05?")
        async with asyncio.timeout(PATIENCE_S):
            while len(self.model.requests) == asked:
                await asyncio.sleep(0.02)
        return run

    async def ended(self, run_id: str) -> RunRow:
        """The row once it is terminal."""
        async with asyncio.timeout(PATIENCE_S):
            while (row := (await self.rows())[run_id]).run_state is RunState.RUNNING:
                await asyncio.sleep(0.05)
        return row


@pytest.fixture(scope="module")
def slow_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowDesk]:
    folder = tmp_path_factory.mktemp("slow")
    with WireServer(*[SLOW] * 10) as model:
        settings = {"ROOTPROOF_MODEL": "openai:slow", "ROOTPROOF_MODEL_BASE_URL": model.base_url}
        home = folder / "home"
        with dev_server(folder, **settings, ROOTPROOF_ROUTER_TIMEOUT_S="50", ROOTPROOF_HOME=str(home)) as server:
            yield SlowDesk(server, home, model)


@pytest.mark.parametrize("action", ["interrupt", "rollback"])
async def test_a_run_cancelled_through_the_api_ends_cancelled(slow_desk: SlowDesk, action: str) -> None:
    thread = slow_desk.server.new_thread()
    run = await slow_desk.begin(thread)
    slow_desk.server.api.post(f"/threads/{thread}/runs/{run}/cancel?wait=true&action={action}").raise_for_status()

    run_id = derive_run_id(thread, run)
    row = await slow_desk.ended(run_id)
    assert (row.run_state, row.failure_code) == (RunState.CANCELLED, "RUN_CANCELLED")
    assert (await slow_desk.frames(run_id))[-2:] == [PublicEventType.FAILURE, PublicEventType.DONE]
    assert slow_desk.model.client_left.is_set()


async def test_a_thread_goes_on_after_a_cancelled_run(slow_desk: SlowDesk) -> None:
    thread = slow_desk.server.new_thread()
    run = await slow_desk.begin(thread)
    slow_desk.server.api.post(f"/threads/{thread}/runs/{run}/cancel?wait=true").raise_for_status()
    answered = slow_desk.server.wait(thread, "hello")

    assert answered["result"]["content_type"] == "SYSTEM_ANSWER"
    assert answered["run_id"] != derive_run_id(thread, run)
    assert (await slow_desk.rows())[derive_run_id(thread, run)].run_state is RunState.CANCELLED


async def test_a_run_cancelled_in_our_records_ends_under_the_server_too(slow_desk: SlowDesk) -> None:
    thread = slow_desk.server.new_thread()
    run = await slow_desk.begin(thread)
    run_id = derive_run_id(thread, run)
    async with open_stores(Settings(home=slow_desk.home)) as stores:
        assert await stores.control.request_cancel(run_id, CancellationReason.USER_REQUESTED)
    output = slow_desk.server.get(f"/threads/{thread}/runs/{run}/join")

    assert output["result"]["run_state"] == "CANCELLED"
    assert (await slow_desk.ended(run_id)).run_state is RunState.CANCELLED


async def test_a_server_that_shuts_down_leaves_its_run_to_be_taken_up(slow_desk: SlowDesk) -> None:
    thread = slow_desk.server.new_thread()
    run_id = derive_run_id(thread, await slow_desk.begin(thread))
    slow_desk.server.stop()

    assert await slow_desk.interrupted() == [run_id]
    assert (await slow_desk.rows())[run_id].run_state is RunState.RUNNING
