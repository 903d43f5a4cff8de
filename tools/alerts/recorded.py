"""A file of recorded alerts (Alertmanager's list) as an alert source. Read again whenever it changes."""

import asyncio
import json
from datetime import datetime
from pathlib import Path

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, ToolFailed
from tools.alerts.entries import held_by, read_alertmanager, read_entries
from tools.alerts.port import Alert, AlertPage, Holdings
from tools.regular_file import read_regular

MAX_FILE_BYTES = 16 * 1024 * 1024


class RecordedAlertSource:
    """Implements ``AlertSource`` over one file."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    def check(self) -> None:
        """Read it once, before anything depends on it. Blocking.

        Raises:
            Misconfigured: the file, by name: ``alerts`` would fail.
        """
        try:
            self._read()
        except ToolFailed as failed:
            is_large = failed.code is ToolCode.RESULT_TOO_LARGE
            why = "holds more alerts than can be read" if is_large else "cannot be read as a JSON list of alerts"
            raise Misconfigured(self._path.name, why) from failed

    async def alerts(self) -> AlertPage:
        """All recorded alerts.

        Raises:
            ToolFailed: RESULT_TOO_LARGE for more than 16 MiB or 10 000 alerts; TOOL_EXECUTION_ERROR if the file
                cannot be read or is no JSON list.
        """
        return await asyncio.to_thread(self._read)

    async def holdings(self) -> Holdings:
        """What is recorded; ``newest`` can settle the present of a world.

        Raises:
            ToolFailed: as ``alerts``.
        """
        page = await self.alerts()
        return held_by(page, newest=_newest(page.alerts))

    def _read(self) -> AlertPage:
        try:
            data = read_regular(self._path, max_bytes=MAX_FILE_BYTES)
        except OSError as error:
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"{self._path.name}: {error}") from None
        if len(data) > MAX_FILE_BYTES:
            raise ToolFailed(ToolCode.RESULT_TOO_LARGE, log_detail=f"{self._path.name}: over {MAX_FILE_BYTES} bytes")
        return read_entries(_json(data, self._path.name), read_alertmanager)


def _json(data: bytes, name: str) -> object:
    """The JSON value of the file; UTF-8 with or without byte order mark, then GB18030.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is none, or nested too deep.
    """
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        try:
            return json.loads(text, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            break
    raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"{name}: is no JSON")


def _newest(alerts: tuple[Alert, ...]) -> datetime | None:
    """The latest start or update. An end is none: of a firing alert it is only a forecast."""
    return max((at for alert in alerts for at in (alert.starts_at, alert.updated_at) if at is not None), default=None)
