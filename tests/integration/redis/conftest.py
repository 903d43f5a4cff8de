"""A store on the real server, under a prefix of its own."""

import uuid
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.stores.canonical_redis import RedisCanonicalStore
from tests.integration.redis.places import address
from tests.servers import Server

TTL_S = 60.0


@pytest.fixture
def prefix() -> str:
    return f"t{uuid.uuid4().hex[:8]}"


@pytest.fixture
async def store(redis_server: Server, prefix: str) -> AsyncIterator[RedisCanonicalStore]:
    store = RedisCanonicalStore(address(redis_server), SystemClock(), prefix=prefix, ttl_s=TTL_S)
    yield store
    await store.close_store()


@pytest.fixture
async def raw_client(redis_server: Server) -> AsyncIterator[Redis]:
    """Somebody else with access to the same server."""
    client = Redis.from_url(address(redis_server))
    yield client
    await client.aclose()
