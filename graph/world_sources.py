"""The embedded sources of one world folder: log files, SQLite databases, recorded metrics and alerts."""

from graph.telemetry import Telemetry
from state.model.world import SourceKind, World, WorldSource
from state.ports import Clock
from tools.alerts.recorded import RecordedAlertSource
from tools.logs.folder_source import FolderLogSource
from tools.metrics.recorded import RecordedMetricSource
from tools.sql.source import SqlSource
from tools.sql.sqlite_source import open_sql_script, open_sqlite_file


def open_world_sources(world: World, zone: str, clock: Clock) -> Telemetry:
    """The sources of the folder. Blocking.

    Raises:
        Misconfigured: one of them cannot be used.
    """
    now = world.now or clock.now()
    logs, databases, metrics, alerts = (
        world.of_kind(kind) for kind in (SourceKind.LOGS, SourceKind.SQL, SourceKind.METRICS, SourceKind.ALERTS)
    )
    return Telemetry(
        logs={one.name: FolderLogSource(one.name, one.path, time_zone=zone, now=now) for one in logs},
        databases={one.name: _open_database(world, one, clock) for one in databases},
        metrics={one.name: _open_metrics(one, zone) for one in metrics},
        alerts={one.name: _open_alerts(one) for one in alerts},
    )


def _open_metrics(source: WorldSource, zone: str) -> RecordedMetricSource:
    opened = RecordedMetricSource(source.name, source.path, time_zone=zone)
    opened.check()
    return opened


def _open_alerts(source: WorldSource) -> RecordedAlertSource:
    opened = RecordedAlertSource(source.name, source.path)
    opened.check()
    return opened


def _open_database(world: World, source: WorldSource, clock: Clock) -> SqlSource:
    opener = open_sql_script if source.path.suffix == ".sql" else open_sqlite_file
    return opener(source.path, clock=clock, allowlist=world.allowlists.get(source.name))
