"""HikariCP: pool statistics, refused borrows, leak detection, housekeeping."""

from dataclasses import dataclass

from worlds.generate.dice import Dice, draw_hex
from worlds.generate.speech import Said

POOL = "com.zaxxer.hikari.pool.HikariPool"
LEAK_TASK = "com.zaxxer.hikari.pool.ProxyLeakTask"
SOURCE = "com.zaxxer.hikari.HikariDataSource"


@dataclass(frozen=True, slots=True)
class PoolLevel:
    """How a pool is used at one instant; counts of connections and of waiting threads."""

    total: int
    active: int
    waiting: int

    def __str__(self) -> str:
        """Return the statistics as the pool prints them."""
        idle = self.total - self.active
        return f"total={self.total}, active={self.active}, idle={idle}, waiting={self.waiting}"


def pool_stats(pool: str, level: PoolLevel) -> Said:
    """Return the periodic statistics record."""
    return Said("DEBUG", f"{pool} - Pool stats ({level})", POOL)


def not_available(pool: str, timeout_ms: int, level: PoolLevel, *, trace: str) -> Said:
    """Return the error of a caller that got no connection in time."""
    return Said(
        "ERROR",
        f"{pool} - Connection is not available, request timed out after {timeout_ms}ms ({level})",
        "org.hibernate.engine.jdbc.spi.SqlExceptionHelper",
        (("trace_id", trace),),
    )


def leak_detected(dice: Dice, thread: str, frames: tuple[str, ...]) -> Said:
    """Return the warning about a connection held longer than the detection threshold."""
    stack = "\n\tat ".join(("java.lang.Exception: Apparent connection leak detected", *frames))
    return Said(
        "WARN",
        "Connection leak detection triggered for org.postgresql.jdbc.PgConnection@"
        f"{draw_hex(dice, 8)} on thread {thread}, stack trace follows",
        LEAK_TASK,
        (("thread", thread), ("stack_trace", stack)),
    )


def validation_failed(pool: str, dice: Dice) -> Said:
    """Return the housekeeping warning about a connection that the server closed while idle."""
    return Said(
        "WARN",
        f"{pool} - Failed to validate connection org.postgresql.jdbc.PgConnection@"
        f"{draw_hex(dice, 8)} (This connection has been closed.). "
        "Possibly consider using a shorter maxLifetime value.",
        "com.zaxxer.hikari.pool.PoolBase",
    )


def clock_leap(pool: str, dice: Dice) -> Said:
    """Return the warning of a housekeeper that ran late."""
    delta_s, rest_ms = dice.randrange(45, 58), dice.randrange(1000)
    return Said(
        "WARN",
        f"{pool} - Thread starvation or clock leap detected (housekeeper delta={delta_s}s{rest_ms}ms).",
        POOL,
    )


def pool_starting(pool: str) -> Said:
    """Return the record of a pool that begins to start."""
    return Said("INFO", f"{pool} - Starting...", SOURCE)


def pool_started(pool: str) -> Said:
    """Return the record of a pool that is ready."""
    return Said("INFO", f"{pool} - Start completed.", SOURCE)
