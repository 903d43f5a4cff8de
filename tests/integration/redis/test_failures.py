"""Whatever the server does: TruthUnavailable, nothing half written, nothing tried twice, no password told."""

import asyncio
import contextlib
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.model.enums import EvidenceStatus, InvocationStatus, ToolCode
from state.model.errors import TruthUnavailable
from state.model.evidence import CanonicalRecord
from state.model.ids import ToolCallId
from state.stores.canonical_redis import RedisCanonicalStore
from tests import servers
from tests.contracts.samples import CALL, OTHER_CALL, OTHER_RUN, PROJECTION_JSON, RAW_JSON, RUN, a_lease, a_record
from tests.integration.redis.places import address
from tests.integration.redis.wire import wire_to
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("redis")


@contextlib.asynccontextmanager
async def store_at(url: str, prefix: str = "t") -> AsyncIterator[RedisCanonicalStore]:
    store = RedisCanonicalStore(url, SystemClock(), prefix=prefix)
    yield store
    await store.close_store()


def fresh() -> CanonicalRecord:
    return a_record(a_lease(), begun_at=SystemClock().now())


async def complete(store: RedisCanonicalStore, call: ToolCallId = CALL) -> CanonicalRecord:
    return await store.complete(
        a_lease(),
        call,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND,
        projection_json=PROJECTION_JSON,
        raw_json=RAW_JSON,
    )


async def test_server_that_stops_answering_is_truth_unavailable_and_a_late_write_is_found_again(tmp_path: Path) -> None:
    record = fresh()
    with servers.redis(tmp_path) as server:
        async with store_at(address(server)) as store, store_at(address(server)) as unconnected:
            assert await store.get(RUN, CALL) is None
            server.pause()

            tried = await asyncio.gather(
                store.begin(a_lease(), record), unconnected.records(RUN), return_exceptions=True
            )

            assert [type(outcome) for outcome in tried] == [TruthUnavailable, TruthUnavailable]
            server.go_on()
            assert await store.begin(a_lease(), record) in (None, record)
            assert await store.records(RUN) == (record,)


async def test_killed_server_is_truth_unavailable(tmp_path: Path) -> None:
    with servers.redis(tmp_path) as server:
        async with store_at(address(server)) as store:
            await store.begin(a_lease(), fresh())
            server.kill()

            with pytest.raises(TruthUnavailable):
                await store.get(RUN, CALL)
            with pytest.raises(TruthUnavailable):
                await store.sweep()


async def test_connections_closed_by_the_server_are_replaced(store: RedisCanonicalStore, raw_client: Redis) -> None:
    record = fresh()
    await store.begin(a_lease(), record)
    await raw_client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    assert await store.get(RUN, CALL) == record


async def test_write_whose_reply_is_lost_is_not_repeated_and_beginning_again_finds_it(
    redis_server: Server, prefix: str
) -> None:
    record = fresh()
    async with wire_to(redis_server) as wire, store_at(wire.url, prefix) as store:
        await store.raise_fence(a_lease())
        await store.begin(a_lease(), record.model_copy(update={"tool_call_id": OTHER_CALL}))
        wire.replace = b""
        with pytest.raises(TruthUnavailable):
            await store.begin(a_lease(), record)
        wire.replace = None

        other = record.model_copy(update={"request_hash": "0" * 64})
        assert await store.begin(a_lease(), other) == record
        assert [kept.tool_call_id for kept in await store.records(RUN)] == [OTHER_CALL, CALL]


async def test_completion_whose_reply_is_lost_is_ready_and_cannot_become_an_error(
    redis_server: Server, prefix: str
) -> None:
    async with (
        wire_to(redis_server) as wire,
        store_at(wire.url, prefix) as store,
        store_at(address(redis_server), prefix) as other,
    ):
        await store.begin(a_lease(), fresh())
        await other.begin(a_lease(), fresh().model_copy(update={"tool_call_id": OTHER_CALL}))
        await complete(other, OTHER_CALL)  # the server knows the script from now on
        wire.after, wire.replace = 1, b""
        with pytest.raises(TruthUnavailable):
            await complete(store)
        with pytest.raises(TruthUnavailable):
            await other.fail(a_lease(), CALL, ToolCode.STORE_ERROR)

        kept = await other.get(RUN, CALL)
        assert kept is not None
        assert kept.status is InvocationStatus.READY


