"""Runs started and watched from outside: real runs of a scripted model, real stores, watched through their events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from graph.executing import Room, TooManyRuns
from graph.following import KEPT_EVENTS, FollowTimes, RunReader
from graph.live_runs import LiveRuns, LiveTimes, RunOrder, live_runs
from graph.system import SystemIds
from graph.tending import TendTimes
from nodes.deps import Deps
from state.model.diagnosis import RunOptions
from state.model.enums import CancellationReason, ReleaseOutcome, RunState
from state.model.errors import InvalidQuery, RunRefused, TruthUnavailable
from state.model.ids import RunId
from state.model.run import PublicEvent, PublicEventType, RunRow
from tests.contracts.samples import a_new_run, facts
from tests.faults.between import Between, failing
from tests.graph.stage import PAGES, QUESTION, RUN_ID, TO_DIAGNOSIS, Cast, Stage, ask, good_draft, stage, submit

ANN, BOB = "ann", "bob"
PATIENCE_S = 30.0
FOLLOW = FollowTimes(poll_s=0.02, silent_s=0.05)
PATIENT = LiveTimes(FOLLOW, TendTimes(see_s=0.02, abandoned_s=0.02, sweep_s=0.05, resume_s=0.02))
"""Nobody is abandoned within a test."""
STRICT = LiveTimes(FOLLOW, TendTimes(see_s=0.02, abandoned_s=0.02, grace_s=0.05, sweep_s=0.05, resume_s=60))


@dataclass
class Gate:
    """A page of the notebook that is read only once it is opened: the run waits in its first tool call."""

    reached: int = 0
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self) -> object:
        self.reached += 1
        await self.is_open.wait()
        return PAGES["errors"]


@dataclass
class Seen:
    """What was asked of the control store, and with what."""

    calls: list[tuple[str, Any]] = field(default_factory=list)

    def rig(self, deps: Deps) -> Deps:
        return replace(deps, control=Noted(deps.control, self))  # type: ignore[arg-type]

    def of(self, method: str) -> list[Any]:
        return [given for name, given in self.calls if name == method]


class Noted:
    """The control store; every call is noted."""

    def __init__(self, inner: object, seen: Seen) -> None:
        self._inner = inner
        self._seen = seen

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        async def call(*args: Any, **kwargs: Any) -> object:
            self._seen.calls.append((name, args[0] if args else kwargs))
            return await method(*args, **kwargs)

        return call


@dataclass
class House:
    """One serving process."""

    play: Stage
    live: LiveRuns
    gate: Gate
    seen: Seen

    async def start(self, query: str = QUESTION, owner: str = ANN, **more: Any) -> RunId:
        return await self.live.start(RunOrder(query=query, owner_key=owner, **more))

    async def at_gate(self, **more: Any) -> RunId:
        """A run that waits in its first tool call."""
        before = self.gate.reached
        run_id = await self.start(**more)
        await until(lambda: self.gate.reached > before)
        return run_id

    async def row(self, run_id: RunId) -> RunRow:
        row = await self.play.stores.control.get_run(run_id)
        assert row is not None
        return row

    async def ended(self, run_id: RunId) -> RunRow:
        async with asyncio.timeout(PATIENCE_S):
            while (row := await self.row(run_id)).run_state is RunState.RUNNING:
                await asyncio.sleep(0.01)
        return row

    async def all_events(self, run_id: RunId, after: int = 0) -> list[PublicEvent]:
        async with asyncio.timeout(PATIENCE_S):
            return [event async for event in self.live.follow(run_id, after=after) if event is not None]


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


def gated(gate: Gate, runs: int = 1) -> Cast:
    asks, submits = (ask("errors"),) * runs, (submit(good_draft()),) * runs
    return Cast(agent=(*asks, *submits), router=(TO_DIAGNOSIS,) * runs, semantic=Cast().semantic * runs,
                pages={**PAGES, "errors": gate.read})  # fmt: skip


@asynccontextmanager
async def house(
    home: Path, cast: Cast | None = None, *, runs: int = 1, times: LiveTimes = PATIENT, room: Room | None = None,
    owner: str = "process-1", rig: Callable[[Deps], Deps] | None = None,
) -> AsyncIterator[House]:  # fmt: skip
    gate, seen = Gate(), Seen()
    async with (
        stage(home, cast or gated(gate, runs), owner=owner, rig=rig or seen.rig) as play,
        live_runs(play.runner, lambda: RunId(SystemIds().uuid()), room=room, times=times) as live,
    ):
        yield House(play, live, gate, seen)


async def first_of(events: Awaitable[PublicEvent | None]) -> PublicEvent:
    event = await events
    assert event is not None
    return event


async def test_a_started_run_is_followed_to_its_end(tmp_path: Path) -> None:
    async with house(tmp_path, Cast()) as home:
        run_id = await home.start()
        events = await home.all_events(run_id)

        assert (await home.row(run_id)).owner_key == ANN
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert events[0].type is PublicEventType.METADATA
        assert [event.type for event in events][-2:] == [PublicEventType.CONTENT, PublicEventType.DONE]
        assert tuple(events) == await home.play.stores.control.public_events(run_id)


async def test_start_returns_once_the_run_is_written(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        run_id = await home.start()

        assert (await home.row(run_id)).run_state is RunState.RUNNING
        assert (await home.play.stores.control.public_events(run_id))[0].type is PublicEventType.METADATA
        home.gate.is_open.set()


async def test_following_goes_on_behind_the_last_event_that_was_seen(tmp_path: Path) -> None:
    async with house(tmp_path, Cast()) as home:
        run_id = await home.start()
        events = await home.all_events(run_id)

        assert await home.all_events(run_id, after=2) == events[2:]


async def test_whoever_has_seen_the_end_is_told_it_once_more(tmp_path: Path) -> None:
    """Else a client that comes back, or counts wrongly, would wait for an end that was long said."""
    async with house(tmp_path, Cast()) as home:
        run_id = await home.start()
        events = await home.all_events(run_id)

        assert await home.all_events(run_id, after=len(events)) == events[-1:]
        assert await home.all_events(run_id, after=10**9) == events[-1:]


async def test_a_run_is_followed_in_another_process_and_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path, Cast()) as home:
        run_id = await home.start()
        events = await home.all_events(run_id)
    async with house(tmp_path, owner="process-2") as home:
        assert await home.all_events(run_id) == events


async def test_a_follower_is_told_that_nothing_came(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        run_id = await home.at_gate()
        async with asyncio.timeout(PATIENCE_S), aclosing(home.live.follow(run_id)) as events:
            silence = [event async for event in until_silent(events)]

        assert silence[-1] is None
        home.gate.is_open.set()


async def until_silent(events: AsyncIterator[PublicEvent | None]) -> AsyncIterator[PublicEvent | None]:
    async for event in events:
        yield event
        if event is None:
            return


async def test_following_a_run_that_is_unknown_ends(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        assert await home.all_events(RUN_ID) == []


async def test_two_hundred_followers_read_the_store_as_often_as_one(tmp_path: Path) -> None:
    silent = LiveTimes(FollowTimes(poll_s=60), PATIENT.tend)
    async with house(tmp_path, times=silent) as home:
        run_id = await home.at_gate()
        following = [asyncio.create_task(home.all_events(run_id)) for _ in range(200)]
        await until(lambda: home.live.n_followed == 1)
        home.gate.is_open.set()
        everything = await asyncio.gather(*following)

        assert all(events == everything[0] for events in everything)
        assert everything[0][-1].type is PublicEventType.DONE
        assert len(home.seen.of("public_events")) <= 2 * len(everything[0]) + 2
        assert len(home.seen.of("get_run")) < 50


async def test_a_slow_follower_misses_nothing(tmp_path: Path) -> None:
    n_events = 2 * KEPT_EVENTS + 10
    async with stage(tmp_path) as play:
        control = play.stores.control
        lease = await control.open_run(a_new_run(facts(RUN_ID)), "p")
        reader = RunReader(control, RUN_ID, FOLLOW)
        reader.start()
        async with aclosing(reader.events(0)) as events:
            await control.offer_event(lease, "1", PublicEventType.STATUS, {"n": 1})
            seen = [await first_of(anext(events))]
            for number in range(2, n_events + 1):
                await control.offer_event(lease, str(number), PublicEventType.STATUS, {"n": number})
            reader.wake()
            await reader.read_last()
            seen += [await first_of(anext(events)) for _ in range(n_events - 1)]
        await reader.stop()

        assert [event.payload["n"] for event in seen] == list(range(1, n_events + 1))


async def test_events_that_cannot_be_read_are_an_error_and_may_be_asked_for_again(tmp_path: Path) -> None:
    down = [False]

    async def before(method: str) -> None:
        if down[0] and method == "public_events":
            raise TruthUnavailable("control", "test")

    def rig(deps: Deps) -> Deps:
        return replace(deps, control=Between(deps.control, before))  # type: ignore[arg-type]

    async with house(tmp_path, Cast(), rig=rig) as home:
        run_id = await home.start()
        await home.ended(run_id)
        down[0] = True
        with pytest.raises(TruthUnavailable):
            await home.all_events(run_id)
        down[0] = False

        assert (await home.all_events(run_id))[-1].type is PublicEventType.DONE


async def test_a_question_that_cannot_open_a_run_is_refused_at_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for order in (
            RunOrder(query="  ", owner_key=ANN),
            RunOrder(query=QUESTION, owner_key=ANN, session_id="no session"),
            RunOrder(query=QUESTION, owner_key=ANN, follow_up_of="x" * 5000),
            RunOrder(query=QUESTION, owner_key=ANN, run_id=RunId("no-uuid")),
        ):
            with pytest.raises(InvalidQuery):
                await home.live.start(order)

        assert await home.play.stores.control.list_runs() == ()
        assert home.live.n_running == 0


async def test_a_window_that_is_empty_is_refused_by_the_run_itself(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        with pytest.raises(InvalidQuery):
            await home.start(options=RunOptions(window_start="2026-03-02T14:05", window_end="2026-03-02T14:00"))
        assert home.live.n_running == 0


async def test_a_session_and_a_run_of_another_key_are_refused(tmp_path: Path) -> None:
    async with house(tmp_path, runs=2) as home:
        run_id = await home.at_gate(session_id="s1")
        with pytest.raises(RunRefused):
            await home.start(owner=BOB, session_id="s1")
        with pytest.raises(RunRefused):
            await home.start(owner=BOB, run_id=run_id)
        home.gate.is_open.set()
        await home.ended(run_id)
        with pytest.raises(RunRefused):
            await home.start(owner=BOB, run_id=run_id)

        assert [row.owner_key for row in await home.play.stores.control.list_runs()] == [ANN]


async def test_no_more_runs_are_executed_than_there_is_room_for(tmp_path: Path) -> None:
    async with house(tmp_path, runs=2, room=Room(1)) as home:
        run_id = await home.at_gate()
        with pytest.raises(TooManyRuns):
            await home.start()
        home.gate.is_open.set()
        await home.ended(run_id)
        await until(lambda: home.live.n_running == 0)

        await home.all_events(await home.start("hello"))


async def test_one_key_takes_no_more_room_than_its_share(tmp_path: Path) -> None:
    async with house(tmp_path, runs=3, room=Room(8, of_key=1)) as home:
        run_id = await home.at_gate()
        with pytest.raises(TooManyRuns) as refused:
            await home.start()
        other = await home.at_gate(owner=BOB)
        home.gate.is_open.set()
        await home.ended(run_id)
        await home.ended(other)
        await until(lambda: home.live.n_running == 0)
        await home.ended(await home.start("hello"))

        assert refused.value.of_key == 1
        assert len(await home.play.stores.control.list_runs()) == 3


async def test_what_ended_here_is_counted_however_much_it_is(tmp_path: Path) -> None:
    async with house(tmp_path, Cast(), rig=lambda deps: deps) as home:
        run_id = await home.start()
        await home.ended(run_id)
        await until(lambda: home.live.n_running == 0)
        usage = await home.play.stores.control.usage(run_id)

        assert dict(home.live.tally.outcomes) == {ReleaseOutcome.SUCCESS: 1}
        assert home.live.tally.tokens == usage.tokens
        await home.all_events(await home.start(run_id=run_id))
        await until(lambda: home.live.n_running == 0)


async def test_starting_the_same_run_twice_executes_it_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        twice = await asyncio.gather(home.start(run_id=RUN_ID), home.start(run_id=RUN_ID))
        home.gate.is_open.set()
        await home.ended(RUN_ID)

        assert twice == [RUN_ID, RUN_ID]
        assert home.play.notebook.executed == ["errors"]
        assert await home.start(run_id=RUN_ID) == RUN_ID


async def test_where_the_store_is_down_there_is_no_run(tmp_path: Path) -> None:
    sabotage = failing("open_run", TruthUnavailable("control", "test"), "control")
    async with house(tmp_path, Cast(), rig=sabotage.rig) as home:
        with pytest.raises(TruthUnavailable):
            await home.start()
        assert sabotage.struck
        await until(lambda: home.live.n_running == 0)


async def test_a_run_that_nobody_watches_is_cancelled(tmp_path: Path) -> None:
    async with house(tmp_path, times=STRICT) as home:
        row = await home.ended(await home.start())

        assert row.outcome is ReleaseOutcome.CANCELLED
        assert row.cancel_reason is CancellationReason.CLIENT_DISCONNECTED
        assert (await home.all_events(row.run_id))[-1].payload == {"outcome": "CANCELLED"}


async def test_a_run_whose_last_follower_left_is_cancelled(tmp_path: Path) -> None:
    # A long grace at first: the run must not be lost before it is followed.
    async with house(tmp_path) as home:
        run_id = await home.at_gate()
        async with aclosing(home.live.follow(run_id)) as events:
            await anext(events)
        assert home.live.n_followed == 0
        assert not (await home.row(run_id)).detached
        async with live_runs(home.play.runner, lambda: RUN_ID, times=STRICT):
            row = await home.ended(run_id)

        assert row.cancel_reason is CancellationReason.CLIENT_DISCONNECTED


async def test_a_detached_run_goes_on_without_anybody(tmp_path: Path) -> None:
    async with house(tmp_path, times=STRICT) as home:
        run_id = await home.at_gate(detached=True)
        seen = len(home.seen.of("abandoned_runs"))
        await until(lambda: len(home.seen.of("abandoned_runs")) > seen + 5)
        home.gate.is_open.set()

        assert (await home.ended(run_id)).outcome is ReleaseOutcome.SUCCESS


async def test_a_run_may_be_detached_later(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        run_id = await home.at_gate()
        assert await home.live.detach(run_id)
        home.gate.is_open.set()
        row = await home.ended(run_id)

        assert row.detached
        assert not await home.live.detach(run_id)


async def test_all_watched_runs_are_marked_in_one_call(tmp_path: Path) -> None:
    async with house(tmp_path, runs=2) as home:
        one, other = await home.at_gate(), await home.at_gate()
        following = [asyncio.create_task(home.all_events(run_id)) for run_id in (one, one, other)]
        await until(lambda: [one, other] in [sorted_by(given, one) for given in home.seen.of("see_streams")])
        home.gate.is_open.set()
        await asyncio.gather(*following)
        await home.ended(one)
        marked = len(home.seen.of("see_streams"))
        looked = len(home.seen.of("abandoned_runs"))
        await until(lambda: len(home.seen.of("abandoned_runs")) > looked + 5)

        assert len(home.seen.of("see_streams")) == marked


def sorted_by(run_ids: Any, first: RunId) -> list[RunId]:
    return sorted(run_ids, key=lambda run_id: run_id != first)


async def test_a_cancelled_run_stops(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        run_id = await home.at_gate()
        assert await home.live.cancel(run_id)
        events = await home.all_events(run_id)

        assert (await home.row(run_id)).cancel_reason is CancellationReason.USER_REQUESTED
        assert events[-1].payload == {"outcome": "CANCELLED"}
        assert not await home.live.cancel(run_id)


async def test_a_run_that_nobody_executes_is_closed_when_it_is_cancelled(tmp_path: Path) -> None:
    seldom = LiveTimes(FOLLOW, TendTimes(sweep_s=60, resume_s=60))
    async with house(tmp_path, times=seldom) as home:
        lease = await home.play.stores.control.open_run(a_new_run(facts(RUN_ID)), "gone")
        await home.play.stores.control.drop_lease(lease)
        await until(lambda: bool(home.seen.of("sweep")))

        assert await home.live.cancel(RUN_ID)
        assert (await home.ended(RUN_ID)).outcome is ReleaseOutcome.CANCELLED


async def test_shutting_down_gives_detached_runs_back_and_cancels_the_others(tmp_path: Path) -> None:
    async with house(tmp_path, runs=3) as home:
        detached, later = await home.at_gate(detached=True), await home.at_gate()
        watched = await home.at_gate()
        await home.live.detach(later)
        following = asyncio.create_task(home.all_events(watched))
        await until(lambda: home.live.n_followed == 1)
        await home.live.close()
        told = await following
        free = await home.play.stores.control.interrupted_runs()

        assert [row.run_id for row in free] == [detached, later]
        assert (await home.row(watched)).outcome is ReleaseOutcome.CANCELLED
        assert told[-1].payload == {"outcome": "CANCELLED"}
        # A checkpoint that is being written is finished; nothing else is left, and nothing goes on.
        await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})
        with pytest.raises(TooManyRuns):
            await home.start()


async def test_a_detached_run_is_resumed_by_the_next_process(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        run_id = await home.at_gate(detached=True, session_id="s1")
    cast = Cast(agent=(submit(good_draft()),), router=())
    async with house(tmp_path, cast, owner="process-2") as home:
        # The interrupted call is an error of the evidence: the draft may not cite it.
        row = await home.ended(run_id)

        assert row.outcome is ReleaseOutcome.FALLBACK
        assert (row.owner_key, row.resumes) == (ANN, 1)
        assert (await home.all_events(run_id))[-1].type is PublicEventType.DONE


async def test_a_run_somebody_should_watch_is_not_resumed(tmp_path: Path) -> None:
    async with house(tmp_path, owner="process-2") as home:
        lease = await home.play.stores.control.open_run(a_new_run(facts(RUN_ID)), "gone")
        await home.play.stores.control.drop_lease(lease)
        looked = len(home.seen.of("interrupted_runs"))
        await until(lambda: len(home.seen.of("interrupted_runs")) > looked + 3)

        assert home.live.n_running == 0
        assert (await home.row(RUN_ID)).resumes == 0


async def test_a_run_that_cannot_be_detached_is_not_executed(tmp_path: Path) -> None:
    async def before(method: str) -> None:
        if method == "detach":
            raise TruthUnavailable("control", "test")

    def rig(deps: Deps) -> Deps:
        return replace(deps, control=Between(deps.control, before))  # type: ignore[arg-type]

    async with house(tmp_path, rig=rig) as home:
        with pytest.raises(TruthUnavailable):
            await home.start(detached=True, run_id=RUN_ID)
        row = await home.ended(RUN_ID)

        assert row.outcome is ReleaseOutcome.CANCELLED


async def test_a_store_that_is_down_for_a_moment_ends_no_duty(tmp_path: Path) -> None:
    down = [True]
    failed = [0]

    async def before(method: str) -> None:
        if down[0] and method in {"abandoned_runs", "interrupted_runs", "sweep", "see_streams"}:
            failed[0] += 1
            raise TruthUnavailable("control", "test")

    def rig(deps: Deps) -> Deps:
        return replace(deps, control=Between(deps.control, before))  # type: ignore[arg-type]

    gate = Gate()
    async with house(tmp_path, gated(gate), times=STRICT, rig=rig) as home:
        run_id = await home.start()
        await until(lambda: failed[0] > 5)
        down[0] = False
        await home.play.stores.control.see_streams([run_id])

        assert home.live.is_tending
        assert (await home.ended(run_id)).cancel_reason is CancellationReason.CLIENT_DISCONNECTED
