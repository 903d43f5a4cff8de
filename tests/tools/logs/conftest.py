"""Builders for log folders; everything is written for real and read back through the source."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from state.model.evidence import Window
from tests.opened_tools import open_query_logs
from tools.contract import CallContext
from tools.logs.folder_source import FolderLogSource
from tools.logs.request import QueryLogsInput

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def window(start: str = "2026-11-30T00:00:00", end: str = "2026-11-30T12:00:00") -> Window:
    return Window(start=at(start), end=at(end))


class LogFolder:
    """A folder under test and the tool over it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, content: str | bytes) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def source(self, zone: str = "UTC", now: datetime = NOW) -> FolderLogSource:
        return FolderLogSource("logs", self.path, time_zone=zone, now=now)

    def ask(self, *, zone: str = "UTC", now: datetime = NOW, span: Window | None = None, **arguments: object):
        """The projection of one call, made as the boundary makes it."""
        return asyncio.run(self._ask(zone, now, span, arguments))[1]

    def raw(self, *, zone: str = "UTC", now: datetime = NOW, span: Window | None = None, **arguments: object):
        return asyncio.run(self._ask(zone, now, span, arguments))[0]

    async def _ask(self, zone: str, now: datetime, span: Window | None, arguments: dict[str, object]):
        tool = await open_query_logs({"logs": self.source(zone, now)}, time_zone=zone)
        default = span or Window(start=now - timedelta(hours=12), end=now)
        context = CallContext(now=now, time_zone=zone, default_window=default, kb_scope="x")
        prepared = tool.prepare(QueryLogsInput.model_validate({"source": "logs", **arguments}), context)
        raw = await tool.execute(prepared, context)
        return raw, tool.project("c1", prepared, raw)


@pytest.fixture
def logs(tmp_path: Path) -> LogFolder:
    return LogFolder(tmp_path)