@pytest.mark.parametrize(
    "reply",
    [
        b"-LOADING Redis is loading the dataset in memory\r\n",
        b"-MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk\r\n",
        b"-NOREPLICAS Not enough good replicas to write.\r\n",
        b"-CLUSTERDOWN The cluster is down\r\n",
        b"-MOVED 3999 127.0.0.1:6381\r\n",
        b"-BUSY Redis is busy running a script\r\n",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"*1\r\n$4\r\nDONE",
        b"*1\r\n$5\r\nOTHER\r\n",
        b"*0\r\n",
        b":1\r\n",
        b"$-1\r\n",
        b"*4\r\n$4\r\nDONE\r\n$1\r\nx\r\n*0\r\n*0\r\n",
    ],
)
async def test_reply_that_is_none_is_truth_unavailable(redis_server: Server, prefix: str, reply: bytes) -> None:
    async with wire_to(redis_server) as wire, store_at(wire.url, prefix) as store:
        await store.begin(a_lease(), fresh())
        wire.replace = reply

        outcomes = await asyncio.gather(
            store.get(RUN, CALL),
            store.records(RUN),
            store.raw(RUN, CALL),
            store.placeholders(RUN),
            store.begin(a_lease(), fresh()),
            store.fail(a_lease(), CALL, ToolCode.TOOL_TIMEOUT),
            store.copy_finished(RUN, a_lease(OTHER_RUN), []),
            store.raise_fence(a_lease()),
            complete(store),
            return_exceptions=True,
        )

    assert [type(outcome) for outcome in outcomes] == [TruthUnavailable] * 9


async def test_wrong_password_is_truth_unavailable_and_no_password_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with servers.redis(tmp_path, "--requirepass", "zq-right-7") as server:
        wrong = f"redis://default:zq-wrong-8@{server.host}:{server.port}"
        async with store_at(wrong) as store, store_at(f"redis://:zq-right-7@{server.host}:{server.port}") as right:
            with pytest.raises(TruthUnavailable) as failure:
                await store.get(RUN, CALL)
            assert await right.get(RUN, CALL) is None
            said = "".join(traceback.format_exception(failure.value)) + repr(store) + caplog.text

    assert "zq-" not in said


async def test_full_server_changes_nothing(tmp_path: Path) -> None:
    record = fresh()
    with servers.redis(tmp_path) as server:
        async with store_at(address(server)) as store, Redis(host=server.host, port=server.port) as admin:
            await store.begin(a_lease(), record)
            await store.add_placeholders(a_lease(), {"<host-1>": "db-7"})
            before = await everything(admin)
            await admin.config_set("maxmemory", "1")

            epoch3 = a_lease(epoch=3)
            outcomes = [
                await failure_of(write)
                for write in (
                    complete(store),
                    store.fail(a_lease(epoch=2), CALL, ToolCode.INTERRUPTED),
                    store.begin(epoch3, a_record(epoch3, OTHER_CALL, begun_at=SystemClock().now())),
                    store.add_placeholders(a_lease(epoch=4), {"<host-2>": "db-8"}),
                    store.raise_fence(a_lease(epoch=5)),
                )
            ]

            assert outcomes == [TruthUnavailable] * 5
            assert await store.get(RUN, CALL) == record
            assert await everything(admin) == before
            await admin.config_set("maxmemory", "0")
            assert (await complete(store)).status is InvocationStatus.READY


async def test_read_only_replica_is_truth_unavailable(tmp_path: Path) -> None:
    with servers.redis(tmp_path, "--replicaof", "127.0.0.1", "1") as server:
        async with store_at(address(server)) as store:
            with pytest.raises(TruthUnavailable):
                await store.begin(a_lease(), fresh())


async def test_closed_store_is_truth_unavailable(store: RedisCanonicalStore) -> None:
    await store.get(RUN, CALL)
    await store.close_store()
    await store.close_store()

    with pytest.raises(TruthUnavailable):
        await store.get(RUN, CALL)


async def failure_of(write: Awaitable[object]) -> type[Exception] | None:
    try:
        await write
    except Exception as error:
        return type(error)
    return None


async def everything(client: Redis) -> dict[bytes, object]:
    return {key: await client.hgetall(key) for key in sorted(await client.keys("*"))}
