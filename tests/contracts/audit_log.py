"""The contract of ``AuditLog``: subclass ``AuditLogContract`` and give it a ``harness`` fixture."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from state.model.enums import Phase, TraceEventType
from state.ports import AuditLog
from tests.contracts.samples import OTHER_RUN, RUN, a_lease, a_trace_event


@dataclass
class AuditHarness:
    """What a backend gives the suite."""

    log: AuditLog
    stop_writes: Callable[[], Awaitable[None]]
    """Writes fail from now on."""
    allow_writes: Callable[[], Awaitable[None]]

    async def numbers(self) -> list[tuple[str, int]]:
        return [(stored.event.event_key, stored.sequence_no) for stored in await self.log.events(RUN)]


class AuditLogContract:
    """One rule a test."""

    async def test_event_comes_back_whole(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(), a_trace_event())

        (stored,) = await harness.log.events(RUN)

        assert stored.event == a_trace_event()
        assert (stored.run_id, stored.sequence_no, stored.phase) == (RUN, 1, Phase.ROUTING)

    async def test_events_are_numbered_in_the_order_of_recording(self, harness: AuditHarness) -> None:
        for key in ("c", "a", "b"):
            await harness.log.record(a_lease(), a_trace_event(key))

        assert await harness.numbers() == [("c", 1), ("a", 2), ("b", 3)]

    async def test_each_run_has_its_own_numbers(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(OTHER_RUN), a_trace_event("a"))
        await harness.log.record(a_lease(), a_trace_event("a"))

        assert await harness.numbers() == [("a", 1)]

    async def test_recording_again_changes_nothing(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(), a_trace_event("a"))
        again = a_trace_event("a").model_copy(update={"node": "agent"})
        await harness.log.record(a_lease(), again)

        (stored,) = await harness.log.events(RUN)

        assert stored.event.node == "route"
        assert await harness.log.lost(RUN) == 0

    async def test_nothing_recorded_is_an_empty_timeline(self, harness: AuditHarness) -> None:
        assert await harness.log.events(RUN) == ()
        assert await harness.log.lost(RUN) == 0

    async def test_failed_write_is_counted_and_consumes_its_number(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(), a_trace_event("a"))
        await harness.stop_writes()
        await harness.log.record(a_lease(), a_trace_event("b"))
        await harness.allow_writes()
        await harness.log.record(a_lease(), a_trace_event("c"))

        assert await harness.numbers() == [("a", 1), ("c", 3)]
        assert await harness.log.lost(RUN) == 1
        assert await harness.log.lost(OTHER_RUN) == 0

    async def test_number_is_consumed_even_before_the_counter_was_loaded(self, harness: AuditHarness) -> None:
        await harness.stop_writes()
        await harness.log.record(a_lease(), a_trace_event("a"))
        await harness.allow_writes()
        await harness.log.record(a_lease(), a_trace_event("b"))

        assert await harness.numbers() == [("b", 2)]

    async def test_recording_a_lost_event_again_fills_its_gap(self, harness: AuditHarness) -> None:
        await harness.stop_writes()
        await harness.log.record(a_lease(), a_trace_event("a"))
        await harness.allow_writes()
        await harness.log.record(a_lease(), a_trace_event("b"))
        await harness.log.record(a_lease(), a_trace_event("a"))

        assert await harness.numbers() == [("a", 1), ("b", 2)]
        assert await harness.log.lost(RUN) == 0

    async def test_event_lost_twice_counts_once(self, harness: AuditHarness) -> None:
        await harness.stop_writes()
        await harness.log.record(a_lease(), a_trace_event("a"))
        await harness.log.record(a_lease(), a_trace_event("a"))

        assert await harness.log.lost(RUN) == 1

    async def test_next_holder_counts_on_from_what_is_stored(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(epoch=1), a_trace_event("a"))
        await harness.log.record(a_lease(epoch=1), a_trace_event("b"))
        await harness.log.record(a_lease(epoch=2), a_trace_event("c"))

        assert await harness.numbers() == [("a", 1), ("b", 2), ("c", 3)]

    async def test_loss_under_an_earlier_lease_stays_counted_until_filled(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(epoch=1), a_trace_event("a"))
        await harness.stop_writes()
        await harness.log.record(a_lease(epoch=1), a_trace_event("b"))
        await harness.allow_writes()
        await harness.log.record(a_lease(epoch=2), a_trace_event("c"))
        assert await harness.log.lost(RUN) == 1

        await harness.log.record(a_lease(epoch=2), a_trace_event("b"))

        assert await harness.log.lost(RUN) == 0
        assert await harness.numbers() == [("a", 1), ("c", 2), ("b", 3)]

    async def test_last_event_leaves_the_run_readable(self, harness: AuditHarness) -> None:
        await harness.log.record(a_lease(), a_trace_event("a"))
        await harness.log.record(a_lease(), a_trace_event("end", TraceEventType.RUN_FINISHED))
        await harness.log.record(a_lease(), a_trace_event("end", TraceEventType.RUN_FINISHED))

        assert await harness.numbers() == [("a", 1), ("end", 2)]
        assert await harness.log.lost(RUN) == 0
