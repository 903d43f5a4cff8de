"""The tables of the configured database servers: what version they have, and bringing them up to date."""

import asyncio
from dataclasses import dataclass

from config.settings import Settings
from graph.stores import checkpoint_server
from state.stores.postgres_checkpoints import checkpoints_head, checkpoints_version, upgrade_checkpoints
from state.stores.records_upgrade import current, upgrade
from state.stores.schema import HEAD
from state.stores.server_url import split_password


@dataclass(frozen=True)
class TablesFact:
    """One set of tables."""

    name: str
    """``records`` or ``checkpoints``."""
    found: str | None
    """Version of the tables; None: there are none."""
    needed: str

    @property
    def is_current(self) -> bool:
        """True if this program can use them."""
        return self.found == self.needed


async def upgrade_tables(settings: Settings) -> tuple[TablesFact, ...]:
    """What was found and is now as needed; empty if no server is configured. Running it again goes on where it ended.

    Raises:
        Misconfigured: an address cannot be used, or a newer version of the program wrote the tables.
        TruthUnavailable: a server cannot be reached or refused a step.
    """
    return await asyncio.to_thread(_upgrade, settings)


async def examine_tables(settings: Settings) -> tuple[TablesFact, ...]:
    """What the tables are; empty if no server is configured. Changes nothing.

    Raises:
        Misconfigured: an address cannot be used.
        TruthUnavailable: a server cannot be reached.
    """
    return await asyncio.to_thread(_examine, settings)


def _upgrade(settings: Settings) -> tuple[TablesFact, ...]:
    facts = []
    if settings.database_url is not None:
        url, password = split_password(settings.database_url.get_secret_value(), setting="database_url")
        found, reached = upgrade(url, password, setting="database_url")
        facts.append(TablesFact("records", found, reached))
    if (server := checkpoint_server(settings)) is not None:
        url, password = split_password(server.get_secret_value(), setting="checkpoint_url")
        version, newest = upgrade_checkpoints(url, password, setting="checkpoint_url")
        facts.append(TablesFact("checkpoints", _shown(version), str(newest)))
    return tuple(facts)


def _examine(settings: Settings) -> tuple[TablesFact, ...]:
    facts = []
    if settings.database_url is not None:
        url, password = split_password(settings.database_url.get_secret_value(), setting="database_url")
        facts.append(TablesFact("records", current(url, password, setting="database_url"), HEAD))
    if (server := checkpoint_server(settings)) is not None:
        url, password = split_password(server.get_secret_value(), setting="checkpoint_url")
        version = checkpoints_version(url, password, setting="checkpoint_url")
        facts.append(TablesFact("checkpoints", _shown(version), str(checkpoints_head())))
    return tuple(facts)


def _shown(version: int | None) -> str | None:
    return None if version is None else str(version)
