"""Every world folder has the documented shape, and size enough to search in."""

import json
from pathlib import Path

import pytest
import yaml

from tests.worlds.conftest import BuiltWorlds
from tests.worlds.telemetry import (
    is_utc_2026,
    json_events,
    manifest,
    metric_rows,
    n_log_lines,
    now_of,
    parse_stamp,
    tables,
    text_lines,
)
from worlds import DEFAULT_SEED, bundled_worlds

NAMES = [info.name for info in bundled_worlds()]
LEVELS = {"DEBUG", "INFO", "WARN", "ERROR"}


@pytest.fixture(params=NAMES)
def folder(request: pytest.FixtureRequest, built: BuiltWorlds) -> Path:
    return built[request.param, DEFAULT_SEED, None].folder


def test_folder_holds_the_documented_entries_and_no_knowledge(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"world.yaml", "logs", "db", "metrics", "alerts.json"}


def test_manifest_fixes_now_and_zone(folder: Path) -> None:
    assert set(manifest(folder)) == {"name", "description", "now", "time_zone", "runbooks"}
    assert is_utc_2026(now_of(folder))


def test_structured_records_have_the_required_members(folder: Path) -> None:
    events = json_events(folder)

    assert all({"ts", "service", "level", "message"} <= event.keys() for event in events)
    assert {event["level"] for event in events} <= LEVELS
    assert all(parse_stamp(event["ts"]).tzinfo is not None for event in events)


def test_every_record_lies_before_now(folder: Path) -> None:
    now = now_of(folder)

    assert max(parse_stamp(event["ts"]) for event in json_events(folder)) < now
    assert max(line.at for line in text_lines(folder) if line.at) < now


def test_every_text_line_is_dated_with_a_zone(folder: Path) -> None:
    undated = [line for line in text_lines(folder) if line.at is None or line.at.tzinfo is None]

    assert undated == []


def test_structured_files_are_in_time_order(folder: Path) -> None:
    for path in (folder / "logs").glob("*.jsonl"):
        stamps = [parse_stamp(json.loads(line)["ts"]) for line in path.read_text("utf-8").splitlines()]
        assert stamps == sorted(stamps), path.name


def test_size_is_thousands_of_lines_from_many_services(folder: Path) -> None:
    assert 4000 <= n_log_lines(folder) <= 8000
    assert len({event["service"] for event in json_events(folder)}) >= 5


def test_database_has_plain_tables(folder: Path) -> None:
    held = tables(folder)

    assert 4 <= len(held) <= 6
    assert {declared for columns, _ in held.values() for _, declared in columns} <= {"TEXT", "INTEGER", "REAL"}
    assert sum(len(rows) for _, rows in held.values()) >= 600


def test_database_times_parse(folder: Path) -> None:
    for columns, rows in tables(folder).values():
        for rank in (rank for rank, (name, _) in enumerate(columns) if name.endswith("_at")):
            assert all(parse_stamp(str(row[rank])).tzinfo for row in rows if row[rank] is not None)


def test_metrics_and_alerts_parse(folder: Path) -> None:
    rows = metric_rows(folder)
    alerts = json.loads((folder / "alerts.json").read_text("utf-8"))

    assert {"ts", "metric", "value"} <= rows[0].keys()
    assert all(float(row["value"]) >= 0 and parse_stamp(row["ts"]) for row in rows)
    assert all(alert["status"]["state"] == "active" and alert["fingerprint"] for alert in alerts)


def test_manifest_is_plain_yaml_text(folder: Path) -> None:
    assert all(isinstance(value, str) for value in yaml.safe_load((folder / "world.yaml").read_text("utf-8")).values())
