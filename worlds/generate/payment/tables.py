"""The database of the payment family: payments, sessions, pool settings and changes."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from worlds.generate.change_tables import (
    Migration,
    Setting,
    deployments_table,
    migrations_table,
    rollout_of,
    settings_table,
)
from worlds.generate.dice import Dice, dice_for
from worlds.generate.model import Scalar, Table
from worlds.generate.payment.attempts import Attempt
from worlds.generate.payment.plan import Fault, PaymentPlan, Pool
from worlds.generate.payment.pools import Cycle, level_at, locked_at
from worlds.generate.speech import Service
from worlds.generate.stamps import iso_seconds
from worlds.generate.timeline import every

SAMPLE_STEP_S = 300
"""Seconds between two samples of the server's sessions."""


def build_tables(
    plan: PaymentPlan, cycles: tuple[Cycle, ...], attempts: tuple[Attempt, ...], holder_pid: int
) -> tuple[Table, ...]:
    """Return the six tables of the database."""
    return (
        _payments(plan, attempts),
        _deployments(plan),
        _settings(plan),
        _migrations(plan),
        _sessions(plan, cycles, holder_pid),
        _pool_settings(plan),
    )


def _payments(plan: PaymentPlan, attempts: tuple[Attempt, ...]) -> Table:
    columns = (
        ("payment_id", "INTEGER"),
        ("created_at", "TEXT"),
        ("method", "TEXT"),
        ("amount_cents", "INTEGER"),
        ("status", "TEXT"),
        ("latency_ms", "INTEGER"),
        ("trace_id", "TEXT"),
    )
    rows = tuple(
        (one.number, iso_seconds(one.at), one.method, one.amount_cents, one.result, one.took_ms, one.trace)
        for one in attempts
    )
    return Table(plan.names.payments, columns, rows)


def _deployments(plan: PaymentPlan) -> Table:
    dice = dice_for(plan.seed, "payment", "deployments")
    folder = plan.names.package.replace(".", "/")
    leaky = f"src/main/java/{folder}/{plan.names.leaky_class}.java"
    placed = (
        rollout_of(plan.affected, f"{leaky}; src/main/java/{folder}/web/{plan.controller}.java"),
        rollout_of(plan.catalog, "src/main/java/web/FacetController.java"),
    )
    return deployments_table(plan.names.deployments, dice, plan.times, plan.services, placed)


def _settings(plan: PaymentPlan) -> Table:
    dice = dice_for(plan.seed, "payment", "settings")
    at = plan.times.onset_at - timedelta(minutes=31)
    placed = (Setting(plan.notify.name, "mail.batch_size", "50", "80", at),)
    names = tuple(service.name for service in plan.services)
    return settings_table(plan.names.settings, dice, plan.times, names, placed)


def _migrations(plan: PaymentPlan) -> Table:
    dice = dice_for(plan.seed, "payment", "migrations")
    placed: tuple[Migration, ...] = ()
    if plan.fault is Fault.LOCK:
        placed = (Migration(f"alter_{plan.locked_table}", blocking_ddl(plan), locked_at(plan), None),)
    tables = (plan.names.payments, "ledger_entries", "receipts", "mandates")
    return migrations_table("schema_migrations", dice, plan.times, tables, placed)


def blocking_ddl(plan: PaymentPlan) -> str:
    """Return the statement of the migration that does not finish."""
    return f"ALTER TABLE {plan.locked_table} ADD COLUMN settlement_batch bigint DEFAULT 0"


def _sessions(plan: PaymentPlan, cycles: tuple[Cycle, ...], holder_pid: int) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("sampled_at", "TEXT"),
        ("pid", "INTEGER"),
        ("usename", "TEXT"),
        ("application_name", "TEXT"),
        ("state", "TEXT"),
        ("wait_event_type", "TEXT"),
        ("wait_event", "TEXT"),
        ("state_age_s", "INTEGER"),
        ("query_head", "TEXT"),
    )
    dice = dice_for(plan.seed, "payment", "sessions")
    rows: list[tuple[Scalar, ...]] = []
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=SAMPLE_STEP_S):
        rows.extend(_pool_sessions(plan, cycles, at, dice))
        rows.extend(_holder_session(plan, at, holder_pid))
    return Table(plan.names.sessions, columns, tuple((n, *row) for n, row in enumerate(rows, 1)))


def _pool_sessions(
    plan: PaymentPlan, cycles: tuple[Cycle, ...], at: datetime, dice: Dice
) -> Iterator[tuple[Scalar, ...]]:
    """Yield up to eight sampled sessions a service, as the statistics collector shows them."""
    for service, table in ((plan.payment, plan.names.payments), (plan.ledger, "ledger_entries")):
        pod = service.pods[0]
        held = level_at(plan, cycles, pod, at)
        is_drained = service is plan.affected and held.active >= held.total
        for _ in range(dice.randrange(4, 9)):
            seen = _session_state(plan, table, dice, is_drained=is_drained)
            yield (
                iso_seconds(at),
                dice.randrange(9000, 32000),
                plan.session.user,
                service.name,
                *seen,
            )


def _session_state(plan: PaymentPlan, table: str, dice: Dice, *, is_drained: bool) -> tuple[Scalar, ...]:
    age_s = dice.randrange(0, 9)
    if is_drained and plan.fault is Fault.LOCK:
        return "active", "Lock", "relation", age_s, f"insert into {table} (amount_cents"
    if is_drained:
        return "idle", "Client", "ClientRead", 40 + age_s * 67, "COMMIT"
    if dice.random() < 0.2:
        return "active", None, None, 0, f"select * from {table} where id = $1"
    return "idle", "Client", "ClientRead", age_s, "COMMIT"


def _holder_session(plan: PaymentPlan, at: datetime, holder_pid: int) -> Iterator[tuple[Scalar, ...]]:
    since = locked_at(plan)
    if plan.fault is Fault.LOCK and at >= since:
        age_s = int((at - since).total_seconds())
        yield (
            iso_seconds(at),
            holder_pid,
            "migrator",
            "schema-migrator",
            "idle in transaction",
            "Client",
            "ClientRead",
            age_s,
            blocking_ddl(plan)[:60],
        )


def _pool_settings(plan: PaymentPlan) -> Table:
    columns = (
        ("pool_name", "TEXT"),
        ("service", "TEXT"),
        ("maximum_pool_size", "INTEGER"),
        ("connection_timeout_ms", "INTEGER"),
        ("leak_detection_threshold_ms", "INTEGER"),
        ("max_lifetime_ms", "INTEGER"),
        ("updated_at", "TEXT"),
    )
    updated_at = iso_seconds(plan.times.begin_at - timedelta(days=41))
    pairs: tuple[tuple[Service, Pool], ...] = (
        (plan.payment, plan.payment_pool),
        (plan.ledger, plan.ledger_pool),
    )
    rows = tuple(
        (
            pool.name,
            service.name,
            pool.total,
            pool.timeout_ms,
            pool.leak_threshold_ms,
            1_800_000,
            updated_at,
        )
        for service, pool in pairs
    )
    return Table("pool_settings", columns, rows)
