"""Puts a world of the payment family together from its plan."""

from collections.abc import Iterator
from itertools import chain

from worlds.generate import ambient
from worlds.generate.dice import Dice, arrivals, dice_for
from worlds.generate.formats import host, nginx, postgres
from worlds.generate.model import Alert, Event, Line, Sample, World
from worlds.generate.payment.attempts import Attempt, Result, draw_attempts
from worlds.generate.payment.plan import Fault, PaymentPlan
from worlds.generate.payment.pools import Cycle, draw_cycles, level_at, locked_at
from worlds.generate.payment.requests import edge_hit, lock_lines, service_events
from worlds.generate.payment.signals import (
    leak_warnings,
    pool_statistics,
    probe_lines,
    restart_events,
)
from worlds.generate.payment.tables import blocking_ddl, build_tables
from worlds.generate.speech import Habit, Service, chatter
from worlds.generate.timeline import every


def build_payment_world(plan: PaymentPlan, name: str) -> World:
    """Return the world of this plan; pure."""
    cycles = draw_cycles(plan)
    attempts = draw_attempts(plan, cycles)
    holder_pid = dice_for(plan.seed, "payment", "holder").randrange(9000, 32000)
    events = chain(
        service_events(plan, cycles, attempts),
        pool_statistics(plan, cycles),
        leak_warnings(plan, cycles),
        restart_events(plan, cycles),
        _everyday(plan),
    )
    text_logs = {
        "nginx-access.log": _until_now(plan, _access_lines(plan, attempts)),
        "nginx-error.log": _until_now(plan, _error_lines(plan, attempts)),
        "postgresql.log": _until_now(plan, _database_lines(plan, attempts, holder_pid)),
        "syslog.log": _until_now(plan, _host_lines(plan, cycles)),
        "gc.log": tuple(host.young_pauses(dice_for(plan.seed, "payment", "gc"), plan.times)),
    }
    return World(
        name=name,
        description="Web shop: checkout, payments and their ledger behind nginx, on PostgreSQL.",
        times=plan.times,
        events=tuple(event for event in events if event.at < plan.times.now_at),
        text_logs=text_logs,
        database=plan.session.database,
        tables=build_tables(plan, cycles, attempts, holder_pid),
        samples=tuple(_samples(plan, cycles, attempts)),
        alerts=_alerts(plan),
    )


def _until_now(plan: PaymentPlan, lines: Iterator[Line]) -> tuple[Line, ...]:
    return tuple(line for line in lines if line.at < plan.times.now_at)


def _everyday(plan: PaymentPlan) -> Iterator[Event]:
    dice = dice_for(plan.seed, "payment", "habits")
    for service, habits in _habits(plan, dice):
        yield from chatter(service, habits, plan.times, seed=plan.seed)


def _habits(plan: PaymentPlan, dice: Dice) -> tuple[tuple[Service, tuple[Habit, ...]], ...]:
    orders = ("/api/basket", "/api/checkout/session")
    items = ("/items", "/facets", "/prices")
    certificate = ambient.expiry_habit("shop.example", dice.randrange(19, 60))
    return (
        (plan.checkout, (*ambient.web_habits(orders, per_hour=70), certificate)),
        (
            plan.payment,
            (
                *ambient.client_habits(plan.fraud.name),
                *ambient.pool_habits(plan.payment_pool.name),
            ),
        ),
        (plan.ledger, ambient.pool_habits(plan.ledger_pool.name)),
        (plan.fraud, (*ambient.web_habits(("/v1/score",), per_hour=80), *ambient.grpc_habits("FeatureStore", dice))),
        (
            plan.notify,
            (
                *ambient.consumer_habits("receipts", "payment-events", per_hour=90),
                *ambient.mail_habits("relay.internal"),
            ),
        ),
        (
            plan.catalog,
            (*ambient.web_habits(items, per_hour=130), *ambient.cache_habits(dice)),
        ),
    )


