"""A task that is cancelled takes nothing with it: connections stay usable, replies go to who asked."""

import asyncio

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.canonical_redis_server import MAX_CONNECTIONS
from tests.contracts.samples import CALL, RUN, a_lease, a_record

pytestmark = pytest.mark.xdist_group("redis")

blockbuster = pytest.importorskip("blockbuster")


async def test_cancelled_reads_leave_every_connection_usable(store: RedisCanonicalStore, raw_client: Redis) -> None:
    calls = [ToolCallId(f"call_{number}") for number in range(2 * MAX_CONNECTIONS)]
    for call in calls:
        await store.begin(a_lease(), a_record(a_lease(), call, begun_at=SystemClock().now()))

    cancelled = 0
    for round_ in range(5):
        await raw_client.execute_command("CLIENT", "PAUSE", "100", "ALL")
        pending = [asyncio.ensure_future(store.get(RUN, call)) for call in calls]
        await asyncio.sleep(0.004 * round_)
        for task in pending[::2]:
            task.cancel()
        outcomes = await asyncio.gather(*pending, return_exceptions=True)
        cancelled += sum(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes[::2])
        answers = [(asked, got) for asked, got in zip(calls, outcomes, strict=True) if isinstance(got, CanonicalRecord)]
        assert all(got.tool_call_id == asked for asked, got in answers)
        assert {asked for asked, _ in answers} >= set(calls[1::2])

    assert cancelled > MAX_CONNECTIONS
    again = await asyncio.gather(*(store.get(RUN, call) for call in calls))
    assert [record.tool_call_id for record in again if record] == calls
    own = str(await raw_client.client_id())
    assert len([client for client in await raw_client.client_list() if client["id"] != own]) <= MAX_CONNECTIONS


async def test_cancelled_write_ends_before_its_task_does(store: RedisCanonicalStore, raw_client: Redis) -> None:
    record = a_record(a_lease(), begun_at=SystemClock().now())
    await store.get(RUN, CALL)
    await raw_client.execute_command("CLIENT", "PAUSE", "100", "ALL")
    task = asyncio.ensure_future(store.begin(a_lease(), record))
    await asyncio.sleep(0.02)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.get(RUN, CALL) == record


async def test_the_event_loop_is_never_blocked(store: RedisCanonicalStore) -> None:
    with blockbuster.blockbuster_ctx():
        record = a_record(a_lease(), begun_at=SystemClock().now())
        await store.begin(a_lease(), record)
        assert await store.records(RUN) == (record,)
        assert await store.sweep() == 0
        await store.close_store()
