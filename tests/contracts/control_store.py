"""The contract of ``ControlStore``: subclass ``ControlStoreContract`` and give it a ``harness`` fixture."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from state.model.audit import AuditStock
from state.model.enums import (
    CancellationReason,
    ContentType,
    FailureCode,
    FailureStage,
    FallbackType,
    Intent,
    ReleaseOutcome,
    RunState,
    StopReason,
)
from state.model.errors import LeaseLost, RunRefused, TruthUnavailable
from state.model.ids import RunId, SessionId
from state.model.release import Answer, ReleaseDecision, SafeFallback
from state.model.run import BudgetEntry, BudgetKind, BudgetUsage, Closing, Lease, PublicEventType, RunRow
from state.model.served import RunFilter
from state.ports import ControlStore
from tests.contracts.samples import (
    CALL,
    OTHER_CALL,
    OTHER_RUN,
    RUN,
    SESSION,
    a_failure,
    a_lease,
    a_new_run,
    a_report,
    a_success,
    an_evidence_view,
    facts,
    run_id,
)

CONTENT, FAILURE, DONE = PublicEventType.CONTENT, PublicEventType.FAILURE, PublicEventType.DONE
STATUS = PublicEventType.STATUS
USER = CancellationReason.USER_REQUESTED
AGE_S = 7200.0


@dataclass
class ControlHarness:
    """What a backend gives the suite: two stores on the same empty database."""

    store: ControlStore
    brief: ControlStore
    """Its leases expire the moment they are taken."""
    run_sql: Callable[[str], None]
    """Executes a statement behind the store's back."""

    async def opened(self, number: int = 1, *, owner: str = "p1", session: str = SESSION) -> Lease:
        return await self.store.open_run(a_new_run(facts(run_id(number), session=session)), owner)

    async def abandoned(self, number: int = 1) -> Lease:
        return await self.brief.open_run(a_new_run(facts(run_id(number))), "gone")

    async def owned(self, number: int, owner_key: str, *, session: str, query: str = "why?") -> Lease:
        of = facts(run_id(number), session=session, owner_key=owner_key, query=query)
        return await self.store.open_run(a_new_run(of), "p1")

    async def listed(self, wanted: RunFilter, *, limit: int = 20) -> list[RunId]:
        return [row.run_id for row in await self.store.list_runs(wanted, limit=limit)]

    async def frames(self) -> list[tuple[int, str]]:
        return [(event.seq, event.type.value) for event in await self.store.public_events(RUN)]

    async def row(self) -> RunRow:
        row = await self.store.get_run(RUN)
        assert row is not None
        return row


def a_call(key: str = "agent:1:1", *, run: str = RUN, kind: BudgetKind = BudgetKind.MODEL_CALL) -> BudgetEntry:
    return BudgetEntry(run_id=run, kind=kind, key=key, component="agent", reserved=900)


