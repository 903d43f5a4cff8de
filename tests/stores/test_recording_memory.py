"""The memory recording passes the contract."""

import pytest

from state.stores.recording_memory import MemoryRecording
from tests.contracts.recording import RecordingContract, RecordingHarness
from tests.contracts.samples import SteppingClock


class TestMemoryRecording(RecordingContract):
    @pytest.fixture
    def harness(self) -> RecordingHarness:
        clock = SteppingClock()
        recording = MemoryRecording(clock)

        async def pass_time(seconds: float) -> None:
            clock.advance(seconds)

        async def stop() -> None:
            recording.failing = True

        return RecordingHarness(recording, pass_time, stop)
