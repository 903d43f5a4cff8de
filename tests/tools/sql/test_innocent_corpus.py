"""Every innocent statement passes, and SQLite answers what is made of it as it answers the statement itself."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.tools.sql.corpus.comparing import evidence_rows, raw_rows
from tests.tools.sql.corpus.reading import Statement, corpus
from tests.tools.sql.corpus.world import ALLOWLIST, catalogue, script
from tests.tools.sql.samples import WallClock
from tools.sql.catalogue import Dialect
from tools.sql.sqlite_source import SqliteSource, open_sqlite_file
from tools.sql.validator import ValidSql, validate


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"BEGIN; {script(Dialect.SQLITE)} COMMIT;")
    return path


@pytest.fixture(scope="module")
def source(path: Path) -> SqliteSource:
    return open_sqlite_file(path, clock=WallClock(), allowlist=ALLOWLIST)


@pytest.fixture
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection:
        yield connection


def accepted(statement: Statement, dialect: Dialect) -> ValidSql:
    found = validate(statement.sql, statement.params, catalogue(dialect))
    assert isinstance(found, ValidSql), (statement.sql, found)
    return found


@pytest.mark.parametrize("dialect", Dialect)
def test_an_innocent_statement_is_accepted_and_so_is_its_normal_form(dialect: Dialect) -> None:
    statements = corpus("innocent", dialect)
    assert len({(statement.sql, statement.params) for statement in statements}) == len(statements) >= 150

    for statement in statements:
        found = accepted(statement, dialect)
        again = validate(found.normalised, (), catalogue(dialect))
        assert isinstance(again, ValidSql), (statement.sql, again)
        assert (again.sql, again.params, again.normalised) == (found.sql, found.params, found.normalised)


def test_the_source_reads_the_catalogue_that_the_corpus_is_written_for(source: SqliteSource) -> None:
    assert source.catalogue == catalogue(Dialect.SQLITE)


@pytest.mark.parametrize("statement", corpus("innocent", Dialect.SQLITE), ids=lambda one: one.sql[:50])
async def test_sqlite_answers_it_as_it_answers_the_statement_itself(
    source: SqliteSource, raw: sqlite3.Connection, statement: Statement
) -> None:
    valid = accepted(statement, Dialect.SQLITE)

    found = await source.run(valid, timeout_s=5, row_cap=valid.limit or 100)

    wanted = raw.execute(statement.sql, statement.params).fetchall()
    assert evidence_rows(found, statement.sql) == raw_rows(wanted, valid, statement.sql)
