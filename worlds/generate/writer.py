"""Writes a world as a folder: the only place of the bundled worlds that touches the file system.

Refuses a folder that already holds something, so nothing of the user is overwritten and no
stale file can be mistaken for evidence.
"""

import csv
import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import yaml

from worlds.generate.model import Alert, Event, Line, Sample, Table, World
from worlds.generate.stamps import iso_offset, iso_seconds, iso_z
from worlds.generate.timeline import Timeline

ALERT_RESEND = timedelta(minutes=4)
"""How far ahead a sender sets `endsAt` of an alert that still fires."""


def write_world(world: World, target: Path) -> Path:
    """Write `world` into `target`, creating it, and return it.

    Raises:
        FileExistsError: `target` exists and is not empty.
    """
    if target.exists() and any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty")
    for part in ("logs", "db", "metrics"):
        (target / part).mkdir(parents=True)
    _write_manifest(world, target / "world.yaml")
    _write_events(world.events, world.times, target / "logs")
    for name, lines in world.text_logs.items():
        _write_lines(lines, target / "logs" / name)
    _write_tables(world.tables, target / "db" / f"{world.database}.sqlite")
    _write_samples(world.samples, target / "metrics" / "series.csv")
    _write_alerts(world.alerts, world.times, target / "alerts.json")
    return target


def _write_manifest(world: World, path: Path) -> None:
    manifest = {
        "name": world.name,
        "description": world.description,
        "now": iso_seconds(world.times.now_at),
        "time_zone": world.times.zone,
        "runbooks": "bundled",
    }
    path.write_text(yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True), encoding="utf-8")


def _write_events(events: Iterable[Event], times: Timeline, folder: Path) -> None:
    by_service: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        by_service[event.service].append(event)
    for rank, (service, own) in enumerate(sorted(by_service.items())):
        # Teams log differently: every third service writes local time with an offset.
        is_local = rank % 3 == 2
        own.sort(key=lambda event: event.at)
        rows = (_event_json(event, times, is_local=is_local) for event in own)
        (folder / f"{service}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _event_json(event: Event, times: Timeline, *, is_local: bool) -> str:
    stamp = iso_offset(times.local(event.at)) if is_local else iso_z(event.at)
    row = {
        "ts": stamp,
        "service": event.service,
        "level": event.level,
        "message": event.message,
        **dict(event.fields),
    }
    return json.dumps(row, ensure_ascii=False)


def _write_lines(lines: Iterable[Line], path: Path) -> None:
    ordered = sorted(lines, key=lambda line: line.at)
    path.write_text("".join(f"{line.text}\n" for line in ordered), encoding="utf-8")


def _write_tables(tables: Iterable[Table], path: Path) -> None:
    connection = sqlite3.connect(path)
    try:
        for table in tables:
            key, *others = (f"{name} {declared}" for name, declared in table.columns)
            columns = ", ".join((f"{key} PRIMARY KEY", *others))
            marks = ", ".join("?" for _ in table.columns)
            connection.execute(f"CREATE TABLE {table.name} ({columns})")
            connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", table.rows)
        connection.commit()
    finally:
        connection.close()


def _write_samples(samples: Iterable[Sample], path: Path) -> None:
    rows = sorted(samples, key=lambda sample: (sample.metric, sample.labels, sample.at))
    names = sorted({name for sample in rows for name, _ in sample.labels})
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("ts", "metric", "value", *names))
        for sample in rows:
            labels = dict(sample.labels)
            cells = (labels.get(name, "") for name in names)
            table.writerow((iso_seconds(sample.at), sample.metric, f"{sample.value:g}", *cells))


def _write_alerts(alerts: Iterable[Alert], times: Timeline, path: Path) -> None:
    rows = [_alert_json(alert, times) for alert in alerts]
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _alert_json(alert: Alert, times: Timeline) -> dict[str, object]:
    print_of = hashlib.sha256(f"{alert.name}/{alert.service}".encode()).hexdigest()[:16]
    return {
        "labels": {
            "alertname": alert.name,
            "service": alert.service,
            "severity": alert.severity,
        },
        "annotations": {"summary": alert.summary},
        "startsAt": iso_z(alert.starts_at),
        "endsAt": iso_z(times.now_at + ALERT_RESEND),
        "updatedAt": iso_z(times.now_at),
        "fingerprint": print_of,
        "receivers": [{"name": "on-call"}],
        "status": {"state": "active", "silencedBy": [], "inhibitedBy": []},
        "generatorURL": "",
    }
