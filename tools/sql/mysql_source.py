"""MySQL and MariaDB as evidence."""

import asyncio

from state.ports import Clock
from tools.sql.catalogue import Dialect
from tools.sql.mysql_catalogue import reader_for
from tools.sql.mysql_door import MysqlDoor
from tools.sql.mysql_rights import read_findings
from tools.sql.server import Offer, SqlServer
from tools.sql.server_source import ServerSource, Vendor, open_catalogue


class MysqlSqlSource(ServerSource):
    """An ``SqlSource`` over MySQL 8 or MariaDB 10.5, or later ones."""

    @classmethod
    async def open(cls, server: SqlServer, offer: Offer, *, clock: Clock) -> "MysqlSqlSource":
        """The datasource, its catalogue read from the server.

        Raises:
            SourceUnreachable: the server cannot be asked.
            Misconfigured: the certificates to verify with are absent, or the allowlist does not fit.
        """
        door = await asyncio.to_thread(MysqlDoor, server)
        vendor = Vendor(Dialect.MYSQL, server.database, reader_for(server.database), read_findings)
        catalogue, executor = await open_catalogue(server, offer, door, vendor=vendor, clock=clock)
        return cls(catalogue, executor, vendor, timeout_s=server.timeout_s)
