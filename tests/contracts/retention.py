"""The contract of ``sweep_retention``: subclass ``RetentionContract`` and give it a ``kept`` fixture."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, PublicEventType
from state.model.served import CaseState, RunFilter
from state.stores.audit_sql import SqlAuditLog
from state.stores.control_sql import SqlControlStore
from state.stores.recording_sql import SqlRecording
from state.stores.retention import sweep_retention
from state.stores.service_sql import SqlServiceStore
from tests.contracts.samples import NOW, RUN, a_new_run, a_success, a_trace_event, facts, run_id
from tests.contracts.service_store import a_case, a_judgement, a_request, an_access

DAYS = 30.0
LATE = timedelta(days=DAYS)
MOMENT = timedelta(microseconds=1)


@dataclass
class Kept:
    """Empty stores, whose control store may be asked to forget."""

    control: SqlControlStore
    audit: SqlAuditLog
    recording: SqlRecording
    service: SqlServiceStore

    async def sweep(self, now: datetime, *, max_runs: int = 1000) -> int:
        others = (self.audit, self.recording)
        return await sweep_retention(self.control, others, self.service, days=DAYS, now=now, max_runs=max_runs)

    async def run(self, number: int, *, session: str = "s-1") -> RunId:
        """A RUNNING run with something in every table."""
        new = a_new_run(facts(run_id(number), session=session))
        lease = await self.control.open_run(new, "p1")
        entry = BudgetEntry(run_id=lease.run_id, kind=BudgetKind.TOOL_CALL, key="k", component="query_logs", reserved=1)
        await self.control.reserve(lease, entry)
        await self.control.offer_event(lease, "k", PublicEventType.STATUS, {})
        await self.audit.record(lease, a_trace_event())
        await self.recording.put(lease.run_id, "agent:1:1", "a" * 64, "{}")
        await self.service.put_feedback(a_judgement(run=lease.run_id))
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
            "feedback": len(await self.service.feedback(of)),
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

    async def test_a_deleted_run_leaves_no_words_in_the_way_of_the_next(self, kept: Kept) -> None:
        """A database may give the next run the number of the last one."""
        ended_at = await kept.ended(1)
        assert await kept.sweep(ended_at + timedelta(days=DAYS)) == 1
        await kept.run(2)

        listed = await kept.control.list_runs(RunFilter(words=("支付",)))
        assert [row.run_id for row in listed] == [run_id(2)]

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

    async def test_a_judgement_that_came_while_its_run_was_deleted_is_deleted_by_its_age(self, kept: Kept) -> None:
        await kept.service.put_feedback(a_judgement())

        await kept.sweep(NOW + LATE - MOMENT)
        assert len(await kept.service.feedback(RUN)) == 1
        await kept.sweep(NOW + LATE)
        assert await kept.service.feedback(RUN) == ()

    async def test_a_judgement_stays_as_long_as_its_run(self, kept: Kept) -> None:
        await kept.run(1)

        await kept.sweep(NOW + timedelta(days=36_500))

        assert len(await kept.service.feedback(RUN)) == 1

    async def test_cases_that_nobody_approved_go_after_so_long(self, kept: Kept) -> None:
        for number in (1, 2):
            await kept.service.add_case(a_case(number, run=run_id(number)))
        await kept.service.decide_case("case-2", CaseState.DECLINED, by="platform", now=NOW + timedelta(days=29))

        await kept.sweep(NOW + LATE - MOMENT)
        assert len(await kept.service.cases()) == 2
        await kept.sweep(NOW + LATE)
        assert await kept.service.cases() == ()

    async def test_a_case_is_not_offered_again_while_its_run_is_there(self, kept: Kept) -> None:
        await kept.run(1)
        await kept.service.add_case(a_case())
        declined = await kept.service.decide_case("case-1", CaseState.DECLINED, by="platform", now=NOW)

        await kept.sweep(NOW + timedelta(days=36_500))

        assert await kept.service.add_case(a_case(2)) == declined

    async def test_an_approved_case_stays_while_its_document_does(self, kept: Kept) -> None:
        for number in (1, 2, 3):
            await kept.service.add_case(a_case(number, run=run_id(number)))
        for number in (1, 2):
            await kept.service.decide_case(
                f"case-{number}", CaseState.APPROVED, by="platform", now=NOW, doc_id=f"doc-{number}"
            )

        await kept.sweep(NOW + timedelta(days=36_500))
        assert [case.case_id for case in await kept.service.cases()] == ["case-2", "case-1"]
        assert await kept.service.forget_documents(["doc-1", "doc-3"]) == 1
        assert [case.case_id for case in await kept.service.cases()] == ["case-2"]
        assert await kept.service.forget_documents([]) == 0

    async def test_accesses_are_kept_so_long(self, kept: Kept) -> None:
        old, young = an_access("old"), an_access("young", at=NOW + MOMENT)
        await kept.service.record_access(old)
        await kept.service.record_access(young)

        await kept.sweep(NOW + LATE - MOMENT)
        assert await kept.service.accesses() == (young, old)
        await kept.sweep(NOW + LATE)
        assert await kept.service.accesses() == (young,)

    async def test_requests_and_alert_groups_are_forgotten_when_they_cannot_be_found_any_more(self, kept: Kept) -> None:
        await kept.service.claim_request(a_request(), now=NOW)
        await kept.service.join_alert("g", RUN, now=NOW)

        of_a_day, late = NOW + timedelta(hours=24), NOW + LATE
        assert await kept.service.forget_before(NOW - MOMENT, now=of_a_day - MOMENT) == 0
        assert await kept.service.forget_before(NOW - MOMENT, now=of_a_day) == 1
        assert await kept.service.forget_before(late - LATE, now=late) == 1
        assert await kept.service.forget_before(late, now=late) == 0
