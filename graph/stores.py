"""Everything a run writes, in embedded files of the home folder or on the configured servers. Closed together.

A server that is configured and cannot be used is an error that names it; it is never replaced by a file.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from pydantic import SecretStr

from config.limits import CHECKPOINT_DAYS
from config.settings import Settings
from graph.system import SystemClock
from state.model.ids import RunId
from state.model.run import Lease
from state.ports import CanonicalStore, Clock
from state.stores.audit_sql import SqlAuditLog, audit_file
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.checkpoints import CheckpointFile, open_checkpointer
from state.stores.control_sql import SqlControlStore, control_file
from state.stores.postgres_checkpoints import open_postgres_checkpointer
from state.stores.recording_sql import SqlRecording
from state.stores.recording_sqlite import SqliteRecording
from state.stores.records import RecordStores, open_records_database
from state.stores.retention import sweep_retention
from state.stores.server_url import is_postgres, split_password
from state.stores.service_sql import SqlServiceStore, service_file

if TYPE_CHECKING:
    from state.stores.checkpoints_postgres import HeldLease, PostgresCheckpoints

CONTROL_FILE, AUDIT_FILE, CANONICAL_FILE = "control.db", "audit.db", "canonical.db"
CHECKPOINT_FILE, RECORDING_FILE = "checkpoints.db", "recording.db"
log = structlog.get_logger("graph.stores")


@dataclass(frozen=True)
class Stores:
    """Everything a run writes."""

    home: Path
    clock: Clock
    control: SqlControlStore
    canonical: CanonicalStore
    audit: SqlAuditLog
    recording: SqlRecording
    checkpoints: "CheckpointFile | PostgresCheckpoints"
    service: SqlServiceStore

    async def forget_old(self, *, retention_days: float) -> None:
        """Delete what is older than it may be kept: runs with all their rows, checkpoints, recordings, accesses.

        Raises:
            TruthUnavailable: a store cannot be used; what was deleted until then stays deleted.
        """
        now = self.clock.now()
        await self.checkpoints.delete_older_than(CHECKPOINT_DAYS, now=now)
        await self.recording.sweep()
        others = (self.audit, self.recording)
        await sweep_retention(self.control, others, self.service, days=retention_days, now=now)


@asynccontextmanager
async def open_stores(settings: Settings, *, held: "HeldLease | None" = None) -> AsyncIterator[Stores]:
    """The stores of the settings; embedded files are private to the user and created when missing.

    ``held`` tells under which lease this process executes a run: checkpoints beside the runs are fenced by it.

    Raises:
        Misconfigured: an address cannot be used, tables are of another version, or Redis would lose records.
        TruthUnavailable: a server cannot be reached.
    """
    clock = SystemClock()
    async with AsyncExitStack() as opened:
        records = await _open_records(settings, clock, opened)
        canonical = await _open_canonical(settings, clock, opened)
        checkpoints = await opened.enter_async_context(_checkpointer(settings, held))
        yield Stores(
            home=settings.home,
            clock=clock,
            control=records.control,
            canonical=canonical,
            audit=records.audit,
            recording=records.recording,
            checkpoints=checkpoints,
            service=records.service,
        )


def embedded(settings: Settings, home: Path) -> Settings:
    """The settings with every store as a file under ``home``."""
    servers = {"redis_url": None, "database_url": None, "checkpoint_url": None}
    return settings.model_copy(update={"home": home, **servers})


def checkpoint_server(settings: Settings) -> SecretStr | None:
    """Address of the PostgreSQL that holds checkpoints; None: a file does."""
    if settings.checkpoint_url is not None:
        return settings.checkpoint_url
    records = settings.database_url
    return records if records is not None and is_postgres(records.get_secret_value()) else None


async def _open_records(settings: Settings, clock: Clock, opened: AsyncExitStack) -> RecordStores:
    if settings.database_url is None:
        home = settings.home
        records = RecordStores(
            control_file(home / CONTROL_FILE),
            audit_file(home / AUDIT_FILE),
            SqliteRecording(home / RECORDING_FILE, clock),
            service_file(home / CONTROL_FILE),
        )
        opened.push_async_callback(records.close)
        return records
    url, password = split_password(settings.database_url.get_secret_value(), setting="database_url")
    records = open_records_database(url, password=password, clock=clock, setting="database_url")
    opened.push_async_callback(records.close)
    await records.open()
    return records


async def _open_canonical(settings: Settings, clock: Clock, opened: AsyncExitStack) -> CanonicalStore:
    if settings.redis_url is None:
        file = SqliteCanonicalStore(settings.home / CANONICAL_FILE, clock)
        opened.push_async_callback(file.close_store)
        return file
    # Here: its library takes a tenth of a second, which who needs no Redis must not pay.
    from state.stores.canonical_redis import RedisCanonicalStore

    server = RedisCanonicalStore(settings.redis_url.get_secret_value(), clock)
    opened.push_async_callback(server.close_store)
    for notice in await server.check():
        log.warning("redis", notice=notice)
    return server


def _checkpointer(
    settings: Settings, held: "HeldLease | None"
) -> "AbstractAsyncContextManager[CheckpointFile | PostgresCheckpoints]":
    server = checkpoint_server(settings)
    if server is None:
        return open_checkpointer(settings.home / CHECKPOINT_FILE)
    setting = "database_url" if settings.checkpoint_url is None else "checkpoint_url"
    url, password = split_password(server.get_secret_value(), setting=setting)
    beside_runs = (
        settings.database_url is not None and server.get_secret_value() == settings.database_url.get_secret_value()
    )
    return open_postgres_checkpointer(url, password=password, held=held if beside_runs else None, setting=setting)


class Holder:
    """Tells a checkpointer, which is opened first, of the leases that are taken later."""

    def __init__(self) -> None:
        self._lease_of: Callable[[RunId], Lease | None] = lambda _: None

    def follow(self, lease_of: Callable[[RunId], Lease | None]) -> None:
        """From now on, ask this."""
        self._lease_of = lease_of

    def __call__(self, thread_id: str) -> Lease | None:
        """The lease under which this process executes the thread; None: it holds none."""
        return self._lease_of(RunId(thread_id))
