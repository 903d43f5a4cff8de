"""A Prometheus filled with known series, and the same series as a folder; an Alertmanager."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests import servers

HOURS = 8
EVERY_S = 15
SILENT = timedelta(minutes=3)
"""Before now nothing was recorded: a running server lags behind too."""

RULES = """
groups:
- name: g
  rules:
  - alert: AlwaysFiring
    expr: vector(37)
    labels: {severity: page, service: pay}
    annotations: {summary: 'value is {{ $value }}'}
  - alert: StillPending
    expr: vector(1)
    for: 1h
    labels: {service: orders}
  - alert: NeverFiring
    expr: vector(1) > 2
"""
CONFIG = "global: {evaluation_interval: 1s}\nrule_files: [rules.yml]\n"

Row = tuple[str, dict[str, str], float, str]
"""Metric, labels, Unix seconds, value as written."""


@dataclass(frozen=True)
class Filled:
    """What the server and the folder hold."""

    url: str
    now: datetime
    folder: Path
    """The same samples as CSV."""


def sample_rows(now: datetime) -> Iterator[Row]:
    """A gauge with a level shift and one spike of a single sample, one that ends, one with NaN, a counter that restarts."""
    start = now - timedelta(hours=HOURS)
    count = 0
    for n in range(HOURS * 3600 // EVERY_S):
        at = start + timedelta(seconds=EVERY_S * n)
        if at >= now - SILENT:
            return
        age = now - at
        count = 0 if n == 1500 else count + (1 if age > timedelta(minutes=50) else 10)
        wait = 0.1 + (n % 7) / 100 + (2 if age <= timedelta(minutes=50) else 0)
        wait = 9.5 if n == 1560 else wait
        yield "pool_wait_seconds", {"service": "pay", "instance": "10.0.0.1:80"}, at.timestamp(), f"{wait:.2f}"
        yield (
            "pool_wait_seconds",
            {"service": 'or"d\\er', "instance": "x"},
            at.timestamp(),
            "NaN" if n % 400 == 0 else "0.2",
        )
        yield "http_errors_total", {"service": "pay", "code": "500"}, at.timestamp(), str(count)
        if age > timedelta(hours=3):
            yield "batch_size", {"service": "gone"}, at.timestamp(), "5"


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    folder, csv = tmp_path_factory.mktemp("prometheus"), tmp_path_factory.mktemp("series")
    now = datetime.now(UTC).replace(microsecond=0)
    held = sorted(sample_rows(now), key=lambda row: row[0])
    (folder / "series.om").write_text(open_metrics(held))
    (folder / "rules.yml").write_text(RULES)
    write_csv(csv / "series.csv", held)
    command = [
        servers.program("promtool"),
        "tsdb",
        "create-blocks-from",
        "openmetrics",
        str(folder / "series.om"),
        str(folder / "data"),
    ]
    subprocess.run(command, check=True, capture_output=True)
    with servers.prometheus(folder, CONFIG, "--storage.tsdb.retention.time=10y") as server:
        yield Filled(f"http://127.0.0.1:{server.port}", now, csv)


@pytest.fixture(scope="session")
def alertmanager_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    config = "route: {receiver: none}\nreceivers: [{name: none}]\n"
    with servers.alertmanager(tmp_path_factory.mktemp("alertmanager"), config) as server:
        yield f"http://127.0.0.1:{server.port}"


def open_metrics(held: list[Row]) -> str:
    lines = ["# TYPE http_errors counter", "# TYPE pool_wait_seconds gauge", "# UNIT pool_wait_seconds seconds"]
    for metric, labels, at, value in held:
        inner = ",".join(f'{name}="{quoted(text)}"' for name, text in labels.items())
        lines.append(f"{metric}{{{inner}}} {value} {at}")
    return "\n".join([*lines, "# EOF", ""])


def write_csv(path: Path, held: list[Row]) -> None:
    lines = ["ts,metric,value,service,instance,code"]
    for metric, labels, at, value in held:
        service = labels["service"].replace('"', '""')
        lines.append(f'{at},{metric},{value},"{service}",{labels.get("instance", "")},{labels.get("code", "")}')
    path.write_text("\n".join(lines) + "\n")


def quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
