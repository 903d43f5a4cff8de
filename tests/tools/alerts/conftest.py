"""Builders for alerts as Alertmanager lists them."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from state.model.evidence import Window
from tests.opened_tools import open_list_alerts
from tools.alerts.recorded import RecordedAlertSource
from tools.alerts.request import ListAlertsInput
from tools.contract import CallContext

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def entry(
    name: str = "HighErrorRate", *, start: str = "10:40:00", state: str = "active", **more: object
) -> dict[str, object]:
    labels = {"alertname": name, "service": "pay", **more.pop("labels", {})}
    return {
        "labels": labels,
        "annotations": {"summary": f"{name} is firing"},
        "startsAt": f"2026-11-30T{start}Z",
        "endsAt": "2026-11-30T12:04:00Z",
        "updatedAt": "2026-11-30T11:59:30Z",
        "status": {"state": state, "silencedBy": [], "inhibitedBy": []},
        **more,
    }


def context(*, now: datetime = NOW, zone: str = "UTC") -> CallContext:
    window = Window(start=now - timedelta(hours=2), end=now)
    return CallContext(now=now, time_zone=zone, default_window=window, kb_scope="x")


class AlertFile:
    """A file under test and the tool over it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, content: object) -> None:
        self.path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())

    def source(self) -> RecordedAlertSource:
        return RecordedAlertSource("alerts", self.path)

    def ask(self, *, zone: str = "UTC", now: datetime = NOW, **arguments: object):
        """The projection of one call, made as the boundary makes it."""
        return asyncio.run(self._ask(zone, now, arguments))[1]

    def raw(self, *, zone: str = "UTC", now: datetime = NOW, **arguments: object):
        return asyncio.run(self._ask(zone, now, arguments))[0]

    async def _ask(self, zone: str, now: datetime, arguments: dict[str, object]):
        tool = await open_list_alerts({"alerts": self.source()})
        prepared = tool.prepare(ListAlertsInput.model_validate(arguments), context(now=now, zone=zone))
        raw = await tool.execute(prepared, context(now=now, zone=zone))
        return raw, tool.project("c1", prepared, raw)


@pytest.fixture
def alerts(tmp_path: Path) -> AlertFile:
    return AlertFile(tmp_path / "alerts.json")
