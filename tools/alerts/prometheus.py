"""Prometheus' own alerts as an alert source: ``GET /api/v1/alerts``, and the names of its rules for the catalogue."""

from collections.abc import Iterator

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tools.alerts.entries import held_by, read_entries, read_prometheus
from tools.alerts.port import AlertPage, Holdings, Unread
from tools.http_api import HttpApi
from tools.metrics.prometheus_replies import data_of, warnings_of
from tools.valid_text import valid_text

CAP_BYTES = 8 * 1024 * 1024
MAX_RULES = 5000


class PrometheusAlertSource:
    """Implements ``AlertSource`` over one Prometheus: pending and firing alerts, before any silence."""

    def __init__(self, name: str, api: HttpApi, *, timeout_s: float = 10.0) -> None:
        """``timeout_s`` bounds one look."""
        self.name = name
        self._api = api
        self._timeout_s = timeout_s

    async def alerts(self) -> AlertPage:
        """Every pending and firing alert.

        Raises:
            ToolFailed: RESULT_TOO_LARGE for more than 8 MiB or 10 000 alerts, TOOL_TIMEOUT, else TOOL_EXECUTION_ERROR.
        """
        reply = await self._get("/api/v1/alerts")
        data = data_of(reply)
        page = read_entries(data.get("alerts") if isinstance(data, dict) else None, read_prometheus)
        warned = tuple(Unread(name=one.name, why=one.why) for one in warnings_of(reply))
        return AlertPage(page.alerts, (*page.unread, *warned))

    async def holdings(self) -> Holdings:
        """The alerts of now and the names of all alerting rules.

        Raises:
            ToolFailed: as ``alerts``.
        """
        page = await self.alerts()
        rules = data_of(await self._get("/api/v1/rules", ("type", "alert")))
        return held_by(page, rules=tuple(_rule_names(rules)))

    async def _get(self, path: str, *params: tuple[str, str]) -> object:
        return await self._api.get(path, params, timeout_s=self._timeout_s, cap_bytes=CAP_BYTES)


def _rule_names(data: object) -> Iterator[str]:
    """Names of alerting rules, at most 5000.

    Raises:
        ToolFailed: TOOL_EXECUTION_ERROR: it is no list of rule groups.
    """
    try:
        rules = [rule for group in data["groups"] for rule in group["rules"]]  # type: ignore[index]  # another shape is caught
        names = [rule["name"] for rule in rules[:MAX_RULES] if rule.get("type") == "alerting"]
    except (TypeError, KeyError, AttributeError):
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail="unexpected reply: no rules") from None
    yield from (valid_text(name) for name in names if isinstance(name, str) and name)
