"""Redis server records (text after the `pid:role date` prefix) and Lettuce client records."""

from worlds.generate.dice import Dice
from worlds.generate.speech import Said

LETTUCE = "io.lettuce.core.protocol.ConnectionWatchdog"


def command_timed_out(timeout_ms: int) -> str:
    """Return the exception text of a command without a reply."""
    return f"io.lettuce.core.RedisCommandTimeoutException: Command timed out after {timeout_ms} millisecond(s)"


def reconnecting(address: str) -> Said:
    """Return the client's record of a connection that it opens again."""
    return Said("INFO", f"Reconnecting, last destination was {address}", LETTUCE)


def fsync_is_slow() -> Said:
    """Return the server's record of a disk that does not keep up with the append-only file."""
    return Said(
        "WARN",
        "Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer "
        "without waiting for fsync to complete, this may slow down Redis.",
    )


def rewrite_starts(pid: int, growth_pct: int) -> tuple[Said, ...]:
    """Return the records of an append-only file rewrite that begins."""
    return (
        Said("INFO", f"Starting automatic rewriting of AOF on {growth_pct}% growth"),
        Said("INFO", f"Background append only file rewriting started by pid {pid}"),
    )


def rewrite_ends(dice: Dice) -> tuple[Said, ...]:
    """Return the records of an append-only file rewrite that is complete."""
    n_mb = dice.randrange(3, 40)
    return (
        Said("INFO", f"Fork CoW for AOF rewrite: current {n_mb} MB, peak {n_mb} MB, average 3 MB"),
        Said("INFO", "Background AOF rewrite finished successfully"),
    )


def snapshot(dice: Dice) -> Said:
    """Return an everyday record about a periodic snapshot."""
    n_changes = dice.randrange(10_000, 60_000)
    return Said("INFO", f"{n_changes} changes in 60 seconds. Saving...")
