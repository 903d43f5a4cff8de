"""PostgreSQL as evidence. Its driver is an optional extra (LGPL) and is imported only when a source is opened."""

import asyncio
import importlib

from state.model.errors import Misconfigured
from state.ports import Clock
from tools.sql.catalogue import Dialect
from tools.sql.postgres_catalogue import DEFAULT_SCHEMA, read_held
from tools.sql.postgres_rights import read_findings
from tools.sql.server import Offer, SqlServer
from tools.sql.server_source import ServerSource, Vendor, open_catalogue
from tools.sql.session import Door

_VENDOR = Vendor(Dialect.POSTGRES, DEFAULT_SCHEMA, read_held, read_findings)


class PostgresSqlSource(ServerSource):
    """An ``SqlSource`` over PostgreSQL 13 or later."""

    @classmethod
    async def open(cls, server: SqlServer, offer: Offer, *, clock: Clock) -> "PostgresSqlSource":
        """The datasource, its catalogue read from the server.

        Raises:
            SourceUnreachable: the server cannot be asked.
            Misconfigured: the driver or the certificates to verify with are absent, or the allowlist does not fit.
        """
        door = await asyncio.to_thread(postgres_door, server)
        catalogue, executor = await open_catalogue(server, offer, door, vendor=_VENDOR, clock=clock)
        return cls(catalogue, executor, _VENDOR, timeout_s=server.timeout_s)


def postgres_door(server: SqlServer) -> Door:
    """The door to the server. Blocks: imports the driver.

    Raises:
        Misconfigured: the driver is absent, or there are no certificates to verify the server with.
    """
    try:
        module = importlib.import_module("tools.sql.postgres_door")
    except ImportError as error:
        raise Misconfigured(server.key, "PostgreSQL needs its driver: pip install 'rootproof[postgres]'") from error
    door: Door = module.PostgresDoor(server)
    return door
