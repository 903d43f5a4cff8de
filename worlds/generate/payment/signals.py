"""What the pools themselves log: statistics, leak warnings, restarts of stuck pods."""

from collections.abc import Iterator
from datetime import timedelta

from worlds.generate.dice import dice_for
from worlds.generate.formats import hikari, spring
from worlds.generate.formats.host import syslog
from worlds.generate.model import Event, Line
from worlds.generate.payment.plan import PaymentPlan
from worlds.generate.payment.pools import Cycle, leak_instants, level_at
from worlds.generate.timeline import every

STATS_STEP_S = 75.0
"""Seconds between two statistics records of one pod."""


def pool_statistics(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> Iterator[Event]:
    """Yield the periodic statistics of both pools on every pod."""
    pairs = ((plan.payment, plan.payment_pool), (plan.ledger, plan.ledger_pool))
    for service, pool in pairs:
        for rank, pod in enumerate(service.pods):
            dice = dice_for(plan.seed, "payment", "stats", pod)
            first = plan.times.begin_at + timedelta(seconds=19 * rank)
            for at in every(first, plan.times.now_at, step_s=STATS_STEP_S):
                said = hikari.pool_stats(pool.name, level_at(plan, cycles, pod, at))
                yield service.say(at, said, dice, pod=pod)


def leak_warnings(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> Iterator[Event]:
    """Yield one detection warning for every lost connection, a threshold after it was lost."""
    threshold = timedelta(milliseconds=plan.affected_pool.leak_threshold_ms)
    names = plan.names
    frames = (
        "com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:128)",
        f"{names.package}.{names.leaky_class}.{names.leaky_method}({names.leaky_class}.java:{names.leaky_line})",
        f"{names.package}.web.{plan.controller}.submit({plan.controller}.java:71)",
    )
    for cycle in cycles:
        dice = dice_for(plan.seed, "payment", "warnings", cycle.pod, str(cycle.start_at))
        for lost_at in leak_instants(plan, cycle):
            thread = f"http-nio-8080-exec-{dice.randrange(1, 200)}"
            said = hikari.leak_detected(dice, thread, frames)
            yield plan.affected.say(lost_at + threshold, said, dice, pod=cycle.pod)


def restart_events(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> Iterator[Event]:
    """Yield what a restarted pod logs while it starts."""
    pool = plan.affected_pool
    for cycle in cycles:
        dice = dice_for(plan.seed, "payment", "restarts", cycle.pod, str(cycle.start_at))
        version = plan.affected.next_version
        steps = (
            (6, hikari.pool_starting(pool.name)),
            (8, hikari.pool_started(pool.name)),
            (14, spring.started("Application", version, dice.uniform(9, 13))),
        )
        for after_s, said in steps:
            at = cycle.restart_at + timedelta(seconds=after_s)
            yield plan.affected.say(at, said, dice, pod=cycle.pod)


def probe_lines(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> Iterator[Line]:
    """Yield the node agent's records of pods that stopped answering their probe."""
    for cycle in cycles:
        text = (
            f'"Probe failed" probeType="Liveness" pod="shop/{cycle.pod}" '
            'probeResult="failure" output="HTTP probe failed with statuscode: 503"'
        )
        node = plan.affected.nodes[plan.affected.pods.index(cycle.pod)]
        yield syslog(cycle.restart_at, node, "kubelet[1022]", text)
