"""The submissions of a world, and what each hop logs about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.dice import Dice, arrivals, dice_for, draw_hex, draw_ip, draw_word
from worlds.generate.downstream.plan import DownstreamPlan
from worlds.generate.formats import grpc, redis
from worlds.generate.model import Event, Line
from worlds.generate.speech import Said


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission at the edge."""

    number: int
    at: datetime
    client: str
    trace: str
    sku: str
    pod: str
    took_ms: int
    is_stalled: bool
    """Whether the cache two calls further did not answer in time."""
    is_refused: bool
    """Whether the resource was sold out: an ordinary business result."""

    @property
    def end_at(self) -> datetime:
        """When the edge answered."""
        return self.at + timedelta(milliseconds=self.took_ms)


def draw_submissions(plan: DownstreamPlan) -> tuple[Submission, ...]:
    """Return all submissions in order; more than half of them stall after the onset."""
    dice = dice_for(plan.seed, "downstream", "submissions")
    first = dice.randrange(10**6, 10**7)
    instants = arrivals(dice, plan.times.begin_at, plan.times.now_at, per_hour=290)
    return tuple(_submission(plan, dice, first + rank, at) for rank, at in enumerate(instants))


def _submission(plan: DownstreamPlan, dice: Dice, number: int, at: datetime) -> Submission:
    is_stalled = dice.random() < (0.58 if plan.times.is_after_onset(at) else 0.004)
    quick_ms = int(dice.lognormvariate(5.1, 0.3))
    return Submission(
        number=number,
        at=at,
        client=draw_ip(dice),
        trace=draw_hex(dice, 32),
        sku=f"{dice.randrange(10**5, 10**6)}",
        pod=draw_word(dice, plan.reserve.pods),
        took_ms=plan.gateway_timeout_ms if is_stalled else quick_ms,
        is_stalled=is_stalled,
        is_refused=dice.random() < 0.05,
    )


def service_events(plan: DownstreamPlan, submissions: tuple[Submission, ...]) -> Iterator[Event]:
    """Yield the structured records of all hops."""
    dice = dice_for(plan.seed, "downstream", "events")
    for one in submissions:
        yield from _stalled(plan, one, dice) if one.is_stalled else _served(plan, one, dice)


def _served(plan: DownstreamPlan, one: Submission, dice: Dice) -> Iterator[Event]:
    trace = (("trace_id", one.trace),)
    took, resource = one.took_ms, plan.trade.resource
    held = f"{resource}预占成功 sku={one.sku} 数量={dice.randrange(1, 4)} 耗时={took // 5}ms"
    if one.is_refused:
        held = f"{resource}不足，预占被拒 sku={one.sku} 剩余=0"
    level = "WARN" if one.is_refused else "INFO"
    yield plan.reserve.say(one.end_at, Said(level, held, "ReserveHandler", trace), dice, pod=one.pod)
    done = f"提交完成 单号={one.number} 耗时={took - 11}ms"
    yield plan.submit.say(one.end_at, Said("INFO", done, "SubmitService", trace), dice)
    forwarded = f"转发完成 路径={plan.trade.path} 状态=200 耗时={took}ms"
    yield plan.gateway.say(one.end_at, Said("INFO", forwarded, "RouteFilter", trace), dice)


def _stalled(plan: DownstreamPlan, one: Submission, dice: Dice) -> Iterator[Event]:
    trace = (("trace_id", one.trace),)
    reply_ms = plan.command_timeout_ms
    missed = f"读取缓存异常 键={plan.trade.key}:{one.sku} {redis.command_timed_out(reply_ms)}"
    at = one.at + timedelta(milliseconds=reply_ms + 12)
    yield plan.reserve.say(at, Said("ERROR", missed, "CacheGateway", trace), dice, pod=one.pod)
    status = grpc.deadline_exceeded(dice, plan.reserve_address, plan.rpc_timeout_ms)
    failed = f"远程调用失败 方法={plan.trade.rpc} 目标={plan.reserve.name} {status}"
    at = one.at + timedelta(milliseconds=plan.rpc_timeout_ms + 20)
    yield plan.submit.say(at, Said("ERROR", failed, "RemoteReserve", trace), dice)
    gave_up = f"转发失败 路径={plan.trade.path} 上游={plan.submit.name} 状态=504 耗时={one.took_ms}ms"
    yield plan.gateway.say(one.end_at, Said("ERROR", gave_up, "RouteFilter", trace), dice)


def envoy_lines(plan: DownstreamPlan, submissions: tuple[Submission, ...]) -> Iterator[Line]:
    """Yield the access records of the proxy in front of the gateway."""
    for one in submissions:
        status, flags = (504, "UT") if one.is_stalled else (200, "-")
        yield grpc.envoy_access(
            grpc.Forwarded(
                at=one.end_at,
                method="POST",
                path=plan.trade.path,
                status=status,
                flags=flags,
                took_ms=one.took_ms,
                client=one.client,
                request_id=one.trace[:8] + "-" + one.trace[8:12],
                authority=plan.gateway.name,
                upstream=plan.submit_address,
            )
        )


def cache_events(plan: DownstreamPlan) -> Iterator[Event]:
    """Yield what the cache server logs: snapshots and rewrites all day, stalls after the change."""
    dice = dice_for(plan.seed, "downstream", "cache")
    times = plan.times
    for at in arrivals(dice, times.begin_at, times.now_at, per_hour=30):
        yield plan.cache.say(at, redis.snapshot(dice), dice)
    at = times.begin_at + timedelta(minutes=dice.randrange(3, 20))
    while at < times.now_at:
        yield from _rewrite(plan, at, dice)
        at += timedelta(minutes=dice.randrange(11, 16))
    first = times.onset_at - timedelta(seconds=30)
    for at in arrivals(dice, first, times.now_at, per_hour=3600 / plan.stall_step_s):
        yield plan.cache.say(at, redis.fsync_is_slow(), dice)


def _rewrite(plan: DownstreamPlan, at: datetime, dice: Dice) -> Iterator[Event]:
    pid = dice.randrange(1000, 32000)
    for said in redis.rewrite_starts(pid, dice.randrange(100, 131)):
        yield plan.cache.say(at, said, dice)
    end_at = at + timedelta(seconds=dice.randrange(40, 300))
    for said in redis.rewrite_ends(dice):
        yield plan.cache.say(end_at, said, dice)
