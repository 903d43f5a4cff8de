"""The validator is off: whatever the statement, the sandbox holds by itself."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.model.ids import digest
from tests.tools.sql.samples import ALLOWLIST, ENDLESS, SCRIPT, WallClock, shop, shop_file, unchecked
from tools.sql.sqlite_sandbox import MAX_VALUE_BYTES, NotReadOnly, Watch, confine, make_read_only
from tools.sql.sqlite_source import SqliteSource, open_sqlite_file

WRITES = (
    "INSERT INTO orders (id) VALUES (99)",
    "UPDATE orders SET status = 'HACKED'",
    "DELETE FROM orders",
    "DELETE FROM orders RETURNING id",
    "REPLACE INTO orders (id) VALUES (1)",
    "WITH x AS (SELECT 1) INSERT INTO orders (id) SELECT 99",
    "DROP TABLE orders",
    "CREATE TABLE t (a)",
    "CREATE TABLE t AS SELECT id FROM orders",
    "CREATE TEMP TABLE t (a)",
    "CREATE TEMP TABLE t AS SELECT id FROM orders",
    "CREATE VIEW v AS SELECT id FROM orders",
    "CREATE TEMP VIEW v AS SELECT id FROM orders",
    "CREATE TRIGGER g AFTER INSERT ON orders BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER g AFTER INSERT ON orders BEGIN SELECT 1; END",
    "CREATE INDEX i ON orders (status)",
    "CREATE VIRTUAL TABLE f USING fts5(a)",
    "ALTER TABLE orders RENAME TO gone",
    "ALTER TABLE orders ADD COLUMN x",
    "ATTACH DATABASE 'attached.db' AS a",
    "ATTACH DATABASE ':memory:' AS a",
    "DETACH DATABASE main",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "REINDEX",
    "ANALYZE",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "SAVEPOINT s",
    "PRAGMA query_only = OFF",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 7",
    "PRAGMA writable_schema = ON",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA table_info(orders)",
    "UPDATE sqlite_master SET sql = 'x'",
)
READS_BEYOND = (
    "SELECT name FROM sqlite_master",
    "SELECT sql FROM sqlite_schema",
    "SELECT id FROM hidden_audit",
    "SELECT email FROM orders",
    "SELECT id FROM orders WHERE email LIKE 'a%'",
    "SELECT COUNT(email) FROM orders",
    "SELECT id FROM orders ORDER BY email",
    "SELECT * FROM orders",
    "SELECT api_key FROM customers",
    "SELECT name FROM pragma_table_info('orders')",
    "SELECT file FROM pragma_database_list",
    "SELECT value FROM json_each('[1, 2]')",
    "SELECT x FROM (SELECT email AS x FROM orders)",
    "SELECT * FROM dbstat",
    "SELECT contact FROM leak",
    "EXPLAIN SELECT email FROM orders",
)
FUNCTIONS = (
    "SELECT load_extension('evil')",
    "SELECT writefile('out.txt', 'x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT group_concat(note) FROM orders",
    "SELECT zeroblob(1000000000)",
    "SELECT randomblob(1000000000)",
    "SELECT printf('%.*c', 1000000000, 'x')",
    "SELECT hex(zeroblob(500000000))",
    "SELECT replace(hex(zeroblob(10000)), '0', hex(zeroblob(10000)))",
    "SELECT sqlite_version()",
    "SELECT random() FROM orders",
)
MANY = (
    "SELECT id FROM orders; DROP TABLE orders; --",
    "SELECT 1; ATTACH 'attached.db' AS a; --",
    "SELECT id FROM orders UNION SELECT name FROM sqlite_master --",
    "\x00SELECT id FROM orders",
    "",
    "SELECT id FROM orders WHERE id = ?",
    "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "SELECT 1 " + "UNION ALL SELECT 1 " * 5000,
    "SELECT " + "1," * 30000 + "1",
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shop_file(tmp_path, SCRIPT + "CREATE VIEW leak AS SELECT email AS contact FROM orders;")


@pytest.fixture
def source(path: Path) -> SqliteSource:
    return open_sqlite_file(path, clock=WallClock(), allowlist=ALLOWLIST)


@pytest.mark.parametrize("sql", [*WRITES, *READS_BEYOND, *FUNCTIONS, *MANY], ids=lambda sql: repr(sql[:50]))
async def test_nothing_but_allowlisted_reading_gets_through(path: Path, source: SqliteSource, sql: str) -> None:
    before = digest(path.read_bytes())

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked(sql), timeout_s=5, row_cap=100)

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert digest(path.read_bytes()) == before
    assert [entry.name for entry in path.parent.iterdir()] == ["shop.sqlite"]


BOMBS = (
    "SELECT COUNT(*) FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h, orders i,"
    " orders j, orders k, orders l, orders m, orders n, orders o, orders p, orders q, orders r, orders s",
    "SELECT a.id FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h, orders i,"
    " orders j, orders k, orders l, orders m, orders n, orders o, orders p ORDER BY a.note, p.note, b.status",
    "SELECT a.note, COUNT(DISTINCT b.status) FROM orders a, orders b, orders c, orders d, orders e, orders f,"
    " orders g, orders h, orders i, orders j, orders k, orders l, orders m, orders n, orders o GROUP BY a.note",
)


@pytest.mark.parametrize("sql", BOMBS, ids=["count", "sort", "group"])
async def test_a_bomb_inside_the_allowlist_ends_as_timeout(path: Path, source: SqliteSource, sql: str) -> None:
    before = digest(path.read_bytes())

    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked(sql), timeout_s=0.2, row_cap=100)

    assert caught.value.code is ToolCode.TOOL_TIMEOUT
    assert digest(path.read_bytes()) == before
    assert [entry.name for entry in path.parent.iterdir()] == ["shop.sqlite"]


@pytest.mark.parametrize("tail", ["--", "/*"])
async def test_a_comment_that_swallows_the_limit_does_not_lift_the_row_cap(source: SqliteSource, tail: str) -> None:
    found = await source.run(unchecked(f"SELECT id FROM orders {tail}"), timeout_s=5, row_cap=2)

    assert (len(found.rows), found.more) == (2, True)


async def test_a_recursive_statement_is_denied(source: SqliteSource) -> None:
    with pytest.raises(ToolFailed) as caught:
        await source.run(unchecked(ENDLESS), timeout_s=5, row_cap=100)

    assert caught.value.code is ToolCode.TOOL_EXECUTION_ERROR


def read_only_connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    make_read_only(connection)
    return connection


@pytest.mark.parametrize("sql", WRITES[:8])
def test_even_without_the_authorizer_the_file_cannot_be_written(path: Path, sql: str) -> None:
    before = digest(path.read_bytes())
    with closing(read_only_connection(path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute(sql).fetchall()

    assert digest(path.read_bytes()) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT zeroblob({})",
        "SELECT length(randomblob({}))",
        "SELECT replace(hex(zeroblob(10000)), '0', hex(zeroblob(10000)))",
        "SELECT hex(zeroblob({}))",
        "SELECT group_concat(hex(zeroblob(3000000))) FROM orders",
    ],
)
def test_even_without_the_authorizer_no_value_outgrows_its_bound(path: Path, sql: str) -> None:
    with closing(read_only_connection(path)) as connection, pytest.raises(sqlite3.DataError, match="too big"):
        connection.execute(sql.format(MAX_VALUE_BYTES + 1)).fetchall()


def test_even_without_the_authorizer_a_padded_text_stays_in_bounds(path: Path) -> None:
    with closing(read_only_connection(path)) as connection:
        (text,) = connection.execute("SELECT printf('%.*c', 100000000, 'x')").fetchone()

    assert len(text or "") <= MAX_VALUE_BYTES


def test_even_without_the_authorizer_an_endless_statement_is_stopped(path: Path) -> None:
    clock = WallClock()
    with closing(read_only_connection(path)) as connection:
        Watch(clock, clock.monotonic() + 0.2).attach(connection)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(ENDLESS).fetchall()


def test_even_without_the_authorizer_nothing_can_be_attached(path: Path) -> None:
    with closing(read_only_connection(path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("ATTACH ':memory:' AS a")


def test_a_confined_connection_is_read_only_and_inside_a_transaction(path: Path) -> None:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
        confine(connection, shop())

        assert connection.in_transaction
        connection.set_authorizer(None)
        assert connection.execute("PRAGMA query_only").fetchone() == (1,)


class _Deaf:
    """A connection that takes every order and confirms none."""

    in_transaction = False

    def setlimit(self, limit: int, value: int) -> None:
        """Take it."""

    def execute(self, sql: str) -> "_Deaf":
        """Take it."""
        return self

    def fetchone(self) -> tuple[int]:
        """Still writable."""
        return (0,)


def test_a_connection_that_does_not_confirm_read_only_is_not_used() -> None:
    with pytest.raises(NotReadOnly):
        confine(_Deaf(), shop())  # type: ignore[arg-type]


async def test_statements_side_by_side_do_not_disturb_each_other(source: SqliteSource) -> None:
    good = unchecked("SELECT id FROM orders ORDER BY id")
    asked = [source.run(good if i % 2 else unchecked(WRITES[i]), timeout_s=5, row_cap=100) for i in range(8)]

    found = await asyncio.gather(*asked, return_exceptions=True)

    assert [isinstance(result, ToolFailed) for result in found] == [True, False] * 4
