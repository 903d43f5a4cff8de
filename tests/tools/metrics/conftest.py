"""Builders for folders of recorded series; everything is written for real and read back through the source."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from state.model.evidence import Window
from tests.opened_tools import open_query_metrics
from tools.contract import CallContext
from tools.metrics.recorded import RecordedMetricSource
from tools.metrics.request import QueryMetricsInput

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-30T{text}").replace(tzinfo=UTC)


def rows(metric: str, values: Iterable[float | str], *, start: datetime, every_s: float = 60, **labels: str) -> str:
    lines = [
        f"{(start + timedelta(seconds=every_s * n)).isoformat()},{metric},{value}" for n, value in enumerate(values)
    ]
    tail = "".join(f",{labels[name]}" for name in sorted(labels))
    return "".join(f"{line}{tail}\n" for line in lines)


def header(*labels: str) -> str:
    return ",".join(("ts", "metric", "value", *sorted(labels))) + "\n"


class MetricFolder:
    """A folder under test and the tool over it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, content: str | bytes) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def series(
        self, metric: str, values: Iterable[float | str], *, start: str = "08:00:00", every_s: float = 60, **labels: str
    ) -> None:
        name = f"{len(list(self.path.glob('*.csv')))}.csv"
        self.write(name, header(*labels) + rows(metric, values, start=at(start), every_s=every_s, **labels))

    def source(self, zone: str = "UTC") -> RecordedMetricSource:
        return RecordedMetricSource("metrics", self.path, time_zone=zone)

    def ask(self, *, zone: str = "UTC", now: datetime = NOW, **arguments: object):
        """The projection of one call, made as the boundary makes it."""
        return asyncio.run(self._ask(zone, now, arguments))[1]

    def raw(self, *, zone: str = "UTC", now: datetime = NOW, **arguments: object):
        return asyncio.run(self._ask(zone, now, arguments))[0]

    async def _ask(self, zone: str, now: datetime, arguments: Mapping[str, object]):
        tool = await open_query_metrics({"metrics": self.source(zone)}, time_zone=zone)
        prepared = tool.prepare(QueryMetricsInput.model_validate(arguments), context(now=now, zone=zone))
        raw = await tool.execute(prepared, context(now=now, zone=zone))
        return raw, tool.project("c1", prepared, raw)


def context(*, now: datetime = NOW, zone: str = "UTC") -> CallContext:
    window = Window(start=now - timedelta(hours=2), end=now)
    return CallContext(now=now, time_zone=zone, default_window=window, kb_scope="x")


@pytest.fixture
def metrics(tmp_path: Path) -> MetricFolder:
    return MetricFolder(tmp_path)
