"""Rates: counted here, or together in Redis; a Redis that is gone costs only the common count."""

import socket

from limits import RateLimitItemPerMinute
from limits.aio.storage import RedisStorage

from config.settings import Settings
from service.http.limits import Rates, make_rates


def unreachable() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{taken.getsockname()[1]}/0"


async def test_the_settings_say_how_many() -> None:
    rates = make_rates(Settings(requests_per_minute=2, requests_per_minute_total=3))
    first = [await rates.request("ann") for _ in range(3)]
    second = [await rates.request("bob") for _ in range(2)]

    assert [wait is None for wait in first] == [True, True, False]
    assert [wait is None for wait in second] == [True, False]


async def test_a_wait_is_whole_seconds_within_a_minute() -> None:
    rates = Rates(RateLimitItemPerMinute(1), RateLimitItemPerMinute(10))
    await rates.request("ann")
    wait = await rates.request("ann")

    assert wait is not None
    assert 1 <= wait <= 60


async def test_without_its_redis_a_process_counts_by_itself() -> None:
    rates = make_rates(Settings(requests_per_minute=2, redis_url=unreachable()))  # type: ignore[arg-type]

    assert isinstance(rates.shared, RedisStorage)
    assert [await rates.request("ann") is None for _ in range(3)] == [True, True, False]
