"""The systems named under ``sources:`` of the settings, opened as sources of evidence.

One that does not answer is left out and named; one that is wrongly configured, or could be written to, stops the start.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from ssl import create_default_context

import structlog

from config.secret_ref import read_header_secret, read_secret
from config.settings import Settings
from config.sources import (
    AlertmanagerSource,
    ElasticsearchSource,
    LogFolderSource,
    LokiSource,
    McpSource,
    MysqlSource,
    PostgresSource,
    PrometheusSource,
    Source,
    SqliteSource,
)
from graph.telemetry import Telemetry
from state.model.errors import AccountCanWrite, Misconfigured, SourceUnreachable, ToolFailed
from state.ports import Clock
from tools.alerts.alertmanager import AlertmanagerAlertSource
from tools.alerts.port import AlertSource
from tools.alerts.prometheus import PrometheusAlertSource
from tools.contract import EvidenceTool
from tools.http_api import HttpApi, HttpEndpoint
from tools.logs.elastic_fields import Dialect, ElasticView
from tools.logs.elastic_source import ElasticLogSource
from tools.logs.folder_source import FolderLogSource
from tools.logs.loki_logql import LokiView
from tools.logs.loki_source import LokiLogSource
from tools.logs.port import LogSource
from tools.mcp.naming import registered_names
from tools.metrics.port import MetricSource
from tools.metrics.prometheus import PrometheusMetricSource
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server import Offer, SqlServer
from tools.sql.server_source import ServerSource
from tools.sql.source import SqlSource
from tools.sql.sqlite_source import open_sqlite_file

ADMINISTRATORS = frozenset({"postgres", "root", "mysql"})
log = structlog.get_logger("graph.configured_sources")


@dataclass(frozen=True)
class Configured:
    """What of the settings is open."""

    telemetry: Telemetry
    mcp_tools: Mapping[str, EvidenceTool]
    unreachable: tuple[SourceUnreachable, ...]
    """One for each source that did not answer; nothing of it is registered."""


@dataclass
class _Opening:
    """Sources as they are opened, and what is needed for it."""

    zone: str
    clock: Clock
    closing: AsyncExitStack
    logs: dict[str, LogSource] = field(default_factory=dict)
    databases: dict[str, SqlSource] = field(default_factory=dict)
    metrics: dict[str, MetricSource] = field(default_factory=dict)
    alerts: dict[str, AlertSource] = field(default_factory=dict)
    mcp_tools: dict[str, EvidenceTool] = field(default_factory=dict)
    unreachable: list[SourceUnreachable] = field(default_factory=list)


@asynccontextmanager
async def open_configured(settings: Settings, zone: str, clock: Clock) -> AsyncIterator[Configured]:
    """The configured systems, closed at the end.

    Raises:
        Misconfigured: a source cannot be used as it is configured, or its account can write.
    """
    registered_names({name: tuple(one.tools) for name, one in settings.sources.items() if isinstance(one, McpSource)})
    async with AsyncExitStack() as closing:
        opening = _Opening(zone, clock, closing)
        for name, source in settings.sources.items():
            await _reached(opening, _open(opening, name, source))
        if opening.metrics and not opening.alerts:
            _use_alerts_of_prometheus(opening, settings)
        slowest_s = max((getattr(source, "timeout_s", 0.0) for source in settings.sources.values()), default=0.0)
        telemetry = Telemetry(opening.logs, opening.databases, opening.metrics, opening.alerts, slowest_s)
        yield Configured(telemetry, opening.mcp_tools, tuple(opening.unreachable))


async def _reached(opening: _Opening, work: Awaitable[None]) -> None:
    try:
        await work
    except SourceUnreachable as unreachable:
        log.warning("source left out", error=str(unreachable))
        opening.unreachable.append(unreachable)


async def _open(opening: _Opening, name: str, source: Source) -> None:
    await asyncio.to_thread(_check_certificates, name, source)
    match source:
        case LokiSource():
            view = LokiView(source.selector, source.service_label, source.level_label, source.tenant)
            loki = LokiLogSource(
                name, endpoint_of(name, source), view, time_zone=opening.zone, timeout_s=source.timeout_s,
                clock=opening.clock,
            )  # fmt: skip
            opening.closing.push_async_callback(loki.aclose)
            opening.logs[name] = loki
        case ElasticsearchSource():
            elastic = ElasticLogSource(
                name, endpoint_of(name, source), _elastic_view(source), time_zone=opening.zone,
                timeout_s=source.timeout_s, clock=opening.clock,
            )  # fmt: skip
            opening.closing.push_async_callback(elastic.aclose)
            opening.logs[name] = elastic
        case LogFolderSource():
            opening.logs[name] = _log_folder(opening, name, source)
        case PostgresSource() | MysqlSource():
            opening.databases[name] = await _server(opening, name, source)
        case SqliteSource():
            opening.databases[name] = await asyncio.to_thread(
                open_sqlite_file, source.path, clock=opening.clock, allowlist=source.allowlist
            )
        case PrometheusSource():
            opening.metrics[name] = PrometheusMetricSource(
                name, _api(opening, name, source), clock=opening.clock, metrics=source.metrics,
                timeout_s=source.timeout_s,
            )  # fmt: skip
        case AlertmanagerSource():
            opening.alerts[name] = AlertmanagerAlertSource(
                name, _api(opening, name, source), timeout_s=source.timeout_s
            )
        case McpSource():
            opened = await asyncio.to_thread(_mcp_opener)
            opening.mcp_tools |= await opening.closing.enter_async_context(opened({name: source}, opening.clock))


def _mcp_opener() -> "Callable[[Mapping[str, McpSource], Clock], AbstractAsyncContextManager[dict[str, EvidenceTool]]]":
    """``open_mcp_tools``, imported where a server is configured: its library takes half a second. Blocking."""
    from tools.mcp.opening import open_mcp_tools

    return open_mcp_tools


def _check_certificates(name: str, source: Source) -> None:
    """Return if the certificates that the source names, if any, can be used.

    Raises:
        Misconfigured: there is no such file, or it holds none.
    """
    ca_file = getattr(source, "ca_file", None)
    if ca_file is None:
        return
    try:
        create_default_context(cafile=ca_file)
    except FileNotFoundError:
        raise Misconfigured(f"sources.{name}.ca_file", "there is no such file") from None
    except OSError:
        raise Misconfigured(f"sources.{name}.ca_file", f"{ca_file} holds no certificates that can be read") from None


def _use_alerts_of_prometheus(opening: _Opening, settings: Settings) -> None:
    for name, source in settings.sources.items():
        if isinstance(source, PrometheusSource):
            api = _api(opening, name, source)
            opening.alerts[name] = PrometheusAlertSource(name, api, timeout_s=source.timeout_s)


async def _server(opening: _Opening, name: str, source: PostgresSource | MysqlSource) -> ServerSource:
    """The datasource, whose account surely cannot write.

    Raises:
        SourceUnreachable: the server cannot be asked.
        AccountCanWrite: the account may do more than read.
        Misconfigured: the allowlist does not fit, or the password cannot be read.
    """
    offer = Offer(source.allowlist, source.masked, source.max_plan_cost)
    vendor = PostgresSqlSource if isinstance(source, PostgresSource) else MysqlSqlSource
    opened: ServerSource = await vendor.open(server_of(name, source), offer, clock=opening.clock)
    opening.closing.callback(opened.close)
    try:
        findings = await opened.check_read_only()
    except ToolFailed as failed:
        raise SourceUnreachable(f"sources.{name}", "the server could not say what its account may do") from failed
    if findings:
        # Taking rights away from an administrator would harm the server.
        is_admin = source.user in ADMINISTRATORS
        repairs = [(finding.sentence, "" if is_admin else finding.repair) for finding in findings]
        raise AccountCanWrite(f"sources.{name}.user", repairs)
    return opened


def server_of(name: str, source: PostgresSource | MysqlSource) -> SqlServer:
    """Where the database is and who asks, its password read.

    Raises:
        Misconfigured: the password cannot be read.
    """
    password = read_secret(f"sources.{name}.password", source.password) if source.password else None
    return SqlServer(
        name=name,
        host=source.host,
        port=source.port,
        database=source.database,
        user=source.user,
        password=password,
        tls=source.tls,
        ca_file=source.ca_file,
        timeout_s=source.timeout_s,
    )


def endpoint_of(
    name: str, source: LokiSource | ElasticsearchSource | PrometheusSource | AlertmanagerSource
) -> HttpEndpoint:
    """Address and credentials of an HTTP source, its secrets read.

    Raises:
        Misconfigured: a secret cannot be read, or there is more than one kind of credentials.
    """
    key = f"sources.{name}"
    api_key = source.api_key if isinstance(source, ElasticsearchSource) else None
    given = [label for label, one in (("password", source.user), ("token", source.token), ("api_key", api_key)) if one]
    if len(given) > 1:
        raise Misconfigured(key, f"one kind of credentials is expected, not {' and '.join(given)}")
    headers = {}
    if source.token:
        headers["authorization"] = f"Bearer {read_header_secret(f'{key}.token', source.token)}"
    if api_key:
        headers["authorization"] = f"ApiKey {read_header_secret(f'{key}.api_key', api_key)}"
    password = read_secret(f"{key}.password", source.password) if source.password else ""
    return HttpEndpoint(source.url, headers, (source.user, password) if source.user else None, source.ca_file)


def _api(opening: _Opening, name: str, source: PrometheusSource | AlertmanagerSource) -> HttpApi:
    api = HttpApi(endpoint_of(name, source))
    opening.closing.push_async_callback(api.aclose)
    return api


def _elastic_view(source: ElasticsearchSource) -> ElasticView:
    return ElasticView(
        index=source.index,
        dialect=Dialect(source.kind),
        time_field=source.time_field,
        service_field=source.service_field,
        level_field=source.level_field,
        message_field=source.message_field,
    )


def _log_folder(opening: _Opening, name: str, source: LogFolderSource) -> LogSource:
    if not source.path.is_dir():
        raise Misconfigured(f"sources.{name}.path", f"there is no folder {source.path}")
    return FolderLogSource(name, source.path, time_zone=opening.zone, now=opening.clock.now())
