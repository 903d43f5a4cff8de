"""Creates a store's tables and refuses a database written by a newer version. Migrations come with Alembic."""

from dataclasses import dataclass

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, insert, select

from state.model.errors import Misconfigured

_VERSIONS = Table(
    "schema_version",
    MetaData(),
    Column("component", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
)
"""One row per store that keeps tables in this database."""


@dataclass(frozen=True)
class Schema:
    """The tables of one store as this program knows them."""

    component: str
    version: int
    tables: MetaData


def create_tables(connection: Connection, schema: Schema) -> None:
    """Create what is missing and note the version, inside the caller's transaction.

    Raises:
        Misconfigured: the database holds a newer version; nothing was changed.
    """
    _VERSIONS.metadata.create_all(connection)
    stored = connection.scalar(select(_VERSIONS.c.version).where(_VERSIONS.c.component == schema.component))
    if stored is None:
        connection.execute(insert(_VERSIONS).values(component=schema.component, version=schema.version))
    elif stored != schema.version:
        raise Misconfigured(f"{schema.component} store", _mismatch(stored, schema.version, connection))
    schema.tables.create_all(connection)


def _mismatch(stored: int, known: int, connection: Connection) -> str:
    where = connection.engine.url.render_as_string(hide_password=True)
    age = "newer" if stored > known else "older"
    return f"{where} has the {age} schema version {stored}; this program knows {known}"
