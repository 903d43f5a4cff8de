"""Which tables a store keeps, and whether a database has them as this program knows them. Never changes a database."""

from dataclasses import dataclass

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, select

from state.model.errors import Misconfigured

HEAD = "0004"
"""The newest revision in ``migrations/versions``: what this program needs."""

VERSION_TABLE = "rootproof_schema"
"""Holds the revision of the database. Not Alembic's own name, which another program may use beside us."""

_VERSION = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))


@dataclass(frozen=True)
class Schema:
    """The tables of one store. Several may live in one database."""

    component: str
    tables: MetaData


def revision_of(connection: Connection) -> str | None:
    """The revision of the database; None if nothing was ever migrated in it."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def require_head(connection: Connection, setting: str) -> None:
    """Return if the database is as this program needs it; ``setting`` names it in the error.

    Raises:
        Misconfigured: it is older (then ``rootproof db upgrade`` helps), newer, or empty.
    """
    found = revision_of(connection)
    if found == HEAD:
        return
    refuse_newer(found, setting)
    state = "has no tables of Rootproof" if found is None else f"has the older schema {found}"
    raise Misconfigured(setting, f"the database {state}; run `rootproof db upgrade` to bring it to {HEAD}")


def refuse_newer(revision: str | None, setting: str) -> None:
    """Return if this program may know the revision. Revisions are counted, so their order is that of their names.

    Raises:
        Misconfigured: a later version of the program wrote it.
    """
    if revision is not None and revision > HEAD:
        why = f"the database has the newer schema {revision}; this program knows {HEAD}: use the newer program"
        raise Misconfigured(setting, why)
