"""Keys that somebody else overwrote or deleted: TruthUnavailable for reader and writer, and nothing more is changed."""

from collections.abc import Awaitable, Callable

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.model.enums import EvidenceStatus, ToolCode
from state.model.errors import TruthUnavailable
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.canonical_redis_values import RunKeys
from tests.contracts.samples import CALL, OTHER_CALL, OTHER_RUN, PROJECTION_JSON, RAW_JSON, RUN, a_lease, a_record

pytestmark = pytest.mark.xdist_group("redis")

Harm = Callable[[Redis, RunKeys], Awaitable[object]]
Use = Callable[[RedisCanonicalStore], Awaitable[object]]


async def _swap(client: Redis, keys: RunKeys) -> None:
    other = await client.hget(keys.record(OTHER_CALL), "record")
    await client.hset(keys.record(CALL), "record", other)


async def _tamper(client: Redis, keys: RunKeys) -> None:
    text = await client.hget(keys.record(CALL), "record")
    await client.hset(keys.record(CALL), "record", text.replace(b"HikariPool-1", b"HikariPool-2"))


async def _text_key(client: Redis, key: str) -> None:
    await client.delete(key)
    await client.set(key, "x", ex=60)


HARM_TO_RECORD: dict[str, Harm] = {
    "deleted": lambda client, keys: client.delete(keys.record(CALL)),
    "another type": lambda client, keys: _text_key(client, keys.record(CALL)),
    "field deleted": lambda client, keys: client.hdel(keys.record(CALL), "record"),
    "no JSON": lambda client, keys: client.hset(keys.record(CALL), "record", "x"),
    "no UTF-8": lambda client, keys: client.hset(keys.record(CALL), "record", b"\xff\xfe"),
    "empty object": lambda client, keys: client.hset(keys.record(CALL), "record", "{}"),
    "record of another call": _swap,
    "another projection": _tamper,
}
HARM_TO_RUN: dict[str, Harm] = {
    "deleted": lambda client, keys: client.delete(keys.run),
    "another type": lambda client, keys: _text_key(client, keys.run),
    "no epoch": lambda client, keys: client.hdel(keys.run, "epoch"),
    "epoch no number": lambda client, keys: client.hset(keys.run, "epoch", "x"),
    "count no number": lambda client, keys: client.hset(keys.run, "count", "x"),
    "entry no entry": lambda client, keys: client.hset(keys.run, f"call:{CALL}", "x"),
    "entry deleted": lambda client, keys: client.hdel(keys.run, f"call:{CALL}"),
}
HARM_TO_MAP: dict[str, Harm] = {
    "deleted": lambda client, keys: client.delete(keys.placeholders),
    "another type": lambda client, keys: _text_key(client, keys.placeholders),
}
READS: tuple[Use, ...] = (
    lambda store: store.get(RUN, CALL),
    lambda store: store.raw(RUN, CALL),
)
WRITES: tuple[Use, ...] = (
    lambda store: store.begin(a_lease(), a_record(a_lease(), begun_at=SystemClock().now())),
    lambda store: store.fail(a_lease(epoch=2), CALL, ToolCode.INTERRUPTED),
    lambda store: store.complete(
        a_lease(epoch=2), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="[]"
    ),
    lambda store: store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL]),
)
MAP_USES: tuple[Use, ...] = (
    lambda store: store.placeholders(RUN),
    lambda store: store.add_placeholders(a_lease(epoch=2), {"<host-2>": "db-8"}),
    lambda store: store.begin(a_lease(epoch=2), a_record(a_lease(epoch=2), OTHER_CALL, begun_at=SystemClock().now())),
    lambda store: store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL]),
)


@pytest.fixture
async def keys(store: RedisCanonicalStore, prefix: str) -> RunKeys:
    """A run with a placeholder, a READY record and one that was only begun."""
    now = SystemClock().now()
    await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
    await store.begin(a_lease(), a_record(a_lease(), begun_at=now))
    await store.complete(
        a_lease(),
        CALL,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND,
        projection_json=PROJECTION_JSON,
        raw_json=RAW_JSON,
    )
    await store.begin(a_lease(), a_record(a_lease(), OTHER_CALL, begun_at=now))
    return RunKeys(prefix, RUN)


async def _all_values(client: Redis, prefix: str) -> dict[bytes, bytes | None]:
    return {key: await client.dump(key) for key in sorted(await client.keys(f"{prefix}:*"))}


async def _refused(store: RedisCanonicalStore, client: Redis, prefix: str, uses: tuple[Use, ...]) -> None:
    before = await _all_values(client, prefix)
    for use in uses:
        with pytest.raises(TruthUnavailable):
            await use(store)
    assert await _all_values(client, prefix) == before


@pytest.mark.parametrize("harm", HARM_TO_RECORD.values(), ids=HARM_TO_RECORD)
async def test_foreign_record(
    harm: Harm, keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    await harm(raw_client, keys)

    await _refused(store, raw_client, prefix, (*READS, lambda store: store.records(RUN), *WRITES))


@pytest.mark.parametrize("harm", HARM_TO_RUN.values(), ids=HARM_TO_RUN)
async def test_foreign_run(
    harm: Harm, keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    await harm(raw_client, keys)

    await _refused(store, raw_client, prefix, (*READS, *WRITES))


@pytest.mark.parametrize("harm", HARM_TO_MAP.values(), ids=HARM_TO_MAP)
async def test_foreign_map(
    harm: Harm, keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    await harm(raw_client, keys)
    await raw_client.delete(keys.record(OTHER_CALL))
    await raw_client.hdel(keys.run, f"call:{OTHER_CALL}")

    await _refused(store, raw_client, prefix, MAP_USES)


async def test_copy_is_not_put_in_the_place_of_a_lost_record(
    keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis, prefix: str
) -> None:
    await store.copy_finished(RUN, a_lease(OTHER_RUN), [CALL])
    await raw_client.delete(RunKeys(prefix, OTHER_RUN).record(CALL))

    await _refused(store, raw_client, prefix, WRITES[-1:])


async def test_foreign_raw_result_is_truth_unavailable(
    keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis
) -> None:
    await raw_client.hset(keys.record(CALL), "raw", b"\xff")

    with pytest.raises(TruthUnavailable):
        await store.raw(RUN, CALL)


async def test_error_never_repeats_what_was_read(keys: RunKeys, store: RedisCanonicalStore, raw_client: Redis) -> None:
    await raw_client.hset(keys.record(CALL), "record", '{"zq-evidence": "zq-evidence"}')

    with pytest.raises(TruthUnavailable) as failure:
        await store.get(RUN, CALL)

    assert "zq-evidence" not in f"{failure.value!r} {failure.value.__cause__!r} {failure.value.__cause__}"