class OpeningAndLease:
    """Who may execute a run."""

    async def test_opened_run_is_stored_whole_and_running(self, harness: ControlHarness) -> None:
        new = a_new_run()
        lease = await harness.store.open_run(new, "p1")

        row = await harness.row()

        assert lease == a_lease(epoch=1, owner="p1")
        assert (row.facts, row.thread_id, row.model, row.world) == (new.facts, RUN, "offline", new.world)
        assert (row.owner, row.lease_epoch, row.run_state) == ("p1", 1, RunState.RUNNING)
        assert (row.active_ms, row.resumes, row.audit_lost) == (0, 0, 0)
        assert (row.outcome, row.decision, row.closed_at, row.cancel_reason) == (None, None, None, None)
        assert 29 <= (row.lease_until - row.opened_at).total_seconds() <= 31

    async def test_unknown_run_is_none(self, harness: ControlHarness) -> None:
        assert await harness.store.get_run(RUN) is None

    async def test_session_has_many_runs_of_its_key(self, harness: ControlHarness) -> None:
        await harness.opened(1)
        await harness.opened(2)
        await harness.opened(3, session="s-2")

        listed = await harness.store.list_runs(RunFilter(session_id=SESSION))

        assert [row.run_id for row in listed] == [run_id(2), run_id(1)]

    async def test_session_of_another_key_is_refused(self, harness: ControlHarness) -> None:
        await harness.opened(1)

        with pytest.raises(RunRefused, match="another key"):
            await harness.store.open_run(a_new_run(facts(OTHER_RUN, owner_key="mallory")), "p1")
        assert await harness.store.get_run(OTHER_RUN) is None

    async def test_run_of_another_key_is_refused_whatever_session_is_named(self, harness: ControlHarness) -> None:
        await harness.abandoned()

        with pytest.raises(RunRefused, match="another key"):
            await harness.store.open_run(a_new_run(facts(session="s-9", owner_key="mallory")), "p1")
        assert (await harness.row()).lease_epoch == 1

    async def test_opening_again_by_the_holder_returns_the_same_lease(self, harness: ControlHarness) -> None:
        assert await harness.opened() == await harness.opened()
        assert len(await harness.store.list_runs()) == 1

    async def test_opening_again_takes_an_abandoned_run(self, harness: ControlHarness) -> None:
        await harness.abandoned()

        assert await harness.opened(owner="p2") == a_lease(epoch=2, owner="p2")

    async def test_opening_a_run_held_by_another_is_refused(self, harness: ControlHarness) -> None:
        await harness.opened(owner="p1")

        with pytest.raises(RunRefused):
            await harness.opened(owner="p2")

    async def test_opening_a_run_that_is_over_is_refused(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(), a_success())

        with pytest.raises(RunRefused):
            await harness.opened()

    async def test_taking_a_lease_of_no_run_is_refused(self, harness: ControlHarness) -> None:
        with pytest.raises(RunRefused):
            await harness.store.take_lease(RUN, "p1")

    async def test_taking_a_lease_held_by_another_is_refused(self, harness: ControlHarness) -> None:
        await harness.opened(owner="p1")

        with pytest.raises(RunRefused):
            await harness.store.take_lease(RUN, "p2")
        assert (await harness.row()).owner == "p1"

    async def test_holder_gets_its_lease_as_it_is(self, harness: ControlHarness) -> None:
        lease = await harness.opened()

        assert await harness.store.take_lease(RUN, "p1", resume=True) == lease
        assert (await harness.row()).resumes == 0

    async def test_dropped_lease_is_free_at_once(self, harness: ControlHarness) -> None:
        await harness.store.drop_lease(await harness.opened())

        assert await harness.store.take_lease(RUN, "p2") == a_lease(epoch=2, owner="p2")

    async def test_own_expired_lease_is_taken_under_a_new_epoch(self, harness: ControlHarness) -> None:
        await harness.abandoned()

        assert (await harness.store.take_lease(RUN, "gone")).epoch == 2

    async def test_dropping_a_lost_lease_changes_nothing(self, harness: ControlHarness) -> None:
        old = await harness.abandoned()
        await harness.store.take_lease(RUN, "p2")
        await harness.store.drop_lease(old)

        with pytest.raises(RunRefused):
            await harness.store.take_lease(RUN, "p3")

    async def test_resumes_are_counted_and_bounded(self, harness: ControlHarness) -> None:
        await harness.abandoned()
        await harness.brief.take_lease(RUN, "p2", resume=True)
        await harness.brief.take_lease(RUN, "p3", resume=True)

        with pytest.raises(RunRefused) as refusal:
            await harness.store.take_lease(RUN, "p4", resume=True)

        assert refusal.value.code is FailureCode.INTERNAL_FAILURE
        assert (await harness.row()).resumes == 2
        assert (await harness.store.take_lease(RUN, "p4")).epoch == 4

    async def test_run_whose_lease_expired_is_interrupted(self, harness: ControlHarness) -> None:
        await harness.abandoned(1)
        await harness.opened(2)
        closed = await harness.abandoned(3)
        await harness.store.close(closed, a_failure())
        await harness.abandoned(4)

        assert [row.run_id for row in await harness.store.interrupted_runs()] == [run_id(1), run_id(4)]

    async def test_every_write_of_a_lost_lease_is_refused_and_changes_nothing(self, harness: ControlHarness) -> None:
        old = await harness.abandoned()
        await harness.store.reserve(old, a_call())
        await harness.store.take_lease(RUN, "p2")
        before = await harness.row()

        with pytest.raises(LeaseLost):
            await harness.store.reserve(old, a_call("agent:2:1"))
        with pytest.raises(LeaseLost):
            await harness.store.settle(old, BudgetKind.MODEL_CALL, "agent:1:1", 5, usage_reported=True)
        with pytest.raises(LeaseLost):
            await harness.store.offer_event(old, "k", STATUS, {})
        with pytest.raises(LeaseLost):
            await harness.store.set_intent(old, Intent.DIAGNOSIS)
        with pytest.raises(LeaseLost):
            await harness.store.close(old, a_success())
        assert await harness.row() == before
        assert await harness.store.entries(RUN) == (a_call(),)
        assert await harness.frames() == []


