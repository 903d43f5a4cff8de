"""Errors are told apart by their codes; what is repeated was undone as a whole, nothing else."""

import sqlite3
from pathlib import Path

import psycopg
import pymysql
import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError, OperationalError

from state.model.errors import TruthUnavailable
from state.stores.database import REPEAT_AFTER_S, Database
from state.stores.sql_errors import code_of, for_the_log, may_repeat, wants_new_connection


def wrapped(error: Exception, statement: str | None = "UPDATE run SET query = 'evidence'") -> DBAPIError:
    return DBAPIError(statement, {"text": "evidence"}, error, hide_parameters=True)


def of_mysql(code: int) -> DBAPIError:
    return wrapped(pymysql.err.OperationalError(code, "vendor text"))


@pytest.mark.parametrize(
    "error",
    [
        wrapped(psycopg.errors.DeadlockDetected("vendor text")),
        wrapped(psycopg.errors.SerializationFailure("vendor text")),
        wrapped(psycopg.errors.UniqueViolation("vendor text")),
        wrapped(psycopg.errors.ReadOnlySqlTransaction("vendor text")),
        of_mysql(1213),
        of_mysql(1062),
        of_mysql(1020),
        of_mysql(1792),
        of_mysql(1290),
    ],
)
def test_what_the_server_undid_as_a_whole_may_be_run_again(error: DBAPIError) -> None:
    assert may_repeat(error)


@pytest.mark.parametrize(
    "error",
    [
        wrapped(psycopg.OperationalError("connection lost")),
        wrapped(psycopg.errors.LockNotAvailable("vendor text")),
        wrapped(psycopg.errors.QueryCanceled("vendor text")),
        wrapped(psycopg.errors.DiskFull("vendor text")),
        wrapped(psycopg.errors.UndefinedTable("vendor text")),
        of_mysql(2013),
        of_mysql(2006),
        of_mysql(1205),
        of_mysql(1053),
        of_mysql(1114),
        wrapped(sqlite3.OperationalError("database is locked")),
        wrapped(sqlite3.IntegrityError("UNIQUE constraint failed")),
    ],
)
def test_nothing_else_is(error: DBAPIError) -> None:
    assert not may_repeat(error)


def test_a_server_that_takes_no_writes_is_left() -> None:
    assert wants_new_connection(psycopg.errors.ReadOnlySqlTransaction("x"))
    assert wants_new_connection(pymysql.err.OperationalError(1053, "x"))
    assert not wants_new_connection(psycopg.errors.DeadlockDetected("x"))


def test_sqlite_names_its_code() -> None:
    with pytest.raises(sqlite3.OperationalError) as error, sqlite3.connect(":memory:") as connection:
        connection.execute("SELECT * FROM missing")

    assert code_of(error.value) == "SQLITE_ERROR"
    assert code_of(ValueError()) == ""


def test_the_log_has_what_a_connection_says_but_nothing_of_a_statement() -> None:
    refused = OperationalError(None, None, psycopg.OperationalError("password  authentication\nfailed" + "x" * 999))
    failed = wrapped(psycopg.errors.UniqueViolation("Key (query)=(evidence) already exists"))

    assert for_the_log(refused).startswith("OperationalError: password authentication failedxxx")
    assert len(for_the_log(refused)) < 330
    assert for_the_log(failed) == "DBAPIError 23505"


class Troubled:
    """A database whose transactions the server undoes the first ``times``."""

    def __init__(self, path: Path, times: int, error: Exception) -> None:
        self.database = Database("control", lambda: create_engine(f"sqlite:///{path}"))
        self.seen = 0
        self._times, self._error = times, error

    def __call__(self, connection: Connection) -> int:
        self.seen += 1
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS t (n)")
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")
        if self.seen <= self._times:
            raise wrapped(self._error)
        return int(connection.exec_driver_sql("SELECT COUNT(*) FROM t").scalar_one())


async def test_the_whole_transaction_is_run_again_and_counts_once(tmp_path: Path) -> None:
    troubled = Troubled(tmp_path / "x.db", 3, psycopg.errors.DeadlockDetected("x"))

    assert await troubled.database.write("try", troubled) == 1
    assert troubled.seen == 4
    await troubled.database.close()


async def test_it_is_not_run_again_for_ever(tmp_path: Path) -> None:
    troubled = Troubled(tmp_path / "x.db", 99, psycopg.errors.DeadlockDetected("x"))

    with pytest.raises(TruthUnavailable):
        await troubled.database.write("try", troubled)
    assert troubled.seen == 1 + len(REPEAT_AFTER_S)
    await troubled.database.close()


async def test_what_may_have_been_committed_is_not_run_again(tmp_path: Path) -> None:
    troubled = Troubled(tmp_path / "x.db", 1, psycopg.OperationalError("connection lost"))

    with pytest.raises(TruthUnavailable):
        await troubled.database.write("try", troubled)
    assert troubled.seen == 1
    await troubled.database.close()
