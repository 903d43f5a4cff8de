"""The requests of the asked-about service: as ordinary after the onset as before."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from worlds.generate.dice import Dice, arrivals, dice_for, draw_ip
from worlds.generate.formats import nginx, spring
from worlds.generate.model import Event
from worlds.generate.no_evidence.plan import QuietPlan


@dataclass(frozen=True, slots=True)
class Entry:
    """One served request of the asked-about service."""

    number: int
    hit: nginx.Hit
    trace: str
    is_rejected: bool
    """Whether the input was not valid: as often before as after."""


def draw_entries(plan: QuietPlan) -> tuple[Entry, ...]:
    """Return all requests in order."""
    dice = dice_for(plan.seed, "no-evidence", "entries")
    first = dice.randrange(10**6, 10**7)
    instants = arrivals(dice, plan.times.begin_at, plan.times.now_at, per_hour=260)
    return tuple(_entry(plan, dice, first + rank, at) for rank, at in enumerate(instants))


def _entry(plan: QuietPlan, dice: Dice, number: int, at: datetime) -> Entry:
    is_rejected = dice.random() < 0.03
    hit = nginx.Hit(
        at=at,
        client=draw_ip(dice),
        method="POST",
        path=plan.matter.path,
        status=422 if is_rejected else 201,
        took_s=dice.lognormvariate(4.4, 0.4) / 1000,
        upstream=plan.upstream,
    )
    return Entry(number, hit, spring.trace_id(dice), is_rejected)


def service_events(plan: QuietPlan, entries: tuple[Entry, ...]) -> Iterator[Event]:
    """Yield what the asked-about service logs about its requests."""
    dice = dice_for(plan.seed, "no-evidence", "events")
    for one in entries:
        hit = one.hit
        took_ms = int(hit.took_s * 1000)
        done = spring.request_done("POST", hit.path, hit.status, took_ms, trace=one.trace)
        yield plan.asked.say(hit.at, done, dice)