def _access_lines(plan: PaymentPlan, attempts: tuple[Attempt, ...]) -> Iterator[Line]:
    for attempt in attempts:
        yield nginx.access(edge_hit(plan, attempt))
    dice = dice_for(plan.seed, "payment", "browsing")
    paths = ("/", "/api/items/4711", "/api/basket", "/static/app.js")
    yield from nginx.browsing(dice, plan.times, paths, upstream=plan.upstream, per_hour=220)


def _error_lines(plan: PaymentPlan, attempts: tuple[Attempt, ...]) -> Iterator[Line]:
    dice = dice_for(plan.seed, "payment", "edge")
    for attempt in attempts:
        hit, connection = edge_hit(plan, attempt), dice.randrange(10**5, 10**6)
        if attempt.result is Result.TIMEOUT:
            yield nginx.upstream_timed_out(hit, plan.edge_host, connection)
        else:
            yield from nginx.everyday_error(hit, plan.edge_host, connection)


def _database_lines(plan: PaymentPlan, attempts: tuple[Attempt, ...], holder_pid: int) -> Iterator[Line]:
    dice = dice_for(plan.seed, "payment", "database")
    tables = (plan.names.payments, "ledger_entries", "receipts", "mandates")
    yield from postgres.housekeeping(dice, plan.times, plan.session, tables=tables)
    for at in arrivals(dice, plan.times.begin_at, plan.times.now_at, per_hour=6):
        pid, took_ms = dice.randrange(9000, 32000), dice.uniform(1003, 2400)
        sql = f"select method, count(*) from {plan.names.payments} group by method"
        yield postgres.slow_statement(at, pid, plan.session, took_ms=took_ms, sql=sql)
    if plan.fault is Fault.LOCK:
        migrator = postgres.Session("migrator", plan.session.database)
        yield postgres.statement(locked_at(plan), holder_pid, migrator, blocking_ddl(plan))
        yield from lock_lines(plan, attempts, holder_pid)


def _host_lines(plan: PaymentPlan, cycles: tuple[Cycle, ...]) -> Iterator[Line]:
    dice = dice_for(plan.seed, "payment", "hosts")
    hosts = (plan.edge_host, plan.db_host, *plan.payment.nodes)
    yield from host.everyday_kernel(dice, plan.times, hosts)
    yield from host.everyday_daemons(dice, plan.times, hosts)
    yield from probe_lines(plan, cycles)


def _samples(plan: PaymentPlan, cycles: tuple[Cycle, ...], attempts: tuple[Attempt, ...]) -> Iterator[Sample]:
    for service in (plan.payment, plan.ledger):
        for at in every(plan.times.begin_at, plan.times.now_at, step_s=60):
            pod = service.pods[0]
            level = level_at(plan, cycles, pod, at)
            labels = (("service", service.name), ("pod", pod))
            yield Sample(at, "hikaricp_connections_active", level.active, labels)
            yield Sample(at, "hikaricp_connections_pending", level.waiting, labels)
    yield from _latency(plan, attempts)


def _latency(plan: PaymentPlan, attempts: tuple[Attempt, ...]) -> Iterator[Sample]:
    """Yield the slowest request of every five minutes at the checkout service."""
    labels = (("service", plan.checkout.name),)
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=300):
        took = [one.took_ms for one in attempts if 0 <= (one.at - at).total_seconds() < 300]
        yield Sample(at, "http_server_requests_seconds_max", max(took, default=0) / 1000, labels)


def _alerts(plan: PaymentPlan) -> tuple[Alert, ...]:
    disk = Alert("DiskUsageHigh", "node-watch", "info", "Disk usage above 70 %", plan.times.begin_at)
    if plan.fault is Fault.HEALTHY:
        return (disk,)
    slow = Alert(
        "HighErrorRatio",
        plan.checkout.name,
        "critical",
        "More than 5 % of requests end with status 504",
        plan.times.onset_at,
    )
    return disk, slow
