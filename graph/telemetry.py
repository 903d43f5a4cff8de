"""Open sources of evidence by kind, and the tools over them. The world's and the configured ones meet here."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

import structlog

from state.model.errors import Misconfigured, ToolFailed
from tools.alerts import describe as alert_catalogue
from tools.alerts.list_alerts import ListAlerts
from tools.alerts.port import AlertSource
from tools.alerts.port import Holdings as AlertHoldings
from tools.contract import EvidenceTool
from tools.logs import describe as log_catalogue
from tools.logs.port import Holdings as LogHoldings
from tools.logs.port import LogSource
from tools.logs.query_logs import QueryLogs
from tools.metrics import describe as metric_catalogue
from tools.metrics.port import Holdings as MetricHoldings
from tools.metrics.port import MetricSource
from tools.metrics.query_metrics import QueryMetrics
from tools.sql.query_sql import QuerySql
from tools.sql.source import SqlSource

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
TIMEOUT_S = 20.0
SQL_TIMEOUT_S = 5.0
log = structlog.get_logger("graph.telemetry")


@dataclass(frozen=True)
class Telemetry:
    """Open sources by name, one mapping a kind."""

    logs: Mapping[str, LogSource] = field(default_factory=dict)
    databases: Mapping[str, SqlSource] = field(default_factory=dict)
    metrics: Mapping[str, MetricSource] = field(default_factory=dict)
    alerts: Mapping[str, AlertSource] = field(default_factory=dict)
    timeout_s: float = 0.0
    """Longest time that a configured source may take for one call; 0 if none is configured."""

    def __bool__(self) -> bool:
        """True if there is any source."""
        return bool(self.logs or self.databases or self.metrics or self.alerts)

    def joined(self, other: "Telemetry") -> "Telemetry":
        """Both together.

        Raises:
            Misconfigured: a name stands for two sources of one kind.
        """
        return Telemetry(
            logs=_joined("log", self.logs, other.logs),
            databases=_joined("SQL", self.databases, other.databases),
            metrics=_joined("metric", self.metrics, other.metrics),
            alerts=_joined("alert", self.alerts, other.alerts),
            timeout_s=max(self.timeout_s, other.timeout_s),
        )


@dataclass(frozen=True)
class Held:
    """What the sources said they hold."""

    logs: Mapping[str, LogHoldings]
    metrics: Mapping[str, MetricHoldings]
    alerts: Mapping[str, AlertHoldings]
    silent: tuple[str, ...]
    """Names of sources that did not answer; they hold nothing here, and are asked again by every call."""

    @property
    def newest(self) -> datetime | None:
        """The latest record of all sources; None if there is none."""
        every = (
            *(held.newest for held in self.logs.values()),
            *(held.newest for held in self.metrics.values()),
            *(held.newest for held in self.alerts.values()),
        )
        return max((newest for newest in every if newest is not None), default=None)


async def ask_holdings(telemetry: Telemetry) -> Held:
    """What every source but the databases holds now, asked all at once; those know it since they were opened."""
    silent: list[str] = []
    logs, metrics, alerts = await asyncio.gather(
        _asked(telemetry.logs, lambda: LogHoldings(services=()), silent),
        _asked(telemetry.metrics, lambda: MetricHoldings(metrics=(), oldest=None, newest=None), silent),
        _asked(telemetry.alerts, lambda: AlertHoldings(names=(), labels=(), n_alerts=0), silent),
    )
    return Held(logs, metrics, alerts, tuple(dict.fromkeys(silent)))


def build_tools(telemetry: Telemetry, held: Held, *, time_zone: str) -> dict[str, EvidenceTool]:
    """The tools by name; a kind without a source has none. A tool has a second more than its slowest source."""
    tools: list[EvidenceTool] = []
    server_s = telemetry.timeout_s + 1.0
    if telemetry.logs:
        described = log_catalogue.describe(held.logs, time_zone)
        log_terms = log_catalogue.terms(held.logs)
        # It searches twice: the window, and the one before it.
        timeout_s = max(TIMEOUT_S, 2 * server_s)
        tools.append(QueryLogs(telemetry.logs, description=described, catalogue_terms=log_terms, timeout_s=timeout_s))
    if telemetry.databases:
        tools.append(QuerySql(telemetry.databases, timeout_s=max(SQL_TIMEOUT_S, server_s)))
    if telemetry.metrics:
        evaluating = frozenset(name for name, source in telemetry.metrics.items() if source.evaluates)
        described = metric_catalogue.describe(held.metrics, time_zone, evaluating=evaluating)
        metric_terms = metric_catalogue.terms(held.metrics)
        timeout_s = max(TIMEOUT_S, server_s)
        tools.append(
            QueryMetrics(telemetry.metrics, description=described, catalogue_terms=metric_terms, timeout_s=timeout_s)
        )
    if telemetry.alerts:
        described = alert_catalogue.describe(held.alerts)
        alert_terms = alert_catalogue.terms(held.alerts)
        timeout_s = max(TIMEOUT_S, server_s)
        tools.append(
            ListAlerts(telemetry.alerts, description=described, catalogue_terms=alert_terms, timeout_s=timeout_s)
        )
    return {tool.name: tool for tool in tools}


class _Holds(Protocol[T_co]):
    async def holdings(self) -> T_co: ...


async def _asked(sources: Mapping[str, "_Holds[T]"], nothing: Callable[[], T], silent: list[str]) -> dict[str, T]:
    async def ask(name: str, asked: Awaitable[T]) -> T:
        try:
            return await asked
        except ToolFailed as failed:
            log.warning("source did not say what it holds", source=name, error=str(failed))
            silent.append(name)
            return nothing()

    held = await asyncio.gather(*(ask(name, source.holdings()) for name, source in sources.items()))
    return dict(zip(sources, held, strict=True))


def _joined(kind: str, one: Mapping[str, T], other: Mapping[str, T]) -> dict[str, T]:
    if twice := sorted(one.keys() & other.keys()):
        raise Misconfigured(f"sources.{twice[0]}", f"the folder has a {kind} source of that name too; rename one")
    return {**one, **other}
