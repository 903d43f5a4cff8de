"""Which addresses a Redis store takes; no server is needed, for it connects at first use."""

import pytest

from state.model.errors import Misconfigured
from state.stores.canonical_redis import RedisCanonicalStore
from state.stores.canonical_redis_server import CONNECT_S, OPERATION_S, REPLY_S, _pool
from tests.contracts.samples import SteppingClock

GOOD = [
    "redis://localhost",
    "redis://localhost:6379/0",
    "redis://:zq-pass@[::1]:6379/3",
    "rediss://user:zq%2Fpass@redis.internal:6380/0?ssl_ca_certs=/etc/ca.pem",
]
BAD = [
    "",
    "localhost:6379",
    "http://localhost",
    "unix:///run/redis.sock",
    "redis://",
    "redis:///0",
    "redis://user:zq/pass@localhost:6379/0",
    "redis://user:zq-pass@localhost:port/0",
    "redis://user:zq-pass@localhost:99999/0",
    "redis://user:zq-pass@localhost:6379/name",
    "redis://user:zq-pass@localhost:6379/0?socket_timeout=900",
    "redis://user:zq-pass@localhost:6379/0?retry_on_timeout=yes",
    "rediss://user:zq-pass@localhost:6379/0?protocol=3",
    "redis://user:zq-pass@localhost:6379/0?ssl_cert_reqs=none",
    "redis://user:zq-pass@localhost:6379/0#x",
]


@pytest.mark.parametrize("url", GOOD)
def test_good_address_keeps_our_limits(url: str) -> None:
    given = _pool(url).connection_kwargs

    assert (given["socket_connect_timeout"], given["socket_timeout"]) == (CONNECT_S, REPLY_S)
    assert CONNECT_S + REPLY_S < OPERATION_S
    assert given["retry"].get_retries() == 0


@pytest.mark.parametrize("url", BAD)
def test_bad_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        RedisCanonicalStore(url, SteppingClock())

    assert refused.value.key == "redis_url"
    assert "zq" not in f"{refused.value} {refused.value.__cause__} {refused.value.__context__}"


@pytest.mark.parametrize("prefix", ["", "a{b", "a b", "x" * 65, "前缀"])
def test_prefix_that_would_break_the_slots_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        RedisCanonicalStore("redis://localhost", SteppingClock(), prefix=prefix)
