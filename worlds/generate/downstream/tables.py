"""The database of the downstream family: orders, holds, call topology, changes, cache latency."""

from datetime import datetime, timedelta

from worlds.generate.change_tables import Setting, deployments_table, rollout_of, settings_table
from worlds.generate.dice import Dice, dice_for
from worlds.generate.downstream.orders import Submission
from worlds.generate.downstream.plan import DownstreamPlan
from worlds.generate.model import Scalar, Table
from worlds.generate.stamps import iso_seconds
from worlds.generate.timeline import every

FSYNC_SETTING = "appendfsync"
"""The cache setting that changes shortly before the onset."""


def build_tables(plan: DownstreamPlan, submissions: tuple[Submission, ...]) -> tuple[Table, ...]:
    """Return the six tables of the database."""
    return (
        _orders(submissions),
        _holds(plan, submissions),
        _topology(plan),
        *_changes(plan),
        _cache_latency(plan),
    )


def _orders(submissions: tuple[Submission, ...]) -> Table:
    columns = (
        ("order_no", "INTEGER"),
        ("created_at", "TEXT"),
        ("sku", "TEXT"),
        ("status", "TEXT"),
        ("took_ms", "INTEGER"),
    )
    rows = tuple((one.number, iso_seconds(one.at), one.sku, _order_status(one), one.took_ms) for one in submissions)
    return Table("orders", columns, rows)


def _order_status(one: Submission) -> str:
    if one.is_stalled:
        return "TIMEOUT"
    return "REFUSED" if one.is_refused else "PLACED"


def _holds(plan: DownstreamPlan, submissions: tuple[Submission, ...]) -> Table:
    columns = (
        ("hold_id", "INTEGER"),
        ("held_at", "TEXT"),
        ("order_no", "INTEGER"),
        ("sku", "TEXT"),
        ("took_ms", "INTEGER"),
    )
    held = [one for one in submissions if not one.is_stalled and not one.is_refused]
    rows = tuple((rank, iso_seconds(one.at), one.number, one.sku, one.took_ms // 5) for rank, one in enumerate(held, 1))
    return Table(f"{plan.trade.key}_holds", columns, rows)


def _topology(plan: DownstreamPlan) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("caller", "TEXT"),
        ("callee", "TEXT"),
        ("protocol", "TEXT"),
        ("timeout_ms", "INTEGER"),
    )
    calls: tuple[tuple[Scalar, ...], ...] = (
        (plan.gateway.name, plan.submit.name, "http", plan.gateway_timeout_ms),
        (plan.gateway.name, plan.member.name, "http", 1500),
        (plan.gateway.name, plan.suggest.name, "http", 800),
        (plan.submit.name, plan.reserve.name, "grpc", plan.rpc_timeout_ms),
        (plan.submit.name, plan.coupon.name, "grpc", 600),
        (plan.submit.name, plan.member.name, "grpc", 500),
        (plan.reserve.name, plan.cache.name, "redis", plan.command_timeout_ms),
    )
    return Table("call_edges", columns, tuple((n, *call) for n, call in enumerate(calls, 1)))


def _changes(plan: DownstreamPlan) -> tuple[Table, Table]:
    dice = dice_for(plan.seed, "downstream", "changes")
    times = plan.times
    rollout = rollout_of(plan.submit, "src/main/java/order/InvoiceTitleMapper.java")
    settings = (
        Setting(plan.cache.name, FSYNC_SETTING, "no", "everysec", times.change_at),
        Setting(plan.coupon.name, "coupon.page_size", "20", "30", times.onset_at - timedelta(minutes=44)),
    )
    names = tuple(service.name for service in plan.services)
    return (
        deployments_table(plan.deployments, dice, times, plan.services, (rollout,)),
        settings_table("config_changes", dice, times, names, settings),
    )


def _cache_latency(plan: DownstreamPlan) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("sampled_at", "TEXT"),
        ("instance", "TEXT"),
        ("event", "TEXT"),
        ("max_ms", "INTEGER"),
    )
    dice = dice_for(plan.seed, "downstream", "latency")
    rows: list[tuple[Scalar, ...]] = []
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=180):
        for event in ("command", "fork", "aof-write", "expire-cycle"):
            max_ms = _latency_ms(plan, event, at, dice)
            rows.append((len(rows) + 1, iso_seconds(at), plan.cache.pods[0], event, max_ms))
    return Table("cache_latency_events", columns, tuple(rows))


def _latency_ms(plan: DownstreamPlan, event: str, at: datetime, dice: Dice) -> int:
    """Return the largest latency of an event class; only the append-only file's grows at the onset."""
    if event == "aof-write" and plan.times.is_after_onset(at):
        return dice.randrange(plan.command_timeout_ms + 100, plan.command_timeout_ms * 4)
    return dice.randrange(2, 38)
