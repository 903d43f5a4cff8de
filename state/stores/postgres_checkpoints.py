"""The door to checkpoints in PostgreSQL, for those who may not have its driver: importing this needs no extra."""

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy.engine import URL

from state.model.errors import Misconfigured
from state.stores.blocking import WorkerThreads
from state.stores.server_limits import MIGRATION_LIMITS, ServerLimits
from state.stores.server_url import POSTGRES, require_driver, server_url

if TYPE_CHECKING:
    from state.stores.checkpoints_postgres import HeldLease, PostgresCheckpoints

SETTING = "checkpoint_url"
"""Names the database in errors, unless the caller has a better word."""


@asynccontextmanager
async def open_postgres_checkpointer(
    url: str,
    *,
    password: str | None,
    held: "HeldLease | None" = None,
    limits: ServerLimits | None = None,
    setting: str = SETTING,
) -> "AsyncIterator[PostgresCheckpoints]":
    """The checkpointer in that database, closed on exit. Not for several event loops.

    ``held`` tells the lease under which this process executes a thread, and fences the writes by it: give it only
    where the control store is in the same database.

    Raises:
        Misconfigured: the url is none of PostgreSQL, its driver is absent, or the tables are not of the version this
            program needs (names ``rootproof db upgrade``).
        TruthUnavailable: the server cannot be reached, or refuses us.
    """
    address = _address(url, password, setting)
    threads = WorkerThreads("rootproof-checkpoints", threads=1)
    await threads.run(lambda: _load(address, setting))
    threads.shut_down()
    from state.stores.checkpoints_server import open_checkpointer

    async with open_checkpointer(address, held=held, limits=limits or ServerLimits(), setting=setting) as saver:
        yield saver


def upgrade_checkpoints(
    url: str, password: str | None, *, setting: str = SETTING, limits: ServerLimits = MIGRATION_LIMITS
) -> tuple[int | None, int]:
    """The version found (None: no tables) and the one reached. Blocking; running it again goes on where it ended.

    Raises:
        Misconfigured: as when opening; or a newer version of the program changed the tables.
        TruthUnavailable: the server cannot be reached or refused a step, or another upgrade did not end in time.
    """
    address = _address(url, password, setting)
    require_driver(address, setting)
    from state.stores import checkpoints_upgrade

    return checkpoints_upgrade.upgrade(address, setting=setting, limits=limits)


def checkpoints_version(
    url: str, password: str | None, *, setting: str = SETTING, limits: ServerLimits | None = None
) -> int | None:
    """The version of the tables; None if there are none. Blocking.

    Raises:
        Misconfigured: the url cannot be used.
        TruthUnavailable: the server cannot be reached.
    """
    address = _address(url, password, setting)
    require_driver(address, setting)
    from state.stores import checkpoints_upgrade

    return checkpoints_upgrade.version(address, limits=limits or ServerLimits())


def checkpoints_head() -> int:
    """The version of the tables that this program needs. The driver must be installed. Blocking."""
    from state.stores.checkpoints_server import HEAD

    return HEAD


def _address(url: str, password: str | None, setting: str) -> URL:
    address = server_url(url, password, setting=setting)
    if address.drivername != POSTGRES:
        raise Misconfigured(setting, "must be a postgresql:// url: there is no checkpoint store for MySQL")
    return address


def _load(address: URL, setting: str) -> None:
    """Read the files of what is imported later; blocking."""
    require_driver(address, setting)
    importlib.import_module("state.stores.checkpoints_server")
