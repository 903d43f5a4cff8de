"""An Alertmanager as an alert source: ``GET /api/v2/alerts``, nothing else."""

from tools.alerts.entries import held_by, read_alertmanager, read_entries
from tools.alerts.port import AlertPage, Holdings
from tools.http_api import HttpApi

CAP_BYTES = 8 * 1024 * 1024
_ALL = (("active", "true"), ("silenced", "true"), ("inhibited", "true"), ("unprocessed", "true"))


class AlertmanagerAlertSource:
    """Implements ``AlertSource`` over one Alertmanager."""

    def __init__(self, name: str, api: HttpApi, *, timeout_s: float = 10.0) -> None:
        """``timeout_s`` bounds one look."""
        self.name = name
        self._api = api
        self._timeout_s = timeout_s

    async def alerts(self) -> AlertPage:
        """Every alert it has, the silenced and inhibited ones too; it forgets resolved ones by itself.

        Raises:
            ToolFailed: RESULT_TOO_LARGE for more than 8 MiB or 10 000 alerts, TOOL_TIMEOUT, else TOOL_EXECUTION_ERROR.
        """
        reply = await self._api.get("/api/v2/alerts", _ALL, timeout_s=self._timeout_s, cap_bytes=CAP_BYTES)
        return read_entries(reply, read_alertmanager)

    async def holdings(self) -> Holdings:
        """The alerts of now.

        Raises:
            ToolFailed: as ``alerts``.
        """
        return held_by(await self.alerts())
