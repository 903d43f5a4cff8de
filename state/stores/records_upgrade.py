"""Brings the tables of a records server up to date: what ``rootproof db upgrade`` does. Blocking.

One upgrade at a time, whoever starts it: the second waits for the first and finds nothing to do.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from state.model.errors import TruthUnavailable
from state.stores.database import WRITES
from state.stores.migrations.upgrade import bring_to_head
from state.stores.records import RECORD_SCHEMAS, SETTING
from state.stores.schema import revision_of
from state.stores.server_engine import server_engine
from state.stores.server_limits import MIGRATION_LIMITS, ServerLimits
from state.stores.server_url import require_driver, server_url
from state.stores.sql_errors import for_the_log

T = TypeVar("T")
_log = logging.getLogger(__name__)
_STORE = "records"
_LOCK_NAME = "rootproof schema"


def upgrade(
    url: str, password: str | None, *, setting: str = SETTING, limits: ServerLimits = MIGRATION_LIMITS
) -> tuple[str | None, str]:
    """The revision found (None: an empty database) and the one reached. The user needs the right to change tables.

    Raises:
        Misconfigured: the url cannot be used, or a newer version of the program wrote the database.
        TruthUnavailable: the server cannot be reached or refused a step; running it again goes on from there.
    """
    components = [schema.component for schema in RECORD_SCHEMAS]

    def work(connection: Connection) -> tuple[str | None, str]:
        with _alone(connection, limits):
            return bring_to_head(connection, components, setting)

    return _on_server(url, password, "upgrade", setting=setting, limits=limits, work=work)


def current(
    url: str, password: str | None, *, setting: str = SETTING, limits: ServerLimits | None = None
) -> str | None:
    """The revision of the database; None if it has no tables of ours.

    Raises:
        Misconfigured: the url cannot be used.
        TruthUnavailable: the server cannot be reached.
    """
    return _on_server(url, password, "current", setting=setting, limits=limits or ServerLimits(), work=revision_of)


def _on_server(
    url: str,
    password: str | None,
    operation: str,
    *,
    setting: str,
    limits: ServerLimits,
    work: Callable[[Connection], T],
) -> T:
    address = server_url(url, password, setting=setting)
    require_driver(address, setting)
    engine = server_engine(address, limits, setting=setting)
    try:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            return work(connection)
    except SQLAlchemyError as error:
        _log.warning("%s store: %s failed: %s", _STORE, operation, for_the_log(error))
        raise TruthUnavailable(_STORE, operation) from error
    finally:
        engine.dispose()


@contextmanager
def _alone(connection: Connection, limits: ServerLimits) -> Iterator[None]:
    """The lock ends with the transaction on PostgreSQL, with the connection on MySQL: a killed one keeps nobody out.

    Raises:
        TruthUnavailable: another upgrade did not end in time.
    """
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(hashlib.sha256(_LOCK_NAME.encode()).digest()[:8], signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
        yield
        return
    name = f"CONCAT('{_LOCK_NAME} ', MD5(DATABASE()))"
    if connection.scalar(text(f"SELECT GET_LOCK({name}, :wait_s)"), {"wait_s": int(limits.lock_s)}) != 1:
        raise TruthUnavailable(_STORE, "upgrade")
    try:
        yield
    finally:
        connection.execute(text(f"SELECT RELEASE_LOCK({name})"))
