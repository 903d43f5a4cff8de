"""The checkpointer keeps graph state exactly, strictly and for a bounded time."""

import asyncio
import json
import logging
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from state.model.base import Value
from state.model.diagnosis import DiagnosisState
from state.model.enums import Intent
from state.model.progress import ProgressSnapshot
from state.model.run import RunFacts
from state.stores.checkpoint_age import written_at
from state.stores.checkpoint_types import state_types
from state.stores.checkpoints import CheckpointFile, open_checkpointer
from tests.contracts.samples import a_success, facts

ROOT = Path(__file__).parents[2]


class Foreign(BaseModel):
    """A type no state names."""

    text: str


def config(thread: str = "t") -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


def a_checkpoint(**values: object) -> Checkpoint:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = values
    return checkpoint


async def put(saver: CheckpointFile, thread: str = "t", **values: object) -> str:
    checkpoint = a_checkpoint(**values)
    await saver.aput(config(thread), checkpoint, {"source": "loop", "step": 0, "parents": {}}, {})
    return checkpoint["id"]


async def values_of(saver: CheckpointFile, thread: str = "t") -> dict[str, object]:
    found = await saver.aget_tuple(config(thread))
    assert found is not None
    return found.checkpoint["channel_values"]


async def set_state(state: DiagnosisState) -> DiagnosisState:
    return {
        "run": facts(),
        "intent": Intent.DIAGNOSIS,
        "progress": ProgressSnapshot(answered_tools=("query_logs",)),
        "decision": a_success().decision,
    }


async def test_graph_state_comes_back_as_it_was_from_another_checkpointer(tmp_path: Path) -> None:
    builder = StateGraph(DiagnosisState)
    builder.add_node("set_state", set_state)
    builder.add_edge(START, "set_state")
    builder.add_edge("set_state", END)
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        await builder.compile(checkpointer=saver).ainvoke({"query": "为什么"}, config(), durability="sync")
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        snapshot = await builder.compile(checkpointer=saver).aget_state(config())

    assert snapshot.values == {"query": "为什么"} | await set_state({})
    assert type(snapshot.values["run"]) is RunFacts


def test_every_model_and_enumeration_of_the_state_is_allowed() -> None:
    allowed = {kind.__name__ for kind in state_types()}

    assert {"RunFacts", "RunLimits", "Window", "PreviousTurn", "Draft", "Derived", "DerivedOp"} <= allowed
    assert {"GateResult", "Assessed", "Observed", "ToolTurn", "DiagnosisReport", "EvidenceView", "Item"} <= allowed
    assert {"RunResult", "SemanticReview", "ReleaseDecision", "RunFailure", "Intent", "StopReason"} <= allowed
    assert all(issubclass(kind, Value | Enum) for kind in state_types())


STRICT_PROBE = """
import asyncio, json, sys
from pathlib import Path
from langgraph.checkpoint.serde import _msgpack
from state.stores.checkpoints import open_checkpointer
from tests.stores.test_checkpoints import Foreign, facts, put, values_of

async def main():
    async with open_checkpointer(Path(sys.argv[1])) as saver:
        await put(saver, ours=facts(), foreign=Foreign(text="x"))
        values = await values_of(saver)
    kinds = {name: type(value).__name__ for name, value in values.items()}
    print(json.dumps([_msgpack.STRICT_MSGPACK_ENABLED, kinds]))

asyncio.run(main())
"""


