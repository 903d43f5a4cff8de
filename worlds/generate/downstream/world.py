"""Puts a world of the downstream family together from its plan."""

from collections.abc import Iterator
from itertools import chain

from worlds.generate import ambient
from worlds.generate.dice import Dice, dice_for, draw_ip
from worlds.generate.downstream.orders import (
    Submission,
    cache_events,
    draw_submissions,
    envoy_lines,
    service_events,
)
from worlds.generate.downstream.plan import DownstreamPlan
from worlds.generate.downstream.tables import build_tables
from worlds.generate.formats import host
from worlds.generate.model import Alert, Event, Line, Sample, World
from worlds.generate.speech import Habit, Service, chatter
from worlds.generate.timeline import every


def build_downstream_world(plan: DownstreamPlan, name: str) -> World:
    """Return the world of this plan; pure."""
    submissions = draw_submissions(plan)
    events = chain(service_events(plan, submissions), cache_events(plan), _everyday(plan))
    now = plan.times.now_at
    dice = dice_for(plan.seed, "downstream", "gc")
    text_logs = {
        "envoy-access.log": tuple(envoy_lines(plan, submissions)),
        "syslog.log": tuple(_host_lines(plan)),
        "gc.log": tuple(host.young_pauses(dice, plan.times)),
    }
    return World(
        name=name,
        description="交易系统：网关、提交、资源预占与缓存，会员、优惠与推荐为旁路。",
        times=plan.times,
        events=tuple(event for event in events if event.at < now),
        text_logs={file: tuple(line for line in lines if line.at < now) for file, lines in text_logs.items()},
        database=plan.database,
        tables=build_tables(plan, submissions),
        samples=tuple(_samples(plan, submissions)),
        alerts=_alerts(plan),
    )


def _everyday(plan: DownstreamPlan) -> Iterator[Event]:
    dice = dice_for(plan.seed, "downstream", "habits")
    habits: tuple[tuple[Service, tuple[Habit, ...]], ...] = (
        (plan.gateway, _gateway_habits()),
        (plan.submit, ambient.client_habits(plan.coupon.name)),
        (plan.member, _member_habits(dice)),
        (plan.coupon, _coupon_habits()),
        (plan.suggest, _suggest_habits(dice)),
    )
    for service, own in habits:
        yield from chatter(service, own, plan.times, seed=plan.seed)


def _gateway_habits() -> tuple[Habit, ...]:
    return (
        ambient.plain_habit(
            8,
            "WARN",
            lambda dice: f"访问令牌已过期，要求重新登录 客户端={draw_ip(dice)}",
            logger="TokenFilter",
        ),
        ambient.plain_habit(
            6,
            "WARN",
            lambda dice: f"单个调用方超出配额 应用=partner-{dice.randrange(3, 9)} 状态=429",
            logger="QuotaFilter",
        ),
    )


def _member_habits(dice: Dice) -> tuple[Habit, ...]:
    return (
        ambient.plain_habit(
            170,
            "INFO",
            lambda dice: f"查询会员等级 会员={dice.randrange(10**6, 10**7)} 耗时={dice.randrange(3, 40)}ms",
            logger="LevelQuery",
        ),
        ambient.plain_habit(
            9,
            "WARN",
            lambda dice: f"短信通道回执延迟 通道={dice.randrange(1, 5)} 已切换备用通道",
            logger="SmsSender",
        ),
        *ambient.cache_habits(dice),
    )


def _coupon_habits() -> tuple[Habit, ...]:
    return (
        ambient.plain_habit(
            190,
            "INFO",
            lambda dice: f"核算优惠 券={dice.randrange(10**5, 10**6)} 抵扣={dice.randrange(5, 90)}元",
            logger="CouponRule",
        ),
        ambient.plain_habit(
            7,
            "ERROR",
            lambda dice: f"券码重复核销被拦截 券={dice.randrange(10**5, 10**6)}",
            logger="CouponRule",
        ),
    )


def _suggest_habits(dice: Dice) -> tuple[Habit, ...]:
    return (
        ambient.plain_habit(
            180,
            "INFO",
            lambda dice: f"返回推荐 条数={dice.randrange(5, 30)} 耗时={dice.randrange(5, 60)}ms",
            logger="Recommend",
        ),
        *ambient.grpc_habits("FeatureStore", dice),
        *ambient.consumer_habits("behaviour", "click-events", per_hour=110),
    )


def _host_lines(plan: DownstreamPlan) -> Iterator[Line]:
    dice = dice_for(plan.seed, "downstream", "hosts")
    hosts = (*plan.gateway.nodes, *plan.submit.nodes, *plan.cache.nodes)
    yield from host.everyday_kernel(dice, plan.times, hosts)
    yield from host.everyday_daemons(dice, plan.times, hosts)
    for at in every(plan.times.onset_at, plan.times.now_at, step_s=dice.uniform(240, 420)):
        text = "INFO: task jbd2/nvme1n1-8:412 blocked for more than 120 seconds."
        yield host.kernel(at, plan.cache.nodes[0], text)


def _samples(plan: DownstreamPlan, submissions: tuple[Submission, ...]) -> Iterator[Sample]:
    dice = dice_for(plan.seed, "downstream", "samples")
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=120):
        is_late = plan.times.is_after_onset(at)
        busy = dice.uniform(0.93, 1.0) if is_late else dice.uniform(0.15, 0.35)
        took = [one.took_ms for one in submissions if 0 <= (one.at - at).total_seconds() < 120]
        edge = (("service", plan.gateway.name),)
        cache = (("service", plan.cache.name),)
        yield Sample(at, "http_request_duration_seconds_max", max(took, default=0) / 1000, edge)
        yield Sample(at, "node_disk_io_busy_ratio", busy, cache)
        yield Sample(at, "redis_connected_clients", dice.randrange(90, 110), cache)


def _alerts(plan: DownstreamPlan) -> tuple[Alert, ...]:
    text = "五分钟内状态 504 的比例超过 5 %"
    return (
        Alert("EdgeErrorRatio", plan.gateway.name, "critical", text, plan.times.onset_at),
        Alert("DiskUsageHigh", "node-watch", "info", "磁盘使用率超过 70 %", plan.times.begin_at),
    )
