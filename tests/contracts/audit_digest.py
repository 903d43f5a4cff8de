"""The contract of what a closing keeps of its audit: whatever is changed in a row, taken away or added is noticed.

Subclass ``AuditDigestContract`` and give it a ``ended`` fixture.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, fields

import pytest

from graph.audit_check import AuditCheck, AuditDifference, AuditVerdict, check_audit
from state.model.audit import AuditRow, AuditStock, digest_of
from state.model.enums import TraceEventType
from state.model.run import Lease, RunRow
from state.model.run_end import end_event, past_lease
from state.ports import AuditLog, ControlStore
from tests.contracts.samples import RUN, a_new_run, a_success, a_trace_event

KEYS = ("run:started", "route:1", "tokens:agent:1:1")
CHANGED: dict[str, str] = {
    "run_id": "'00000000-0000-4000-8000-000000000009'",
    "sequence_no": "99",
    "event_key": "'route:9'",
    "phase": "'TOOL'",
    "type": "'ROUTING_ATTEMPT'",
    "node": "'agent'",
    "at": "at + 1",
    "duration_ms": "13",
    "details": "'{}'",
    "lease_epoch": "2",
}
"""Another value for every column."""
COLUMNS = ", ".join(field.name for field in fields(AuditRow))


@dataclass
class DigestHarness:
    """A control store and an audit log, and SQL behind the back of the audit."""

    control: ControlStore
    audit: AuditLog
    alter: Callable[[str], None]

    async def opened(self) -> Lease:
        lease = await self.control.open_run(a_new_run(), "p1")
        for key in KEYS:
            await self.audit.record(lease, a_trace_event(key))
        return lease

    async def stock(self, lease: Lease) -> AuditStock:
        timeline = await self.audit.close_timeline(lease)
        assert timeline is not None
        return AuditStock(digest=digest_of(timeline.rows), end_no=timeline.end_no)

    async def closed(self, lease: Lease) -> RunRow:
        closing = a_success().model_copy(update={"audit": await self.stock(lease)})
        return await self.control.close(lease, closing)

    async def finished(self, row: RunRow) -> None:
        await self.audit.record(past_lease(row), end_event(row, await self.control.usage(RUN)))

    async def ended(self) -> None:
        await self.finished(await self.closed(await self.opened()))

    async def check(self) -> AuditCheck:
        return check_audit(await self.control.audit_digest(RUN), await self.audit.rows(RUN))

    async def verdict(self) -> tuple[AuditVerdict, AuditDifference | None]:
        found = await self.check()
        return found.verdict, found.difference


COUNT = (AuditVerdict.ALTERED, AuditDifference.COUNT)
CONTENT = (AuditVerdict.ALTERED, AuditDifference.CONTENT)
VERIFIED = (AuditVerdict.VERIFIED, None)
NOT_RECORDED = (AuditVerdict.NOT_RECORDED, None)


class AuditDigestContract:
    """One rule a test."""

    async def test_an_audit_that_nobody_touched_is_verified(self, harness: DigestHarness) -> None:
        await harness.ended()

        check = await harness.check()

        assert (check.verdict, check.recorded, check.end_missing) == (AuditVerdict.VERIFIED, check.found, False)
        assert check.found.rows == len(KEYS) + 1

    @pytest.mark.parametrize("position", range(len(KEYS) + 1))
    @pytest.mark.parametrize("column", CHANGED)
    async def test_a_change_of_any_column_of_any_row_is_noticed(
        self, harness: DigestHarness, column: str, position: int
    ) -> None:
        await harness.ended()
        harness.alter(f"UPDATE trace_event SET {column} = {CHANGED[column]} WHERE sequence_no = {position + 1}")

        assert await harness.verdict() == (COUNT if column == "run_id" else CONTENT)

    def test_every_column_is_changed(self) -> None:
        assert list(CHANGED) == [field.name for field in fields(AuditRow)]

    @pytest.mark.parametrize("position", range(len(KEYS) + 1))
    async def test_a_deleted_row_is_noticed(self, harness: DigestHarness, position: int) -> None:
        await harness.ended()
        harness.alter(f"DELETE FROM trace_event WHERE sequence_no = {position + 1}")

        assert await harness.verdict() == COUNT
        assert (await harness.check()).end_missing is (position == len(KEYS))

    async def test_an_added_row_is_noticed(self, harness: DigestHarness) -> None:
        await harness.ended()
        copied = COLUMNS.replace("sequence_no", "7").replace("event_key", "'new'")
        harness.alter(f"INSERT INTO trace_event ({COLUMNS}) SELECT {copied} FROM trace_event WHERE sequence_no = 2")

        assert await harness.verdict() == COUNT

    async def test_one_row_in_place_of_another_is_noticed(self, harness: DigestHarness) -> None:
        await harness.ended()
        harness.alter("DELETE FROM trace_event WHERE sequence_no = 3")
        copied = COLUMNS.replace("sequence_no", "3").replace("event_key", "'new'")
        harness.alter(f"INSERT INTO trace_event ({COLUMNS}) SELECT {copied} FROM trace_event WHERE sequence_no = 2")

        assert await harness.verdict() == CONTENT

    async def test_two_rows_that_changed_places_are_noticed(self, harness: DigestHarness) -> None:
        await harness.ended()
        for old, new in ((1, 90), (2, 1), (90, 2)):
            harness.alter(f"UPDATE trace_event SET sequence_no = {new} WHERE sequence_no = {old}")

        assert await harness.verdict() == CONTENT

    async def test_a_run_that_goes_on_has_nothing_recorded(self, harness: DigestHarness) -> None:
        await harness.opened()

        assert await harness.verdict() == NOT_RECORDED

    async def test_a_run_closed_without_knowing_its_audit_has_nothing_recorded(self, harness: DigestHarness) -> None:
        await harness.finished(await harness.control.close(await harness.opened(), a_success()))

        assert await harness.verdict() == NOT_RECORDED
        assert await harness.control.audit_digest(RUN) is None

    async def test_a_process_that_died_after_closing_leaves_out_the_last_event_until_it_is_written(
        self, harness: DigestHarness
    ) -> None:
        row = await harness.closed(await harness.opened())
        assert await harness.verdict() == COUNT
        assert (await harness.check()).end_missing

        await harness.finished(row)

        assert await harness.verdict() == VERIFIED

    async def test_an_event_of_an_earlier_holder_comes_too_late(self, harness: DigestHarness) -> None:
        old = await harness.opened()
        await harness.control.drop_lease(old)
        new = await harness.control.take_lease(RUN, "p2")
        row = await harness.closed(new)
        await harness.audit.record(old, a_trace_event("late"))
        await harness.finished(row)
        await harness.audit.record(old, a_trace_event("later"))

        assert await harness.verdict() == VERIFIED
        assert await harness.audit.lost(RUN) == 0

    @pytest.mark.parametrize("n_before", range(0, 13, 3))
    async def test_events_that_race_with_the_closing_are_in_the_digest_or_nowhere(
        self, harness: DigestHarness, n_before: int
    ) -> None:
        old = await harness.opened()
        await harness.control.drop_lease(old)
        new = await harness.control.take_lease(RUN, "p2")
        late = [asyncio.ensure_future(harness.audit.record(old, a_trace_event(f"late:{n}"))) for n in range(12)]
        while sum(task.done() for task in late) < n_before:
            await asyncio.sleep(0)
        row = await harness.closed(new)
        await asyncio.gather(*late)
        await harness.finished(row)

        assert await harness.verdict() == VERIFIED

    async def test_a_later_closing_takes_the_place_of_one_that_failed(self, harness: DigestHarness) -> None:
        old = await harness.opened()
        await harness.stock(old)
        await harness.audit.record(old, a_trace_event("after a closing that failed"))
        await harness.control.drop_lease(old)
        new = await harness.control.take_lease(RUN, "p2")
        await harness.audit.record(new, a_trace_event("of the next holder"))
        row = await harness.closed(new)
        assert await harness.audit.close_timeline(old) is None
        await harness.finished(row)

        assert await harness.verdict() == VERIFIED
        assert (await harness.check()).found.rows == len(KEYS) + 3

    async def test_a_closing_that_came_second_changes_no_digest(self, harness: DigestHarness) -> None:
        lease = await harness.opened()
        row = await harness.closed(lease)
        kept = await harness.control.audit_digest(RUN)
        other = a_success().model_copy(update={"audit": AuditStock(digest=digest_of(()), end_no=1)})
        await harness.control.close(lease, other)
        await harness.finished(row)

        assert await harness.control.audit_digest(RUN) == kept
        assert await harness.verdict() == VERIFIED

    async def test_the_sweeper_keeps_a_digest_of_what_it_closes(self, harness: DigestHarness) -> None:
        lease = await harness.opened()
        (row,) = await harness.control.sweep(max_run_age_s=0.0, stock=harness.stock)
        await harness.audit.record(lease, a_trace_event("late"))
        await harness.finished(row)

        assert row.lease_epoch == lease.epoch + 1
        assert await harness.verdict() == VERIFIED

    async def test_a_run_taken_up_while_it_is_swept_goes_on(self, harness: DigestHarness) -> None:
        await harness.opened()

        async def stock(_: Lease) -> AuditStock:
            await harness.control.take_lease(RUN, "p2")
            return AuditStock()

        assert await harness.control.sweep(max_run_age_s=0.0, stock=stock) == ()
        row = await harness.control.get_run(RUN)
        assert row is not None
        assert (row.run_state, row.owner, row.lease_epoch) == ("RUNNING", "p2", 3)

    async def test_the_number_of_the_last_event_leaves_room_for_lost_ones(self, harness: DigestHarness) -> None:
        lease = await harness.opened()
        await harness.audit.record(lease, a_trace_event("lost").model_copy(update={"details": {"x": object()}}))
        row = await harness.closed(lease)
        await harness.finished(row)

        numbers = [found.sequence_no for found in await harness.audit.rows(RUN)]
        assert numbers == [1, 2, 3, 5]
        assert await harness.verdict() == VERIFIED

    async def test_any_text_is_hashed_as_it_was_written(self, harness: DigestHarness) -> None:
        lease = await harness.opened()
        details = {"text": 'é "\\" 😀 \x00 \ue0f0 \u2028 超时', "none": None, "share": 0.1, "yes": True}
        event = a_trace_event("odd", TraceEventType.TOOL_INVOCATION).model_copy(update={"details": details})
        await harness.audit.record(lease, event)
        await harness.finished(await harness.closed(lease))

        assert await harness.verdict() == VERIFIED
        assert (await harness.audit.events(RUN))[3].event.details == details
