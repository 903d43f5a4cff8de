"""Puts a world of the slow-query family together from its plan."""

from collections.abc import Iterator
from itertools import chain

from worlds.generate import ambient
from worlds.generate.dice import dice_for
from worlds.generate.formats import host, nginx, postgres
from worlds.generate.model import Alert, Event, Line, Sample, World
from worlds.generate.slow_query.lookups import (
    Lookup,
    draw_lookups,
    edge_hits,
    pool_statistics,
    server_lines,
    service_events,
)
from worlds.generate.slow_query.plan import SlowPlan
from worlds.generate.slow_query.tables import build_tables
from worlds.generate.speech import Habit, Service, chatter
from worlds.generate.timeline import every


def build_slow_world(plan: SlowPlan, name: str) -> World:
    """Return the world of this plan; pure."""
    lookups = draw_lookups(plan)
    events = chain(service_events(plan, lookups), pool_statistics(plan), _everyday(plan))
    text_logs = {
        "nginx-access.log": tuple(_access_lines(plan, lookups)),
        "nginx-error.log": tuple(_error_lines(plan, lookups)),
        "postgresql.log": tuple(_database_lines(plan, lookups)),
        "syslog.log": tuple(_host_lines(plan)),
        "gc.log": tuple(host.young_pauses(dice_for(plan.seed, "slow-query", "gc"), plan.times)),
    }
    now = plan.times.now_at
    return World(
        name=name,
        description=f"Register with {plan.subject.noun} by key for customers, on PostgreSQL.",
        times=plan.times,
        events=tuple(event for event in events if event.at < now),
        text_logs={file: tuple(line for line in lines if line.at < now) for file, lines in text_logs.items()},
        database=plan.session.database,
        tables=build_tables(plan, lookups),
        samples=tuple(_samples(plan, lookups)),
        alerts=_alerts(plan),
    )


def _everyday(plan: SlowPlan) -> Iterator[Event]:
    dice = dice_for(plan.seed, "slow-query", "habits")
    habits: tuple[tuple[Service, tuple[Habit, ...]], ...] = (
        (
            plan.portal,
            (
                *ambient.web_habits(("/home", "/profile", "/help"), per_hour=260),
                *ambient.cache_habits(dice),
                ambient.expiry_habit("portal.example", dice.randrange(19, 60)),
            ),
        ),
        (plan.search, ambient.pool_habits(plan.pool_name)),
        (
            plan.billing,
            (
                *ambient.web_habits(("/rules", "/quotes"), per_hour=190),
                *ambient.client_habits(plan.search.name),
            ),
        ),
        (
            plan.mailer,
            (
                *ambient.consumer_habits("notices", "status-events", per_hour=130),
                *ambient.mail_habits("relay.internal"),
            ),
        ),
        (
            plan.export,
            (
                *ambient.consumer_habits("export", "audit-events", per_hour=110),
                *ambient.grpc_habits("Archive", dice),
            ),
        ),
    )
    for service, own in habits:
        yield from chatter(service, own, plan.times, seed=plan.seed)


def _access_lines(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Line]:
    yield from (nginx.access(hit) for hit in edge_hits(plan, lookups))
    dice = dice_for(plan.seed, "slow-query", "browsing")
    paths = ("/", "/home", "/help/contact", "/static/app.css")
    yield from nginx.browsing(dice, plan.times, paths, upstream=plan.upstream, per_hour=180)


def _error_lines(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Line]:
    dice = dice_for(plan.seed, "slow-query", "edge")
    for hit in edge_hits(plan, lookups):
        yield from nginx.everyday_error(hit, plan.edge_host, dice.randrange(10**5, 10**6))


def _database_lines(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Line]:
    dice = dice_for(plan.seed, "slow-query", "database")
    yield from postgres.housekeeping(dice, plan.times, plan.session, tables=plan.tables)
    yield from server_lines(plan, lookups)


def _host_lines(plan: SlowPlan) -> Iterator[Line]:
    dice = dice_for(plan.seed, "slow-query", "hosts")
    hosts = (plan.edge_host, *plan.search.nodes)
    yield from host.everyday_kernel(dice, plan.times, hosts)
    yield from host.everyday_daemons(dice, plan.times, hosts)


def _samples(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Iterator[Sample]:
    dice = dice_for(plan.seed, "slow-query", "samples")
    labels = (("service", plan.search.name),)
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=120):
        busy = dice.uniform(0.78, 0.93) if plan.times.is_after_onset(at) else dice.uniform(0.2, 0.3)
        took = [one.took_ms for one in lookups if 0 <= (one.at - at).total_seconds() < 120]
        yield Sample(at, "node_cpu_busy_ratio", busy, (("service", "postgresql"),))
        yield Sample(at, "http_server_requests_seconds_max", max(took, default=0) / 1000, labels)


def _alerts(plan: SlowPlan) -> tuple[Alert, ...]:
    text = "99th percentile of response time above 2 s"
    return (
        Alert("SlowResponses", plan.search.name, "warning", text, plan.times.onset_at),
        Alert("DiskUsageHigh", "node-watch", "info", "Disk usage above 70 %", plan.times.begin_at),
    )
