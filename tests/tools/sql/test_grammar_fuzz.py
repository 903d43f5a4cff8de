"""Whatever is accepted is one SELECT over the allowlist, by the word of SQLite itself, and means what was written.

The oracle knows nothing of the validator: SQLite's authorizer tells every table, column and function of a statement.
"""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.tools.sql.corpus.comparing import evidence_rows, raw_rows
from tests.tools.sql.corpus.trying import READABLE, SECONDS, check_tree, tried
from tests.tools.sql.corpus.world import ALLOWLIST, catalogue, script
from tests.tools.sql.samples import WallClock
from tools.sql.catalogue import Dialect
from tools.sql.sqlite_source import SqliteSource, open_sqlite_file
from tools.sql.validator import ValidSql, validate

IN_SUITE = 1200
"""Statements of each dialect in an ordinary run."""
FUNCTIONS = {"count", "sum", "avg", "min", "max", "like"}
DENIED = 1

# A run as long as asked for; the timeout of the whole is only for one that hangs.
pytestmark = pytest.mark.timeout(SECONDS * 2 + 300)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fuzz") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"BEGIN; {script(Dialect.SQLITE)} COMMIT;")
    return path


def what_is_read(path: Path, sql: str, params: tuple[str | int | float, ...]) -> set[tuple[str, str]]:
    """Tables with columns, and functions with an empty table, by SQLite's own account; fails on anything else."""
    seen: set[tuple[str, str]] = set()

    def authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ:
            seen.add((first or "", second or ""))
        elif action == sqlite3.SQLITE_FUNCTION:
            seen.add(("", second or ""))
        elif action != sqlite3.SQLITE_SELECT:
            return DENIED
        return sqlite3.SQLITE_OK

    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.set_authorizer(authorize)
        connection.execute(sql, params).fetchall()
    return seen


def rows_of_the_text_itself(path: Path, sql: str) -> list[tuple[object, ...]] | None:
    """What SQLite answers to the text as it was written; None if it refuses it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning):
            return None


def test_on_sqlite_what_is_accepted_reads_the_allowlist_and_means_the_same(path: Path) -> None:
    source: SqliteSource = open_sqlite_file(path, clock=WallClock(), allowlist=ALLOWLIST)
    counts: Counter[str] = Counter()

    async def walk() -> None:
        for sql in tried(Dialect.SQLITE, in_suite=IN_SUITE):
            found = validate(sql, (), source.catalogue)
            counts["tried"] += 1
            if isinstance(found, ValidSql):
                counts["accepted"] += 1
                seen = what_is_read(path, found.sql, found.params)
                assert seen <= {*READABLE, *((table, "") for table in ALLOWLIST), *(("", name) for name in FUNCTIONS)}
                raw = rows_of_the_text_itself(path, sql)
                rows = await source.run(found, timeout_s=20, row_cap=found.limit or 100)
                if raw is not None and len(raw) <= 100:
                    counts["compared"] += 1
                    assert evidence_rows(rows, sql) == raw_rows(raw, found, sql), (sql, found.sql, found.params)

    asyncio.run(walk())
    print(dict(counts))
    assert counts["compared"] > counts["tried"] * 0.15


@pytest.mark.parametrize("dialect", [Dialect.MYSQL, Dialect.POSTGRES])
def test_what_is_accepted_parses_to_one_select_of_the_allowlist(dialect: Dialect) -> None:
    offered = catalogue(dialect)
    counts: Counter[str] = Counter()

    for sql in tried(dialect, in_suite=IN_SUITE):
        found = validate(sql, (), offered)
        counts["tried"] += 1
        if isinstance(found, ValidSql):
            counts["accepted"] += 1
            check_tree(found.sql, dialect)

    print(dialect.value, dict(counts))
    assert counts["accepted"] > counts["tried"] * 0.15
