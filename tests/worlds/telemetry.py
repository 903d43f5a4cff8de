"""Reads a generated world folder as a flat list of dated texts, without any product code."""

import csv
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import yaml

STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC|[+-]\d\d:?\d\d)")
CLF = re.compile(r"\[(\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\]")


@dataclass(frozen=True, slots=True)
class Record:
    at: datetime | None
    text: str
    source: str


def manifest(folder: Path) -> dict[str, str]:
    return yaml.safe_load((folder / "world.yaml").read_text(encoding="utf-8"))


def now_of(folder: Path) -> datetime:
    return parse_stamp(manifest(folder)["now"])


def parse_stamp(text: str) -> datetime:
    return datetime.fromisoformat(text.replace(" UTC", "+00:00").replace("Z", "+00:00"))


def text_stamp(line: str) -> datetime | None:
    if clf := CLF.search(line):
        return datetime.strptime(clf[1], "%d/%b/%Y:%H:%M:%S %z")
    found = STAMP.search(line)
    return parse_stamp(found[0]) if found else None


@cache
def json_events(folder: Path) -> list[dict[str, str]]:
    paths = sorted((folder / "logs").glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


@cache
def text_lines(folder: Path) -> list[Record]:
    records: list[Record] = []
    for path in sorted((folder / "logs").glob("*.log")):
        at: datetime | None = None
        for line in path.read_text("utf-8").splitlines():
            at = at if line.startswith("\t") else text_stamp(line)
            records.append(Record(at, line, path.name))
    return records


def n_log_lines(folder: Path) -> int:
    return len(json_events(folder)) + len(text_lines(folder))


@cache
def tables(folder: Path) -> dict[str, tuple[list[tuple[str, str]], list[tuple[object, ...]]]]:
    (path,) = (folder / "db").glob("*.sqlite")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: (_columns(connection, name), list(connection.execute(f"SELECT * FROM {name}"))) for name in names}
    finally:
        connection.close()


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(row[1], row[2]) for row in connection.execute(f"PRAGMA table_info({table})")]


def table_records(folder: Path) -> Iterator[Record]:
    for name, (columns, rows) in tables(folder).items():
        time_at = next((rank for rank, (column, _) in enumerate(columns) if column.endswith("_at")), None)
        for row in rows:
            at = None if time_at is None else parse_stamp(str(row[time_at]))
            yield Record(at, " ".join(str(cell) for cell in row if cell is not None), name)


def read_world(folder: Path) -> list[Record]:
    """Every text a diagnosis could read there, dated where the source dates it."""
    events = [
        Record(parse_stamp(event["ts"]), "\n".join(str(value) for value in event.values()), event["service"])
        for event in json_events(folder)
    ]
    alerts = json.loads((folder / "alerts.json").read_text("utf-8"))
    summaries = [Record(None, alert["annotations"]["summary"], "alerts") for alert in alerts]
    description = Record(None, manifest(folder)["description"], "world.yaml")
    return [*events, *text_lines(folder), *table_records(folder), *summaries, description]


def metric_rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "metrics" / "series.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_utc_2026(at: datetime) -> bool:
    return at.utcoffset() == UTC.utcoffset(None) and at.year == 2026
