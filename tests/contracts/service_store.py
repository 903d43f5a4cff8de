"""The contract of ``ServiceStore``: subclass ``ServiceStoreContract`` and give it a ``service`` fixture."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.served import (
    AccessRecord,
    AlertRun,
    CaseKind,
    CaseRecord,
    CaseState,
    FeedbackVerdict,
    KeptRequest,
    RunFeedback,
)
from state.ports import ServiceStore
from tests.contracts.samples import NOW, OTHER_RUN, RUN, run_id

MOMENT = timedelta(microseconds=1)
DAY = timedelta(hours=24)
HALF_AN_HOUR = timedelta(minutes=30)
TABLES = ("kept_request", "run_feedback", "case_record", "alert_group", "access_record")
"""What ``away`` puts out of reach."""
HOSTILE = "nul \x00, 超时 😀, ' \" ` \\ -- {{%s}} \ue0f0\u2028<script>"
RACERS = range(8)


@dataclass
class ServiceHarness:
    """What a backend gives the suite: two stores on the same empty database, and the way to break it."""

    store: ServiceStore
    other: ServiceStore
    away: Callable[[], None]
    """Puts every table out of reach."""
    back: Callable[[], None]


def a_request(key: str = "k-1", *, owner: str = "local", run: RunId = RUN, body: str = "a") -> KeptRequest:
    return KeptRequest(owner_key=owner, key=key, body_sha256=body * 64, run_id=run)


def a_judgement(
    verdict: FeedbackVerdict = FeedbackVerdict.USEFUL,
    *,
    owner: str = "local",
    run: RunId = RUN,
    correction: str = "",
    at: datetime = NOW,
) -> RunFeedback:
    return RunFeedback(run_id=run, owner_key=owner, verdict=verdict, correction=correction, at=at)


def a_case(
    number: int = 1, *, run: RunId = RUN, kind: CaseKind = CaseKind.CONFIRMED, text: str = "# Pool exhausted"
) -> CaseRecord:
    return CaseRecord(case_id=f"case-{number}", run_id=run, kind=kind, title="Pool", text=text, created_at=NOW)


def an_access(action: str = "export", *, at: datetime = NOW, run: RunId | None = RUN) -> AccessRecord:
    return AccessRecord(at=at, name="platform", action=action, run_id=run, request_id="r-1")


class Requests:
    """One key, one run, for a day."""

    async def test_the_first_request_is_kept_and_the_second_finds_it(self, service: ServiceHarness) -> None:
        first = await service.store.claim_request(a_request(), now=NOW)
        second = await service.other.claim_request(a_request(run=OTHER_RUN), now=NOW + DAY - MOMENT)

        assert first == a_request()
        assert second == a_request()

    async def test_another_body_finds_the_earlier_one_and_can_be_told_apart(self, service: ServiceHarness) -> None:
        await service.store.claim_request(a_request(), now=NOW)

        found = await service.store.claim_request(a_request(body="b", run=OTHER_RUN), now=NOW)

        assert (found.body_sha256, found.run_id) == ("a" * 64, RUN)

    async def test_after_a_day_the_key_is_free_again(self, service: ServiceHarness) -> None:
        await service.store.claim_request(a_request(), now=NOW)
        later = a_request(run=OTHER_RUN, body="b")

        assert await service.store.claim_request(later, now=NOW + DAY) == later
        assert await service.store.claim_request(a_request(), now=NOW + 2 * DAY - MOMENT) == later

    async def test_being_found_does_not_prolong_it(self, service: ServiceHarness) -> None:
        await service.store.claim_request(a_request(), now=NOW)
        await service.store.claim_request(a_request(run=OTHER_RUN), now=NOW + DAY - MOMENT)

        assert (await service.store.claim_request(a_request(run=OTHER_RUN), now=NOW + DAY)).run_id == OTHER_RUN

    async def test_the_same_run_claiming_again_is_told_that_it_is_the_one(self, service: ServiceHarness) -> None:
        await service.store.claim_request(a_request(), now=NOW)

        assert await service.store.claim_request(a_request(), now=NOW) == a_request()

    async def test_keys_differ_by_owner_case_space_and_cut(self, service: ServiceHarness) -> None:
        named = [("a", "key"), ("b", "key"), ("a", "KEY"), ("a", "key "), ("a", "kéy"), ("ak", "ey"), ("a", "k" * 200)]
        requests = [
            a_request(key, owner=owner, run=run_id(number)) for number, (owner, key) in enumerate(named, start=1)
        ]

        assert [await service.store.claim_request(request, now=NOW) for request in requests] == requests

    async def test_of_requests_at_once_exactly_one_is_kept(self, service: ServiceHarness) -> None:
        stores = (service.store, service.other)
        answers = await asyncio.gather(
            *(
                store.claim_request(a_request(f"k-{key}", run=run_id(10 * key + side)), now=NOW)
                for key in RACERS
                for side, store in enumerate(stores, start=1)
            )
        )

        for key in RACERS:
            one, other = answers[2 * key : 2 * key + 2]
            assert one == other
            assert one.run_id in {run_id(10 * key + 1), run_id(10 * key + 2)}


class Judgements:
    """What people say of a run."""

    async def test_nothing_said_is_empty(self, service: ServiceHarness) -> None:
        assert await service.store.feedback(RUN) == ()

    async def test_what_each_key_said_comes_oldest_first_whole(self, service: ServiceHarness) -> None:
        second = a_judgement(FeedbackVerdict.NOT_USEFUL, owner="b", correction=HOSTILE, at=NOW + MOMENT)
        first = a_judgement(owner="z")
        for said in (second, first, a_judgement(run=OTHER_RUN)):
            await service.store.put_feedback(said)

        assert await service.other.feedback(RUN) == (first, second)

    async def test_saying_it_again_replaces_it(self, service: ServiceHarness) -> None:
        await service.store.put_feedback(a_judgement(correction="the disk"))
        again = a_judgement(FeedbackVerdict.NOT_USEFUL, at=NOW + MOMENT)
        await service.store.put_feedback(again)

        assert await service.store.feedback(RUN) == (again,)

    async def test_a_key_saying_two_things_at_once_has_said_one(self, service: ServiceHarness) -> None:
        useful, useless = a_judgement(), a_judgement(FeedbackVerdict.NOT_USEFUL)

        await asyncio.gather(*(
            store.put_feedback(said.model_copy(update={"run_id": run_id(number)}))
            for number in RACERS
            for store, said in ((service.store, useful), (service.other, useless))
        ))  # fmt: skip

        for number in RACERS:
            (kept,) = await service.store.feedback(run_id(number))
            assert kept.verdict in (FeedbackVerdict.USEFUL, FeedbackVerdict.NOT_USEFUL)


class Cases:
    """Past incidents offered to the knowledge base."""

    async def test_no_case_is_none(self, service: ServiceHarness) -> None:
        assert await service.store.case("case-1") is None
        assert await service.store.cases() == ()
        assert await service.store.decide_case("case-1", CaseState.APPROVED, by="platform", now=NOW) is None

    async def test_an_added_case_is_there_whole(self, service: ServiceHarness) -> None:
        case = a_case(text=HOSTILE).model_copy(update={"title": HOSTILE})

        assert await service.store.add_case(case) == case
        assert await service.other.case("case-1") == case

    async def test_a_confirmed_case_is_offered_once(self, service: ServiceHarness) -> None:
        await service.store.add_case(a_case())

        assert await service.store.add_case(a_case(2, text="another")) == a_case()
        assert await service.store.cases() == (a_case(),)

    async def test_each_kind_and_each_run_has_its_own(self, service: ServiceHarness) -> None:
        cases = (a_case(3, run=OTHER_RUN), a_case(2, kind=CaseKind.CORRECTION), a_case(1))
        for case in reversed(cases):
            await service.store.add_case(case)

        assert await service.store.cases() == cases
        assert await service.store.cases(limit=1) == cases[:1]

    async def test_another_text_takes_the_place_of_a_pending_correction(self, service: ServiceHarness) -> None:
        first = a_case(kind=CaseKind.CORRECTION)
        again = a_case(2, kind=CaseKind.CORRECTION, text="the disk").model_copy(update={"title": "Disk"})
        await service.store.add_case(first)

        taken = await service.store.add_case(again)

        assert taken == again
        assert await service.store.cases() == (again,)
        assert await service.store.decide_case("case-1", CaseState.APPROVED, by="a", now=NOW) is None

    async def test_the_same_correction_again_is_the_one_there_was(self, service: ServiceHarness) -> None:
        first = await service.store.add_case(a_case(kind=CaseKind.CORRECTION))

        assert await service.store.add_case(a_case(2, kind=CaseKind.CORRECTION)) == first

    @pytest.mark.parametrize("state", [CaseState.APPROVED, CaseState.DECLINED])
    async def test_a_decided_correction_takes_nothing(self, service: ServiceHarness, state: CaseState) -> None:
        await service.store.add_case(a_case(kind=CaseKind.CORRECTION))
        decided = await service.store.decide_case("case-1", state, by="platform", now=NOW)

        assert await service.store.add_case(a_case(2, kind=CaseKind.CORRECTION, text="late")) == decided
        assert await service.store.case("case-1") == decided

    async def test_a_decision_is_kept_and_the_first_one_stays(self, service: ServiceHarness) -> None:
        await service.store.add_case(a_case())
        first = await service.store.decide_case("case-1", CaseState.APPROVED, by="a", now=NOW, doc_id="doc-1")

        second = await service.store.decide_case("case-1", CaseState.DECLINED, by="b", now=NOW + MOMENT)

        decision = {"state": CaseState.APPROVED, "decided_by": "a", "decided_at": NOW, "doc_id": "doc-1"}
        assert first == second == a_case().model_copy(update=decision)
        assert await service.store.case("case-1") == first

    async def test_cases_are_listed_by_state(self, service: ServiceHarness) -> None:
        for number in (1, 2, 3):
            await service.store.add_case(a_case(number, run=run_id(number)))
        declined = await service.store.decide_case("case-2", CaseState.DECLINED, by="platform", now=NOW)

        pending = await service.store.cases(state=CaseState.PENDING)
        assert [case.case_id for case in pending] == ["case-3", "case-1"]
        assert await service.store.cases(state=CaseState.DECLINED) == (declined,)
        assert await service.store.cases(state=CaseState.APPROVED) == ()

    @pytest.mark.parametrize("limit", [0, -1, 201])
    async def test_limit_out_of_bounds_is_refused(self, service: ServiceHarness, limit: int) -> None:
        with pytest.raises(ValueError, match="limit"):
            await service.store.cases(limit=limit)

    async def test_pending_is_no_decision(self, service: ServiceHarness) -> None:
        await service.store.add_case(a_case())

        with pytest.raises(ValueError, match="no decision"):
            await service.store.decide_case("case-1", CaseState.PENDING, by="platform", now=NOW)

    async def test_a_case_cannot_come_decided(self, service: ServiceHarness) -> None:
        with pytest.raises(ValueError, match="before anybody decided"):
            await service.store.add_case(a_case().model_copy(update={"state": CaseState.APPROVED}))
        assert await service.store.cases() == ()

    async def test_of_cases_offered_at_once_exactly_one_is_there(self, service: ServiceHarness) -> None:
        answers = await asyncio.gather(
            *(
                store.add_case(a_case(10 * number + side, run=run_id(number)))
                for number in RACERS
                for side, store in enumerate((service.store, service.other), start=1)
            )
        )

        kept = {case.run_id: case for case in await service.store.cases()}
        assert len(kept) == len(await service.store.cases()) == len(RACERS)
        assert all(answer == kept[answer.run_id] for answer in answers)

    async def test_of_decisions_at_once_exactly_one_stays(self, service: ServiceHarness) -> None:
        for number in RACERS:
            await service.store.add_case(a_case(number, run=run_id(number)))

        answers = await asyncio.gather(
            *(
                store.decide_case(f"case-{number}", state, by=state, now=NOW)
                for number in RACERS
                for store, state in ((service.store, CaseState.APPROVED), (service.other, CaseState.DECLINED))
            )
        )

        for number in RACERS:
            one, other = answers[2 * number : 2 * number + 2]
            assert one is not None
            assert one == other == await service.store.case(f"case-{number}")
            assert one.decided_by == one.state != CaseState.PENDING


class Alerts:
    """One run per group and half hour."""

    async def test_the_first_notification_has_the_run_and_the_next_joins_it(self, service: ServiceHarness) -> None:
        first = await service.store.join_alert("g", RUN, now=NOW)
        second = await service.other.join_alert("g", OTHER_RUN, now=NOW + HALF_AN_HOUR - MOMENT)

        assert first == AlertRun(run_id=RUN, joined=False)
        assert second == AlertRun(run_id=RUN, joined=True)

    async def test_after_half_an_hour_a_new_run_is_started(self, service: ServiceHarness) -> None:
        await service.store.join_alert("g", RUN, now=NOW)
        await service.store.join_alert("g", OTHER_RUN, now=NOW + HALF_AN_HOUR - MOMENT)

        again = await service.store.join_alert("g", OTHER_RUN, now=NOW + HALF_AN_HOUR)

        assert again == AlertRun(run_id=OTHER_RUN, joined=False)
        joined = await service.store.join_alert("g", run_id(3), now=NOW + 2 * HALF_AN_HOUR - MOMENT)
        assert joined == AlertRun(run_id=OTHER_RUN, joined=True)

    async def test_the_time_may_be_named(self, service: ServiceHarness) -> None:
        await service.store.join_alert("g", RUN, now=NOW)

        late = await service.store.join_alert("g", OTHER_RUN, now=NOW + timedelta(seconds=5), within_s=5.0)

        assert late.joined is False

    async def test_the_run_that_claimed_it_has_not_joined_itself(self, service: ServiceHarness) -> None:
        await service.store.join_alert("g", RUN, now=NOW)

        assert await service.store.join_alert("g", RUN, now=NOW) == AlertRun(run_id=RUN, joined=False)

    async def test_groups_of_any_length_differ_by_their_last_character(self, service: ServiceHarness) -> None:
        groups = ["", " ", "g", "G", "g ", HOSTILE, "x" * 5000, "x" * 5000 + "y"]

        answers = [await service.store.join_alert(group, run_id(n), now=NOW) for n, group in enumerate(groups)]

        assert answers == [AlertRun(run_id=run_id(n), joined=False) for n in range(len(groups))]

    async def test_of_notifications_at_once_exactly_one_starts_a_run(self, service: ServiceHarness) -> None:
        answers = await asyncio.gather(
            *(
                store.join_alert(f"g-{group}", run_id(10 * group + side), now=NOW)
                for group in RACERS
                for side, store in enumerate((service.store, service.other), start=1)
            )
        )

        for group in RACERS:
            pair = answers[2 * group : 2 * group + 2]
            assert sorted(answer.joined for answer in pair) == [False, True]
            (winner,) = (side for side, answer in enumerate(pair, start=1) if not answer.joined)
            assert {answer.run_id for answer in pair} == {run_id(10 * group + winner)}


class Accesses:
    """Who looked at what only auditors may see."""

    async def test_accesses_are_kept_newest_first(self, service: ServiceHarness) -> None:
        kept = [an_access("raw"), an_access("export", run=None), an_access("export", run=None)]
        for access in kept:
            await service.store.record_access(access)

        assert await service.other.accesses() == tuple(reversed(kept))
        assert await service.store.accesses(limit=1) == (kept[-1],)

    @pytest.mark.parametrize("limit", [0, -1, 1001])
    async def test_limit_out_of_bounds_is_refused(self, service: ServiceHarness, limit: int) -> None:
        with pytest.raises(ValueError, match="limit"):
            await service.store.accesses(limit=limit)


WORK: dict[str, Callable[[ServiceStore], Awaitable[object]]] = {
    "claim_request": lambda store: store.claim_request(a_request(), now=NOW),
    "put_feedback": lambda store: store.put_feedback(a_judgement()),
    "feedback": lambda store: store.feedback(RUN),
    "add_case": lambda store: store.add_case(a_case()),
    "case": lambda store: store.case("case-1"),
    "cases": lambda store: store.cases(),
    "decide_case": lambda store: store.decide_case("case-1", CaseState.APPROVED, by="a", now=NOW),
    "forget_documents": lambda store: store.forget_documents(["doc-1"]),
    "join_alert": lambda store: store.join_alert("g", RUN, now=NOW),
    "record_access": lambda store: store.record_access(an_access()),
    "accesses": lambda store: store.accesses(),
}


class Failing:
    """What cannot be read or written is an error, never an answer."""

    def test_every_method_of_the_port_is_tried(self) -> None:
        assert set(WORK) == {name for name in vars(ServiceStore) if not name.startswith("_")}

    @pytest.mark.parametrize("operation", WORK)
    async def test_a_broken_database_fails_closed_and_comes_back(self, service: ServiceHarness, operation: str) -> None:
        await WORK[operation](service.store)
        service.away()

        with pytest.raises(TruthUnavailable) as failure:
            await WORK[operation](service.store)

        assert (failure.value.store, failure.value.operation) == ("service", operation)
        service.back()
        await WORK[operation](service.store)


class ServiceStoreContract(Requests, Judgements, Cases, Alerts, Accesses, Failing):
    """One rule a test."""
