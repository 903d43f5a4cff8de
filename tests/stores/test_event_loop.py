"""No store blocks the event loop, not even at construction: what the development server checks with blockbuster."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.stores.audit_sql import audit_file
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.checkpoints import open_checkpointer
from state.stores.control_sql import control_file
from state.stores.recording_sqlite import SqliteRecording
from tests.contracts.samples import CALL, RUN, SteppingClock, a_lease, a_new_run, a_record, a_success, a_trace_event

blockbuster = pytest.importorskip("blockbuster")


@pytest.fixture
def guard() -> Iterator[None]:
    with blockbuster.blockbuster_ctx():
        yield


@pytest.mark.usefixtures("guard")
async def test_guard_sees_a_blocking_call(tmp_path: Path) -> None:
    with pytest.raises(blockbuster.BlockingError):
        (tmp_path / "x").write_text("blocking")


@pytest.mark.usefixtures("guard")
async def test_control_store_never_blocks(tmp_path: Path) -> None:
    store = control_file(tmp_path / "home" / "control.db")
    lease = await store.open_run(a_new_run(), "p1")
    await store.close(lease, a_success())
    assert len(await store.public_events(RUN)) == 2
    await store.close_store()


@pytest.mark.usefixtures("guard")
async def test_canonical_store_never_blocks(tmp_path: Path) -> None:
    store = SqliteCanonicalStore(tmp_path / "home" / "canonical.db", SteppingClock())
    await store.begin(a_lease(), a_record(a_lease()))
    assert await store.get(RUN, CALL) is not None
    await store.sweep()
    await store.close_store()


@pytest.mark.usefixtures("guard")
async def test_audit_and_recording_never_block(tmp_path: Path) -> None:
    log, recording = audit_file(tmp_path / "audit.db"), SqliteRecording(tmp_path / "recording.db", SteppingClock())
    await log.record(a_lease(), a_trace_event())
    await recording.put(RUN, "agent:1:1", "a" * 64, "{}")
    assert (await log.lost(RUN), recording.n_lost) == (0, 0)
    await log.close_store()
    await recording.close_store()


@pytest.mark.usefixtures("guard")
async def test_checkpointer_never_blocks(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "home" / "checkpoints.db") as saver:
        assert await saver.aget_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}) is None
        assert await saver.delete_older_than(7, now=datetime(2026, 1, 1, tzinfo=UTC)) == 0
