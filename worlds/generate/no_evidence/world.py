"""Puts a world of the no-evidence family together from its plan."""

from collections.abc import Iterator

from worlds.generate import ambient
from worlds.generate.dice import dice_for
from worlds.generate.formats import host, nginx
from worlds.generate.model import Alert, Event, Line, Sample, World
from worlds.generate.no_evidence.entries import Entry, draw_entries, service_events
from worlds.generate.no_evidence.plan import QuietPlan
from worlds.generate.no_evidence.tables import build_tables
from worlds.generate.speech import Habit, Service, chatter
from worlds.generate.timeline import every


def build_quiet_world(plan: QuietPlan, name: str) -> World:
    """Return the world of this plan; pure."""
    entries = draw_entries(plan)
    now, begin = plan.times.now_at, plan.times.begin_at
    events = (*service_events(plan, entries), *_everyday(plan))
    gc_dice = dice_for(plan.seed, "no-evidence", "gc")
    return World(
        name=name,
        description=f"Member site with {plan.matter.noun}, accounts, prices, search and mail.",
        times=plan.times,
        events=tuple(event for event in events if event.at < now),
        text_logs={
            "nginx-access.log": tuple(_access_lines(plan, entries)),
            "nginx-error.log": tuple(_error_lines(plan, entries)),
            "syslog.log": tuple(_host_lines(plan)),
            "gc.log": tuple(host.young_pauses(gc_dice, plan.times)),
        },
        database=plan.database,
        tables=build_tables(plan, entries),
        samples=tuple(_samples(plan, entries)),
        alerts=(Alert("DiskUsageHigh", "node-watch", "info", "Disk usage above 70 %", begin),),
    )


def _everyday(plan: QuietPlan) -> Iterator[Event]:
    dice = dice_for(plan.seed, "no-evidence", "habits")
    habits: tuple[tuple[Service, tuple[Habit, ...]], ...] = (
        (
            plan.front,
            (
                *ambient.web_habits(("/home", "/news", "/profile"), per_hour=290),
                *ambient.client_habits(plan.prices.name),
                ambient.expiry_habit("members.example", dice.randrange(19, 60)),
            ),
        ),
        (plan.asked, ambient.pool_habits("HikariPool-1")),
        (
            plan.accounts,
            (
                *ambient.web_habits(("/v1/accounts", "/v1/sessions"), per_hour=260),
                *ambient.cache_habits(dice),
            ),
        ),
        (
            plan.prices,
            (
                *ambient.web_habits(("/v1/prices",), per_hour=230),
                *ambient.grpc_habits("OfferStore", dice),
            ),
        ),
        (
            plan.mailer,
            (
                *ambient.consumer_habits("letters", "member-events", per_hour=170),
                *ambient.mail_habits("relay.internal"),
            ),
        ),
        (plan.finder, ambient.web_habits(("/v1/search", "/v1/suggest"), per_hour=210)),
    )
    for service, own in habits:
        yield from chatter(service, own, plan.times, seed=plan.seed)


def _access_lines(plan: QuietPlan, entries: tuple[Entry, ...]) -> Iterator[Line]:
    yield from (nginx.access(one.hit) for one in entries)
    dice = dice_for(plan.seed, "no-evidence", "browsing")
    paths = ("/", "/home", "/news/latest", "/static/app.js")
    yield from nginx.browsing(dice, plan.times, paths, upstream=plan.upstream, per_hour=260)


def _error_lines(plan: QuietPlan, entries: tuple[Entry, ...]) -> Iterator[Line]:
    dice = dice_for(plan.seed, "no-evidence", "edge")
    for one in entries:
        connection = dice.randrange(10**5, 10**6)
        yield from nginx.everyday_error(one.hit, "edge-1", connection)


def _host_lines(plan: QuietPlan) -> Iterator[Line]:
    dice = dice_for(plan.seed, "no-evidence", "hosts")
    hosts = (*plan.front.nodes, *plan.asked.nodes)
    yield from host.everyday_kernel(dice, plan.times, hosts)
    yield from host.everyday_daemons(dice, plan.times, hosts)


def _samples(plan: QuietPlan, entries: tuple[Entry, ...]) -> Iterator[Sample]:
    labels = (("service", plan.asked.name),)
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=120):
        took = [one.hit.took_s for one in entries if 0 <= (one.hit.at - at).total_seconds() < 120]
        yield Sample(at, "http_server_requests_seconds_max", max(took, default=0.0), labels)
        yield Sample(at, "http_server_requests_count", float(len(took)), labels)
