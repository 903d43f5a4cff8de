"""Control, audit, recording and service in one database of a server: PostgreSQL, MySQL or MariaDB.

The tables must be there and of the version this program needs: only ``rootproof db upgrade`` changes a server's tables.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine
from sqlalchemy.engine import URL

from state.model.run import LEASE_S
from state.ports import Clock
from state.stores.audit_sql import SqlAuditLog
from state.stores.audit_tables import AUDIT_SCHEMA
from state.stores.control_schema import CONTROL_SCHEMA
from state.stores.control_sql import SqlControlStore
from state.stores.database import Database
from state.stores.recording_sql import RECORDING_SCHEMA, SqlRecording
from state.stores.schema import require_head
from state.stores.server_engine import server_engine
from state.stores.server_limits import ServerLimits
from state.stores.server_url import require_driver, server_url
from state.stores.service_sql import SERVICE, SqlServiceStore

RECORD_SCHEMAS = (CONTROL_SCHEMA, AUDIT_SCHEMA, RECORDING_SCHEMA)
"""The stores of a server's database."""
SETTING = "database_url"
"""Names the database in errors, unless the caller has a better word."""


@dataclass(frozen=True)
class RecordStores:
    """Four stores; of a server, on one pool of connections."""

    control: SqlControlStore
    audit: SqlAuditLog
    recording: SqlRecording
    service: SqlServiceStore

    async def open(self) -> None:
        """Connect now, so that a wrong address, password or version shows at start.

        Raises:
            TruthUnavailable: the server cannot be reached, or refuses us.
            Misconfigured: the tables are not of the version this program needs (names ``rootproof db upgrade``), or
                PostgreSQL's driver is absent (names the extra).
        """
        await self.control.open()
        await self.audit.open()
        await self.recording.open()
        await self.service.open()

    async def close(self) -> None:
        """Close every connection."""
        await self.service.close_store()
        await self.recording.close_store()
        await self.audit.close_store()
        await self.control.close_store()


def open_records_database(
    url: str,
    *,
    password: str | None,
    clock: Clock,
    lease_s: float = LEASE_S,
    limits: ServerLimits | None = None,
    setting: str = SETTING,
) -> RecordStores:
    """The stores of one server, connected at first use or by ``open``; they come back by themselves after an outage.

    ``url``: ``postgresql://user@host:port/database`` or ``mysql://…`` (also MariaDB), with options of TLS
    (``sslmode``, ``sslrootcert`` …; ``ssl_ca`` …) and of failover (several ``host=``, ``target_session_attrs``).

    Raises:
        Misconfigured: the url is none, or holds a password or an unknown option.
    """
    limits = limits or ServerLimits()
    address = server_url(url, password, setting=setting)
    shared = _Shared(lambda: _open(address, limits, setting))

    def database(store: str) -> Database:
        return Database(store, shared.engine, patience_s=limits.patience_s)

    return RecordStores(
        control=SqlControlStore(database(CONTROL_SCHEMA.component), lease_s=lease_s),
        audit=SqlAuditLog(database(AUDIT_SCHEMA.component)),
        recording=SqlRecording(database(RECORDING_SCHEMA.component), clock),
        service=SqlServiceStore(database(SERVICE)),
    )


class _Shared:
    """One engine for several stores, made by whoever needs it first; a failure is tried again."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = self._make()
            return self._engine


def _open(address: URL, limits: ServerLimits, setting: str) -> Engine:
    require_driver(address, setting)
    engine = server_engine(address, limits, setting=setting)
    try:
        with engine.begin() as connection:
            require_head(connection, setting)
    except BaseException:
        engine.dispose()
        raise
    return engine
