"""How often somebody may ask: per key, all keys together, and failed keys per address.

Counted in this process, or in Redis where one is configured. A Redis that does not answer costs only the common
count: this process goes on with its own. Rates are protection, never truth.
"""

import math
from dataclasses import dataclass, field

import structlog
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import StorageError

from config.settings import Settings
from graph.system import SystemClock

FAILED_KEYS_PER_MINUTE = 10
REDIS_TIMEOUT_S = 1.0
_PREFIX = "rootproof:rate"

log = structlog.get_logger("service.http")


@dataclass
class Rates:
    """The counters of one process."""

    per_key: RateLimitItem
    total: RateLimitItem
    failed: RateLimitItem = field(default_factory=lambda: RateLimitItemPerMinute(FAILED_KEYS_PER_MINUTE))
    shared: Storage | None = None
    """Redis; None: this process counts alone."""

    def __post_init__(self) -> None:
        self._own = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._shared = SlidingWindowCounterRateLimiter(self.shared) if self.shared is not None else None

    async def request(self, name: str) -> int | None:
        """None if the key may make this request, which counts; else seconds until it may, at least 1."""
        wait = await self._hit(self.per_key, "key", name)
        return wait if wait is not None else await self._hit(self.total, "total")

    async def failed_key(self, address: str) -> int | None:
        """None if this address may go on trying keys; else seconds until it may, at least 1. Counts the failure."""
        return await self._hit(self.failed, "failed", address)

    async def _hit(self, item: RateLimitItem, *name: str) -> int | None:
        if self._shared is not None:
            try:
                return await _hit(self._shared, item, name)
            except (StorageError, OSError) as error:
                log.warning("request rates are counted by this process alone", error=type(error).__name__)
        return await _hit(self._own, item, name)


async def _hit(limiter: SlidingWindowCounterRateLimiter, item: RateLimitItem, name: tuple[str, ...]) -> int | None:
    if await limiter.hit(item, *name):
        return None
    stats = await limiter.get_window_stats(item, *name)
    return max(1, math.ceil(stats.reset_time - SystemClock().now().timestamp()))


def make_rates(settings: Settings) -> Rates:
    """The counters of the settings. Connects to nothing yet."""
    per_key = RateLimitItemPerMinute(settings.requests_per_minute)
    total = RateLimitItemPerMinute(settings.requests_per_minute_total)
    return Rates(per_key, total, shared=_redis(settings))


def _redis(settings: Settings) -> Storage | None:
    if settings.redis_url is None:
        return None
    return RedisStorage(
        f"async+{settings.redis_url.get_secret_value()}",
        wrap_exceptions=True,
        implementation="redispy",
        key_prefix=_PREFIX,
        socket_timeout=REDIS_TIMEOUT_S,
        socket_connect_timeout=REDIS_TIMEOUT_S,
    )
