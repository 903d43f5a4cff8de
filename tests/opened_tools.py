"""Evidence tools over given sources, opened the way the product opens them."""

from collections.abc import Mapping

from graph.telemetry import Telemetry, ask_holdings, build_tools
from tools.alerts.list_alerts import ListAlerts
from tools.alerts.port import AlertSource
from tools.contract import EvidenceTool
from tools.logs.port import LogSource
from tools.logs.query_logs import QueryLogs
from tools.metrics.port import MetricSource
from tools.metrics.query_metrics import QueryMetrics


async def open_query_logs(sources: Mapping[str, LogSource], *, time_zone: str = "UTC") -> QueryLogs:
    tool = await _opened(Telemetry(logs=sources), time_zone)
    assert isinstance(tool, QueryLogs)
    return tool


async def open_query_metrics(sources: Mapping[str, MetricSource], *, time_zone: str = "UTC") -> QueryMetrics:
    tool = await _opened(Telemetry(metrics=sources), time_zone)
    assert isinstance(tool, QueryMetrics)
    return tool


async def open_list_alerts(sources: Mapping[str, AlertSource]) -> ListAlerts:
    tool = await _opened(Telemetry(alerts=sources), "UTC")
    assert isinstance(tool, ListAlerts)
    return tool


async def _opened(telemetry: Telemetry, time_zone: str) -> EvidenceTool:
    (tool,) = build_tools(telemetry, await ask_holdings(telemetry), time_zone=time_zone).values()
    return tool
