"""The contract of ``sweep_retention``: subclass ``RetentionContract`` and give it a ``kept`` fixture."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, PublicEventType
from state.stores.audit_sql import SqlAuditLog
from state.stores.control_sql import SqlControlStore
from state.stores.recording_sql import SqlRecording
from state.stores.retention import sweep_retention
from tests.contracts.samples import a_new_run, a_success, a_trace_event, facts, run_id

DAYS = 30.0
MOMENT = timedelta(microseconds=1)


@dataclass
class Kept:
    """Empty stores, whose control store may be asked to forget."""

    control: SqlControlStore
    audit: SqlAuditLog
    recording: SqlRecording

    async def sweep(self, now: datetime, *, max_runs: int = 1000) -> int:
        return await sweep_retention(self.control, (self.audit, self.recording), days=DAYS, now=now, max_runs=max_runs)

    async def run(self, number: int, *, session: str = "s-1") -> RunId:
        """A RUNNING run with something in every table."""
        new = a_new_run(facts(run_id(number), session=session))
        lease = await self.control.open_run(new, "p1")
        entry = BudgetEntry(run_id=lease.run_id, kind=BudgetKind.TOOL_CALL, key="k", component="query_logs", reserved=1)
        await self.control.reserve(lease, entry)
        await self.control.offer_event(lease, "k", PublicEventType.STATUS, {})
        await self.audit.record(lease, a_trace_event())
        await self.recording.put(lease.run_id, "agent:1:1", "a" * 64, "{}")
        return lease.run_id

    async def ended(self, number: int, *, session: str = "s-1") -> datetime:
        """When the run of that number, opened now, ended."""
        found = await self.run(number, session=session)
        row = await self.control.close(await self.control.take_lease(found, "p1"), a_success())
        assert row.closed_at is not None
        return row.closed_at

    async def rows_of(self, number: int) -> dict[str, int]:
        of = run_id(number)
        return {
            "run": int(await self.control.get_run(of) is not None),
            "entries": len(await self.control.entries(of)),
            "events": len(await self.control.public_events(of)),
            "evidence": len(await self.control.published_evidence(of)),
            "audit": len(await self.audit.events(of)),
            "recording": int(await self.recording.get(of, "agent:1:1") is not None),
        }


class RetentionContract:
    """One rule a test."""

    async def test_a_run_is_deleted_whole_once_it_ended_so_long_ago(self, kept: Kept) -> None:
        ended_at = await kept.ended(1)
        before = await kept.rows_of(1)

        assert await kept.sweep(ended_at + timedelta(days=DAYS) - MOMENT) == 0
        assert await kept.rows_of(1) == before
        assert await kept.sweep(ended_at + timedelta(days=DAYS)) == 1

        assert min(before.values()) == 1
        assert set((await kept.rows_of(1)).values()) == {0}

    async def test_a_running_run_stays_however_old(self, kept: Kept) -> None:
        ended_at = await kept.ended(1)
        await kept.run(2)

        assert await kept.sweep(ended_at + timedelta(days=3650)) == 1

        rows = await kept.rows_of(2)
        assert (rows.pop("evidence"), set(rows.values())) == (0, {1})

    async def test_younger_runs_keep_everything(self, kept: Kept) -> None:
        old = await kept.ended(1)
        young = await kept.ended(2)
        assert young > old

        assert await kept.sweep(old + timedelta(days=DAYS)) == 1
        assert min((await kept.rows_of(2)).values()) == 1

    async def test_no_more_than_asked_are_deleted_and_the_next_sweep_goes_on(self, kept: Kept) -> None:
        for number in (1, 2, 3):
            ended_at = await kept.ended(number)
        late = ended_at + timedelta(days=DAYS)

        assert await kept.sweep(late, max_runs=2) == 2
        assert [row.run_id for row in await kept.control.list_runs()] == [run_id(3)]
        assert await kept.sweep(late, max_runs=2) == 1

    async def test_an_old_session_goes_with_its_last_run(self, kept: Kept) -> None:
        ended_at = await kept.ended(1, session="gone")
        await kept.ended(2, session="kept")
        await kept.run(3, session="kept")
        late = ended_at + timedelta(days=DAYS + 1)

        assert await kept.sweep(late) == 2

        of_another_key = facts(run_id(4), session="gone", owner_key="other")
        assert (await kept.control.open_run(a_new_run(of_another_key), "p1")).epoch == 1
        assert await kept.control.delete_empty_sessions(late, at_most=10) == 0

    async def test_a_young_session_without_runs_stays(self, kept: Kept) -> None:
        ended_at = await kept.ended(1)
        await kept.control.delete_runs([run_id(1)])

        assert await kept.control.delete_empty_sessions(ended_at - timedelta(days=1), at_most=10) == 0
        assert await kept.control.delete_empty_sessions(ended_at, at_most=10) == 1

    async def test_deleting_a_running_run_by_name_changes_nothing(self, kept: Kept) -> None:
        await kept.run(1)

        assert await kept.control.delete_runs([run_id(1), run_id(9)]) == 0
        assert (await kept.rows_of(1))["run"] == 1
