"""Ambient habits: the warnings and errors that any healthy fleet logs all day.

They run at a steady rate before and during every incident, so none of them can explain a change.
"""

from collections.abc import Callable

from worlds.generate.dice import Dice, draw_ip, draw_word
from worlds.generate.formats import grpc, hikari, kafka, mail, redis, spring
from worlds.generate.speech import Habit, Said


def web_habits(paths: tuple[str, ...], *, per_hour: float) -> tuple[Habit, ...]:
    """Return an API's own requests and the client mistakes that come with them."""

    def served(dice: Dice) -> Said:
        path = f"{draw_word(dice, paths)}/{dice.randrange(1000, 99999)}"
        took_ms = int(dice.lognormvariate(3.4, 0.6))
        status = draw_word(dice, ("200",) * 36 + ("304", "304", "404"))
        return spring.request_done("GET", path, int(status), took_ms, trace=spring.trace_id(dice))

    return Habit(per_hour, served), Habit(5, spring.unreadable_body)


def client_habits(peer: str) -> tuple[Habit, ...]:
    """Return first attempts at `peer` that fail now and then and succeed when repeated."""
    exception = "java.net.SocketTimeoutException: Connect timed out"
    name = f"{peer}Client"
    return (
        Habit(9, lambda _: spring.retry_waiting(name, exception)),
        Habit(9, lambda _: spring.retry_succeeded(name, exception)),
    )


def pool_habits(pool: str) -> tuple[Habit, ...]:
    """Return the harmless warnings of a connection pool in daily use."""
    return (
        Habit(5, lambda dice: hikari.validation_failed(pool, dice)),
        Habit(1.5, lambda dice: hikari.clock_leap(pool, dice)),
    )


def cache_habits(dice: Dice) -> tuple[Habit, ...]:
    """Return a cache client that loses its idle connection from time to time."""
    address = f"cache-{dice.randrange(1, 9)}.internal/{draw_ip(dice)}:6379"
    return (Habit(7, lambda _: redis.reconnecting(address)),)


def grpc_habits(peer: str, dice: Dice) -> tuple[Habit, ...]:
    """Return a channel whose far end is replaced now and then."""
    remote = f"{draw_ip(dice)}:9090"
    return (
        Habit(
            4,
            lambda _: Said("WARN", f"{peer} call failed, {grpc.unavailable(remote)}", "grpc.client"),
        ),
    )


def consumer_habits(group: str, topic: str, *, per_hour: float) -> tuple[Habit, ...]:
    """Return a message consumer in daily use."""
    return (
        Habit(per_hour, lambda dice: kafka.processed(topic, dice)),
        Habit(4, lambda dice: kafka.commit_failed(group, topic, dice)),
        Habit(6, lambda dice: kafka.fetch_session_lost(group, dice)),
    )


def mail_habits(relay: str) -> tuple[Habit, ...]:
    """Return a mail sender that some receivers put off."""
    return Habit(12, mail.deferred), Habit(3, lambda _: mail.unreachable(relay))


def expiry_habit(domain: str, days: int) -> Habit:
    """Return the daily reminder about a certificate with plenty of time left."""
    text = f"X509 certificate CN={domain} valid for another {days} days"
    return Habit(2, lambda _: Said("WARN", text, "cert-watch"))


def plain_habit(per_hour: float, level: str, say: Callable[[Dice], str], *, logger: str) -> Habit:
    """Return a habit whose text is all that varies."""
    return Habit(per_hour, lambda dice: Said(level, say(dice), logger))
