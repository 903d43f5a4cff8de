"""Folders that hold nothing but a database and runbooks, made from a seed: a change, and the rows that fail after it."""

import random
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

_SERVICES = ("payout-desk", "visa-intake", "claims-portal", "tax-export", "dock-planner")
_KEYS = ("signing.key_id", "partner.endpoint", "limits.max_items", "retry.window_s", "schema.strict_mode")
_CODES = ("SIG_MISMATCH", "PARTNER_404", "BATCH_TOO_LARGE", "WINDOW_CLOSED", "FIELD_UNKNOWN")
_MESSAGES = (
    "signature does not match the registered key",
    "partner endpoint answered not found",
    "batch holds more items than admitted",
    "retry window closed before the answer",
    "field is not part of the strict schema",
)
_PHRASES = (
    "signing key changed without registering it",
    "partner endpoint changed to a wrong path",
    "item limit lowered below the usual batch",
    "retry window shortened by a setting change",
    "strict schema switched on by a setting change",
)
_TABLES = (("transfers", "created_at"), ("submissions", "received_at"), ("job_runs", "started_at"))


@dataclass
class MadeDb:
    """A made database; without a fault neither change nor failing rows, only the usual few."""

    seed: int
    has_fault: bool = True
    change: str = "own"
    """``own``; ``unrelated`` (another setting), ``others`` (the setting, of another service), or empty for none."""
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"db-{self.seed}")
        self.kind = self.dice.randrange(len(_CODES))
        self.service = self.dice.choice(_SERVICES)
        self.table, self.time = self.dice.choice(_TABLES)
        self.now = datetime(
            2026, self.dice.randint(1, 9), self.dice.randint(1, 27), self.dice.randint(9, 19), 45, tzinfo=UTC
        )
        self.onset = self.now - timedelta(minutes=self.dice.randint(30, 80))
        self.changed = self.onset - timedelta(minutes=self.dice.randint(1, 6))

    @property
    def phrase(self) -> str:
        return _PHRASES[self.kind]

    @property
    def wrong_phrases(self) -> tuple[str, ...]:
        return tuple(phrase for phrase in _PHRASES if phrase != self.phrase)

    @property
    def question(self) -> str:
        return f"Why do {self.table.replace('_', ' ')} of {self.service} fail since {self.onset:%H:%M}?"


def write_db_world(made: MadeDb, path: Path) -> Path:
    """The folder: ``db/ops.sqlite`` and one runbook with every cause."""
    path.mkdir(parents=True)
    (path / "world.yaml").write_text(f"name: db-{made.seed}\nnow: {_iso(made.now)}\ntime_zone: UTC\n")
    (path / "knowledge").mkdir()
    parts = [_section(made, n) for n in range(len(_CODES))]
    head = "# Rows of a batch fail\n\n## Symptoms\n\nRows end as `failed`.\n\n## Possible causes\n\n"
    (path / "knowledge" / "failing-rows.md").write_text(head + "\n\n".join(parts) + "\n")
    (path / "db").mkdir()
    with sqlite3.connect(path / "db" / "ops.sqlite") as link:
        _fill(made, link)
    link.close()
    return path


def _section(made: MadeDb, n: int) -> str:
    return (
        f"### Cause: {_PHRASES[n]}\n\n"
        f"**Signature.** Rows of `{made.table}` carry `error_code={_CODES[n]}` with the message `{_MESSAGES[n]}`; "
        f"shortly before, `config_changes` holds a change of `{_KEYS[n]}`.\n\n"
        "**Action.** Put the old value back after confirmation."
    )


def _fill(made: MadeDb, link: sqlite3.Connection) -> None:
    link.execute(
        f"CREATE TABLE {made.table} (id INTEGER PRIMARY KEY, service TEXT, status TEXT, error_code TEXT,"
        f" error_message TEXT, {made.time} TEXT)"
    )
    link.execute(
        "CREATE TABLE config_changes (id INTEGER PRIMARY KEY, service TEXT, config_key TEXT, old_value TEXT,"
        " new_value TEXT, changed_at TEXT)"
    )
    link.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
    link.executemany("INSERT INTO customers VALUES (?, ?, ?)", [(n, f"c{n}", "Oslo") for n in range(20)])
    link.executemany(f"INSERT INTO {made.table} VALUES (?, ?, ?, ?, ?, ?)", _rows(made))
    link.executemany("INSERT INTO config_changes VALUES (?, ?, ?, ?, ?, ?)", _changes(made))


def _rows(made: MadeDb) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    at = made.now - timedelta(hours=5)
    while at < made.now - timedelta(seconds=60):
        at += timedelta(seconds=made.dice.randint(20, 70))
        fails = made.has_fault and at >= made.onset and made.dice.random() < 0.7
        usual = made.dice.random() < 0.05
        told = ("failed", _CODES[made.kind], _MESSAGES[made.kind]) if fails else ("done", None, None)
        told = ("failed", "CLIENT_ABORT", "client went away") if usual and not fails else told
        rows.append((len(rows) + 1, made.service, *told, _iso(at)))
    return rows


def _changes(made: MadeDb) -> list[tuple[object, ...]]:
    old = [
        (
            n + 1,
            made.service,
            made.dice.choice(("ui.theme", "log.level", "cache.ttl_s")),
            "a",
            "b",
            _iso(made.now - timedelta(days=n + 2)),
        )
        for n in range(5)
    ]
    key = _KEYS[made.kind] if made.change != "unrelated" else "ui.banner"
    who = made.service if made.change != "others" else next(name for name in _SERVICES if name != made.service)
    last = (9, who, key, "v1", f"v{made.dice.randint(2, 9)}", _iso(made.changed))
    return [*old, last] if made.has_fault and made.change else list(old)


def _iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
