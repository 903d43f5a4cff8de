"""Tables that record changes: deployments, settings, schema migrations; months of history each.

History keeps a distance from the onset, so what a world places near it stands out in time only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from worlds.generate.dice import Dice, draw_hex, draw_word
from worlds.generate.model import Scalar, Table
from worlds.generate.speech import Service
from worlds.generate.stamps import iso_seconds
from worlds.generate.timeline import Timeline

HISTORY_DAYS = 90
QUIET_H = 5
"""Hours before the onset in which history holds nothing."""
PEOPLE = ("ci-bot", "argo-sync", "m.keller", "j.okafor", "li.na", "s.duarte", "release-train")


@dataclass(frozen=True, slots=True)
class Rollout:
    """A deployment that a world places deliberately."""

    service: Service
    version: str
    previous: str
    at: datetime
    paths: str
    """Changed source files, separated by `; `."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A change of one setting."""

    service: str
    name: str
    old: str
    new: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Migration:
    """A schema migration; `finished_at` is None while it still runs."""

    script: str
    statement: str
    started_at: datetime
    finished_at: datetime | None


def rollout_of(service: Service, paths: str) -> Rollout:
    """Return the rollout that `service` went through at its own change instant."""
    return Rollout(service, service.next_version, service.version, service.rolled_out_at, paths)


def past_instants(dice: Dice, times: Timeline, n: int) -> list[datetime]:
    """Return `n` ordered instants of the history window."""
    latest = times.onset_at - timedelta(hours=QUIET_H)
    span_s = HISTORY_DAYS * 86_400
    return sorted(latest - timedelta(seconds=dice.randrange(span_s)) for _ in range(n))


def deployments_table(
    name: str, dice: Dice, times: Timeline, services: Sequence[Service], placed: Sequence[Rollout]
) -> Table:
    """Return two hundred past deployments of `services` and the placed ones."""
    past = [_past_rollout(dice, services, at) for at in past_instants(dice, times, 200)]
    ordered = sorted((*past, *placed), key=lambda rollout: rollout.at)
    columns = (
        ("id", "INTEGER"),
        ("service", "TEXT"),
        ("version", "TEXT"),
        ("previous_version", "TEXT"),
        ("started_at", "TEXT"),
        ("finished_at", "TEXT"),
        ("deployed_by", "TEXT"),
        ("commit_sha", "TEXT"),
        ("changed_paths", "TEXT"),
        ("status", "TEXT"),
    )
    rows = tuple(_rollout_row(dice, 4000 + rank, one) for rank, one in enumerate(ordered))
    return Table(name, columns, rows)


def _past_rollout(dice: Dice, services: Sequence[Service], at: datetime) -> Rollout:
    service = services[dice.randrange(len(services))]
    major, minor, _ = service.version.split(".")
    age = dice.randrange(1, 3)
    older, oldest = max(int(minor) - age, 1), max(int(minor) - age - 1, 0)
    patch = dice.randrange(9)
    paths = "; ".join(sorted({_past_path(dice) for _ in range(dice.randrange(1, 4))}))
    return Rollout(service, f"{major}.{older}.{patch}", f"{major}.{oldest}.{patch}", at, paths)


def _past_path(dice: Dice) -> str:
    folder = draw_word(dice, ("api", "web", "domain", "client", "config", "mapping"))
    stem = draw_word(dice, ("HealthController", "DtoMapper", "ClockConfig", "MessageTexts", "RequestFilter"))
    return f"src/main/java/{folder}/{stem}.java"


def _rollout_row(dice: Dice, key: int, rollout: Rollout) -> tuple[Scalar, ...]:
    took = timedelta(seconds=dice.randrange(90, 170))
    return (
        key,
        rollout.service.name,
        rollout.version,
        rollout.previous,
        iso_seconds(rollout.at),
        iso_seconds(rollout.at + took),
        draw_word(dice, PEOPLE),
        draw_hex(dice, 10),
        rollout.paths,
        "succeeded",
    )


def settings_table(name: str, dice: Dice, times: Timeline, services: Sequence[str], placed: Sequence[Setting]) -> Table:
    """Return past changes of ordinary settings and the placed ones."""
    past = [_past_setting(dice, services, at) for at in past_instants(dice, times, 150)]
    ordered = sorted((*past, *placed), key=lambda setting: setting.at)
    columns = (
        ("id", "INTEGER"),
        ("service", "TEXT"),
        ("setting", "TEXT"),
        ("old_value", "TEXT"),
        ("new_value", "TEXT"),
        ("changed_at", "TEXT"),
        ("changed_by", "TEXT"),
    )
    rows = tuple(
        (
            700 + rank,
            one.service,
            one.name,
            one.old,
            one.new,
            iso_seconds(one.at),
            draw_word(dice, PEOPLE),
        )
        for rank, one in enumerate(ordered)
    )
    return Table(name, columns, rows)


def _past_setting(dice: Dice, services: Sequence[str], at: datetime) -> Setting:
    names = (
        ("logging.level.root", ("INFO", "WARN", "DEBUG")),
        ("http.client.connect_timeout_ms", ("500", "800", "1000")),
        ("feature.new_header", ("true", "false")),
        ("cache.ttl_s", ("60", "120", "300")),
        ("replicas.min", ("2", "3", "4")),
        ("metrics.sample_ratio", ("0.05", "0.1", "0.2")),
    )
    name, values = names[dice.randrange(len(names))]
    old, new = dice.sample(values, 2)
    return Setting(draw_word(dice, services), name, old, new, at)


def migrations_table(
    name: str, dice: Dice, times: Timeline, tables: Sequence[str], placed: Sequence[Migration]
) -> Table:
    """Return past schema migrations and the placed ones, as a migration tool records them."""
    past = [_past_migration(dice, tables, at) for at in past_instants(dice, times, 110)]
    ordered = sorted((*past, *placed), key=lambda migration: migration.started_at)
    columns = (
        ("installed_rank", "INTEGER"),
        ("version", "TEXT"),
        ("script", "TEXT"),
        ("statement_head", "TEXT"),
        ("started_at", "TEXT"),
        ("finished_at", "TEXT"),
        ("applied_by", "TEXT"),
    )
    rows = tuple(_migration_row(rank + 1, one) for rank, one in enumerate(ordered))
    return Table(name, columns, rows)


def _past_migration(dice: Dice, tables: Sequence[str], at: datetime) -> Migration:
    table, column = draw_word(dice, tables), draw_word(dice, ("note", "origin", "locale", "tag"))
    number = dice.randrange(100)
    statement, script = (
        (f"ALTER TABLE {table} ADD COLUMN {column}_{number} text", f"add_{column}_to_{table}"),
        (f"CREATE TABLE {table}_archive_{number} (LIKE {table})", f"archive_{table}"),
        (f"COMMENT ON TABLE {table} IS 'owner {number}'", f"comment_{table}"),
        (f"CREATE VIEW {table}_v{number} AS SELECT id FROM {table}", f"view_{table}"),
    )[dice.randrange(4)]
    return Migration(script, statement, at, at + timedelta(seconds=dice.randrange(1, 9)))


def _migration_row(rank: int, migration: Migration) -> tuple[Scalar, ...]:
    finished = migration.finished_at
    return (
        rank,
        str(100 + rank),
        f"V{100 + rank}__{migration.script}.sql",
        migration.statement,
        iso_seconds(migration.started_at),
        iso_seconds(finished) if finished else None,
        "migrator",
    )