class HeartbeatAndCancel:
    """Staying alive and being asked to stop."""

    async def test_heartbeat_renews_and_adds_active_time(self, harness: ControlHarness) -> None:
        lease = await harness.abandoned()
        await harness.store.heartbeat([lease], {RUN: 1500})
        beat = await harness.store.heartbeat([lease], {RUN: 250})

        assert (beat.lost, beat.cancels) == ((), {})
        assert (await harness.row()).active_ms == 1750
        assert await harness.store.interrupted_runs() == ()

    async def test_heartbeat_names_what_was_lost_and_renews_the_rest(self, harness: ControlHarness) -> None:
        lost, kept = await harness.abandoned(1), await harness.abandoned(2)
        await harness.store.take_lease(run_id(1), "p2")

        beat = await harness.store.heartbeat([lost, kept], {run_id(1): 10, run_id(2): 20})

        assert beat.lost == (run_id(1),)
        assert (await harness.row()).active_ms == 0
        assert await harness.store.interrupted_runs() == ()

    async def test_heartbeat_of_nothing_is_empty(self, harness: ControlHarness) -> None:
        beat = await harness.store.heartbeat([], {})

        assert (beat.lost, beat.cancels) == ((), {})

    async def test_heartbeat_tells_of_a_cancel_request(self, harness: ControlHarness) -> None:
        first, second = await harness.opened(1), await harness.opened(2)
        await harness.store.request_cancel(run_id(2), CancellationReason.CLIENT_DISCONNECTED)

        beat = await harness.store.heartbeat([first, second], {})

        assert beat.cancels == {run_id(2): CancellationReason.CLIENT_DISCONNECTED}

    async def test_first_cancel_reason_stays(self, harness: ControlHarness) -> None:
        await harness.opened()
        assert await harness.store.request_cancel(RUN, USER)
        first = await harness.row()

        assert await harness.store.request_cancel(RUN, CancellationReason.CLIENT_DISCONNECTED)
        assert await harness.row() == first
        assert first.cancel_reason is USER
        assert first.cancel_requested_at is not None

    async def test_unknown_or_finished_run_cannot_be_cancelled(self, harness: ControlHarness) -> None:
        assert not await harness.store.request_cancel(RUN, USER)
        await harness.store.close(await harness.opened(), a_success())

        assert not await harness.store.request_cancel(RUN, USER)
        assert (await harness.row()).cancel_reason is None


