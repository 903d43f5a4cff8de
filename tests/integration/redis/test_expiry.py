"""Life of keys on the real server: set once, never longer, everything gone at the end."""

import asyncio
from datetime import timedelta

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.model.enums import EvidenceStatus, ToolCode
from state.model.errors import LeaseLost, TruthUnavailable
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.canonical_redis_values import RunKeys, expiry_ms
from tests.contracts.samples import CALL, OTHER_CALL, OTHER_RUN, PROJECTION_JSON, RAW_JSON, RUN, a_lease, a_record
from tests.integration.redis.places import address
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("redis")


async def _ready(store: RedisCanonicalStore, *, ttl_s: float = 60.0) -> int:
    """A READY record; its expiry in milliseconds since 1970."""
    record = a_record(a_lease(), begun_at=SystemClock().now(), ttl_s=ttl_s)
    await store.begin(a_lease(), record)
    await store.complete(
        a_lease(),
        CALL,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND,
        projection_json=PROJECTION_JSON,
        raw_json=RAW_JSON,
    )
    return expiry_ms(record.expires_at)


async def _expiry(client: Redis, key: str) -> int:
    """Milliseconds since 1970, right within the millisecond that the clock moves between the two commands."""
    async with client.pipeline(transaction=True) as pipe:
        left, (seconds, micros) = await pipe.pttl(key).time().execute()
    return int(seconds * 1000 + micros // 1000 + left)


async def test_no_read_and_no_update_touches_the_life_of_a_record(
    store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    key = RunKeys(prefix, RUN).record(CALL)
    record = a_record(a_lease(), begun_at=SystemClock().now(), ttl_s=60.0)
    await store.begin(a_lease(), record)
    seen = [await _expiry(raw_client, key)]

    for _ in range(20):
        await store.get(RUN, CALL)
        await store.records(RUN)
        await store.raw(RUN, CALL)
        await store.begin(a_lease(), record)
        await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    seen.append(await _expiry(raw_client, key))
    await store.complete(
        a_lease(epoch=2), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
    )
    await store.begin(a_lease(epoch=2), a_record(a_lease(epoch=2), OTHER_CALL, begun_at=SystemClock().now()))
    await store.raise_fence(a_lease(epoch=3))
    seen.append(await _expiry(raw_client, key))

    assert all(abs(expiry - expiry_ms(record.expires_at)) <= 1 for expiry in seen)


async def test_failing_does_not_touch_the_life_of_a_record(
    store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    record = a_record(a_lease(), begun_at=SystemClock().now(), ttl_s=60.0)
    await store.begin(a_lease(), record)
    await store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)
    await store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT)

    assert abs(await _expiry(raw_client, RunKeys(prefix, RUN).record(CALL)) - expiry_ms(record.expires_at)) <= 1


async def test_repeating_a_placeholder_does_not_prolong_the_map(
    store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    key = RunKeys(prefix, RUN).placeholders
    await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    before = await _expiry(raw_client, key)
    await asyncio.sleep(0.05)
    await store.add_placeholders(a_lease(), {"<host-1>": "db-8"})

    assert abs(await _expiry(raw_client, key) - before) <= 1


async def test_fence_and_placeholders_live_as_long_as_the_last_record(
    store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    keys = RunKeys(prefix, RUN)
    await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    expiry = await _ready(store, ttl_s=600)

    assert abs(await _expiry(raw_client, keys.run) - expiry) <= 1
    assert abs(await _expiry(raw_client, keys.placeholders) - expiry) <= 1


async def test_fence_outlives_a_short_record(redis_server: Server, prefix: str) -> None:
    store = RedisCanonicalStore(address(redis_server), SystemClock(), prefix=prefix, ttl_s=60.0)
    await _ready(store, ttl_s=0.3)
    await asyncio.sleep(0.35)
    await store.raise_fence(a_lease(epoch=2))

    assert await store.records(RUN) == ()
    with pytest.raises(LeaseLost):
        await store.begin(a_lease(), a_record(a_lease(), begun_at=SystemClock().now()))
    again = a_record(a_lease(epoch=2), begun_at=SystemClock().now())
    assert await store.begin(a_lease(epoch=2), again) is None
    assert await store.records(RUN) == (again,)
    await store.close_store()


async def test_every_key_has_an_end_and_nothing_is_left_after_it(
    redis_server: Server, raw_client: Redis, prefix: str
) -> None:
    store = RedisCanonicalStore(address(redis_server), SystemClock(), prefix=prefix, ttl_s=2.0)
    await store.raise_fence(a_lease())
    await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    await _ready(store, ttl_s=2.0)
    await store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL])
    keys = await raw_client.keys(f"{prefix}:*")

    assert len(keys) == 6
    assert all([await raw_client.pttl(key) > 0 for key in keys])
    await asyncio.sleep(2.1)
    assert await raw_client.keys(f"{prefix}:*") == []
    await store.close_store()


async def test_copy_and_its_placeholders_end_with_the_original(
    store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    expiry = await _ready(store, ttl_s=600)
    await store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL, CALL])
    keys = RunKeys(prefix, OTHER_RUN)

    assert len(await store.records(OTHER_RUN)) == 1
    for key in (keys.record(CALL), keys.placeholders, keys.run):
        assert abs(await _expiry(raw_client, key) - expiry) <= 1


async def test_record_that_is_over_by_the_servers_clock_cannot_begin(store: RedisCanonicalStore) -> None:
    """The server's clock judges, also where ours is far behind."""
    late = a_record(a_lease(), begun_at=SystemClock().now() - timedelta(hours=3))

    with pytest.raises(TruthUnavailable):
        await store.begin(a_lease(), late)
    assert await store.records(RUN) == ()
