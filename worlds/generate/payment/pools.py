"""How full the connection pools are at any instant, under each fault.

One source for the statistics records, the failing requests, the session table and the metrics,
so they cannot contradict each other.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.dice import dice_for
from worlds.generate.formats.hikari import PoolLevel
from worlds.generate.payment.plan import Fault, PaymentPlan, Pool
from worlds.generate.speech import ROLLOUT_STEP_S

LOCK_LEAD_S = 80
"""Seconds from the start of the blocking migration to the onset."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One life of a leaking pod: it fills, is stuck, and is restarted by its probe."""

    pod: str
    start_at: datetime
    full_at: datetime
    restart_at: datetime


def locked_at(plan: PaymentPlan) -> datetime:
    """Return when the migration takes its lock."""
    return plan.times.onset_at - timedelta(seconds=LOCK_LEAD_S)


def draw_cycles(plan: PaymentPlan) -> tuple[Cycle, ...]:
    """Return the leak cycles of all pods of the affected service; empty unless the fault is LEAK."""
    if plan.fault is not Fault.LEAK:
        return ()
    return tuple(cycle for rank in range(len(plan.affected.pods)) for cycle in _pod_cycles(plan, rank))


def _pod_cycles(plan: PaymentPlan, rank: int) -> list[Cycle]:
    dice = dice_for(plan.seed, "payment", "cycles", str(rank))
    pod, times = plan.affected.pods[rank], plan.times
    start = times.change_at + timedelta(seconds=ROLLOUT_STEP_S * rank + 20)
    full = times.onset_at + timedelta(seconds=170 * rank + dice.randrange(-25, 10))
    cycles: list[Cycle] = []
    while start < times.now_at:
        restart = full + timedelta(seconds=dice.randrange(640, 860))
        cycles.append(Cycle(pod, start, full, restart))
        start = restart + timedelta(seconds=30)
        full = start + timedelta(seconds=dice.randrange(290, 420))
    return cycles


def level_at(plan: PaymentPlan, cycles: tuple[Cycle, ...], pod: str, at: datetime) -> PoolLevel:
    """Return the use of the pool of `pod`; waiting threads occur only when none is idle."""
    is_affected = pod in plan.affected.pods
    pool = plan.ledger_pool if pod in plan.ledger.pods else plan.payment_pool
    dice = dice_for(plan.seed, "payment", "level", pod, str(int(at.timestamp()) // 20))
    everyday = round(pool.total * dice.uniform(0.15, 0.4))
    if plan.fault is Fault.HEALTHY:
        busy = round(pool.total * dice.uniform(0.62, 0.7))
        return PoolLevel(pool.total, busy if plan.times.is_after_onset(at) else everyday, 0)
    if not is_affected:
        return PoolLevel(pool.total, everyday, 0)
    if plan.fault is Fault.LOCK:
        return _locked_level(plan, pool, everyday, at)
    return _leaking_level(pool, cycles, pod, everyday, at)


def _locked_level(plan: PaymentPlan, pool: Pool, everyday: int, at: datetime) -> PoolLevel:
    held_s = (at - locked_at(plan)).total_seconds()
    if held_s < 0:
        return PoolLevel(pool.total, everyday, 0)
    active = min(pool.total, everyday + int(held_s / LOCK_LEAD_S * pool.total))
    return _queued(pool, active, held_s - LOCK_LEAD_S)


def _leaking_level(pool: Pool, cycles: tuple[Cycle, ...], pod: str, everyday: int, at: datetime) -> PoolLevel:
    current = [one for one in cycles if one.pod == pod and one.start_at <= at < one.restart_at]
    if not current:
        return PoolLevel(pool.total, everyday, 0)
    life = current[0]
    filled = (at - life.start_at) / (life.full_at - life.start_at)
    active = everyday + int(filled * (pool.total - everyday))
    return _queued(pool, min(pool.total, active), (at - life.full_at).total_seconds())


def _queued(pool: Pool, active: int, stuck_s: float) -> PoolLevel:
    if active < pool.total:
        return PoolLevel(pool.total, active, 0)
    return PoolLevel(pool.total, pool.total, min(57, 3 + int(max(stuck_s, 0) / 19)))


def is_drained(level: PoolLevel) -> bool:
    """Tell whether a caller would have to wait."""
    return level.active >= level.total


def leak_instants(plan: PaymentPlan, cycle: Cycle) -> list[datetime]:
    """Return when `cycle` lost a connection, in order; one for each connection it lost."""
    dice = dice_for(plan.seed, "payment", "leaks", cycle.pod, str(cycle.start_at))
    n_lost = round(plan.affected_pool.total * 0.75)
    span_s = (cycle.full_at - cycle.start_at).total_seconds()
    return sorted(
        cycle.start_at + timedelta(seconds=span_s * (rank + dice.random()) / n_lost) for rank in range(n_lost)
    )
