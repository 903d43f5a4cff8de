"""The telemetry of an ordinary day for any cast: requests, habits, hosts, metrics, months of changes."""

from collections.abc import Iterator
from datetime import timedelta

from eval.scenarios.cast import Cast
from eval.scenarios.model import Part
from worlds.generate import ambient
from worlds.generate.change_tables import Rollout, Setting, deployments_table, settings_table
from worlds.generate.dice import arrivals
from worlds.generate.formats import host, nginx, spring
from worlds.generate.model import Event, Line, Sample, Table
from worlds.generate.speech import Habit, Service, chatter
from worlds.generate.timeline import every


def everyday(cast: Cast) -> Part:
    """Everything but the change tables, the same for every variant."""
    return Part(
        events=tuple(_events(cast)),
        lines={
            "nginx-access.log": tuple(_access(cast)),
            "syslog.log": tuple(_hosts(cast)),
        },
        samples=tuple(_samples(cast)),
    )


def change_tables(cast: Cast, rollouts: tuple[Rollout, ...], settings: tuple[Setting, ...]) -> tuple[Table, ...]:
    """Months of deployments and settings with the placed ones among them."""
    names = tuple(service.name for service in cast.services)
    return (
        deployments_table("deployments", cast.dice("deployments"), cast.times, cast.services, rollouts),
        settings_table("config_changes", cast.dice("settings"), cast.times, names, settings),
    )


def _events(cast: Cast) -> Iterator[Event]:
    yield from _served(cast)
    for service, habits in _habits(cast):
        yield from chatter(service, habits, cast.times, seed=cast.seed)


def _served(cast: Cast) -> Iterator[Event]:
    """Requests of the front that call the core, all quick and good: at the old rate until the end."""
    dice = cast.dice("served")
    for at in arrivals(dice, cast.times.begin_at, cast.times.now_at, per_hour=170):
        trace, took = spring.trace_id(dice), int(dice.lognormvariate(3.6, 0.4))
        key = dice.randrange(10**5, 10**6)
        inner = spring.request_done("GET", f"/internal/{key}", 200, took, trace=trace)
        yield cast.core.say(at, inner, dice)
        outer = spring.request_done("GET", f"/v2/{cast.trade.noun}/{key}", 200, took + 4, trace=trace)
        yield cast.front.say(at + timedelta(milliseconds=4), outer, dice)


def _habits(cast: Cast) -> Iterator[tuple[Service, tuple[Habit, ...]]]:
    dice = cast.dice("habits")
    first, second, third = cast.others
    yield cast.front, (*ambient.web_habits(("/home", "/help"), per_hour=120), *ambient.cache_habits(dice))
    yield first, (*ambient.web_habits(("/v1/items", "/v1/prefs"), per_hour=110), *ambient.client_habits("Directory"))
    yield second, (*ambient.web_habits(("/v1/records",), per_hour=90), *ambient.grpc_habits("Archive", dice))
    yield third, ambient.mail_habits("relay.internal")


def _access(cast: Cast) -> Iterator[Line]:
    paths = ("/", "/home", "/help/contact", "/static/app.css")
    yield from nginx.browsing(cast.dice("browsing"), cast.times, paths, upstream=cast.upstream, per_hour=150)


def _hosts(cast: Cast) -> Iterator[Line]:
    hosts = (cast.edge_host, *cast.core.nodes)
    yield from host.everyday_kernel(cast.dice("kernel"), cast.times, hosts)
    yield from host.everyday_daemons(cast.dice("daemons"), cast.times, hosts)


def _samples(cast: Cast) -> Iterator[Sample]:
    dice = cast.dice("samples")
    for at in every(cast.times.begin_at, cast.times.now_at, step_s=120):
        for service in cast.services:
            yield Sample(at, "process_cpu_usage", dice.uniform(0.12, 0.34), (("service", service.name),))
