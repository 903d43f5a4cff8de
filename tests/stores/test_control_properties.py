"""Whatever two processes do to a run in whatever order: one end, a gapless legal stream, and nothing after it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.model.enums import CancellationReason, Intent, RunState
from state.model.errors import LeaseLost, RunRefused
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, Lease, PublicEventType, RunRow
from state.stores.control_sql import SqlControlStore, control_file
from tests.contracts.samples import a_failure, a_new_run, a_success, facts, run_id

LEGAL_ENDS = (["content", "done"], ["failure", "done"])


@dataclass
class World:
    """One run, and what each of two processes believes to hold."""

    store: SqlControlStore
    run: RunId
    held: dict[str, Lease] = field(default_factory=dict)
    keys: int = 0

    async def row(self) -> RunRow:
        row = await self.store.get_run(self.run)
        assert row is not None
        return row

    async def take(self, who: str) -> None:
        self.held[who] = await self.store.take_lease(self.run, who)

    async def drop(self, who: str) -> None:
        await self.store.drop_lease(self.held[who])

    async def succeed(self, who: str) -> None:
        await self.store.close(self.held[who], a_success())

    async def fail(self, who: str) -> None:
        await self.store.close(self.held[who], a_failure())

    async def give_up(self, who: str) -> None:
        cancelled = a_success().model_copy(update={"cancelled": CancellationReason.CLIENT_DISCONNECTED})
        await self.store.close(self.held[who], cancelled)

    async def offer(self, who: str) -> None:
        self.keys += 1
        await self.store.offer_event(self.held[who], f"k{self.keys}", PublicEventType.STATUS, {})

    async def reserve(self, who: str) -> None:
        self.keys += 1
        entry = BudgetEntry(
            run_id=self.run, kind=BudgetKind.MODEL_CALL, key=f"k{self.keys}", component="agent", reserved=1
        )
        await self.store.reserve(self.held[who], entry)

    async def route(self, who: str) -> None:
        await self.store.set_intent(self.held[who], Intent.DIAGNOSIS)

    async def beat(self, who: str) -> None:
        await self.store.heartbeat([self.held[who]], {self.run: 1})

    async def cancel(self, who: str) -> None:
        await self.store.request_cancel(self.run, CancellationReason.USER_REQUESTED)

    async def sweep(self, who: str) -> None:
        await self.store.sweep(max_run_age_s=7200.0)


ACTIONS: dict[str, Callable[[World, str], Awaitable[None]]] = {
    name: getattr(World, name)
    for name in (
        "take", "drop", "succeed", "fail", "give_up", "offer", "reserve", "route", "beat", "cancel", "sweep",
    )
}  # fmt: skip
WRITES = {"offer", "reserve", "route"}
steps = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.sampled_from(["a", "b"])), max_size=14)


async def act(world: World, name: str, who: str) -> None:
    """One step, checked against the row as it was before."""
    before = await world.row()
    stream = await world.store.public_events(world.run)
    refused = None
    try:
        await ACTIONS[name](world, who)
    except (LeaseLost, RunRefused) as error:
        refused = type(error)
    after = await world.row()
    current = before.run_state is RunState.RUNNING and world.held[who].epoch == before.lease_epoch
    assert after.lease_epoch >= before.lease_epoch
    if name in WRITES:
        assert refused is (None if current else LeaseLost)
    if before.run_state is not RunState.RUNNING:
        assert after == before
        assert await world.store.public_events(world.run) == stream


async def play(store: SqlControlStore, number: int, script: list[tuple[str, str]]) -> None:
    lease = await store.open_run(a_new_run(facts(run_id(number))), "a")
    world = World(store, lease.run_id, {"a": lease, "b": Lease(run_id=lease.run_id, owner="b", epoch=0)})
    for name, who in script:
        await act(world, name, who)
    events = await store.public_events(world.run)
    terminal = [event.type.value for event in events if event.type is not PublicEventType.STATUS]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    if (await world.row()).run_state is RunState.RUNNING:
        assert terminal == []
    else:
        assert terminal in LEGAL_ENDS
        assert terminal == [event.type.value for event in events[-2:]]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("properties") / "control.db"


def test_any_order_of_events_leaves_one_legal_end(shared: Path) -> None:
    store = control_file(shared)
    numbers = iter(range(1, 10_000))

    @settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(steps)
    def explore(script: list[tuple[str, str]]) -> None:
        asyncio.run(play(store, next(numbers), script))

    explore()
    asyncio.run(store.close_store())
