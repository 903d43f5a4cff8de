"""The contract of ``Recording``: subclass ``RecordingContract`` and give it a ``harness`` fixture."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from state.ports import Recording
from tests.contracts.samples import OTHER_RUN, RUN

TTL_S = 7 * 24 * 3600.0


@dataclass
class RecordingHarness:
    """What a backend gives the suite."""

    recording: Recording
    pass_time: Callable[[float], Awaitable[None]]
    stop_writes: Callable[[], Awaitable[None]]


class RecordingContract:
    """One rule a test."""

    async def test_reply_comes_back_with_the_digest_of_its_request(self, harness: RecordingHarness) -> None:
        await harness.recording.put(RUN, "agent:1:1", "a" * 64, '{"text": "支付"}')

        assert await harness.recording.get(RUN, "agent:1:1") == ("a" * 64, '{"text": "支付"}')

    async def test_step_that_was_not_recorded_is_none(self, harness: RecordingHarness) -> None:
        await harness.recording.put(RUN, "agent:1:1", "a" * 64, "{}")

        assert await harness.recording.get(RUN, "agent:1:2") is None
        assert await harness.recording.get(OTHER_RUN, "agent:1:1") is None

    async def test_step_recorded_again_is_replaced(self, harness: RecordingHarness) -> None:
        await harness.recording.put(RUN, "tool:call_1", "a" * 64, "1")
        await harness.recording.put(RUN, "tool:call_1", "b" * 64, "2")

        assert await harness.recording.get(RUN, "tool:call_1") == ("b" * 64, "2")

    async def test_reply_is_gone_after_seven_days(self, harness: RecordingHarness) -> None:
        await harness.recording.put(RUN, "agent:1:1", "a" * 64, "{}")
        await harness.pass_time(TTL_S - 1)
        assert await harness.recording.get(RUN, "agent:1:1") is not None
        await harness.pass_time(1)

        assert await harness.recording.get(RUN, "agent:1:1") is None

    async def test_failed_write_is_no_error(self, harness: RecordingHarness) -> None:
        await harness.stop_writes()

        await harness.recording.put(RUN, "agent:1:1", "a" * 64, "{}")