class Ledger:
    """Written before spending, settled after."""

    async def test_entries_come_in_the_order_of_writing(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        keys = ["router:0:1", "agent:1:1", "agent:1:2"]
        for key in keys:
            await harness.store.reserve(lease, a_call(key))

        assert [entry.key for entry in await harness.store.entries(RUN)] == keys

    async def test_reserving_the_same_key_again_changes_nothing(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.reserve(lease, a_call())
        await harness.store.settle(lease, BudgetKind.MODEL_CALL, "agent:1:1", 412, usage_reported=True)
        await harness.store.reserve(lease, a_call().model_copy(update={"reserved": 1}))

        (entry,) = await harness.store.entries(RUN)

        assert (entry.reserved, entry.settled, entry.usage_reported) == (900, 412, True)

    async def test_same_key_of_another_kind_is_another_entry(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.reserve(lease, a_call("k"))
        await harness.store.reserve(lease, a_call("k", kind=BudgetKind.TOOL_CALL))

        assert len(await harness.store.entries(RUN)) == 2

    async def test_settling_what_was_not_reserved_is_an_error(self, harness: ControlHarness) -> None:
        lease = await harness.opened()

        with pytest.raises(TruthUnavailable):
            await harness.store.settle(lease, BudgetKind.MODEL_CALL, "agent:1:1", 5, usage_reported=True)

    async def test_entry_of_another_run_is_refused(self, harness: ControlHarness) -> None:
        lease = await harness.opened()

        with pytest.raises(ValueError, match="lease"):
            await harness.store.reserve(lease, a_call(run=OTHER_RUN))

    async def test_usage_counts_what_is_not_settled_as_spent(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        logs = BudgetEntry(run_id=RUN, kind=BudgetKind.TOOL_CALL, key=CALL, component="query_logs", reserved=300)
        for entry in (a_call("a"), a_call("b"), a_call("c"), logs, logs.model_copy(update={"key": OTHER_CALL})):
            await harness.store.reserve(lease, entry)
        await harness.store.settle(lease, BudgetKind.MODEL_CALL, "a", 100, usage_reported=True)
        await harness.store.settle(lease, BudgetKind.MODEL_CALL, "b", 900, usage_reported=False)
        await harness.store.settle(lease, BudgetKind.TOOL_CALL, CALL, 4000, usage_reported=False)

        assert await harness.store.usage(RUN) == BudgetUsage(
            model_calls=3,
            tokens=100 + 900 + 900,
            tool_calls=2,
            calls_by_tool={"query_logs": 2},
            bytes=4000 + 300,
            usage_unavailable=1,
        )

    async def test_unknown_run_has_spent_nothing(self, harness: ControlHarness) -> None:
        assert await harness.store.usage(RUN) == BudgetUsage()


class PublicStream:
    """What leaves a run."""

    async def test_events_are_numbered_from_one_without_gaps(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        first = await harness.store.offer_event(lease, "metadata", PublicEventType.METADATA, {"run_id": RUN})
        twice = await harness.store.offer_event(lease, "metadata", PublicEventType.METADATA, {"run_id": "other"})
        second = await harness.store.offer_event(lease, "tool:call_1", STATUS, {"tool": "query_logs", "n": [1, 2.5]})

        assert first is not None
        assert second is not None
        assert twice is None
        assert await harness.store.public_events(RUN) == (first, second)
        assert (first.seq, second.seq) == (1, 2)
        assert second.payload == {"tool": "query_logs", "n": [1, 2.5]}

    async def test_reading_after_a_number_gives_the_rest(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        for key in ("a", "b", "c"):
            await harness.store.offer_event(lease, key, STATUS, {})

        assert [event.event_key for event in await harness.store.public_events(RUN, after=1)] == ["b", "c"]
        assert await harness.store.public_events(RUN, after=3) == ()

    async def test_each_run_has_its_own_numbers(self, harness: ControlHarness) -> None:
        await harness.store.offer_event(await harness.opened(2), "a", STATUS, {})
        event = await harness.store.offer_event(await harness.opened(1), "a", STATUS, {})

        assert event is not None
        assert event.seq == 1

    @pytest.mark.parametrize("type_", [CONTENT, FAILURE, DONE])
    async def test_terminal_events_cannot_be_offered(self, harness: ControlHarness, type_: PublicEventType) -> None:
        lease = await harness.opened()

        with pytest.raises(ValueError, match="closing"):
            await harness.store.offer_event(lease, "k", type_, {})

    async def test_key_of_a_terminal_event_cannot_be_taken(self, harness: ControlHarness) -> None:
        lease = await harness.opened()

        with pytest.raises(ValueError, match="closing"):
            await harness.store.offer_event(lease, "closing:done", STATUS, {})

    async def test_nothing_follows_done(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.close(lease, a_success())

        with pytest.raises(LeaseLost):
            await harness.store.offer_event(lease, "late", STATUS, {})
        with pytest.raises(LeaseLost):
            await harness.store.reserve(lease, a_call())
        assert await harness.frames() == [(1, "content"), (2, "done")]


class ClosingARun:
    """First terminal state wins, and only it publishes."""

    async def test_success_publishes_content_done_and_evidence_at_once(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.offer_event(lease, "metadata", PublicEventType.METADATA, {})

        row = await harness.store.close(lease, a_success().model_copy(update={"audit": AuditStock(lost=3)}))

        events = await harness.store.public_events(RUN)
        assert row == await harness.row()
        assert (row.run_state, row.outcome, row.content_type) == (
            RunState.SUCCESS,
            ReleaseOutcome.SUCCESS,
            ContentType.DIAGNOSIS_REPORT,
        )
        assert (row.decision, row.intent, row.audit_lost) == (a_success().decision, Intent.DIAGNOSIS, 3)
        assert row.closed_at is not None
        assert [(event.seq, event.type) for event in events[1:]] == [(2, CONTENT), (3, DONE)]
        assert events[1].payload == {
            "content_type": "DIAGNOSIS_REPORT",
            "payload": a_report().model_dump(mode="json"),
        }
        assert events[2].payload == {"outcome": "SUCCESS"}
        assert await harness.store.published_evidence(RUN) == (an_evidence_view(), an_evidence_view(OTHER_CALL))

    async def test_failure_publishes_its_code_and_nothing_else(self, harness: ControlHarness) -> None:
        row = await harness.store.close(await harness.opened(), a_failure(FailureCode.ROUTING_UNAVAILABLE))

        events = await harness.store.public_events(RUN)
        assert (row.run_state, row.failure_code) == (RunState.FAILED, FailureCode.ROUTING_UNAVAILABLE)
        assert [(event.type, event.payload) for event in events] == [
            (FAILURE, {"code": "ROUTING_UNAVAILABLE"}),
            (DONE, {"outcome": "FAILED"}),
        ]
        assert await harness.store.published_evidence(RUN) == ()

    async def test_fallback_keeps_its_reasons_and_its_evidence(self, harness: ControlHarness) -> None:
        content = SafeFallback(
            type=FallbackType.INSUFFICIENT_EVIDENCE,
            summary="查了支付日志，没有结论。",
            failure_stage=FailureStage.DIAGNOSIS_COLLECTION,
            evidence=(an_evidence_view(),),
        )
        decision = ReleaseDecision(
            run_state=RunState.BUDGET_EXHAUSTED,
            outcome=ReleaseOutcome.FALLBACK,
            content_type=ContentType.SAFE_FALLBACK,
            fallback_type=FallbackType.INSUFFICIENT_EVIDENCE,
            stop_reason=StopReason.BUDGET_LIMIT_REACHED,
            content=content,
        )
        row = await harness.store.close(await harness.opened(), Closing(decision=decision))

        assert (row.fallback_type, row.stop_reason) == (decision.fallback_type, decision.stop_reason)
        assert row.decision == decision
        assert await harness.store.published_evidence(RUN) == (an_evidence_view(),)

    async def test_answer_publishes_its_quotes_as_evidence(self, harness: ControlHarness) -> None:
        decision = ReleaseDecision(
            run_state=RunState.SUCCESS,
            outcome=ReleaseOutcome.SUCCESS,
            content_type=ContentType.KNOWLEDGE_ANSWER,
            content=Answer(text="…", quotes=(an_evidence_view(),)),
        )
        await harness.store.close(await harness.opened(), Closing(decision=decision))

        assert await harness.store.published_evidence(RUN) == (an_evidence_view(),)

    async def test_first_terminal_state_wins(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        first = await harness.store.close(lease, a_success())

        assert await harness.store.close(lease, a_failure()) == first
        assert await harness.store.close(lease, a_success("another")) == first
        assert await harness.frames() == [(1, "content"), (2, "done")]
        assert len(await harness.store.published_evidence(RUN)) == 2

    async def test_cancel_after_the_end_changes_nothing(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        first = await harness.store.close(lease, a_success())

        assert await harness.store.close(lease, a_failure().model_copy(update={"cancelled": USER})) == first

    async def test_loser_of_the_lease_gets_the_stored_end_of_the_winner(self, harness: ControlHarness) -> None:
        old = await harness.abandoned()
        stored = await harness.store.close(await harness.store.take_lease(RUN, "p2"), a_failure())

        assert await harness.store.close(old, a_success()) == stored

    async def test_cancel_request_overtakes_a_success(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.request_cancel(RUN, CancellationReason.CLIENT_DISCONNECTED)

        row = await harness.store.close(lease, a_success())

        assert (row.run_state, row.outcome) == (RunState.CANCELLED, ReleaseOutcome.CANCELLED)
        assert (row.failure_code, row.content_type) == (FailureCode.RUN_CANCELLED, None)
        assert (row.cancel_reason, row.intent) == (CancellationReason.CLIENT_DISCONNECTED, Intent.DIAGNOSIS)
        assert [(event.type, event.payload) for event in await harness.store.public_events(RUN)] == [
            (FAILURE, {"code": "RUN_CANCELLED"}),
            (DONE, {"outcome": "CANCELLED"}),
        ]
        assert await harness.store.published_evidence(RUN) == ()

    async def test_closing_as_cancelled_needs_no_request_and_notes_its_reason(self, harness: ControlHarness) -> None:
        closing = a_success().model_copy(update={"cancelled": USER})

        row = await harness.store.close(await harness.opened(), closing)

        assert (row.run_state, row.cancel_reason) == (RunState.CANCELLED, USER)
        assert row.cancel_requested_at is not None
        assert await harness.frames() == [(1, "failure"), (2, "done")]

    async def test_closing_as_cancelled_keeps_the_reason_that_was_requested(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.request_cancel(RUN, CancellationReason.CLIENT_DISCONNECTED)

        row = await harness.store.close(lease, a_failure().model_copy(update={"cancelled": USER}))

        assert row.cancel_reason is CancellationReason.CLIENT_DISCONNECTED

    async def test_lost_lease_cannot_close_even_a_cancelled_run(self, harness: ControlHarness) -> None:
        old = await harness.abandoned()
        await harness.store.take_lease(RUN, "p2")
        await harness.store.request_cancel(RUN, USER)

        with pytest.raises(LeaseLost):
            await harness.store.close(old, a_success())
        with pytest.raises(LeaseLost):
            await harness.store.close(old, a_success().model_copy(update={"cancelled": USER}))
        assert await harness.frames() == []

    async def test_unknown_run_cannot_be_closed(self, harness: ControlHarness) -> None:
        with pytest.raises(TruthUnavailable):
            await harness.store.close(a_lease(), a_success())

    @pytest.mark.parametrize(
        "decision",
        [
            a_success().decision.model_copy(update={"run_state": RunState.RUNNING}),
            a_success().decision.model_copy(update={"content": None}),
            a_success().decision.model_copy(update={"content_type": None}),
            a_success().decision.model_copy(update={"failure_code": FailureCode.INTERNAL_FAILURE}),
            a_failure().decision.model_copy(update={"failure_code": None}),
            a_failure().decision.model_copy(update={"content": a_report()}),
        ],
    )
    async def test_decision_that_is_no_end_is_refused(self, harness: ControlHarness, decision: ReleaseDecision) -> None:
        lease = await harness.opened()

        with pytest.raises(ValueError, match="."):
            await harness.store.close(lease, Closing(decision=decision))
        assert (await harness.row()).run_state is RunState.RUNNING
        assert await harness.frames() == []

    async def test_intent_is_recorded_with_the_routing(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.set_intent(lease, Intent.KNOWLEDGE_QUERY)
        assert (await harness.row()).intent is Intent.KNOWLEDGE_QUERY

        row = await harness.store.close(lease, a_failure())

        assert row.intent is Intent.KNOWLEDGE_QUERY


class Sweeping:
    """Runs that nobody will end."""

    async def test_run_over_age_ends_expired_even_while_held(self, harness: ControlHarness) -> None:
        lease = await harness.opened()

        (row,) = await harness.store.sweep(max_run_age_s=0.0)

        assert (row.run_state, row.failure_code) == (RunState.FAILED, FailureCode.RUN_EXPIRED)
        assert row.lease_epoch == lease.epoch + 1
        assert row == await harness.row()
        assert await harness.frames() == [(1, "failure"), (2, "done")]
        with pytest.raises(LeaseLost):
            await harness.store.set_intent(lease, Intent.DIAGNOSIS)
        assert await harness.store.close(lease, a_success()) == row

    async def test_young_runs_are_left_alone(self, harness: ControlHarness) -> None:
        await harness.opened(1)
        await harness.abandoned(2)

        assert await harness.store.sweep(max_run_age_s=AGE_S) == ()

    async def test_cancelled_run_that_nobody_holds_is_closed(self, harness: ControlHarness) -> None:
        lease = await harness.abandoned()
        await harness.store.request_cancel(RUN, USER)

        (row,) = await harness.store.sweep(max_run_age_s=AGE_S)

        assert (row.run_state, row.lease_epoch) == (RunState.CANCELLED, lease.epoch + 1)
        assert await harness.frames() == [(1, "failure"), (2, "done")]

    async def test_cancelled_run_that_is_held_is_left_to_its_holder(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.request_cancel(RUN, USER)

        assert await harness.store.sweep(max_run_age_s=AGE_S) == ()

    async def test_cancel_request_comes_before_age(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.request_cancel(RUN, USER)

        (row,) = await harness.store.sweep(max_run_age_s=0.0)

        assert row.run_state is RunState.CANCELLED

    async def test_sweeping_again_finds_nothing(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.sweep(max_run_age_s=0.0)

        assert await harness.store.sweep(max_run_age_s=0.0) == ()
        assert await harness.frames() == [(1, "failure"), (2, "done")]


class Listing:
    """Reading runs."""

    async def test_newest_runs_come_first_up_to_the_limit(self, harness: ControlHarness) -> None:
        for number in (1, 2, 3):
            await harness.opened(number)

        assert [row.run_id for row in await harness.store.list_runs(limit=2)] == [run_id(3), run_id(2)]

    @pytest.mark.parametrize("limit", [0, -1, 201])
    async def test_limit_out_of_bounds_is_refused(self, harness: ControlHarness, limit: int) -> None:
        with pytest.raises(ValueError, match="limit"):
            await harness.store.list_runs(limit=limit)

    async def test_previous_turn_is_the_last_success_of_the_session(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(1), a_success("old cause"))
        await harness.store.close(await harness.opened(2), a_success("new cause"))
        await harness.store.close(await harness.opened(3), a_failure())

        turn = await harness.store.previous_turn(SESSION, "local")

        assert turn is not None
        assert (turn.query, turn.conclusion) == ("为什么支付超时？", "new cause")
        assert (turn.scope, turn.limitations, turn.sources) == ("payment logs, two hours", ("metrics",), ("app",))

    async def test_previous_turn_belongs_to_session_and_key(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(1), a_success())

        assert await harness.store.previous_turn(SESSION, "mallory") is None
        assert await harness.store.previous_turn(SessionId("s-2"), "local") is None

    async def test_knowledge_answer_is_no_previous_turn(self, harness: ControlHarness) -> None:
        closing = a_success().model_copy(update={"intent": Intent.KNOWLEDGE_QUERY})
        await harness.store.close(await harness.opened(1), closing)

        assert await harness.store.previous_turn(SESSION, "local") is None

    async def test_runs_are_listed_by_owner_and_session(self, harness: ControlHarness) -> None:
        await harness.owned(1, "alice", session="s-1")
        await harness.owned(2, "bob", session="s-2")
        await harness.owned(3, "alice", session="s-3")
        await harness.owned(4, "Alice", session="s-4")

        by_owner = await harness.store.list_runs(RunFilter(owner_key="alice"))
        in_session = await harness.store.list_runs(RunFilter(owner_key="alice", session_id=SessionId("s-1")))

        assert [row.run_id for row in by_owner] == [run_id(3), run_id(1)]
        assert await harness.listed(RunFilter(owner_key="alice"), limit=1) == [run_id(3)]
        assert [row.run_id for row in in_session] == [run_id(1)]
        assert await harness.store.list_runs(RunFilter(owner_key="bob", session_id=SessionId("s-1"))) == ()

    async def test_runs_are_listed_by_outcome(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(1), a_success())
        await harness.store.close(await harness.opened(2), a_failure())
        await harness.store.close(await harness.opened(3), a_success())
        await harness.opened(4)
        alices = await harness.owned(5, "alice", session="s-5")
        await harness.store.close(alices, a_success())

        won = ReleaseOutcome.SUCCESS
        of_all, of_alice = RunFilter(outcome=won), RunFilter(outcome=won, owner_key="alice")
        assert await harness.listed(of_all) == [run_id(5), run_id(3), run_id(1)]
        assert await harness.listed(of_alice) == [run_id(5)]
        assert await harness.listed(RunFilter(outcome=ReleaseOutcome.FAILED)) == [run_id(2)]
        assert await harness.listed(RunFilter(outcome=ReleaseOutcome.CANCELLED)) == []

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            (("payments",), [4, 1]),
            (("payments", "slow"), [4]),
            (("slow", "payments"), [4]),
            (("ay", "AYM".casefold()), [4, 1]),
            (("支付",), [2]),
            (("straße".casefold(), "été"), [3]),
            (("100%",), [5]),
            (("0%",), [5]),
            (("%",), [5]),
            (("a_b",), [5]),
            (("_",), [5]),
            (("/", "\\"), [5]),
            (("\ue0f0",), [6]),
            (("nothing like it",), []),
        ],
    )
    async def test_words_are_found_as_they_are_in_whatever_case(
        self, harness: ControlHarness, words: tuple[str, ...], found: list[int]
    ) -> None:
        asked = ["Why do PAYMENTS fail?", "为什么支付超时？", "Die STRASSE im ÉTÉ?", "Payments are Slow", "100% of a_b in c/d\\e",
                 "odd \ue0f0 and 100 xb"]  # fmt: skip
        for number, query in enumerate(asked, start=1):
            await harness.owned(number, "local", session=f"s-{number}", query=query)

        assert await harness.listed(RunFilter(words=words)) == [run_id(number) for number in found]

    async def test_pages_go_on_where_the_one_before_ended_until_every_run_was_listed(
        self, harness: ControlHarness
    ) -> None:
        for number in range(1, 8):
            query = "payments" if number % 2 else "orders"
            await harness.owned(number, "alice" if number != 5 else "bob", session=f"s-{number}", query=query)
        wanted, pages = RunFilter(owner_key="alice", words=("payments",)), []
        while page := await harness.listed(wanted, limit=2):
            pages.append(page)
            wanted = wanted.model_copy(update={"before": page[-1]})

        assert pages == [[run_id(7), run_id(3)], [run_id(1)]]

    async def test_behind_a_run_that_is_not_there_is_nothing(self, harness: ControlHarness) -> None:
        await harness.opened(1)

        assert await harness.listed(RunFilter(before=run_id(9))) == []


class Sessions:
    """Whose a session is, and what was asked in it."""

    async def test_a_session_belongs_to_the_key_that_opened_it(self, harness: ControlHarness) -> None:
        await harness.owned(1, "alice", session="s-1")

        assert await harness.store.session_owner(SessionId("s-1")) == "alice"
        assert await harness.store.session_owner(SessionId("S-1")) is None
        assert await harness.store.session_owner(SessionId("s-2")) is None

    async def test_no_session_is_empty(self, harness: ControlHarness) -> None:
        assert await harness.store.list_sessions() == ()

    async def test_the_session_asked_in_last_comes_first_with_its_newest_question(
        self, harness: ControlHarness
    ) -> None:
        await harness.owned(1, "alice", session="z", query="first?")
        await harness.owned(2, "bob", session="b", query="other?")
        await harness.owned(3, "alice", session="z", query="为什么？")
        rows = {row.run_id: row for row in await harness.store.list_runs()}

        first, second = await harness.store.list_sessions()

        assert (first.session_id, first.owner_key, first.runs, first.last_query) == ("z", "alice", 2, "为什么？")
        assert first.last_opened_at == rows[run_id(3)].opened_at
        assert first.opened_at <= rows[run_id(1)].opened_at
        assert (second.session_id, second.owner_key, second.runs, second.last_query) == ("b", "bob", 1, "other?")

    async def test_sessions_are_listed_by_owner_up_to_the_limit(self, harness: ControlHarness) -> None:
        for number, owner in enumerate(("alice", "bob", "alice", "alice"), start=1):
            await harness.owned(number, owner, session=f"s-{number}")

        listed = await harness.store.list_sessions(owner_key="alice", limit=2)

        assert [session.session_id for session in listed] == ["s-4", "s-3"]
        assert await harness.store.list_sessions(owner_key="mallory") == ()

    @pytest.mark.parametrize("limit", [0, -1, 201])
    async def test_limit_out_of_bounds_is_refused(self, harness: ControlHarness, limit: int) -> None:
        with pytest.raises(ValueError, match="limit"):
            await harness.store.list_sessions(limit=limit)


class Watching:
    """Runs whose last watcher left are found; detached ones are not."""

    async def test_a_run_that_was_never_watched_is_not_abandoned(self, harness: ControlHarness) -> None:
        await harness.opened()

        assert await harness.store.abandoned_runs(grace_s=0.0) == ()

    async def test_a_watched_run_is_abandoned_once_the_grace_is_over(self, harness: ControlHarness) -> None:
        for number in (2, 1, 3):
            await harness.opened(number)
        await harness.store.see_streams([run_id(1), run_id(2)])

        assert await harness.store.abandoned_runs(grace_s=3600.0) == ()
        assert await harness.store.abandoned_runs(grace_s=0.0) == (run_id(2), run_id(1))

    async def test_being_seen_again_begins_the_grace_anew(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.see_streams([RUN])
        harness.run_sql(f"UPDATE run SET stream_seen_at = stream_seen_at - {3600 * 1_000_000}")

        assert await harness.store.abandoned_runs(grace_s=1800.0) == (RUN,)
        await harness.store.see_streams([RUN])
        assert await harness.store.abandoned_runs(grace_s=1800.0) == ()

    async def test_seeing_nothing_unknown_or_ended_changes_nothing(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(1), a_success())
        before = await harness.row()

        await harness.store.see_streams([])
        await harness.store.see_streams([run_id(1), run_id(9)])

        assert await harness.row() == before
        assert await harness.store.abandoned_runs(grace_s=0.0) == ()

    async def test_a_run_that_ended_is_not_abandoned(self, harness: ControlHarness) -> None:
        lease = await harness.opened()
        await harness.store.see_streams([RUN])
        await harness.store.close(lease, a_success())

        assert await harness.store.abandoned_runs(grace_s=0.0) == ()

    async def test_a_run_that_is_asked_to_stop_is_not_abandoned(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.see_streams([RUN])
        await harness.store.request_cancel(RUN, USER)

        assert await harness.store.abandoned_runs(grace_s=0.0) == ()

    async def test_an_interrupted_run_that_nobody_watches_is_abandoned(self, harness: ControlHarness) -> None:
        await harness.abandoned()
        await harness.store.see_streams([RUN])

        assert await harness.store.abandoned_runs(grace_s=0.0) == (RUN,)

    async def test_a_detached_run_is_never_abandoned(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.see_streams([RUN])

        assert await harness.store.detach(RUN)
        assert await harness.store.detach(RUN)
        await harness.store.see_streams([RUN])

        assert await harness.store.abandoned_runs(grace_s=0.0) == ()

    async def test_a_detached_run_is_not_stopped_because_its_client_left(self, harness: ControlHarness) -> None:
        await harness.opened()
        await harness.store.detach(RUN)

        assert not await harness.store.request_cancel(RUN, CancellationReason.CLIENT_DISCONNECTED)
        assert (await harness.row()).cancel_requested_at is None
        assert await harness.store.request_cancel(RUN, USER)

    async def test_unknown_ended_and_stopping_runs_cannot_be_detached(self, harness: ControlHarness) -> None:
        await harness.store.close(await harness.opened(1), a_success())
        await harness.opened(2)
        await harness.store.request_cancel(run_id(2), CancellationReason.CLIENT_DISCONNECTED)

        assert [await harness.store.detach(run_id(number)) for number in (1, 2, 9)] == [False, False, False]

    async def test_a_run_is_watched_whoever_holds_its_lease(self, harness: ControlHarness) -> None:
        lease = await harness.abandoned()
        await harness.store.see_streams([RUN])
        taken = await harness.store.take_lease(RUN, "p2")

        assert taken.epoch == lease.epoch + 1
        assert await harness.store.abandoned_runs(grace_s=0.0) == (RUN,)


class ControlStoreContract(
    OpeningAndLease, HeartbeatAndCancel, Ledger, PublicStream, ClosingARun, Sweeping, Listing, Sessions, Watching
):
    """One rule a test."""
