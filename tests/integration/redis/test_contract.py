"""The Redis canonical store passes the contract: alone, and on a server that enforces the slots of a cluster."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest
from redis import Redis

from graph.system import SystemClock
from state.stores.canonical_redis import RedisCanonicalStore
from tests import servers
from tests.contracts.canonical_store import CanonicalHarness, CanonicalStoreContract
from tests.integration.redis.places import address
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("redis")

TTL_S = 1.2
"""Half of it is ample for a few commands, and the tests that wait wait so long."""


async def _harness(server: Server, prefix: str) -> AsyncIterator[CanonicalHarness]:
    clock = SystemClock()
    store = RedisCanonicalStore(address(server), clock, prefix=prefix, ttl_s=TTL_S)

    async def pass_time(seconds: float) -> None:
        await asyncio.sleep(seconds + 0.02)

    yield CanonicalHarness(store, clock, TTL_S, pass_time)
    await store.close_store()


class TestRedisCanonicalStore(CanonicalStoreContract):
    @pytest.fixture
    async def harness(self, redis_server: Server, prefix: str) -> AsyncIterator[CanonicalHarness]:
        async for harness in _harness(redis_server, prefix):
            yield harness


@pytest.fixture(scope="module")
def cluster_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One node with all slots: it refuses a command or script whose keys lie in different ones."""
    options = ("--cluster-enabled", "yes", "--cluster-port", str(servers.free_port()))
    with servers.redis(tmp_path_factory.mktemp("cluster"), *options) as server:
        with Redis(host=server.host, port=server.port) as client:
            client.execute_command("CLUSTER", "ADDSLOTS", *range(16384))
            while b"cluster_state:ok" not in client.execute_command("CLUSTER", "INFO"):
                time.sleep(0.02)
        yield server


class TestRedisCanonicalStoreInACluster(CanonicalStoreContract):
    @pytest.fixture
    async def harness(self, cluster_node: Server, prefix: str) -> AsyncIterator[CanonicalHarness]:
        async for harness in _harness(cluster_node, prefix):
            yield harness
