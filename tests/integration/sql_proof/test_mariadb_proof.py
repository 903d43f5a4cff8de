"""MariaDB with the validator off: the session and the documented account hold by themselves.

Compared before and after: every database as ``mariadb-dump`` writes it, accounts and rights included, without the tables
of statistics, which the server writes by itself; the variables of the server and of a new session; the server's files.
"""

import asyncio
import re
import struct
import subprocess
from collections.abc import Sequence
from contextlib import closing

import pymysql
import pytest

from tests import servers
from tests.integration.sql.incident import as_root
from tests.integration.sql_proof.account import account_at
from tests.integration.sql_proof.hostility import Way, as_asked, beyond_one_select, listing, paths_named, run_all
from tests.servers import Server
from tests.tools.sql.corpus.reading import Statement, corpus
from tools.sql.catalogue import Dialect
from tools.sql.mysql_door import MysqlDoor, MysqlSession
from tools.sql.session import Session

pytestmark = pytest.mark.xdist_group("proof-mariadb")
HOSTILE = corpus("hostile", Dialect.MYSQL)
# What the server keeps for itself: its log, its process number, redo logs, temporary space.
OWN_FILES = re.compile(r"^server\.log|^s$|^pid$|ib_logfile|ibtmp|ib_buffer_pool|aria_log|tc\.log|undo")
STATISTICS = (
    "innodb_index_stats",
    "innodb_table_stats",
    "table_stats",
    "column_stats",
    "index_stats",
    "transaction_registry",
)
PASSING = re.compile(
    r"timestamp|gtid|rand_seed|pseudo_thread_id|identity|last_insert_id|insert_id|warning_count|error_count|in_transaction"
)
# An account may change its own password once it has left the read-only transaction; a session of ours sends no such text.
OWN_PASSWORD = re.compile(r"COMMIT;.*PASSWORD", re.DOTALL)
ACCOUNT_ALONE = [one for one in HOSTILE if not OWN_PASSWORD.search(one.sql)]
SET_OPTION, SEVERAL_STATEMENTS = 0x1B, 0


def at_once(session: Session, sql: str) -> None:
    """All statements of the text, in the hardened session, which is first allowed to take several."""
    assert isinstance(session, MysqlSession)
    connection = session._opened
    connection._execute_command(SET_OPTION, struct.pack("<H", SEVERAL_STATEMENTS))
    connection._read_packet()
    with closing(connection.cursor(pymysql.cursors.Cursor)) as cursor:
        cursor.execute(sql)
        while cursor.nextset():
            pass


def state_of(server: Server) -> dict[str, object]:
    """All that must be as before."""
    command = [servers.program("mariadb-dump"), "--no-defaults", "-h", server.host, f"-P{server.port}", "-uroot",
               "--all-databases", "--routines", "--events", "--triggers", "--skip-comments", "--skip-dump-date",
               *(f"--ignore-table=mysql.{name}" for name in STATISTICS)]  # fmt: skip
    dump = subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout
    with (
        pymysql.connect(
            host=server.host, port=server.port, user="rootproof", password="change-me", ssl_disabled=True
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SHOW SESSION VARIABLES")
        new_session = list(cursor.fetchall())
    return {
        "dump": dump.splitlines(),
        "global variables": _lasting(as_root(server, "SHOW GLOBAL VARIABLES")),
        "new session": _lasting(new_session),
        "files": listing(server.folder, ignored=OWN_FILES),
    }


def _lasting(variables: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [pair for pair in variables if not PASSING.search(str(pair[0]))]


def left(server: Server) -> dict[str, object]:
    """What the account still holds or runs, by kind; empty if nothing."""
    asked = {
        "session": "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'rootproof'",
        "transaction": "SELECT COUNT(*) FROM information_schema.INNODB_TRX",
        "named lock": "SELECT IS_USED_LOCK('x') IS NOT NULL",
        "prepared": "SELECT VARIABLE_VALUE + 0 FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'PREPARED_STMT_COUNT'",
        "lock": "SET lock_wait_timeout = 1; LOCK TABLES app.orders WRITE, app.customers WRITE; SELECT 0",
    }  # fmt: skip
    found = {kind: as_root(server, sql)[0][0] for kind, sql in asked.items()}
    return {kind: number for kind, number in found.items() if number}


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("way", "statements"), [(as_asked, HOSTILE), (at_once, beyond_one_select(ACCOUNT_ALONE))])
async def test_no_hostile_statement_changes_or_leaves_anything(
    proof_mariadb: Server, way: Way, statements: Sequence[Statement]
) -> None:
    before = state_of(proof_mariadb)
    absent = paths_named(statements)
    assert left(proof_mariadb) == {}

    endings = await run_all(MysqlDoor(account_at(proof_mariadb, Dialect.MYSQL)), statements, way)

    await asyncio.sleep(2)
    assert left(proof_mariadb) == {}
    after = state_of(proof_mariadb)
    for part, value in before.items():
        assert after[part] == value, part
    assert {path for path in absent if path.exists()} == set()
    print(way.__name__, dict(endings))
    assert sum(endings.values()) == len(statements)


def test_a_change_would_be_seen(proof_mariadb: Server) -> None:
    before = state_of(proof_mariadb)

    as_root(proof_mariadb, "CREATE TABLE app.planted (a INT)")
    seen = state_of(proof_mariadb)
    assert seen["dump"] != before["dump"]
    assert seen["files"] != before["files"]
    as_root(proof_mariadb, "DROP TABLE app.planted")
    assert state_of(proof_mariadb) == before