def test_foreign_type_never_comes_back_even_where_the_environment_allows_all(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRICT_PROBE, str(tmp_path / "checkpoints.db")],
        cwd=ROOT,
        env={"LANGGRAPH_STRICT_MSGPACK": "false", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == [False, {"ours": "RunFacts", "foreign": "dict"}]


async def test_blocked_type_leaves_a_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        await put(saver, foreign=Foreign(text="x"))
        with caplog.at_level(logging.WARNING):
            await values_of(saver)

    assert "Blocked deserialization" in caplog.text


async def test_file_is_private_and_in_wal_mode(tmp_path: Path) -> None:
    path = tmp_path / "home" / "checkpoints.db"
    async with open_checkpointer(path) as saver:
        await put(saver)
        modes = {stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()}
        async with saver.conn.execute("PRAGMA journal_mode") as found:
            mode = await found.fetchone()
        async with saver.conn.execute("PRAGMA synchronous") as found:
            synchronous = await found.fetchone()

    assert (modes, tuple(mode), tuple(synchronous)) == ({0o600}, ("wal",), (1,))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_deleted_thread_leaves_no_checkpoint_and_no_write(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        checkpoint_id = await put(saver, "gone", query="x")
        await saver.aput_writes(
            {"configurable": {"thread_id": "gone", "checkpoint_ns": "", "checkpoint_id": checkpoint_id}},
            [("query", "y")],
            "task",
        )
        await put(saver, "kept", query="x")
        await saver.adelete_thread("gone")
        await saver.adelete_thread("unknown")

    with closing(sqlite3.connect(tmp_path / "checkpoints.db")) as connection:
        assert connection.execute("SELECT thread_id FROM checkpoints").fetchall() == [("kept",)]
        assert connection.execute("SELECT COUNT(*) FROM writes").fetchone() == (0,)


async def test_threads_are_deleted_by_the_age_of_their_last_checkpoint(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        written = written_at(await put(saver, "t", query="x"))
        assert written is not None

        assert await saver.delete_older_than(7, now=written + timedelta(days=7)) == 0
        assert await saver.delete_older_than(7, now=written + timedelta(days=7, seconds=1)) == 1
        assert await saver.aget_tuple(config("t")) is None


async def test_thread_of_unknown_age_is_kept(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "checkpoints.db") as saver:
        checkpoint = a_checkpoint() | {"id": "not-a-uuid"}
        await saver.aput(config(), checkpoint, {"source": "loop", "step": 0, "parents": {}}, {})

        assert await saver.delete_older_than(0, now=datetime(2100, 1, 1, tzinfo=UTC)) == 0


async def test_time_of_a_checkpoint_is_read_from_its_id() -> None:
    checkpoint = empty_checkpoint()

    written = written_at(checkpoint["id"])

    assert written is not None
    assert abs(written - datetime.fromisoformat(checkpoint["ts"])) < timedelta(seconds=1)
    assert written_at("4a1f8ee0-94a6-4f0e-8a3a-1e2b3c4d5e6f") is None


async def test_sqlite_errors_surface_as_they_are_and_leave_no_open_transaction(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    async with open_checkpointer(path) as saver:
        await saver.conn.execute(
            "CREATE TRIGGER no BEFORE INSERT ON checkpoints WHEN NEW.thread_id = 'bad' "
            "BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
        )
        with pytest.raises(sqlite3.IntegrityError, match="disk is full"):
            await put(saver, "bad")

        with closing(sqlite3.connect(path, timeout=0.0)) as other, other:
            other.execute("DELETE FROM checkpoints")
        await put(saver, "good")


async def test_cancelled_write_is_finished_first_and_locks_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    reached, go_on = threading.Event(), threading.Event()

    def pause() -> None:
        reached.set()
        go_on.wait(5)

    async with open_checkpointer(path) as saver:
        await saver.conn.create_function("pause", 0, pause)
        await saver.conn.execute("CREATE TRIGGER slow BEFORE INSERT ON checkpoints BEGIN SELECT pause(); END")
        task = asyncio.create_task(put(saver, "t", query="x"))
        while not reached.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.sleep(0.02)
        assert not task.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert await values_of(saver) == {"query": "x"}
        with closing(sqlite3.connect(path, timeout=0.0)) as other, other:
            other.execute("DELETE FROM writes")


async def test_file_that_is_no_database_is_an_sqlite_error(tmp_path: Path) -> None:
    (tmp_path / "checkpoints.db").write_bytes(b"not a database, though long enough to look like one" * 100)

    with pytest.raises(sqlite3.DatabaseError):
        async with open_checkpointer(tmp_path / "checkpoints.db"):
            pass
