"""The SQLite recording passes the contract, counts what it loses, and deletes what expired."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores.recording_sqlite import SqliteRecording
from tests.contracts.recording import TTL_S, RecordingContract, RecordingHarness
from tests.contracts.samples import RUN, SteppingClock


class TestSqliteRecording(RecordingContract):
    @pytest.fixture
    async def harness(self, tmp_path: Path) -> AsyncIterator[RecordingHarness]:
        clock = SteppingClock()
        recording = SqliteRecording(tmp_path / "recording.db", clock)

        async def pass_time(seconds: float) -> None:
            clock.advance(seconds)

        yield RecordingHarness(recording, pass_time, recording.close_store)
        await recording.close_store()


async def test_lost_reply_is_counted_and_reading_fails_closed(tmp_path: Path) -> None:
    (tmp_path / "recording.db").mkdir()
    recording = SqliteRecording(tmp_path / "recording.db", SteppingClock())

    await recording.put(RUN, "agent:1:1", "a" * 64, "{}")

    assert recording.n_lost == 1
    with pytest.raises(TruthUnavailable):
        await recording.get(RUN, "agent:1:1")
    await recording.close_store()


async def test_sweep_deletes_expired_replies_only(tmp_path: Path) -> None:
    clock = SteppingClock()
    recording = SqliteRecording(tmp_path / "recording.db", clock)
    await recording.put(RUN, "agent:1:1", "a" * 64, "{}")
    clock.advance(TTL_S / 2)
    await recording.put(RUN, "agent:2:1", "a" * 64, "{}")
    clock.advance(TTL_S / 2)

    assert await recording.sweep() == 1

    await recording.close_store()
    with closing(sqlite3.connect(tmp_path / "recording.db")) as connection:
        assert connection.execute("SELECT step FROM recorded_reply").fetchall() == [("agent:2:1",)]
