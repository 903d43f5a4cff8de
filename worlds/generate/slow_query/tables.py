"""The database of the slow-query family: requests, changes, indexes and scan counters."""

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
from worlds.generate.slow_query.lookups import Lookup
from worlds.generate.slow_query.plan import SlowFault, SlowPlan
from worlds.generate.stamps import iso_seconds
from worlds.generate.timeline import every


def build_tables(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> tuple[Table, ...]:
    """Return the six tables of the database."""
    return _requests(lookups), *_changes(plan), _indexes(plan), _scans(plan, lookups)


def _requests(lookups: tuple[Lookup, ...]) -> Table:
    columns = (
        ("request_id", "INTEGER"),
        ("requested_at", "TEXT"),
        ("lookup_key", "TEXT"),
        ("took_ms", "INTEGER"),
        ("trace_id", "TEXT"),
    )
    rows = tuple((one.number, iso_seconds(one.at), one.key, one.took_ms, one.trace) for one in lookups)
    return Table("lookup_requests", columns, rows)


def _changes(plan: SlowPlan) -> tuple[Table, ...]:
    subject, times = plan.subject, plan.times
    dice = dice_for(plan.seed, "slow-query", "changes")
    stem = "".join(part.title() for part in subject.table.split("_"))
    rollouts = (
        rollout_of(plan.search, f"src/main/java/search/{stem}Repository.java; db/migration"),
        rollout_of(plan.billing, "src/main/java/rules/SurchargeTable.java"),
    )
    earlier = times.onset_at - timedelta(minutes=27)
    setting = Setting(plan.portal.name, "search.page_size", "20", "50", earlier)
    names = tuple(service.name for service in plan.services)
    return (
        deployments_table(plan.deployments, dice, times, plan.services, rollouts),
        settings_table("config_changes", dice, times, names, (setting,)),
        migrations_table("schema_migrations", dice, times, plan.tables, (_migration(plan),)),
    )


def _migration(plan: SlowPlan) -> Migration:
    done = plan.migrated_at + timedelta(seconds=1)
    if plan.fault is SlowFault.INDEX_DROPPED:
        return Migration(f"drop_{plan.index}", f"DROP INDEX {plan.index}", plan.migrated_at, done)
    comment = f"COMMENT ON COLUMN {plan.subject.table}.status IS 'see handbook'"
    return Migration(f"comment_{plan.subject.table}", comment, plan.migrated_at, done)


def _indexes(plan: SlowPlan) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("captured_at", "TEXT"),
        ("table_name", "TEXT"),
        ("index_name", "TEXT"),
        ("size_mb", "INTEGER"),
    )
    sizes = {name: 12 + 31 * rank for rank, name in enumerate(_index_names(plan))}
    rows: list[tuple[Scalar, ...]] = []
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=900):
        for table, index in _present_indexes(plan, at):
            rows.append((len(rows) + 1, iso_seconds(at), table, index, sizes[index]))
    return Table("index_inventory", columns, tuple(rows))


def _index_names(plan: SlowPlan) -> tuple[str, ...]:
    return (
        plan.index,
        *(f"{table}_pkey" for table in plan.tables),
        "customers_city",
        "addresses_postcode",
        "audit_notes_created_at",
    )


def _present_indexes(plan: SlowPlan, at: datetime) -> Iterator[tuple[str, str]]:
    for index in _index_names(plan):
        is_gone = plan.fault is SlowFault.INDEX_DROPPED and index == plan.index and at > plan.migrated_at
        if not is_gone:
            owner = next(table for table in plan.tables if f"{table}_" in f"{index}_")
            yield owner, index


def _scans(plan: SlowPlan, lookups: tuple[Lookup, ...]) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("sampled_at", "TEXT"),
        ("table_name", "TEXT"),
        ("seq_scan", "INTEGER"),
        ("idx_scan", "INTEGER"),
        ("n_live_tup", "INTEGER"),
    )
    dice = dice_for(plan.seed, "slow-query", "scans")
    rows: list[tuple[Scalar, ...]] = []
    for at in every(plan.times.begin_at, plan.times.now_at, step_s=300):
        for rank, table in enumerate(plan.tables):
            counters = _counters(plan, lookups, at, rank, dice)
            rows.append((len(rows) + 1, iso_seconds(at), table, *counters))
    return Table("table_scan_stats", columns, tuple(rows))


def _counters(plan: SlowPlan, lookups: tuple[Lookup, ...], at: datetime, rank: int, dice: Dice) -> tuple[int, int, int]:
    """Return cumulative sequential and index scans, and the live rows, of one table."""
    n_minutes = int((at - plan.times.begin_at).total_seconds() // 60)
    if rank > 0:
        return 40 + rank, 90_000 * rank + n_minutes * 11 + dice.randrange(9), 7_000 * rank
    n_slow = sum(1 for one in lookups if one.at < at and one.is_slow)
    n_quick = sum(1 for one in lookups if one.at < at and not one.is_slow)
    return 12 + n_slow, 4_100_000 + n_quick, plan.n_table_rows
