"""PostgreSQL with the validator off: the session and the documented account hold by themselves.

Compared before and after: every database and role as ``pg_dumpall`` writes them (statistics are not part of a dump, and
nobody but an owner may gather them), the settings of the server and of a new session, and the files of the server.
"""

import asyncio
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace

import psycopg
import pytest

from tests import servers
from tests.integration.sql.incident import as_postgres
from tests.integration.sql_proof.account import account_at
from tests.integration.sql_proof.hostility import Way, as_asked, beyond_one_select, listing, paths_named, run_all
from tests.servers import Server
from tests.tools.sql.corpus.reading import Statement, corpus
from tools.sql.catalogue import Dialect
from tools.sql.postgres_door import PostgresDoor, PostgresSession
from tools.sql.session import Session

pytestmark = pytest.mark.xdist_group("proof-postgres")
# The session finds nothing by search path: with its schema a statement gets further.
_BARE = re.compile(
    r"\b((?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY|ON|COPY|LOCK|USING)\s+|,\s*)(orders|customers|hidden_audit)\b"
)
HOSTILE = [replace(one, sql=_BARE.sub(r"\1app.\2", one.sql)) for one in corpus("hostile", Dialect.POSTGRES)]
# What the server keeps for itself: its log, transactions, statistics, maps of free space, caches.
OWN_FILES = re.compile(
    r"^server\.log|pg_wal|pg_xact|pg_subtrans|pg_stat|pg_logical|pg_notify|_fsm$|_vm$|_init$|pg_internal|pg_dynshmem|pgsql_tmp$"
)
LEFT = """
SELECT 'session', count(*) FROM pg_stat_activity WHERE usename = 'rootproof'
UNION ALL SELECT 'lock', count(*) FROM pg_locks WHERE pid <> pg_backend_pid() AND locktype <> 'virtualxid'
UNION ALL SELECT 'prepared', count(*) FROM pg_prepared_xacts
UNION ALL SELECT 'slot', count(*) FROM pg_replication_slots
UNION ALL SELECT 'temporary', count(*) FROM pg_class WHERE relpersistence = 't'
"""


def at_once(session: Session, sql: str) -> None:
    """All statements of the text, in the hardened session, by the protocol that takes several."""
    assert isinstance(session, PostgresSession)
    result = session._opened.pgconn.exec_(sql.encode())
    if result.status == psycopg.pq.ExecStatus.FATAL_ERROR:
        raise psycopg.OperationalError


def state_of(server: Server) -> dict[str, object]:
    """All that must be as before."""
    command = [servers.program("pg_dumpall"), "-h", server.host, "-p", str(server.port), "-U", "postgres"]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    settings = "SELECT name, setting, source FROM pg_settings ORDER BY name"
    with psycopg.connect(host=server.host, port=server.port, dbname="shop", user="rootproof") as connection:
        new_session = connection.execute(settings).fetchall()
    return {
        # A recent pg_dump writes a random word into two lines.
        "dump": [line for line in dump.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))],
        "settings": as_postgres(server, settings),
        "new session": new_session,
        "files": listing(server.folder, ignored=OWN_FILES),
    }


def left(server: Server) -> dict[object, object]:
    """What the account still holds or runs, by kind; empty if nothing."""
    return {kind: number for kind, number in as_postgres(server, LEFT, database="shop") if number}


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("way", "statements"), [(as_asked, HOSTILE), (at_once, beyond_one_select(HOSTILE))])
async def test_no_hostile_statement_changes_or_leaves_anything(
    proof_postgres: Server, way: Way, statements: Sequence[Statement]
) -> None:
    before = state_of(proof_postgres)
    absent = paths_named(statements)
    assert left(proof_postgres) == {}

    endings = await run_all(PostgresDoor(account_at(proof_postgres, Dialect.POSTGRES)), statements, way)

    await asyncio.sleep(2)
    assert left(proof_postgres) == {}
    after = state_of(proof_postgres)
    for part, value in before.items():
        assert after[part] == value, part
    assert {path for path in absent if path.exists()} == set()
    print(way.__name__, dict(endings))
    assert sum(endings.values()) == len(statements)


def test_a_change_would_be_seen(proof_postgres: Server) -> None:
    before = state_of(proof_postgres)

    as_postgres(proof_postgres, "SELECT nextval('app.counter')", database="shop")
    assert state_of(proof_postgres)["dump"] != before["dump"]
    as_postgres(proof_postgres, "SELECT setval('app.counter', 1, false)", database="shop")
    assert state_of(proof_postgres) == before
