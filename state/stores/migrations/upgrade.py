"""Brings one database to the newest revision, inside the caller's transaction and lock.

On SQLite and PostgreSQL that transaction is all or nothing. MySQL commits each change of a table by itself; a migration
that ended in the middle is gone on with by running it again, because every step finds what is done.
"""

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, inspect, select

from state.model.errors import Misconfigured
from state.stores.migrations.steps import COMPONENTS
from state.stores.schema import HEAD, VERSION_TABLE, refuse_newer, revision_of

_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps the running migration in a global of the process."""

_UNNUMBERED = Table(
    "schema_version",
    MetaData(),
    Column("component", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
)
"""What files carried before there were revisions; they are all of version 1, which revision 0001 describes."""


def bring_to_head(connection: Connection, components: Sequence[str], setting: str) -> tuple[str | None, str]:
    """The revision found (None: none) and the one reached. The connection is in a transaction that may write.

    Raises:
        Misconfigured: a newer version of the program wrote the database; nothing was changed.
    """
    found = revision_of(connection)
    refuse_newer(found, setting)
    if found == HEAD:
        return found, HEAD
    unnumbered = _refuse_newer_file(connection, setting)
    migrate(connection, components)
    if unnumbered:
        _UNNUMBERED.drop(connection)
    return found, HEAD


def _refuse_newer_file(connection: Connection, setting: str) -> bool:
    """True if the database is of a time before revisions.

    Raises:
        Misconfigured: of a version that never was released.
    """
    if not inspect(connection).has_table(_UNNUMBERED.name):
        return False
    for version in connection.scalars(select(_UNNUMBERED.c.version)):
        if version != 1:
            raise Misconfigured(setting, f"the database has the schema version {version}, which nobody released")
    return True


def migrate(connection: Connection, components: Sequence[str], *, to: str = HEAD) -> None:
    """Run the revisions that the database lacks, up to and including ``to``."""
    scripts = _scripts()

    def revisions_to_run(revision: object, _: MigrationContext) -> list[RevisionStep]:
        return list(scripts._upgrade_revs(to, revision))  # type: ignore[arg-type]  # Alembic's own is untyped

    config = Config(attributes={COMPONENTS: frozenset(components)})
    with _ONE_AT_A_TIME, EnvironmentContext(config, scripts, fn=revisions_to_run, destination_rev=to) as environment:
        environment.configure(connection=connection, version_table=VERSION_TABLE)
        environment.run_migrations()


@cache
def _scripts() -> ScriptDirectory:
    folder = Path(__file__).parent
    return ScriptDirectory(str(folder), version_locations=[str(folder / "versions")])
